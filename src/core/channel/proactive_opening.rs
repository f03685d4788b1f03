//! When the companion speaks first: into a long lull after a lively talk, and as a part of its day begins. Off by
//! default; each occasion is looked at once, whatever is restarted or set anew meanwhile.

use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::pending_intents::ScheduledOpening;
use crate::chat::{AuthorKind, ChannelKind, DAY, MINUTE, Millis};
use crate::policy::ChannelMode;
use crate::report::{SelfTrigger, TurnOutcome, TurnReport};

/// A channel in which no person wrote for so long is not greeted.
const ALIVE: Millis = 3 * DAY;
/// An opening comes within so much time from the beginning of its part of the day, not on the stroke.
const OPENS_WITHIN: Millis = 10 * MINUTE;
/// So long after that beginning it is too late for it: the machine was asleep.
const TOO_LATE: Millis = 30 * MINUTE;

impl ChannelState {
    /// The settings or the time changed: when it may speak first next. One whose time is near is found again.
    pub fn plan_opening(&mut self, now: Millis) {
        let schedule = self
            .policy
            .persona
            .schedule
            .as_ref()
            .filter(|_| self.may_open());
        // Of one that lies far ahead the clock was wrong.
        let looked_at = self
            .state
            .initiative
            .opened
            .filter(|begins| *begins < now.saturating_add(DAY));
        let after = looked_at
            .max(Some(now.saturating_sub(OPENS_WITHIN)))
            .unwrap_or(now);
        let begins = schedule.and_then(|schedule| schedule.find_next_opening(after));
        self.pending.opening = begins.map(|begins| ScheduledOpening {
            begins,
            at: begins + self.compute_opening_delay(begins),
        });
    }

    /// Whether it may ever speak first here. Not in direct messages, and not in threads, which end by themselves.
    fn may_open(&self) -> bool {
        self.policy.initiative.openings_a_day > 0
            && self.policy.mode == ChannelMode::On
            && self.channel.kind == ChannelKind::Group
    }

    /// The same for one channel and one moment, different for others.
    fn compute_opening_delay(&self, at: Millis) -> Millis {
        let mixed =
            (self.channel.id.0 ^ at.unsigned_abs()).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        Millis::try_from(mixed).unwrap_or(0) % OPENS_WITHIN
    }

    /// When a lively channel has been silent for long.
    pub(super) fn lull_due(&self) -> Option<Millis> {
        let (after, since) = self.liveliness.lull().filter(|_| self.may_open())?;
        let lasts = Millis::from(self.policy.initiative.lull_minutes) * MINUTE;
        (self.state.initiative.lull != Some(after)).then_some(since + lasts)
    }

    /// An opening whose moment has come; each is looked at once.
    pub(super) fn take_due_opening(&mut self, context: DecisionContext<'_>) -> Option<SelfTrigger> {
        let now = context.now;
        let mut due = None;
        if let Some(opening) = self.pending.opening.filter(|opening| opening.at <= now) {
            self.state.initiative.opened = Some(opening.begins);
            self.changed = true;
            self.plan_opening(now);
            let people = self
                .timeline
                .messages()
                .rev()
                .find(|said| said.message.author.kind == AuthorKind::Person);
            let alive = people.is_some_and(|said| now - said.message.at < ALIVE);
            due = (alive && now - opening.begins < TOO_LATE).then_some(SelfTrigger::Opening);
        }
        if self.lull_due().is_some_and(|at| at <= now) {
            let lull = self.liveliness.lull();
            self.state.initiative.lull = lull.map(|(after, _)| after);
            self.changed = true;
            let minutes = lull.map_or(0, |(_, since)| (now - since) / MINUTE);
            due = due.or(Some(SelfTrigger::Lull {
                minutes: u32::try_from(minutes).unwrap_or(0),
            }));
        }
        due
    }

    /// A turn is over: an opening in which it said nothing needs no answer.
    pub(super) fn record_opening_end(&mut self, report: &TurnReport) {
        if !matches!(
            report.wake.own,
            Some(SelfTrigger::Lull { .. } | SelfTrigger::Opening)
        ) {
            return;
        }
        let mut calls = report.rounds.iter().flat_map(|round| &round.calls);
        match calls.find_map(|done| done.message.filter(|_| done.call.name == "send_message")) {
            _ if report.outcome != TurnOutcome::Acted => self.state.initiative.clear_unanswered(),
            Some(id) => self.state.initiative.record_own_message(id, report.ended),
            None => {}
        }
    }
}
