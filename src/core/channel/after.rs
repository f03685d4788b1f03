//! What follows from beats, turns and changes: what has been looked at, small reactions, what is held back, and what has
//! to be forgotten.

use kith_language::failures;
use std::collections::VecDeque;
use std::sync::Arc;

use super::liveliness::ChannelLiveliness;
use super::pending::{PendingMessage, RefusalExpiry};
use super::{BurstWindow, ChannelState, DecisionContext};
use crate::chat::{AuthorKind, MessageId, Millis, UserId};
use crate::context::ContextNote;
use crate::effect::Effect;
use crate::policy::ADDRESS_FRESH;
use crate::report::{DeliveryFailure, Refusal, TurnTrigger};
use crate::turn::FinishedTurn;

/// At most one small reaction a person in this time.
const SMALL_REACTION_EVERY: Millis = ADDRESS_FRESH;

impl ChannelState {
    /// The small reaction of Law 1 on direct address it cannot answer now.
    pub(super) fn react_to_refused(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let reactions = &self.policy.small_reactions;
        let emoji = match self.find_channel_refusal(true, context) {
            Some(Refusal::Asleep | Refusal::Budget) => reactions.asleep.clone(),
            Some(Refusal::Paused) => reactions.paused.clone(),
            Some(Refusal::NoPermission) if self.policy.may_react => reactions.failure.clone(),
            _ => return,
        };
        let obliging = self
            .unseen
            .iter()
            .filter(|unseen| !unseen.held && self.is_obliging(unseen, context.now));
        let refused: Vec<(MessageId, UserId)> = obliging
            .map(|unseen| (unseen.id, unseen.author.id))
            .collect();
        for (message, author) in refused {
            self.send_small_reaction(message, author, emoji.clone(), context.now, effects);
        }
    }

    pub(super) fn send_small_reaction(
        &mut self,
        message: MessageId,
        author: UserId,
        emoji: String,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        self.small_reactions
            .retain(|_, at| now - *at < SMALL_REACTION_EVERY);
        if emoji.is_empty() || self.small_reactions.contains_key(&author) {
            return;
        }
        self.small_reactions.insert(author, now);
        let (channel, cursor) = (self.channel.id, self.state.seen);
        effects.push(Effect::React {
            turn: None,
            channel,
            part: 0,
            message,
            emoji,
            cursor,
        });
    }

    /// There is more unseen than is kept apart: who is not answered for it is told.
    pub(super) fn drop_one_unseen(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let unobliging = self
            .unseen
            .iter()
            .position(|unseen| !self.is_obliging(unseen, now));
        let dropped = self
            .unseen
            .remove(unobliging.unwrap_or(0))
            .filter(|_| unobliging.is_none());
        if let Some(PendingMessage { id, author, .. }) = dropped {
            let emoji = self.policy.small_reactions.failure.clone();
            self.send_small_reaction(id, author.id, emoji, now, effects);
        }
    }

    /// Everything up to this arrival number has been looked at.
    pub fn mark_seen(&mut self, cursor: u64) {
        self.drop_unseen(|unseen| unseen.arrival > cursor);
        self.advance_seen_cursor(cursor.min(self.timeline.cursor()));
    }

    /// Nothing up to this arrival number is looked at again.
    pub(super) fn advance_seen_cursor(&mut self, cursor: u64) {
        self.state.seen = self.state.seen.max(cursor);
        self.state.attempts.drop_seen(self.state.seen);
        self.changed = true;
    }

    /// Everything up to this arrival number is in the prompt of the running turn. It counts as looked at when the turn
    /// ends: a turn that dies with the process leaves its direct addresses to be answered after the restart. What still
    /// waits for its author was shown half, unless its author is answered anyway.
    pub fn shown(&mut self, cursor: u64, now: Millis) {
        let owed = self
            .turn
            .as_ref()
            .map(|turn| turn.find_unanswered_users(&self.timeline))
            .unwrap_or_default();
        let waits =
            |unseen: &PendingMessage| unseen.is_waiting(now) && !owed.contains(&unseen.author.id);
        self.drop_unseen(|unseen| unseen.arrival > cursor || waits(unseen));
    }

    /// Whether the running turn owes this person an answer.
    pub(super) fn is_answering(&self, person: UserId) -> bool {
        self.turn
            .as_ref()
            .is_some_and(|turn| turn.find_unanswered_users(&self.timeline).contains(&person))
    }

