//! Unaddressed messages wait until their author has been quiet for as long as they usually are between lines; then it
//! is told what was decided on them.

use super::answer_candidate::compute_margin;
use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::pending_message::PendingMessage;
use crate::burst_window::to_millis;
use crate::chat::{MessageId, Millis, SECOND, UserId};
use crate::effect::Effect;
use crate::report::{MessageDecision, Refusal, TurnReport};
use crate::typing_time::TYPING_LASTS;

/// How far above the threshold a line of its own talk is sure to be answered, in log-odds.
const SURE: f32 = 0.3;
/// How long such a line waits for another, and by how much longer where another is certain.
const OWN_TALK_WAIT: Millis = 4 * SECOND;
const FURTHER_LINE_WAIT: Millis = 16 * SECOND;

impl ChannelState {
    /// How long an unaddressed message's author has to be quiet: by habit, at least a burst's pause; less where they
    /// turned to the companion and wait for it, whatever the room's pace. `further_line`: how likely they write on, 0 … 1.
    fn compute_author_wait(
        &self,
        unseen: &PendingMessage,
        decision: &MessageDecision,
        further_line: f32,
    ) -> Millis {
        let margin = compute_margin(decision.score, decision.threshold);
        if margin >= SURE && unseen.score.wants_reply() {
            return OWN_TALK_WAIT + (further_line * FURTHER_LINE_WAIT as f32) as Millis;
        }
        let least = to_millis(self.policy.heartbeat.burst_wait_seconds);
        self.state
            .sense
            .find_author_wait(unseen.author.id)
            .max(least)
    }

    /// Has an unaddressed message wait for its author, and what they wrote before it give way to it.
    pub(super) fn wait_for_author(
        &mut self,
        unseen: &mut PendingMessage,
        decision: &MessageDecision,
        further_line: f32,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let author = unseen.author.id;
        if !unseen.is_addressed() {
            let wait = self.compute_author_wait(unseen, decision, further_line);
            unseen.due = Some(unseen.at.max(context.now) + wait);
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
            decision.speak = false;
            decision.refusal = decision.refusal.or(Some(Refusal::WroteOn));
            if !decision.is_weighed() {
                // What it wanted to say to this is part of what it makes of the next line.
                decision.score = 0.0;
                decision.terms.clear();
            }
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
            decision.score =
                self.state
                    .sense
                    .decay_score(&unseen.score, context.now, context.weights);
            decision.speak = answered_message == Some(unseen.id);
            effects.push(Effect::ReportMessageDecision(Box::new(decision)));
        }
        self.unseen
            .iter_mut()
            .filter(|unseen| is_due(unseen))
            .for_each(|unseen| unseen.is_reported = true);
    }

    /// A turn is over: tells what was decided on the lines it looked at before their authors had been quiet for long
    /// enough, which is nothing of their own, and on direct address that was stale when it was shown.
    pub(super) fn report_shown_messages(
        &self,
        cursor: u64,
        report: &TurnReport,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let is_over = |unseen: &&PendingMessage| {
            unseen.arrival <= cursor
                && (report.has_sent_message() || !unseen.is_waiting(context.now))
        };
        let shown = self
            .being_answered
            .iter()
            .chain(self.unseen.iter().filter(is_over));
        let is_passed_over = |unseen: &PendingMessage| {
            unseen.is_addressed() && !report.wake.addressed.contains(&unseen.id)
        };
        for unseen in shown.filter(|unseen| {
            !unseen.is_reported && (unseen.due.is_some() || is_passed_over(unseen))
        }) {
            let mut decision = self.decide_message(unseen, context);
            decision.speak = false;
            decision.refusal = decision.refusal.or(Some(Refusal::SeenInTurn));
            effects.push(Effect::ReportMessageDecision(Box::new(decision)));
        }
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

    pub fn stop_waiting(&mut self, now: Millis) {
        for unseen in &mut self.unseen {
            unseen.due = unseen.due.map(|due| due.min(now));
        }
    }

    pub(super) fn author_due(&self) -> Option<Millis> {
        self.unseen
            .iter()
            .filter(|unseen| !unseen.held)
            .filter_map(|unseen| unseen.due)
            .min()
    }
}
