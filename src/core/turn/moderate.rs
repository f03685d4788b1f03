//! Deeds about members: read from a call, with whoever they are about found in the history by the number of a line, so
//! that no name can stand for another. Whether it may be done is decided outside, and nothing is done twice.

use super::failure_texts::FailureTexts;
use super::steps::read_text_param;
use super::waiting::TurnWait;
use super::{Turn, TurnContext};
use crate::call::{ToolCall, ToolKind};
use crate::chat::{Author, AuthorKind};
use crate::context::fill_pattern;
use crate::effect::Effect;
use crate::moderation::{LONGEST_TIME_OUT, ModerationAction, ModerationKind, REASON_CHARACTERS};
use crate::timeline::{Timeline, TimelineMessage};

impl Turn {
    /// Asks for the deed, or tells the model what is wrong with its call.
    pub(super) fn plan_moderation(
        &mut self,
        kind: ModerationKind,
        call: ToolCall,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let texts = FailureTexts::from_language(self.policy.persona.language);
        match parse_action(kind, &call, context, texts) {
            Ok(action) => {
                let report = self.record_call(call, Some(ToolKind::Visible), None, context.now);
                self.count_visible(kind.name());
                self.next_call += 1;
                self.waiting = Some(TurnWait::Moderation {
                    call: self.next_call,
                    report,
                });
                let causes = self
                    .find_causes(context.timeline)
                    .into_iter()
                    .map(|author| author.id)
                    .collect();
                let (turn, call) = (self.id, self.next_call);
                effects.push(Effect::Moderate {
                    turn,
                    call,
                    action: Box::new(action),
                    causes,
                });
            }
            Err(sentence) => self.refuse_call(call, Some(ToolKind::Visible), sentence, context.now),
        }
    }

    /// Everybody who spoke to it in this turn, all of whom must be allowed to cause what it does: of several the model
    /// cannot be trusted to know whom it obeys. Nobody where nobody spoke to it, whatever woke it, or where one of them
    /// is not known.
    pub(super) fn find_causes(&self, timeline: &Timeline) -> Vec<Author> {
        let author = |id| timeline.find(id).map(|said| said.message.author.clone());
        let woke = self.wake.message.filter(|_| self.wake.address.is_some());
        let spoke = self.wake.addressed.iter().copied().chain(woke);
        let mut causes: Vec<Author> = spoke.map(author).collect::<Option<_>>().unwrap_or_default();
        causes.sort_unstable_by_key(|author| author.id);
        causes.dedup_by_key(|author| author.id);
        causes
    }
}

fn parse_action(
    kind: ModerationKind,
    call: &ToolCall,
    context: &TurnContext<'_>,
    texts: &FailureTexts,
) -> Result<ModerationAction, String> {
    let guild = context.channel.guild.ok_or(texts.no_members)?;
    let said = find_line(call, context.timeline).ok_or(texts.no_line)?;
    let author = &said.message.author;
    match author.kind {
        AuthorKind::Companion => return Err(texts.own_line.into()),
        AuthorKind::Webhook if kind.is_about_member() => return Err(texts.webhook_line.into()),
        _ => {}
    }
    let reason: String = read_text_param(call, "reason")
        .trim()
        .chars()
        .take(REASON_CHARACTERS)
        .collect();
    if reason.is_empty() {
        return Err(texts.no_reason.into());
    }
    Ok(ModerationAction {
        deed: kind,
        guild,
        channel: context.channel.id,
        user: author.id,
        name: author.name.to_string(),
        message: said.message.id,
        minutes: if kind == ModerationKind::TimeoutMember {
            Some(parse_minutes(call, texts)?)
        } else {
            None
        },
        reason,
    })
}

fn find_line<'a>(call: &ToolCall, timeline: &'a Timeline) -> Option<&'a TimelineMessage> {
    let number = read_text_param(call, "line");
    timeline.find_by_short_id(number.trim().trim_start_matches('#').parse().ok()?)
}

fn parse_minutes(call: &ToolCall, texts: &FailureTexts) -> Result<u32, String> {
    let minutes = read_text_param(call, "minutes")
        .trim()
        .parse()
        .ok()
        .filter(|minutes| (1..=LONGEST_TIME_OUT).contains(minutes));
    minutes.ok_or_else(|| {
        fill_pattern(
            texts.number_range,
            &["minutes", &LONGEST_TIME_OUT.to_string()],
        )
    })
}
