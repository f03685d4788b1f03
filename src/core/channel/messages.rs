//! A message comes in: it is scored, decided on, and kept until somebody looks at it.

use super::channel_state::ChannelState;
use super::demands::{DecisionContext, TurnImpact};
use super::pending_message::PendingMessage;
use super::second_line::LIKELY;
use crate::burst_window::BurstWindow;
use crate::chat::{AuthorKind, Message, Millis};
use crate::effect::Effect;
use crate::policy::ChannelMode;
use crate::report::{MessageDecision, Refusal};
use crate::willingness::WillingnessScore;

/// The most unseen messages a channel keeps apart; older ones are still in the timeline.
const UNSEEN_KEPT: usize = 128;

/// What a restart means for a message: nothing is counted or told twice.
#[derive(Clone, Copy)]
struct MessageNovelty {
    /// The state that was put back has heard it already.
    heard_before: bool,
    is_open: bool,
}

impl ChannelState {
    /// A message came in. One that is already known changes nothing.
    pub fn handle_message(
        &mut self,
        message: Message,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> TurnImpact {
        if self.policy.mode == ChannelMode::Off || self.timeline.say(message.clone()).is_none() {
            return TurnImpact::Nothing;
        }
        self.record_message(&message, effects);
        // Not the moving mark: an own line may come in after a message that was stored later.
        let novelty = MessageNovelty {
            heard_before: message.arrival <= self.restored_cursor,
            is_open: self.state.is_open(message.id, message.arrival),
        };
        if novelty.heard_before && !novelty.is_open {
            return TurnImpact::Nothing;
        }
        self.changed = true;
        self.state.heard = self.state.heard.max(message.arrival);
        let is_own = message.author.kind == AuthorKind::Companion
            || message.author.id == self.address_matcher.me;
        if !is_own {
            return self.consider_message(message, novelty, context, effects);
        }
        if !novelty.heard_before {
            let sense = &mut self.state.sense;
            sense.record_own_message(&message, context.weights);
        }
        TurnImpact::Nothing
    }

    fn record_message(&mut self, message: &Message, effects: &mut Vec<Effect>) {
        self.liveliness
            .record_message(message, self.address_matcher.me, self.policy.bots);
        let initiative = &mut self.state.initiative;
        match message.author.kind {
            AuthorKind::Companion => initiative.record_own_message(message.id, message.at),
            AuthorKind::Person => initiative.record_person_message(message.id, message.at),
            AuthorKind::Bot | AuthorKind::Webhook => {}
        }
        if message.author.kind != AuthorKind::Companion {
            self.match_intentions(message, effects);
        }
    }

    /// Decides on a message of somebody else.
    fn consider_message(
        &mut self,
        message: Message,
        novelty: MessageNovelty,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> TurnImpact {
        let MessageNovelty {
            heard_before,
            is_open,
        } = novelty;
        let score = self.score_message(&message, heard_before, context);
        let asks_for_quiet = self.check_quiet_request(&message, &score);
        let further_line = self.estimate_further_line(&message, &score);
        let mut unseen = PendingMessage::new(&message, score, self.channel.kind);
        unseen.put_off = self.state.is_put_off(message.id);
        let mut decision = self.decide_message(&unseen, context);
        if asks_for_quiet && decision.refusal.is_none() {
            (decision.refusal, decision.speak) = (Some(Refusal::Quiet), false);
        }
        if is_open && self.give_up_message(&unseen, context.now, effects) {
            return TurnImpact::Nothing;
        }
        unseen.reached_threshold = decision.speak;
        unseen.is_reported = unseen.is_addressed() && decision.refusal.is_some() && !heard_before;
        if is_open && !asks_for_quiet {
            // What was heard before the restart was told then.
            let mut discarded_effects = Vec::new();
            let told = if heard_before {
                &mut discarded_effects
            } else {
                &mut *effects
            };
            self.wait_for_author(&mut unseen, &decision, further_line, context, told);
            decision.waits_until = unseen.due;
            decision.speak &= unseen.due.is_none();
        }
        self.latest_score = Some(unseen.score.clone());
        let refusal = decision.refusal;
        if !heard_before {
            effects.push(Effect::ReportMessageDecision(Box::new(decision)));
        }
        if !is_open {
            return TurnImpact::Nothing;
        }
        if asks_for_quiet {
            // What they said right before is withdrawn with it: they do not want to be answered.
            let author = message.author.id;
            self.unseen.retain(|earlier| earlier.author.id != author);
            self.keep_quiet(message.id, &message.author, message.at, context, effects);
            return TurnImpact::QuietRequest;
        }
        let obliges = unseen.is_addressed() && refusal.is_none();
        // What forbids an answer may pass in a moment: a refusal is in no hurry.
        let waits_for_more = further_line >= LIKELY || refusal.is_some();
        let author = unseen.author.id;
        self.add_unseen(unseen, obliges, waits_for_more, context.now, effects);
        match obliges {
            true => TurnImpact::Address,
            false if self.is_answering(author) => TurnImpact::FollowUp,
            false => TurnImpact::Nothing,
        }
    }

    fn score_message(
        &mut self,
        message: &Message,
        heard_before: bool,
        context: DecisionContext<'_>,
    ) -> WillingnessScore {
        if message.author.kind == AuthorKind::Person {
            self.state.bots.record_person_message(message.at);
        }
        self.address_matcher.alone = self.is_alone(message, context.now);
        let (matcher, weights) = (&self.address_matcher, context.weights);
        let sense = &mut self.state.sense;
        if heard_before {
            // The saved sense holds it already; only what it is about is found out again.
            sense.clone().score_message(message, matcher, weights)
        } else {
            sense.score_message(message, matcher, weights)
        }
    }

    /// Keeps a message until somebody looks at it, and opens or prolongs the burst window.
    fn add_unseen(
        &mut self,
        unseen: PendingMessage,
        obliges: bool,
        waits_for_more: bool,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let (author, is_addressed) = (unseen.author.id, unseen.is_addressed());
        // Who called it is waited for, whoever speaks meanwhile.
        let breaks_in = !obliges && self.is_waiting_for_another(author, now);
        self.unseen.push_back(unseen);
        if self.unseen.len() > UNSEEN_KEPT {
            self.drop_one_unseen(now, effects);
        }
        match &mut self.burst {
            Some(_) if breaks_in => {}
            Some(burst) => burst.add_message(author, now, waits_for_more),
            None if is_addressed => {
                self.burst = Some(BurstWindow::new(author, now, waits_for_more))
            }
            None => {}
        }
    }

    pub(super) fn decide_message(
        &self,
        unseen: &PendingMessage,
        context: DecisionContext<'_>,
    ) -> MessageDecision {
        let score = &unseen.score;
        let (threshold, shift) = self.compute_threshold(Some(score), unseen.reached_threshold);
        let refusal = self
            .find_message_refusal(unseen, context.now)
            .or_else(|| self.find_channel_refusal(unseen.is_addressed(), context));
        MessageDecision {
            channel: self.channel.id,
            message: unseen.id,
            author: unseen.author.id,
            at: unseen.at,
            score: score.probability,
            threshold,
            shift,
            address: score.address,
            refusal,
            speak: refusal.is_none() && (score.address.is_some() || score.probability >= threshold),
            waits_until: None,
            goes_on: score.is_own_conversation(),
            energy: self.state.sense.energy(unseen.at),
            silent_for: self
                .state
                .sense
                .spoke_at()
                .map(|at| unseen.at - at)
                .filter(|silent| *silent >= 0),
            terms: score.terms(context.weights),
            bias: score.bias,
        }
    }
}
