//! Whether people have turned to each other since the line that the companion would answer unasked.

use super::channel_state::ChannelState;
use crate::chat::{AuthorKind, Message, MessageId, UserId};
use crate::context::LineForOther;
use crate::report::TurnTrigger;

/// Among so many of the newest lines it is looked for; a talk that went on for longer is not joined for an old line.
const NEWEST_LINES: usize = 16;

impl ChannelState {
    /// Whether the running turn speaks unasked to somebody who has been taken up by others since: somebody spoke to its
    /// author by name, mention or reply, or the author to somebody else. In a talk with the companion it is expected to
    /// go on all the same.
    pub fn is_running_turn_overtaken(&self) -> bool {
        let Some(turn) = self.turn.as_ref().filter(|turn| turn.may_be_given_up()) else {
            return false;
        };
        let trigger = turn.wake();
        if !trigger.is_by_score_alone() || trigger.goes_on {
            return false;
        }
        // Whoever spoke to it meanwhile is answered with fresh context.
        if self.unseen.iter().any(|unseen| unseen.is_addressed()) {
            return false;
        }
        trigger
            .message
            .zip(trigger.author)
            .is_some_and(|(message, author)| self.is_taken_up_by_others(message, author))
    }

    /// What a turn that speaks unasked is told of the newest line, lest it answers that.
    pub fn find_line_for_other(&self, trigger: &TurnTrigger) -> Option<LineForOther> {
        let newest = &self.timeline.messages().next_back()?.message;
        if !trigger.is_by_score_alone() || trigger.message == Some(newest.id) {
            return None;
        }
        let addressee = *self.find_other_addressees(newest).first()?;
        Some(LineForOther {
            line: newest.id,
            addressee,
        })
    }

    fn is_taken_up_by_others(&self, message: MessageId, author: UserId) -> bool {
        if self.timeline.find(message).is_none() {
            return false;
        }
        let newer = self.timeline.messages().rev().map(|said| &said.message);
        newer
            .take(NEWEST_LINES)
            .take_while(|newer| newer.id != message)
            .any(|newer| {
                let addressees = self.find_other_addressees(newer);
                match newer.author.id == author {
                    true => !addressees.is_empty(),
                    false => addressees.contains(&author),
                }
            })
    }

    /// The members a person's line is openly meant for; none where it is for the companion.
    pub fn find_other_addressees(&self, line: &Message) -> Vec<UserId> {
        if line.author.kind != AuthorKind::Person {
            return Vec::new();
        }
        let sense = &self.state.sense;
        sense.find_other_addressees(line, &self.address_matcher)
    }
}
