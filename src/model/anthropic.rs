//! Anthropic's Messages API: the body of a question with its cache marks, and the events of an answer.
//! <https://docs.claude.com/en/api/messages-streaming>

use serde_json::{Value, json};

use super::answer_piece::{
    AnswerPiece, CountedTokens, build_whole_call, parse_finish_reason, parse_token_count,
};
use super::endpoint::ModelEndpoint;
use super::fault::BrokenAnswer;
use super::image::ModelImage;
use super::message::{MessageSide, PastCall};
use super::request::{MessagePart, ModelRequest, split_last_message};
use super::request_body::{build_call_result, set_sampling};
use super::server_error_text::{ServerError, parse_error_object};
use super::settings::ModelSettings;
use kith_core::protocol::ToolDelta;

/// How much of the settled part of a message makes a block, in bytes. A cached prefix is found again only at the end of a
/// block, at most twenty blocks before a mark: small enough to lose little, large enough to reach back far.
const BLOCK_BYTES: usize = 2_048;

/// The body of a question with answers of at most `longest` tokens.
pub(super) fn body(
    endpoint: &ModelEndpoint,
    settings: &ModelSettings,
    request: &ModelRequest,
    longest: u32,
) -> Value {
    let mut body = json!({
        "model": endpoint.name,
        "max_tokens": longest,
        "stream": true,
        "messages": build_messages(request),
    });
    if !request.system.is_empty() {
        body["system"] = json!([build_cached_block(&request.system)]);
    }
    set_sampling(
        &mut body,
        settings,
        ["temperature", "top_p", "stop_sequences"],
    );
    body
}

/// The messages: what came of past calls opens the one behind them.
fn build_messages(request: &ModelRequest) -> Vec<Value> {
    let mut results = Vec::new();
    let mut all = Vec::new();
    for (message, blocks) in request
        .messages
        .iter()
        .zip(build_blocks(request, build_image))
    {
        all.push(match message.side {
            MessageSide::User => {
                let content: Vec<Value> = results.drain(..).chain(blocks).collect();
                json!({ "role": "user", "content": content })
            }
            MessageSide::Companion if message.calls.is_empty() => {
                json!({ "role": "assistant", "content": message.text })
            }
            MessageSide::Companion => {
                let content: Vec<Value> = message.calls.iter().map(build_call).collect();
                results = message.calls.iter().map(build_result).collect();
                json!({ "role": "assistant", "content": content })
            }
        });
    }
    all
}

fn build_call(past: &PastCall) -> Value {
    json!({ "type": "tool_use", "id": past.id, "name": past.call.name, "input": past.call.params })
}

fn build_result(past: &PastCall) -> Value {
    json!({ "type": "tool_result", "tool_use_id": past.id, "content": build_call_result(past).to_string() })
}

/// The user's messages as blocks, by their place among all: what is settled in blocks that stay the same while it grows,
/// with a cache mark at the last of them; the pictures; the rest. The companion's messages are short and have none.
pub(super) fn build_blocks(
    request: &ModelRequest,
    picture: fn(&ModelImage) -> Value,
) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    let mut mark = None;
    let mut left = request.stable_bytes;
    for (place, message) in request.messages.iter().enumerate() {
        let length = message.text.len();
        let (settled, is_whole) = (left.min(length), left > length);
        left = left.saturating_sub(length);
        if message.side == MessageSide::Companion {
            all.push(Vec::new());
            continue;
        }
        let (mut blocks, kept) = split_into_blocks(&message.text, settled, is_whole);
        if kept > 0 {
            mark = Some((place, kept - 1));
        }
        if place + 1 == request.messages.len() && !request.images.is_empty() {
            blocks = build_image_blocks(request, picture);
        }
        all.push(blocks);
    }
    if let Some(block) = mark.and_then(|(place, block)| all.get_mut(place)?.get_mut(block)) {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
    all
}

/// The last message with its pictures.
fn build_image_blocks(request: &ModelRequest, picture: fn(&ModelImage) -> Value) -> Vec<Value> {
    let mut settled = Some(request.last_message().1);
    let block = |part| match part {
        MessagePart::Text(text) => split_into_blocks(text, settled.take().unwrap_or(0), false).0,
        MessagePart::Image(image) => vec![picture(image)],
    };
    split_last_message(request)
        .into_iter()
        .flat_map(block)
        .collect()
}

fn build_image(image: &ModelImage) -> Value {
    let source =
        json!({ "type": "base64", "media_type": image.media_type(), "data": image.data() });
    json!({ "type": "image", "source": source })
}

/// A text as blocks, and how many of them are settled: its first `settled` bytes, which the next question will begin with
/// as well, in blocks that stay the same while it grows; then the rest, which is settled only where the text `is_whole`.
fn split_into_blocks(text: &str, settled: usize, is_whole: bool) -> (Vec<Value>, usize) {
    let mut blocks = Vec::new();
    let mut rest = text;
    let mut left = settled.min(text.len());
    while left >= BLOCK_BYTES {
        // The line that the block's last byte stands in is its last one.
        let Some(end) = rest.as_bytes()[BLOCK_BYTES - 1..left]
            .iter()
            .position(|byte| *byte == b'\n')
        else {
            break;
        };
        let (block, tail) = rest.split_at(BLOCK_BYTES + end);
        blocks.push(json!({ "type": "text", "text": block }));
        left -= block.len();
        rest = tail;
    }
    let kept = blocks.len();
    if !rest.is_empty() {
        blocks.push(json!({ "type": "text", "text": rest }));
    }
    let kept = if is_whole { blocks.len() } else { kept };
    (blocks, kept)
}

