//! Whether what somebody said has been answered by somebody else, or has been let go.

use super::ChannelFeatures;
use super::talk::BURST_GAP;
use crate::chat::{MINUTE, MessageId, Millis, UserId};
use crate::message_shape::DialogueCue;

/// Within this time what anybody says next may be the answer to a question to the room.
const ANSWERED_WITHIN: Millis = 3 * MINUTE;

impl ChannelFeatures {
    /// Whether somebody else seems to have answered a message.
    pub fn is_answered(&self, message: MessageId, author: UserId) -> bool {
        let mut later = self
            .links
            .lines()
            .iter()
            .rev()
            .take_while(|line| line.id != message);
        later.any(|line| line.to == Some(author) && Some(line.at) > self.spoke_room_at)
    }

    /// Whether a question to the room is settled: somebody else answered, or its author has moved on. Among few people
    /// whoever says something next that asks nothing and is for nobody else answers it; in a crowd it is settled only
    /// where somebody is seen to answer.
    pub fn is_settled(&self, question: MessageId, author: UserId, crowd: bool) -> bool {
        let mut later = self
            .links
            .lines()
            .iter()
            .skip_while(|line| line.id != question);
        let Some(asked) = later.next().filter(|_| !crowd) else {
            return self.is_answered(question, author);
        };
        let mut wrote = asked.at;
        later.any(|line| {
            if line.author == author {
                let moves_on = line.at - wrote > BURST_GAP
                    || line.cues.has(DialogueCue::Closing)
                    || line.cues.has(DialogueCue::Slight);
                wrote = line.at;
                return moves_on;
            }
            let answers = line.at - asked.at <= ANSWERED_WITHIN
                && !self.own.contains(&line.id)
                && !line.cues.has(DialogueCue::Question)
                && !line.cues.has(DialogueCue::NamesOther);
            line.to == Some(author) || answers
        })
    }
}
