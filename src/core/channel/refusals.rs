//! What forbids the companion to speak (Law 1): the message itself, the channel, and until when.

use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::pending_message::{PendingMessage, RefusalExpiry};
use crate::chat::{AuthorKind, Message, Millis};
use crate::event::BudgetState;
use crate::policy::{BotPolicy, ChannelMode};
use crate::report::Refusal;

impl ChannelState {
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

    /// Whether it is too old to be answered. What would grow old while the companion sleeps is fresh when it wakes.
    pub(super) fn is_stale(&self, unseen: &PendingMessage, now: Millis) -> bool {
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

    pub(super) fn is_quiet(&self, now: Millis) -> bool {
        self.quiet_end(now).is_some()
    }

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

    /// When a refusal passes by itself, where known. Others pass by an event: a budget that opens, a permission given.
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
