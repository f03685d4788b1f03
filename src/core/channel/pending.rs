//! Messages no turn or beat has looked at yet, and what forbids speech at them (Law 1).

use super::burst_window::to_millis;
use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::pending_message::{PendingMessage, RefusalExpiry};
use crate::chat::{AuthorKind, Message, MessageId, Millis, UserId};
use crate::effect::Effect;
use crate::event::BudgetState;
use crate::policy::{BotPolicy, ChannelMode, TYPING_LASTS};
use crate::report::Refusal;

impl ChannelState {
    /// How long the author of an unaddressed message has to be quiet: by their own habit, within what the settings say.
    fn compute_author_wait(&self, author: UserId) -> Millis {
        let waits = &self.policy.heartbeat;
        let (least, most) = (
            to_millis(waits.burst_wait_seconds),
            to_millis(waits.burst_cap_seconds),
        );
        self.state
            .sense
            .find_author_wait(author)
            .min(most)
            .max(least)
    }

    /// Has an unaddressed message wait for its author, and what they wrote before it give way to it.
    pub(super) fn wait_for_author(
        &mut self,
        unseen: &mut PendingMessage,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let author = unseen.author.id;
        if !unseen.is_addressed() {
            unseen.due = Some(unseen.at.max(context.now) + self.compute_author_wait(author));
        }
        let gives_way = |earlier: &PendingMessage| {
            earlier.author.id == author && earlier.is_waiting(context.now)
        };
        let (passed, kept): (Vec<PendingMessage>, Vec<PendingMessage>) =
            std::mem::take(&mut self.unseen)
                .into_iter()
                .partition(gives_way);
        self.unseen = kept.into();
        for earlier in passed {
            let mut decision = self.decide_message(&earlier, context);
            // What it wanted to say to this is part of what it makes of the next line.
            (decision.score, decision.speak) = (0.0, false);
            decision.refusal = decision.refusal.or(Some(Refusal::WroteOn));
            effects.push(Effect::ReportMessageDecision(Box::new(decision)));
        }
    }

    /// Tells what was decided on everything whose author was quiet for long enough: `spoken` is what it speaks on.
    pub(super) fn report_due_decisions(
        &mut self,
        answered_message: Option<MessageId>,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let is_due = |unseen: &PendingMessage| unseen.due.is_some_and(|due| due <= context.now);
        for unseen in self.unseen.iter().filter(|unseen| is_due(unseen)) {
            let mut decision = self.decide_message(unseen, context);
            decision.score = self
                .state
                .sense
                .at(&unseen.score, context.now, context.weights);
            decision.speak = answered_message == Some(unseen.id);
            effects.push(Effect::ReportMessageDecision(Box::new(decision)));
        }
        self.unseen
            .iter_mut()
            .filter(|unseen| is_due(unseen))
            .for_each(|unseen| unseen.is_reported = true);
    }

    /// A turn is over: tells what was decided on the lines it looked at before their authors had been quiet for long
    /// enough, which is nothing of their own.
    pub(super) fn report_shown_messages(
        &self,
        cursor: u64,
        has_spoken: bool,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let is_over = |unseen: &&PendingMessage| {
            unseen.arrival <= cursor && (has_spoken || !unseen.is_waiting(context.now))
        };
        let shown = self
            .being_answered
            .iter()
            .chain(self.unseen.iter().filter(is_over));
        for unseen in shown.filter(|unseen| unseen.due.is_some() && !unseen.is_reported) {
            let mut decision = self.decide_message(unseen, context);
            decision.speak = false;
            decision.refusal = decision.refusal.or(Some(Refusal::SeenInTurn));
            effects.push(Effect::ReportMessageDecision(Box::new(decision)));
        }
    }

    /// Everything up to this arrival number has been looked at, but for what still waits for its author.
    pub(super) fn mark_seen_except_waiting(&mut self, cursor: u64, now: Millis) {
        self.shown(cursor, now);
        let cursor = cursor.min(self.timeline.cursor());
        let first = self
            .unseen
            .iter()
            .map(|unseen| unseen.arrival)
            .min()
            .unwrap_or(u64::MAX);
        self.advance_seen_cursor(cursor.min(first.saturating_sub(1)));
        self.changed = true;
    }

    /// Somebody types: what they wrote waits for the rest, within what the settings say.
    pub(super) fn wait_while_typing(&mut self, user: UserId, now: Millis) {
        let most = to_millis(self.policy.heartbeat.burst_cap_seconds);
        for unseen in self
            .unseen
            .iter_mut()
            .filter(|unseen| unseen.author.id == user)
        {
            unseen.due = unseen
                .due
                .map(|due| due.max((now + TYPING_LASTS).min(unseen.at + 2 * most)));
        }
    }

    /// What waits for its author is decided on now.
    pub fn stop_waiting(&mut self, now: Millis) {
        for unseen in &mut self.unseen {
            unseen.due = unseen.due.map(|due| due.min(now));
        }
    }