pub(super) fn build_cached_block(text: &str) -> Value {
    json!({ "type": "text", "text": text, "cache_control": { "type": "ephemeral" } })
}

/// What was counted so far: the prompt at the beginning, the answer as it grows.
#[derive(Debug, Default)]
pub(super) struct AnthropicUsage(CountedTokens);

impl AnthropicUsage {
    /// Reads an event of a stream, or a whole answer.
    pub fn parse_event(&mut self, value: &Value) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
        let text = |place: &Value, field: &str| {
            place
                .get(field)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let mut pieces = Vec::new();
        match value.get("type").and_then(Value::as_str) {
            Some("message_start") => {
                pieces.extend(self.record_usage(value.pointer("/message/usage")))
            }
            Some("content_block_start") => {
                pieces.extend(value.get("content_block").and_then(|begun| {
                    parse_block(begun, read_block_index(value)).map(clear_empty_arguments)
                }));
            }
            Some("content_block_delta") => pieces.extend(
                value
                    .get("delta")
                    .and_then(|delta| parse_block(delta, read_block_index(value))),
            ),
            Some("message_delta") => {
                pieces.extend(self.record_usage(value.get("usage")));
                pieces.extend(value.get("delta").and_then(find_finish_reason));
            }
            Some("message_stop") => pieces.push(AnswerPiece::Done),
            Some("message") => {
                let content = (0..).zip(
                    value
                        .get("content")
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten(),
                );
                pieces.extend(content.filter_map(|(place, whole)| parse_block(whole, place)));
                pieces.extend(self.record_usage(value.get("usage")));
                pieces.extend(find_finish_reason(value));
            }
            Some("error") | None => {
                let error = parse_error_object(value).unwrap_or_else(|| ServerError {
                    text: text(value, "type"),
                    ..ServerError::default()
                });
                return Err(BrokenAnswer::Error(error));
            }
            // Pings, ends of blocks, and what a later version adds.
            Some(_) => {}
        }
        pieces.retain(
            |piece| !matches!(piece, AnswerPiece::Text(text) | AnswerPiece::Reasoning(text) if text.is_empty()),
        );
        Ok(pieces)
    }

    /// `input_tokens` leaves out what was read from the cache or written to it.
    fn record_usage(&mut self, usage: Option<&Value>) -> Option<AnswerPiece> {
        let usage = usage.filter(|usage| usage.is_object())?;
        let token_count = |field: &str| parse_token_count(usage.get(field));
        if let Some(fresh) = token_count("input_tokens") {
            self.0.cached = token_count("cache_read_input_tokens").unwrap_or(0);
            self.0.written = token_count("cache_creation_input_tokens").unwrap_or(0);
            self.0.prompt = fresh
                .saturating_add(self.0.cached)
                .saturating_add(self.0.written);
        }
        self.0.completion = token_count("output_tokens").unwrap_or(self.0.completion);
        Some(AnswerPiece::Counted(self.0))
    }
}

/// The place of the block that an event is about.
fn read_block_index(event: &Value) -> u32 {
    parse_token_count(event.get("index")).unwrap_or(0)
}

/// A call as it begins: the empty input stands there for what is still to come.
fn clear_empty_arguments(piece: AnswerPiece) -> AnswerPiece {
    match piece {
        AnswerPiece::Call(delta) if delta.arguments == "{}" => AnswerPiece::Call(ToolDelta {
            arguments: String::new(),
            ..delta
        }),
        piece => piece,
    }
}

/// What is in the block at this place or in a piece of it; nothing in signatures.
fn parse_block(block: &Value, place: u32) -> Option<AnswerPiece> {
    let text = |field: &str| Some(block.get(field)?.as_str()?.to_owned());
    match block.get("type")?.as_str()? {
        "text" | "text_delta" => text("text").map(AnswerPiece::Text),
        "thinking" | "thinking_delta" => text("thinking").map(AnswerPiece::Reasoning),
        "tool_use" => Some(AnswerPiece::Call(build_whole_call(
            place,
            block.get("id"),
            block.get("name"),
            block.get("input"),
        ))),
        "input_json_delta" => {
            let arguments = text("partial_json")?;
            Some(AnswerPiece::Call(ToolDelta {
                index: place,
                arguments,
                ..ToolDelta::default()
            }))
        }
        _ => None,
    }
}

fn find_finish_reason(place: &Value) -> Option<AnswerPiece> {
    parse_finish_reason(place.get("stop_reason")?.as_str()?)
}

#[cfg(test)]
#[path = "tests/unit/anthropic.rs"]
mod tests;
