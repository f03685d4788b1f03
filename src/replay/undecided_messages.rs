//! Keeps what was decided on each message until it cannot change any more, and reports it in the messages' order.

use std::collections::VecDeque;

use super::event::{FinalDecision, ReplayEvent, ReplaySink};
use kith_core::chat::{MINUTE, Millis};
use kith_core::report::MessageDecision;

/// No message waits longer than this for its author to write on.
const DECIDED_AFTER: Millis = 15 * MINUTE;

/// Messages of other humans, oldest first, with the last decision on each.
#[derive(Default)]
pub struct UndecidedMessages(VecDeque<UndecidedMessage>);

struct UndecidedMessage {
    id: String,
    decision: Box<MessageDecision>,
    at_arrival: f32,
    prompt: Option<String>,
}

impl UndecidedMessages {
    pub fn add(&mut self, id: &str, decision: Box<MessageDecision>) {
        self.0.push_back(UndecidedMessage {
            id: id.to_owned(),
            at_arrival: decision.score,
            decision,
            prompt: None,
        });
    }

    /// Replaces the decision on a message, and the prompt of that moment.
    pub fn replace(&mut self, decision: &MessageDecision, prompt: Option<String>) {
        let mut waiting = self.0.iter_mut();
        if let Some(undecided) =
            waiting.find(|undecided| undecided.decision.message == decision.message)
        {
            (*undecided.decision, undecided.prompt) = (decision.clone(), prompt);
        }
    }

    /// Reports the decisions that will not change any more.
    pub fn report_final(&mut self, now: Millis, see: &mut ReplaySink<'_>) -> anyhow::Result<()> {
        let is_final = |undecided: &mut UndecidedMessage| {
            undecided.decision.waits_until.is_none()
                || now.saturating_sub(undecided.decision.at) > DECIDED_AFTER
        };
        while let Some(decided) = self.0.pop_front_if(is_final) {
            see(ReplayEvent::MessageDecided(FinalDecision {
                id: &decided.id,
                decision: &decided.decision,
                at_arrival: decided.at_arrival,
                prompt: decided.prompt,
            }))?;
        }
        Ok(())
    }
}
