//! Somebody speaks to the companion between two messages of an answer. The rest is dropped only where it is for nobody
//! else, and whoever may still have been owed an answer by it is answered by the next turn.

use super::steps::TurnStep;
use super::{Turn, TurnContext};
use crate::chat::{MessageId, UserId};
use crate::effect::Effect;
use crate::timeline::Timeline;

/// Somebody who speaks to the companion while a turn runs.
#[derive(Clone, Copy, Debug)]
pub struct Interruption {
    pub user: UserId,
    /// Whether the turn answers somebody who was put off before: nobody is put off twice.
    pub was_postponed: bool,
}

/// How often a turn starts over because somebody it answers goes on: for their second line, and for their last.
const MOST_MORE: u32 = 2;

impl Turn {
    /// Somebody it owes an answer wrote another line: as long as nothing was done that people see, it starts over and
    /// answers both. Later the line is looked at by itself, after the turn.
    pub fn handle_followup_line(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        let is_late = self.outcome.is_some() || self.acted || self.is_uninterruptible();
        // Until the prompt is put together the line is still in it.
        if is_late || !self.rendered || self.followup_count == MOST_MORE {
            return;
        }
        self.followup_count += 1;
        self.start_over(
            "started over because who it answers wrote another line",
            self.kind,
            context.now,
            effects,
        );
    }

    /// The people it owes an answer.
    pub fn find_unanswered_users(&self, timeline: &Timeline) -> Vec<UserId> {
        self.unanswered
            .iter()
            .filter_map(|id| Some(timeline.find(*id)?.message.author.id))
            .collect()
    }

    /// Whether what is not said yet is dropped for who speaks now: it is for them alone.
    pub(super) fn should_yield_to(
        &self,
        Interruption {
            user: by,
            was_postponed: was_put_off,
        }: Interruption,
        timeline: &Timeline,
    ) -> bool {
        let is_theirs = |message: &MessageId| {
            let said = timeline.find(*message);
            said.is_none_or(|said| said.message.author.id == by)
        };
        // Without a reply mark it may be for everybody who waits, else for everybody the turn answers.
        let owed = if self.unanswered.is_empty() {
            &self.wake.addressed
        } else {
            &self.unanswered
        };
        let is_all_theirs = owed.iter().chain(&self.wake.message).all(is_theirs);
        let mut speaking = self.queue.iter().filter(|step| step.is_message());
        !was_put_off
            && speaking.all(|step| match self.find_reply_target(step, timeline) {
                Some(message) => is_theirs(&message),
                None => is_all_theirs,
            })
    }

    /// The rest will not be said: who may be owed it is answered by the next turn. Where one message was answered, what was
    /// said of it is the answer.
    pub(super) fn postpone_rest(&mut self) {
        let several = self.wake.addressed.len() > 1;
        let open = self
            .wake
            .addressed
            .iter()
            .filter(|id| several && !self.replied_to.contains(id));
        let open: Vec<MessageId> = self.unanswered.iter().chain(open).copied().collect();
        for id in open {
            if !self.postponed.contains(&id) {
                self.postponed.push(id);
            }
        }
    }

    /// Whether something of it was said, or is on its way.
    pub fn has_spoken(&self) -> bool {
        !self.sent_texts.is_empty()
    }

    /// The direct addresses that the next turn answers.
    pub fn postponed_messages(&self) -> &[MessageId] {
        &self.postponed
    }

    /// The message a step replies to, as far as it says.
    fn find_reply_target(&self, step: &TurnStep, timeline: &Timeline) -> Option<MessageId> {
        match step {
            TurnStep::Say { reply_to, .. } => *reply_to,
            TurnStep::Call(call) => Self::find_message_id(call, "reply_to", timeline),
            TurnStep::React { .. } => None,
        }
    }
}
