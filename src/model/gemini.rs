//! Google's Gemini API: the body of a question and the events of an answer. Prefixes are cached there without any mark.
//! <https://ai.google.dev/api/generate-content>

use serde_json::{Value, json};

use super::answer_piece::{
    AnswerPiece, CountedTokens, FinishReason, build_whole_call, parse_finish_reason,
    parse_token_count,
};
use super::fault::{BrokenAnswer, check_for_error};
use super::message::{MessageSide, PastCall, PromptMessage};
use super::request::{MessagePart, ModelRequest, split_last_message};
use super::request_body::{build_call_result, set_sampling};
use super::settings::ModelSettings;

/// What it ends an answer with whose calls cannot be relied on.
const BAD_CALLS: [&str; 2] = ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"];

/// The path a question to `model` is posted to.
pub(super) fn path(model: &str) -> String {
    format!(
        "/models/{}:streamGenerateContent?alt=sse",
        strip_name_prefix(model)
    )
}

/// A model's name as people write it: lists have `models/` before it.
pub(super) fn strip_name_prefix(name: &str) -> &str {
    name.strip_prefix("models/").unwrap_or(name)
}

/// The body of a question with answers of at most `longest` tokens.
pub(super) fn body(settings: &ModelSettings, request: &ModelRequest, longest: u32) -> Value {
    let mut config = json!({ "maxOutputTokens": longest });
    set_sampling(
        &mut config,
        settings,
        ["temperature", "topP", "stopSequences"],
    );
    let mut contents: Vec<Value> = request.messages.iter().flat_map(build_contents).collect();
    if let Some(last) = contents.last_mut().filter(|_| !request.images.is_empty()) {
        last["parts"] = split_last_message(request)
            .into_iter()
            .map(build_part)
            .collect();
    }
    let mut body = json!({ "contents": contents, "generationConfig": config });
    if !request.system.is_empty() {
        body["systemInstruction"] = json!({ "parts": [{ "text": request.system }] });
    }
    body
}

/// A message; what came of past calls follows them in one of its own, for results and text in one are not always taken.
fn build_contents(message: &PromptMessage) -> Vec<Value> {
    let text = || json!([{ "text": message.text }]);
    let call = |past: &PastCall| json!({ "functionCall": { "name": past.call.name, "args": past.call.params } });
    let result = |past: &PastCall| json!({ "functionResponse": { "name": past.call.name, "response": build_call_result(past) } });
    match message.side {
        MessageSide::User => vec![json!({ "role": "user", "parts": text() })],
        MessageSide::Companion if message.calls.is_empty() => {
            vec![json!({ "role": "model", "parts": text() })]
        }
        MessageSide::Companion => vec![
            json!({ "role": "model", "parts": message.calls.iter().map(call).collect::<Vec<_>>() }),
            json!({ "role": "user", "parts": message.calls.iter().map(result).collect::<Vec<_>>() }),
        ],
    }
}

fn build_part(part: MessagePart<'_>) -> Value {
    match part {
        MessagePart::Text(text) => json!({ "text": text }),
        MessagePart::Image(image) => {
            json!({ "inlineData": { "mimeType": image.media_type(), "data": image.data() } })
        }
    }
}

/// Reads an event of a stream, or a whole answer: both have one form. `calls` counts those there were.
pub(super) fn parse_event(
    value: &Value,
    calls: &mut u32,
) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
    // Without `alt=sse` a proxy answers with a list of the same.
    if let Some(list) = value.as_array() {
        return Ok(list
            .iter()
            .map(|value| parse_event(value, calls))
            .collect::<Result<Vec<_>, _>>()?
            .concat());
    }
    check_for_error(value)?;
    let candidate = value
        .get("candidates")
        .and_then(|candidates| candidates.get(0));
    let parts = candidate.and_then(|candidate| candidate.pointer("/content/parts")?.as_array());
    let mut pieces: Vec<AnswerPiece> = parts
        .into_iter()
        .flatten()
        .filter_map(|one| parse_part(one, calls))
        .collect();
    pieces.extend(
        value
            .get("usageMetadata")
            .filter(|usage| usage.is_object())
            .map(parse_usage),
    );
    let blocked = value
        .pointer("/promptFeedback/blockReason")
        .and_then(Value::as_str);
    let reason = candidate.and_then(|candidate| candidate.get("finishReason")?.as_str());
    pieces.extend(
        blocked.map(|reason| AnswerPiece::Finish(FinishReason::Filtered(reason.to_owned()))),
    );
    if reason.is_some_and(|reason| BAD_CALLS.contains(&reason)) {
        pieces.retain(|piece| !matches!(piece, AnswerPiece::Call(_)));
    }
    pieces.extend(reason.and_then(parse_finish_reason));
    Ok(pieces)
}

fn parse_part(part: &Value, calls: &mut u32) -> Option<AnswerPiece> {
    if let Some(call) = part.get("functionCall").filter(|call| call.is_object()) {
        let index = *calls;
        *calls += 1;
        return Some(AnswerPiece::Call(build_whole_call(
            index,
            call.get("id"),
            call.get("name"),
            call.get("args"),
        )));
    }
    let text = part
        .get("text")?
        .as_str()
        .filter(|text| !text.is_empty())?
        .to_owned();
    let thought = part.get("thought").and_then(Value::as_bool) == Some(true);
    Some(if thought {
        AnswerPiece::Reasoning(text)
    } else {
        AnswerPiece::Text(text)
    })
}

fn parse_usage(usage: &Value) -> AnswerPiece {
    let token_count = |field: &str| parse_token_count(usage.get(field)).unwrap_or(0);
    AnswerPiece::Counted(CountedTokens {
        prompt: token_count("promptTokenCount"),
        cached: token_count("cachedContentTokenCount"),
        completion: token_count("candidatesTokenCount")
            .saturating_add(token_count("thoughtsTokenCount")),
        ..CountedTokens::default()
    })
}
