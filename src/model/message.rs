//! The messages of a question, below the system's. Plain data; what each provider calls them is the business of its own
//! file.

use kith_core::call::ToolCall;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageSide {
    User,
    /// The companion: what it said before, as the model would have written it.
    Companion,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PromptMessage {
    pub side: MessageSide,
    pub text: String,
    /// What it holds where it is handed over as the provider's own calls; the text is not sent then.
    pub calls: Vec<PastCall>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PastCall {
    /// What tells it from the others: nine digits, for there are servers that take nothing else.
    pub id: String,
    pub call: ToolCall,
    /// The short id of the line it became.
    pub line: u16,
}

impl PromptMessage {
    pub fn from_user(text: impl Into<String>) -> Self {
        Self {
            side: MessageSide::User,
            text: text.into(),
            calls: Vec::new(),
        }
    }

    pub fn from_companion(text: impl Into<String>) -> Self {
        Self {
            side: MessageSide::Companion,
            text: text.into(),
            calls: Vec::new(),
        }
    }
}

/// The messages as one text, for people and for what reads text alone. Where there are several, a line that nobody in the
/// chat can write stands before each: every line of theirs begins with a number.
pub fn join_messages(messages: &[PromptMessage]) -> String {
    if let [only] = messages {
        return only.text.clone();
    }
    let one = |message: &PromptMessage| {
        let side = match message.side {
            MessageSide::User => "user",
            MessageSide::Companion => "assistant",
        };
        format!("=== {side} ===\n{}", message.text)
    };
    messages.iter().map(one).collect::<Vec<_>>().join("\n")
}
