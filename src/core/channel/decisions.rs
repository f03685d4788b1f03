//! The decision point: what is unseen is looked at, and a turn starts or does not.

use super::answer_candidate::AnswerCandidate;
use super::channel_state::ChannelState;
use super::demands::{ChannelDemands, DecisionContext};
use super::open_question::is_news;
use super::pending_message::PendingMessage;
use crate::chat::Millis;
use crate::effect::Effect;
use crate::report::{DecisionOutcome, DecisionReport, TurnTrigger};

impl ChannelState {
    /// When a decision is due, or the running turn wants to be looked at.
    pub fn deadline(&self) -> Option<Millis> {
        match &self.turn {
            Some(turn) => turn.deadline(),
            None => self
                .decision_due()
                .into_iter()
                .chain(self.self_trigger_due())
                .min(),
        }
    }

    pub(super) fn decision_due(&self) -> Option<Millis> {
        let burst = self.burst.map(|burst| {
            let addressed = self
                .unseen
                .iter()
                .any(|unseen| !unseen.held && self.is_obliging(unseen, burst.last_message_at()));
            burst.compute_end(addressed, &self.policy.heartbeat)
        });
        let due = burst
            .into_iter()
            .chain(self.author_due())
            .chain(self.question_due())
            .chain(self.recheck_at)
            .min()?;
        Some(self.postponed_until.map_or(due, |until| due.max(until)))
    }

    /// Looks at what is unseen, if a decision is due, and says whether a turn should start.
    pub fn run_due_decision(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        let is_due = |due: Option<Millis>| due.is_some_and(|due| due <= context.now);
        if self.turn.is_some() || !is_due(self.deadline()) {
            return ChannelDemands::Nothing;
        }
        if is_due(self.decision_due()) {
            (self.burst, self.recheck_at) = (None, None);
            return self.decide_turn(context, effects);
        }
        self.add_self_triggers(ChannelDemands::Nothing, context, effects)
    }

    /// Decides now, without waiting for a burst to end; also for a channel whose turn it is after waiting.
    pub fn decide_turn(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        let demands = self.look_at_messages(context, effects);
        self.add_self_triggers(demands, context, effects)
    }

    fn look_at_messages(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        self.react_to_refused(context, effects);
        self.report_refused_addresses(context, effects);
        let now = context.now;
        self.drop_settled_questions(now);
        // What was said in its sleep may have been talked out of view by now.
        let timeline = &self.timeline;
        self.unseen
            .retain(|unseen| !unseen.held || timeline.find(unseen.id).is_some());
        let Some((trigger, outcome)) = self.choose_answer(context) else {
            return ChannelDemands::Nothing;
        };
        effects.push(Effect::ReportDecision(Box::new(DecisionReport {
            channel: self.channel.id,
            at: now,
            message: trigger.message,
            score: trigger.score,
            threshold: trigger.threshold,
            shift: trigger.shift,
            outcome,
            own: None,
        })));
        let is_unasked = matches!(
            outcome,
            DecisionOutcome::Willing | DecisionOutcome::Doubtful
        );
        let answered_message = trigger.message.filter(|_| is_unasked);
        self.report_due_decisions(answered_message, context, effects);
        match outcome {
            DecisionOutcome::Addressed | DecisionOutcome::Willing | DecisionOutcome::Doubtful => {
                return ChannelDemands::Turn(trigger);
            }
            DecisionOutcome::Unwilling => self.keep_questions(context),
            _ => self.state.questions.clear(),
        }
        match outcome {
            DecisionOutcome::Refused(refusal) if trigger.address.is_some() => {
                self.hold_direct_addresses(self.find_refusal_expiry(refusal, now), now)
            }
            _ => self.mark_seen_except_waiting(u64::MAX, now),
        }
        ChannelDemands::Nothing
    }

    /// What would be answered now, and whether it is; none where nothing is unseen.
    fn choose_answer(
        &self,
        context: DecisionContext<'_>,
    ) -> Option<(TurnTrigger, DecisionOutcome)> {
        let now = context.now;
        let addressed: Vec<&PendingMessage> = self
            .unseen
            .iter()
            .filter(|unseen| self.is_obliging(unseen, now))
            .collect();
        let best = match addressed.last() {
            Some(unseen) => self.build_candidate(unseen, context),
            None => self.find_best_candidate(context)?,
        };
        let is_doubtful = self.should_ask_judge(&best);
        let AnswerCandidate {
            id,
            author,
            score,
            threshold,
            shift,
            unseen,
        } = best;
        let address = unseen
            .filter(|unseen| self.is_obliging(unseen, now))
            .and_then(|unseen| unseen.score.address);
        let refusal = unseen
            .and_then(|unseen| self.find_message_refusal(unseen, now))
            .or_else(|| self.find_channel_refusal(address.is_some(), context));
        let outcome = match refusal {
            Some(refusal) => DecisionOutcome::Refused(refusal),
            None if address.is_some() => DecisionOutcome::Addressed,
            None if is_doubtful => DecisionOutcome::Doubtful,
            None if score >= threshold => DecisionOutcome::Willing,
            None => DecisionOutcome::Unwilling,
        };
        let trigger = TurnTrigger {
            message: Some(id),
            author: Some(author),
            address,
            addressed: addressed.iter().map(|unseen| unseen.id).collect(),
            score,
            threshold,
            shift,
            goes_on: unseen.is_some_and(|unseen| unseen.score.is_own_conversation()),
            is_doubtful: outcome == DecisionOutcome::Doubtful,
            own: None,
        };
        Some((trigger, outcome))
    }

    /// Of what obliges nobody: what may be answered and stands out most, else the newest message.
    fn find_best_candidate(&self, context: DecisionContext<'_>) -> Option<AnswerCandidate<'_>> {
        let now = context.now;
        // What may not be answered never stands in the way of what may.
        let due = || self.unseen.iter().filter(|unseen| !unseen.is_waiting(now));
        due()
            .filter(|unseen| self.find_message_refusal(unseen, now).is_none())
            .filter(|unseen| !is_news(&unseen.score) || !self.is_taken_up(unseen))
            .map(|unseen| self.build_candidate(unseen, context))
            .chain(self.question_candidates(now))
            .max_by(|a, b| a.margin().total_cmp(&b.margin()))
            .or_else(|| {
                let newest = due().next_back()?;
                Some(self.build_candidate(newest, context))
            })
    }
}