    /// When the first author has been quiet for long enough.
    pub(super) fn author_due(&self) -> Option<Millis> {
        self.unseen
            .iter()
            .filter(|unseen| !unseen.held)
            .filter_map(|unseen| unseen.due)
            .min()
    }

    /// What about the message itself forbids to answer it, whatever the channel's settings.
    pub(super) fn find_message_refusal(
        &self,
        unseen: &PendingMessage,
        now: Millis,
    ) -> Option<Refusal> {
        match (unseen.author.kind, self.policy.bots) {
            (AuthorKind::Person, _) => {}
            (AuthorKind::Bot, BotPolicy::Limited)
                if self.state.bots.is_limit_reached(unseen.author.id, now) =>
            {
                return Some(Refusal::BotLimit);
            }
            (AuthorKind::Bot, BotPolicy::Limited) => {}
            (AuthorKind::Bot | AuthorKind::Webhook | AuthorKind::Companion, _) => {
                return Some(Refusal::NotAPerson);
            }
        }
        // A context that was started afresh has no line to answer.
        let gone = self.state.begins_after.is_some_and(|id| unseen.id <= id);
        (gone || self.is_stale(unseen, now)).then_some(Refusal::Stale)
    }

    /// Whether a message is too old to be answered. What would grow old while the companion sleeps is as fresh when it
    /// wakes as if it had been said then.
    fn is_stale(&self, unseen: &PendingMessage, now: Millis) -> bool {
        let until = unseen.at + unseen.fresh_for;
        if now <= until {
            return false;
        }
        let Some(schedule) = &self.policy.persona.schedule else {
            return true;
        };
        // One sleep may be written as several parts of the day.
        let wakes = std::iter::successors(Some(until), |at| schedule.find_wake_time(*at))
            .take(schedule.day.len() + 1)
            .last();
        wakes
            .filter(|wakes| *wakes > until)
            .is_none_or(|wakes| now > wakes + unseen.fresh_for)
    }

    /// Whether it is direct address that must be answered unless the channel's settings forbid it.
    pub(super) fn is_obliging(&self, unseen: &PendingMessage, now: Millis) -> bool {
        unseen.is_addressed() && self.find_message_refusal(unseen, now).is_none()
    }

    /// What forbids the companion to speak here right now, to who addressed it or at all.
    pub(super) fn find_channel_refusal(
        &self,
        addressed: bool,
        context: DecisionContext<'_>,
    ) -> Option<Refusal> {
        let (policy, now) = (&self.policy, context.now);
        match policy.mode {
            ChannelMode::Off => return Some(Refusal::Off),
            ChannelMode::Observe => return Some(Refusal::Observe),
            ChannelMode::On => {}
        }
        let spent = match context.budget.max(self.budget_share) {
            BudgetState::Open => false,
            BudgetState::Soft => !addressed,
            BudgetState::Hard => true,
        };
        if !policy.may_send {
            Some(Refusal::NoPermission)
        } else if policy.paused_until.is_some_and(|until| until > now) {
            Some(Refusal::Paused)
        } else if policy
            .persona
            .schedule
            .as_ref()
            .is_some_and(|schedule| schedule.is_asleep(now))
        {
            Some(Refusal::Asleep)
        } else if spent {
            Some(Refusal::Budget)
        } else if !addressed && self.is_quiet(now) {
            Some(Refusal::Quiet)
        } else {
            None
        }
    }

    /// Whether somebody speaks where nobody but the companion can be meant. Who asked for quiet is left in peace.
    pub(super) fn is_alone(&self, message: &Message, now: Millis) -> bool {
        self.policy.only_speakers
            && message.author.kind == AuthorKind::Person
            && !self.is_quiet(now)
            && self.state.sense.is_alone(message)
    }

    fn is_quiet(&self, now: Millis) -> bool {
        self.quiet_end(now).is_some()
    }

    /// When the quiet it must keep ends, unless there is none.
    pub(super) fn quiet_end(&self, now: Millis) -> Option<Millis> {
        let own = self.policy.persona.timezone();
        let hours = self
            .policy
            .quiet_hours
            .filter(|hours| hours.is_active(now, own));
        self.state
            .quiet
            .until(now)
            .max(hours.map(|hours| hours.find_end(now, own)))
    }

    /// When a refusal passes by itself, as far as that is known. Some others pass by an event: a budget that opens, a
    /// permission that is given.
    pub(super) fn find_refusal_expiry(&self, refusal: Refusal, now: Millis) -> RefusalExpiry {
        let at = match refusal {
            Refusal::Paused => self.policy.paused_until,
            Refusal::Asleep => self
                .policy
                .persona
                .schedule
                .as_ref()
                .and_then(|schedule| schedule.find_wake_time(now)),
            Refusal::Budget | Refusal::NoPermission => None,
            _ => return RefusalExpiry::Never,
        };
        at.map_or(RefusalExpiry::OnEvent, RefusalExpiry::At)
    }
}
