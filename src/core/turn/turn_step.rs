//! What is still to be done of an answer.

use super::params::{find_message_id, read_text_param};
use crate::call::ToolCall;
use crate::chat::MessageId;
use crate::timeline::Timeline;

/// Something still to be done, in the order it was written.
#[derive(Clone, Debug)]
pub(super) enum TurnStep {
    /// A call as the model wrote it, not looked at yet.
    Call(ToolCall),
    /// One message of a send_message call, which has this place in the round's report.
    Say {
        text: String,
        reply_to: Option<MessageId>,
        report: usize,
    },
    React {
        message: MessageId,
        emoji: String,
        report: usize,
    },
}

impl TurnStep {
    pub(super) fn is_message(&self) -> bool {
        match self {
            Self::Say { .. } => true,
            Self::Call(call) => call.name == "send_message",
            Self::React { .. } => false,
        }
    }

    /// The message it replies to, as far as it says.
    pub(super) fn find_reply_target(&self, timeline: &Timeline) -> Option<MessageId> {
        match self {
            Self::Say { reply_to, .. } => *reply_to,
            Self::Call(call) => find_message_id(call, "reply_to", timeline),
            Self::React { .. } => None,
        }
    }

    /// The text of a message; none where it is not one.
    pub(super) fn into_message_text(self) -> Option<String> {
        match self {
            Self::Say { text, .. } => Some(text),
            Self::Call(call) if call.name == "send_message" => Some(read_text_param(&call, "text")),
            Self::Call(_) | Self::React { .. } => None,
        }
    }
}
