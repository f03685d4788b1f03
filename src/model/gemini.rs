//! Google's Gemini API: the body of a question and the events of an answer. Prefixes are cached there without any mark.
//! <https://ai.google.dev/api/generate-content>

use serde_json::{Value, json};

use super::fault::Broken;
use super::image::{Part, parts};
use super::request::ModelRequest;
use super::said::error_object;
use super::settings::ModelSettings;
use super::wire::{Counted, Finish, Piece, sampling, tokens, whole_call};

/// The path a question to `model` is posted to.
pub(super) fn path(model: &str) -> String {
    format!("/models/{}:streamGenerateContent?alt=sse", plain_name(model))
}

/// A model's name as people write it: lists have `models/` before it.
pub(super) fn plain_name(name: &str) -> &str {
    name.strip_prefix("models/").unwrap_or(name)
}

/// The body of a question with answers of at most `longest` tokens.
pub(super) fn body(settings: &ModelSettings, request: &ModelRequest, longest: u32) -> Value {
    let mut config = json!({ "maxOutputTokens": longest });
    sampling(&mut config, settings, ["temperature", "topP", "stopSequences"]);
    let contents: Vec<Value> = match &request.images[..] {
        [] => vec![json!({ "text": request.user })],
        _ => parts(request).into_iter().map(content).collect(),
    };
    json!({
        "systemInstruction": { "parts": [{ "text": request.system }] },
        "contents": [{ "role": "user", "parts": contents }],
        "generationConfig": config,
    })
}

fn content(part: Part<'_>) -> Value {
    match part {
        Part::Text(text) => json!({ "text": text }),
        Part::Image(image) => json!({ "inlineData": { "mimeType": image.media(), "data": image.data() } }),
    }
}

/// Reads an event of a stream, or a whole answer: both have one form. `calls` counts those there were.
pub(super) fn event(value: &Value, calls: &mut u32) -> Result<Vec<Piece>, Broken> {
    // Without `alt=sse` a proxy answers with a list of the same.
    if let Some(list) = value.as_array() {
        return Ok(list.iter().map(|value| event(value, calls)).collect::<Result<Vec<_>, _>>()?.concat());
    }
    if value.get("error").is_some_and(|error| !error.is_null())
        && let Some((code, text)) = error_object(value)
    {
        return Err(Broken::Error { code, text });
    }
    let candidate = value.get("candidates").and_then(|candidates| candidates.get(0));
    let parts = candidate.and_then(|candidate| candidate.pointer("/content/parts")?.as_array());
    let mut pieces: Vec<Piece> = parts.into_iter().flatten().filter_map(|one| part(one, calls)).collect();
    pieces.extend(value.get("usageMetadata").filter(|usage| usage.is_object()).map(counted));
    let blocked = value.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
    let reason = candidate.and_then(|candidate| candidate.get("finishReason")?.as_str());
    pieces.extend(blocked.map(|reason| Piece::Finish(Finish::Filtered(reason.to_owned()))));
    pieces.extend(reason.map(finish));
    Ok(pieces)
}

fn part(part: &Value, calls: &mut u32) -> Option<Piece> {
    if let Some(call) = part.get("functionCall").filter(|call| call.is_object()) {
        let index = *calls;
        *calls += 1;
        return Some(Piece::Call(whole_call(index, call.get("id"), call.get("name"), call.get("args"))));
    }
    let text = part.get("text")?.as_str().filter(|text| !text.is_empty())?.to_owned();
    let thought = part.get("thought").and_then(Value::as_bool) == Some(true);
    Some(if thought { Piece::Reasoning(text) } else { Piece::Text(text) })
}

fn counted(usage: &Value) -> Piece {
    let of = |field: &str| tokens(usage.get(field)).unwrap_or(0);
    Piece::Counted(Counted {
        prompt: of("promptTokenCount"),
        cached: of("cachedContentTokenCount"),
        completion: of("candidatesTokenCount").saturating_add(of("thoughtsTokenCount")),
    })
}

fn finish(reason: &str) -> Piece {
    Piece::Finish(match reason {
        "MAX_TOKENS" => Finish::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => Finish::Filtered(reason.to_owned()),
        other => Finish::Stop(other.to_owned()),
    })
}
