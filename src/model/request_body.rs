//! The wire protocols, and what the bodies of their requests have in common.

use serde_json::{Value, json};

use super::message::{MessageSide, PastCall, PromptMessage};
use super::request::ModelRequest;
use super::settings::ModelSettings;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WireProtocol {
    OpenAi,
    Anthropic,
    Gemini,
    /// With the context the model is loaded with, in tokens.
    Ollama {
        num_ctx: u32,
    },
}

/// Sets how the model is to draw its words: temperature, top_p and where to stop, as far as the settings say, each under
/// the name this protocol has for it.
pub(super) fn set_sampling(
    place: &mut Value,
    settings: &ModelSettings,
    [temperature, top_p, stop]: [&str; 3],
) {
    for (name, value) in [(temperature, settings.temperature), (top_p, settings.top_p)] {
        if let Some(value) = value {
            // As it was written: 0.7, not 0.699999988079071.
            place[name] = value
                .to_string()
                .parse::<f64>()
                .map_or(Value::Null, Value::from);
        }
    }
    if !settings.stop.is_empty() {
        place[stop] = settings.stop.as_slice().into();
    }
}

/// The messages of a request as OpenAI and Ollama have them. What stands in one of the user's is written by `content`,
/// which is told its place; a past call and what came of it by `call`.
pub(super) fn build_messages(
    request: &ModelRequest,
    content: impl Fn(usize, &PromptMessage) -> Value,
    call: impl Fn(&PastCall) -> [Value; 2],
) -> Value {
    let mut all = Vec::new();
    if !request.system.is_empty() {
        all.push(json!({ "role": "system", "content": request.system }));
    }
    for (place, message) in request.messages.iter().enumerate() {
        match message.side {
            MessageSide::User => {
                all.push(json!({ "role": "user", "content": content(place, message) }))
            }
            MessageSide::Companion if message.calls.is_empty() => {
                all.push(json!({ "role": "assistant", "content": message.text }));
            }
            MessageSide::Companion => {
                let (calls, results): (Vec<Value>, Vec<Value>) =
                    message.calls.iter().map(|past| call(past).into()).unzip();
                all.push(json!({ "role": "assistant", "content": "", "tool_calls": calls }));
                all.extend(results);
            }
        }
    }
    all.into()
}

/// What a model is told of a call of before: the number of the line it became, and no words, for somebody would post them.
pub(super) fn build_call_result(past: &PastCall) -> Value {
    json!({ "line": past.line })
}
