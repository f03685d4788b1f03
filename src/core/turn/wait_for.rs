//! `wait_for`: what the model means to come back to, read from its call and written down as an intention.

use super::executor::RoundExecutor;
use super::params::read_text_param;
use super::turn_context::TurnContext;
use crate::call::{ToolCall, ToolKind};
use crate::chat::{Author, AuthorKind, HOUR, IntentionId};
use crate::effect::Effect;
use crate::intent::{
    DEFAULT_HOURS, MOST_HOURS, MOST_PENDING, NOTE_CHARACTERS, ScheduledIntent, WORD_CHARACTERS,
    compute_expiry,
};
use crate::moment::{Moment, find_given_moment};
use kith_language::{LocalizedMessage, refusals};

impl RoundExecutor<'_> {
    /// Notes the intention, or tells the model what is wrong with it.
    pub(super) fn plan_wait(&mut self, call: ToolCall) {
        let (intention, time) = match self.parse_intention(&call) {
            Ok(found) => found,
            Err(refusal) => return self.refuse_call(call, Some(ToolKind::Quiet), refusal),
        };
        let pending = || list_pending_intentions(self.context, &self.record.new_intentions);
        if pending().any(|known| known.is_like(&intention)) {
            // A turn that started over may wish for it again.
            let content = refusals::waits_already().in_language(self.record.language());
            return self.record_done_call(call, ToolKind::Quiet, &content);
        }
        if pending().count() >= MOST_PENDING {
            let refusal = refusals::waits_enough(MOST_PENDING);
            return self.refuse_call(call, Some(ToolKind::Quiet), refusal);
        }
        let zone = self.record.identity.policy.persona.timezone();
        let skipped = time.filter(|time| time.skipped.is_some());
        let content = skipped.map(|time| time.confirm(zone).in_language(self.record.language()));
        self.record_done_call(call, ToolKind::Quiet, content.as_deref().unwrap_or("noted"));
        self.effects.push(Effect::SaveIntent {
            channel: self.record.identity.channel,
            intention: Box::new(intention.clone()),
        });
        self.record.new_intentions.push(intention);
    }

    fn parse_intention(
        &self,
        call: &ToolCall,
    ) -> Result<(ScheduledIntent, Option<Moment>), LocalizedMessage> {
        let context = self.context;
        let given = |name| {
            Some(read_text_param(call, name).trim().to_owned()).filter(|text| !text.is_empty())
        };
        let person = given("person")
            .map(|name| find_person(&name, context).ok_or_else(refusals::no_such_person))
            .transpose()?;
        let word = match given("word") {
            Some(word) if word.chars().count() > WORD_CHARACTERS => {
                return Err(refusals::word_length(WORD_CHARACTERS));
            }
            word => word,
        };
        let (time, minutes, hours) = (given("time"), given("minutes"), given("hours"));
        let waits = [&word, &time, &minutes].into_iter().any(Option::is_some) || person.is_some();
        // Where nothing else is waited for, the hours are the moment.
        let moment = [&time, &minutes, &hours.clone().filter(|_| !waits)];
        let time = match moment.iter().any(|given| given.is_some()) {
            true => Some(self.parse_time(moment)?),
            false => None,
        };
        let least = time.map_or(1, |time| ((time.at - context.now) / HOUR + 1) as u32);
        let hours = match hours.filter(|_| waits) {
            None => DEFAULT_HOURS.max(2 * least),
            Some(hours) => match hours.parse() {
                Ok(hours) if (least..=MOST_HOURS).contains(&hours) => hours,
                _ => return Err(refusals::hours_range(least, MOST_HOURS)),
            },
        };
        let newest = context
            .intentions
            .iter()
            .chain(&self.record.new_intentions)
            .map(|known| known.id.0)
            .max()
            .unwrap_or(0);
        let intention = ScheduledIntent {
            id: IntentionId(u64::try_from(context.now).unwrap_or(0).max(newest + 1)),
            made: context.now,
            after: self.record.cursor,
            expires: compute_expiry(context.now, hours),
            person: person.as_ref().map(|person| person.id),
            name: person
                .map(|person| person.name.to_string())
                .unwrap_or_default(),
            word,
            time: time.map(|time| time.at),
            note: read_text_param(call, "note")
                .trim()
                .chars()
                .take(NOTE_CHARACTERS)
                .collect(),
            came: None,
            reminder: None,
        };
        if intention.is_like(&ScheduledIntent::default()) {
            return Err(refusals::nothing_to_wait_for());
        }
        Ok((intention, time))
    }

    /// A moment to come, in the time for which something can be kept.
    fn parse_time(&self, given: [&Option<String>; 3]) -> Result<Moment, LocalizedMessage> {
        let (now, zone) = (
            self.context.now,
            self.record.identity.policy.persona.timezone(),
        );
        find_given_moment(given, now, zone)
            .filter(|time| time.at > now && time.at <= compute_expiry(now, MOST_HOURS))
            .ok_or_else(|| refusals::no_time(MOST_HOURS))
    }
}

/// Somebody who wrote here lately, by the name they stand under.
fn find_person(name: &str, context: &TurnContext<'_>) -> Option<Author> {
    let wanted = context.names.find_user(name.trim_start_matches('@'));
    let mut authors = context
        .timeline
        .messages()
        .rev()
        .map(|said| &said.message.author);
    let found =
        authors.find(|author| author.kind != AuthorKind::Companion && Some(author.id) == wanted);
    found.cloned()
}

/// What is waited for in the channel, and what this turn adds.
fn list_pending_intentions<'a>(
    context: &'a TurnContext<'_>,
    intended: &'a [ScheduledIntent],
) -> impl Iterator<Item = &'a ScheduledIntent> {
    context
        .intentions
        .iter()
        .filter(|known| known.reminder.is_none())
        .chain(intended)
}
