//! The pieces an answer is made of, whatever the protocol.

use serde_json::Value;

use kith_core::protocol::ToolDelta;

/// A piece of an answer, whatever the protocol.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AnswerPiece {
    /// Of its text.
    Text(String),
    /// Of a call handed over beside it.
    Call(ToolDelta),
    /// Of the thinking before it.
    Reasoning(String),
    /// Of a refusal, in the model's words.
    Refusal(String),
    /// What the server counted; the last one holds.
    Counted(CountedTokens),
    /// Why the model stopped.
    Finish(FinishReason),
    /// Nothing more will come.
    Done,
}

/// Tokens as the server counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CountedTokens {
    pub prompt: u32,
    pub cached: u32,
    /// Of the prompt, written to the cache at a price of its own.
    pub written: u32,
    pub completion: u32,
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FinishReason {
    /// It was done, or met a stop text; the server's word for it.
    Stop(String),
    /// It reached the length limit.
    Length,
    /// A filter ended it; the server's word for it.
    Filtered(String),
}

/// A call that is handed over at once: its arguments are an object, or its text.
pub(super) fn build_whole_call(
    index: u32,
    id: Option<&Value>,
    name: Option<&Value>,
    arguments: Option<&Value>,
) -> ToolDelta {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let arguments = match arguments {
        Some(Value::Null) | None => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    ToolDelta {
        index,
        id: text(id),
        name: text(name),
        arguments,
    }
}

/// A number of tokens, wherever it stands and however large it claims to be.
pub(super) fn parse_token_count(value: Option<&Value>) -> Option<u32> {
    let number = value?.as_f64()?;
    Some(number.clamp(0.0, f64::from(u32::MAX)) as u32)
}
