//! The pieces an answer is made of, whatever the protocol.

use serde_json::Value;

use kith_core::protocol::ToolDelta;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum AnswerPiece {
    Text(String),
    Call(ToolDelta),
    Reasoning(String),
    /// In the model's words.
    Refusal(String),
    /// What the server counted; the last one holds.
    Counted(CountedTokens),
    Finish(FinishReason),
    Done,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CountedTokens {
    pub prompt: u32,
    pub cached: u32,
    /// Of the prompt, written to the cache at a price of its own.
    pub written: u32,
    pub completion: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum FinishReason {
    /// It was done, or met a stop text; the server's word for it.
    Stop(String),
    Length,
    /// Something else ended it before it was done; the server's word for it.
    Cut(String),
    /// A filter ended it; the server's word for it.
    Filtered(String),
}

/// The words for an answer that is whole, of all providers. Whatever is not among them broke the answer off: a word that
/// nobody knows must not have half a message posted.
const WHOLE: &str = "stop end_turn stop_sequence eos eos_token complete tool_calls tool_call tool_use function_call";
/// Those for the length limit.
const LENGTH: &str = "length max_tokens model_context_window_exceeded";
const FILTERED: &str = "content_filter refusal safety recitation blocklist prohibited_content spii";

/// What a word for the end of an answer means; nothing for the ways to say that there is none yet.
pub(super) fn parse_finish_reason(reason: &str) -> Option<AnswerPiece> {
    let word = reason.to_ascii_lowercase();
    let is_in = |list: &str| list.split(' ').any(|known| known == word);
    let finish = match () {
        () if matches!(&*word, "" | "null") => return None,
        () if is_in(WHOLE) => FinishReason::Stop(reason.to_owned()),
        () if is_in(LENGTH) => FinishReason::Length,
        () if is_in(FILTERED) => FinishReason::Filtered(reason.to_owned()),
        () => FinishReason::Cut(reason.to_owned()),
    };
    Some(AnswerPiece::Finish(finish))
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
