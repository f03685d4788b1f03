//! What Law 1 asks for where direct address is not answered: a record of each, and one small reaction, at most one a person
//! in ten minutes. What a turn itself may do, reactions included, is bounded in `turn/limits.rs`.

use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::pending_message::PendingMessage;
use crate::chat::{MessageId, Millis, UserId};
use crate::effect::Effect;
use crate::policy::ADDRESS_FRESH;
use crate::report::Refusal;

/// At most one small reaction a person in this time; another sign has another reason, and is not held back by it.
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

    /// Tells once of each direct address why it is not answered: it grew stale while a turn ran, or the channel forbids it.
    pub(super) fn report_refused_addresses(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let mut unseen = std::mem::take(&mut self.unseen);
        let untold = |unseen: &&mut PendingMessage| unseen.is_addressed() && !unseen.is_reported;
        for unseen in unseen.iter_mut().filter(untold) {
            let decision = self.decide_message(unseen, context);
            if decision.refusal.is_some() {
                unseen.is_reported = true;
                effects.push(Effect::ReportMessageDecision(Box::new(decision)));
            }
        }
        self.unseen = unseen;
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
        let shown = (author, emoji.clone());
        if emoji.is_empty() || self.small_reactions.contains_key(&shown) {
            return;
        }
        self.small_reactions.insert(shown, now);
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
}
