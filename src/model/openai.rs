//! OpenAI-compatible chat completions: the body of a question, and the chunks of an answer.

use serde_json::{Value, json};

use super::answer_piece::{
    AnswerPiece, CountedTokens, build_whole_call, parse_finish_reason, parse_token_count,
};
use super::anthropic::{build_blocks, build_cached_block};
use super::endpoint::ModelEndpoint;
use super::fault::BrokenAnswer;
use super::image::ModelImage;
use super::message::{PastCall, PromptMessage};
use super::request::{MessagePart, ModelRequest, split_last_message};
use super::request_body::{build_call_result, build_messages, set_sampling};
use super::server_error_text::parse_error_object;
use super::settings::ModelSettings;

/// The body of a question with answers of at most `longest` tokens.
pub(super) fn body(
    endpoint: &ModelEndpoint,
    settings: &ModelSettings,
    request: &ModelRequest,
    longest: u32,
) -> Value {
    // Of the servers of this kind only this one passes on to a provider that wants cache marks.
    let marked_blocks = (endpoint.host == "openrouter.ai"
        && endpoint.name.starts_with("anthropic/"))
    .then(|| build_blocks(request, build_image));
    let content = |place: usize, message: &PromptMessage| match &marked_blocks {
        Some(blocks) => blocks.get(place).cloned().unwrap_or_default().into(),
        None if place + 1 == request.messages.len() => build_content(request),
        None => message.text.as_str().into(),
    };
    let mut body = json!({
        "model": endpoint.name,
        "messages": build_messages(request, content, build_call),
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if marked_blocks.is_some() && !request.system.is_empty() {
        body["messages"][0]["content"] = json!([build_cached_block(&request.system)]);
    }
    let renamed = settings.extra_body.contains_key("max_completion_tokens");
    body[if renamed {
        "max_completion_tokens"
    } else {
        "max_tokens"
    }] = json!(longest);
    set_sampling(&mut body, settings, ["temperature", "top_p", "stop"]);
    body
}

fn build_content(request: &ModelRequest) -> Value {
    if request.images.is_empty() {
        return request.last_message().0.into();
    }
    let part = |part| match part {
        MessagePart::Text(text) => json!({ "type": "text", "text": text }),
        MessagePart::Image(image) => build_image(image),
    };
    split_last_message(request).into_iter().map(part).collect()
}

fn build_call(past: &PastCall) -> [Value; 2] {
    let (name, arguments) = (
        &past.call.name,
        Value::Object(past.call.params.clone()).to_string(),
    );
    [
        json!({ "id": past.id, "type": "function", "function": { "name": name, "arguments": arguments } }),
        json!({ "role": "tool", "tool_call_id": past.id, "content": build_call_result(past).to_string() }),
    ]
}

fn build_image(image: &ModelImage) -> Value {
    json!({ "type": "image_url", "image_url": { "url": format!("data:{};base64,{}", image.media_type(), image.data()) } })
}

/// Reads a chunk of a stream or a whole answer: they differ only in `delta` and `message`.
pub(super) fn parse_chunk(value: &Value) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
    let choice = value.get("choices").and_then(|choices| choices.get(0));
    let error = [Some(value), choice]
        .into_iter()
        .flatten()
        .find(|place| place.get("error").is_some_and(|e| !e.is_null()));
    let error = error.or_else(|| {
        value
            .get("choices")
            .is_none_or(Value::is_null)
            .then_some(value)
    });
    if let Some(error) = error.and_then(parse_error_object) {
        return Err(BrokenAnswer::Error(error));
    }
    let mut pieces = Vec::new();
    if let Some(choice) = choice {
        let message = choice
            .get("delta")
            .filter(|delta| !delta.is_null())
            .or_else(|| choice.get("message"));
        let message = message.unwrap_or(&Value::Null);
        let reasoning = ["reasoning_content", "reasoning"]
            .iter()
            .map(|field| extract_text(message.get(field)));
        pieces.extend(
            reasoning
                .into_iter()
                .find(|text| !text.is_empty())
                .map(AnswerPiece::Reasoning),
        );
        let parts = [
            (
                AnswerPiece::Text as fn(String) -> AnswerPiece,
                extract_text(message.get("content")),
            ),
            (AnswerPiece::Text, extract_text(choice.get("text"))),
            (AnswerPiece::Refusal, extract_text(message.get("refusal"))),
        ];
        pieces.extend(
            parts
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .map(|(piece, text)| piece(text)),
        );
        pieces.extend(parse_calls(message));
        pieces.extend(
            choice
                .get("finish_reason")
                .and_then(Value::as_str)
                .and_then(parse_finish_reason),
        );
    }
    pieces.extend(
        value
            .get("usage")
            .filter(|usage| usage.is_object())
            .map(parse_usage),
    );
    Ok(pieces)
}

/// The calls in a piece of an answer or in a whole one. Servers that give them no number mean their place in the list;
/// the older form has a single call.
fn parse_calls(message: &Value) -> impl Iterator<Item = AnswerPiece> {
    let list = message
        .get("tool_calls")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let numbered = (0..)
        .zip(list)
        .map(|(place, call)| (parse_token_count(call.get("index")).unwrap_or(place), call));
    let single = message
        .get("function_call")
        .filter(|call| call.is_object())
        .map(|function| (0, None, function));
    let all = numbered
        .filter_map(|(index, call)| Some((index, call.get("id"), call.get("function")?)))
        .chain(single);
    all.map(|(index, id, function)| {
        let arguments = function
            .get("arguments")
            .filter(|arguments| !arguments.is_null());
        // A piece without arguments is the beginning of a call, not one that has none.
        let arguments = arguments.cloned().unwrap_or_else(|| Value::from(""));
        AnswerPiece::Call(build_whole_call(
            index,
            id,
            function.get("name"),
            Some(&arguments),
        ))
    })
}

/// Text that is a string, a list of parts with text, or not there.
fn extract_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    }
}

fn parse_usage(usage: &Value) -> AnswerPiece {
    let cached = parse_token_count(usage.pointer("/prompt_tokens_details/cached_tokens"))
        .or_else(|| parse_token_count(usage.get("prompt_cache_hit_tokens")));
    AnswerPiece::Counted(CountedTokens {
        prompt: parse_token_count(usage.get("prompt_tokens")).unwrap_or(0),
        cached: cached.unwrap_or(0),
        completion: parse_token_count(usage.get("completion_tokens")).unwrap_or(0),
        ..CountedTokens::default()
    })
}