    fn drop_unseen(&mut self, kept: impl Fn(&PendingMessage) -> bool) {
        let (unseen, shown): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut self.unseen).into_iter().partition(kept);
        self.unseen = unseen;
        if self.turn.is_some() {
            self.being_answered.extend(shown.into_iter());
        }
        if self.unseen.is_empty() {
            (self.burst, self.recheck_at) = (None, None);
        }
    }

    /// What forbids an answer passes: the fresh direct addresses stay unseen until then, the rest has been looked at. So
    /// one turn sees all that was missed, and only what is still fresh by then obliges it.
    pub(super) fn hold_direct_addresses(&mut self, expiry: RefusalExpiry, now: Millis) {
        self.recheck_at = match expiry {
            RefusalExpiry::Never => return self.mark_seen(u64::MAX),
            RefusalExpiry::OnEvent => None,
            RefusalExpiry::At(until) => Some(until),
        };
        self.burst = None;
        let mut unseen = std::mem::take(&mut self.unseen);
        unseen.retain(|unseen| self.is_obliging(unseen, now));
        unseen.iter_mut().for_each(|unseen| unseen.held = true);
        if let Some(first) = unseen.iter().map(|unseen| unseen.arrival).min() {
            self.state.seen = self.state.seen.max(first.saturating_sub(1));
        }
        self.unseen = unseen;
        self.changed = true;
    }

    /// The fresh direct addresses nobody has looked at yet.
    pub fn addressed_messages(&self, now: Millis) -> Vec<MessageId> {
        self.unseen
            .iter()
            .filter(|unseen| self.is_obliging(unseen, now))
            .map(|unseen| unseen.id)
            .collect()
    }

    /// After a turn: what it was shown has been looked at, lines it was kept from saying go into the next prompt, a
    /// failure gets its small reactions, and what arrived meanwhile is looked at soon.
    pub fn handle_turn_end(
        &mut self,
        ended: FinishedTurn,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let now = context.now;
        let FinishedTurn {
            report,
            unsent,
            next_prompt_notes: late,
            unanswered,
            postponed: put_off,
            cursor,
        } = ended;
        self.count_bots(&report.wake, now);
        self.settle_self_trigger(true, effects);
        self.record_opening_end(&report);
        if self.policy.replay_threshold.is_none()
            && report.is_unasked()
            && !report.wake.is_own()
            && report.has_sent_message()
            && !report.wake.goes_on
        {
            self.state.rate.record_unasked_turn();
        }
        self.report_shown_messages(cursor, report.has_sent_message(), context, effects);
        if report.has_sent_message() {
            self.mark_seen(cursor);
        } else {
            self.mark_seen_except_waiting(cursor, now);
        }
        self.state.attempts.record_turn_end();
        self.defer_messages(&put_off);
        self.unsent = unsent;
        self.late_notes
            .extend(late.into_iter().map(ContextNote::from));
        let failure = report
            .rounds
            .last()
            .and_then(|round| round.failure.as_ref());
        let reactions = &self.policy.small_reactions;
        let spent = failure.is_some_and(|failure| failure.budget);
        let emoji = if spent {
            reactions.asleep.clone()
        } else {
            reactions.failure.clone()
        };
        for message in unanswered {
            if let Some(author) = self
                .timeline
                .find(message)
                .map(|said| said.message.author.id)
            {
                self.send_small_reaction(message, author, emoji.clone(), now, effects);
            }
        }
        if let Some(last) = self.unseen.back() {
            let speaker = last.author.id;
            self.burst
                .get_or_insert(BurstWindow::new(speaker, now, false));
        }
        self.changed = true;
        effects.push(Effect::Finish(Box::new(report)));
    }

    /// Lines it was about to say when it was cut short, and late failures; shown once.
    pub fn take_leftovers(&mut self) -> (Vec<String>, Vec<ContextNote>) {
        (
            std::mem::take(&mut self.unsent),
            std::mem::take(&mut self.late_notes),
        )
    }

    /// A message that counted as said was not. What it said may have been forgotten since.
    pub fn record_delivery_failure(&mut self, why: &DeliveryFailure) {
        let language = self.policy.persona.language;
        let why = why.describe(language);
        let told = failures::late_delivery_failure(why);
        self.late_notes.push(told.in_language(language).into());
    }

    /// Something it asked for was decided on.
    pub fn record_outcome(&mut self, what: ContextNote) {
        self.late_notes.push(what);
    }

    /// A message says something else now; that alone obliges to nothing. Answers whether its words changed: platforms
    /// tell of an edit also where only a preview of a link was added.
    pub fn apply_edit(&mut self, id: MessageId, text: Arc<str>) -> bool {
        let is_new = self
            .timeline
            .find(id)
            .is_some_and(|said| said.message.text != text);
        if self.timeline.edit(id, text) {
            self.drop_questions(|message, _| message != id);
            self.state.sense.forget_message(id);
            self.changed = true;
        }
        is_new
    }

    /// One message was deleted, alone. If it is its own, somebody who looks after the channel did not want it there;
    /// many at once tell nothing about a single one.
    pub fn record_lone_deletion(&mut self, id: MessageId, now: Millis) {
        let author = self.timeline.find(id).map(|said| &said.message.author);
        if author
            .is_some_and(|by| by.kind == AuthorKind::Companion || by.id == self.address_matcher.me)
        {
            self.state.sense.welcome.record_deletion(now);
        }
    }

    /// A message was taken back: it obliges to nothing any more.
    pub fn apply_deletion(&mut self, id: MessageId) {
        self.timeline.delete(id);
        self.state.sense.forget_message(id);
        self.state.attempts.forget_message(id);
        self.changed = true;
        self.drop_questions(|message, _| message != id);
        self.unseen.retain(|unseen| unseen.id != id);
        self.being_answered
            .forget_matching(|message, _| message == id);
        self.withdraw_message(id);
    }

    /// Something is missing right before a message.
    pub fn mark_gap(&mut self, before: MessageId) {
        self.timeline.mark_gap(before);
        self.state.gaps = self.timeline.gaps().collect();
        self.changed = true;
    }

    /// The stored tail was heard again: puts back what hangs on its lines, and lets go of what ends the process.
    pub fn finish_restore(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        self.give_up_intentions(now, effects);
        self.put_gaps_back();
        self.plan_opening(now);
    }

    fn put_gaps_back(&mut self) {
        for before in std::mem::take(&mut self.state.gaps) {
            self.timeline.mark_gap(before);
        }
        self.state.gaps = self.timeline.gaps().collect();
    }

    /// The context starts after a message: nothing up to it is shown to a model, and nothing of it is answered, any more.
    pub fn begin_context_after(&mut self, id: MessageId) {
        self.timeline.begin_after(id);
        self.state.begins_after = self.state.begins_after.max(Some(id));
        self.drop_questions(|message, _| message > id);
        self.liveliness = ChannelLiveliness::default();
        self.state.gaps = self.timeline.gaps().collect();
        self.unsent.clear();
        self.late_notes.clear();
        self.changed = true;
    }

    /// Forgets everything about a person, and answers with their messages that were in view. What the companion meant to
    /// say next goes with them: it may be about them.
    pub fn forget_person(&mut self, user: UserId) -> Vec<MessageId> {
        let gone = self.timeline.forget(user);
        self.state.forget_person(user);
        self.window.forget(user);
        self.liveliness.forget_person(user);
        self.unseen.retain(|unseen| unseen.author.id != user);
        self.being_answered
            .forget_matching(|_, author| author == user);
        self.small_reactions.remove(&user);
        self.latest_score = self
            .latest_score
            .take()
            .filter(|score| score.author != user);
        self.unsent.clear();
        self.late_notes.clear();
        if self.burst.is_some_and(|burst| burst.speaker() == user) {
            let now = self.burst.map_or(0, |burst| burst.last_message_at());
            self.burst = self
                .unseen
                .back()
                .map(|last| BurstWindow::new(last.author.id, now, false));
        }
        self.changed = true;
        gone
    }

    /// A turn on a bot's message counts, whatever came of it: it cost a model call.
    fn count_bots(&mut self, wake: &TurnTrigger, now: Millis) {
        let mut bots: Vec<UserId> = Vec::new();
        for id in wake.message.iter().chain(&wake.addressed) {
            let author = self.timeline.find(*id).map(|said| &said.message.author);
            if let Some(bot) = author.filter(|author| author.kind == AuthorKind::Bot)
                && !bots.contains(&bot.id)
            {
                bots.push(bot.id);
            }
        }
        bots.into_iter()
            .for_each(|bot| self.state.bots.record_answer(bot, now));
    }
}
