//! Ollama by its native API: the body of a question and the answer as JSON lines. Its OpenAI-style path cuts the
//! prompt at its default context without a word; here the context is named, and a prompt too long for it is an error.

use serde_json::{Value, json};

use super::answer_piece::{
    AnswerPiece, CountedTokens, build_whole_call, parse_finish_reason, parse_token_count,
};
use super::endpoint::ModelEndpoint;
use super::fault::{BrokenAnswer, check_for_error, classify_non_json};
use super::message::PastCall;
use super::request::{MessagePart, ModelRequest, split_last_message};
use super::request_body::{build_call_result, build_messages, set_sampling};
use super::settings::{ModelSettings, ThinkMode};
use super::surrogates::parse_json;

/// The body of a question with answers of at most `longest` tokens, for a model loaded with `num_ctx` tokens.
pub(super) fn body(
    endpoint: &ModelEndpoint,
    settings: &ModelSettings,
    request: &ModelRequest,
    longest: u32,
    num_ctx: u32,
) -> Value {
    let mut options = json!({ "num_ctx": num_ctx, "num_predict": longest });
    set_sampling(&mut options, settings, ["temperature", "top_p", "stop"]);
    let mut body = json!({
        "model": endpoint.name,
        "messages": build_messages(request, |_, message| message.text.as_str().into(), build_call),
        "stream": true,
        "truncate": false,
        "options": options,
    });
    if !request.images.is_empty() {
        let last = body["messages"]
            .as_array_mut()
            .and_then(|all| all.last_mut());
        last.into_iter()
            .for_each(|last| attach_images(last, request));
    }
    if let Some(think) = build_think_value(settings.think) {
        body["think"] = think;
    }
    set_keep_alive(&mut body, settings);
    body
}

/// Says how long the model stays loaded, where the settings do.
pub(super) fn set_keep_alive(body: &mut Value, settings: &ModelSettings) {
    let keep_alive = settings.keep_alive.trim();
    if !keep_alive.is_empty() {
        // A number without a unit is a number of seconds only when it is sent as a number.
        body["keep_alive"] = keep_alive
            .parse::<i64>()
            .map_or_else(|_| json!(keep_alive), |seconds| json!(seconds));
    }
}

/// Where Ollama puts the next picture.
const PLACE: &str = "[img]";

fn build_call(past: &PastCall) -> [Value; 2] {
    let (name, arguments) = (&past.call.name, &past.call.params);
    [
        json!({ "function": { "name": name, "arguments": arguments } }),
        json!({ "role": "tool", "tool_name": name, "content": build_call_result(past).to_string() }),
    ]
}

/// Puts the pictures into the last message, each where its label stands.
fn attach_images(user: &mut Value, request: &ModelRequest) {
    let (mut text, mut images) = (String::new(), Vec::new());
    for part in split_last_message(request) {
        match part {
            MessagePart::Text(part) => text.push_str(&part.replace("[img", "[ img")),
            MessagePart::Image(image) => {
                images.push(json!(image.data()));
                text.push_str(PLACE);
            }
        }
        text.push('\n');
    }
    user["content"] = text.trim_end().into();
    user["images"] = images.into();
}

fn build_think_value(think: ThinkMode) -> Option<Value> {
    match think {
        ThinkMode::Auto => None,
        ThinkMode::Off => Some(json!(false)),
        ThinkMode::On => Some(json!(true)),
        ThinkMode::Low => Some(json!("low")),
        ThinkMode::Medium => Some(json!("medium")),
        ThinkMode::High => Some(json!("high")),
    }
}

/// Reads one line of an answer. `calls` counts those there were.
pub(super) fn parse_line(line: &str, calls: &mut u32) -> Result<Vec<AnswerPiece>, BrokenAnswer> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(Vec::new());
    }
    let value = parse_json(line).map_err(|_| classify_non_json(line))?;
    check_for_error(&value)?;
    let text = |field: &str| {
        let text = value.get("message")?.get(field)?.as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    let mut pieces = Vec::new();
    pieces.extend(text("thinking").map(AnswerPiece::Reasoning));
    pieces.extend(text("content").map(AnswerPiece::Text));
    let handed_over = value
        .pointer("/message/tool_calls")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    for function in handed_over.filter_map(|call| call.get("function")) {
        pieces.push(AnswerPiece::Call(build_whole_call(
            *calls,
            None,
            function.get("name"),
            function.get("arguments"),
        )));
        *calls += 1;
    }
    if value.get("done").and_then(Value::as_bool) == Some(true) {
        let [prompt, completion] = ["prompt_eval_count", "eval_count"]
            .map(|field| parse_token_count(value.get(field)).unwrap_or(0));
        if prompt > 0 || completion > 0 {
            pieces.push(AnswerPiece::Counted(CountedTokens {
                prompt,
                completion,
                ..CountedTokens::default()
            }));
        }
        let reason = value.get("done_reason").and_then(Value::as_str);
        pieces.extend(parse_finish_reason(reason.unwrap_or("stop")));
        pieces.push(AnswerPiece::Done);
    }
    Ok(pieces)
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OllamaModelInfo {
    pub can_chat: bool,
    pub can_see_images: bool,
    /// Whether it is known to take no tool calls.
    pub lacks_tool_calls: bool,
    /// The most it was made to hold, in tokens.
    pub context_length: Option<u32>,
}

pub(super) fn parse_model_info(value: &Value) -> OllamaModelInfo {
    let capabilities = value.get("capabilities").and_then(Value::as_array);
    // Servers from before capabilities were told: take it as a chat model.
    let can =
        |what: &str| capabilities.map(|list| list.iter().any(|capability| capability == what));
    let (chats, sees) = (
        can("completion").unwrap_or(true),
        can("vision").unwrap_or(false),
    );
    let without_calls = can("tools") == Some(false);
    let info = value.get("model_info").and_then(Value::as_object);
    let context = info.and_then(|info| {
        info.iter()
            .find(|(key, _)| key.ends_with(".context_length"))
    });
    OllamaModelInfo {
        can_chat: chats,
        can_see_images: sees,
        lacks_tool_calls: without_calls,
        context_length: context
            .and_then(|(_, value)| parse_token_count(Some(value)))
            .filter(|tokens| *tokens > 0),
    }
}

/// The context `name` is loaded with by `/api/ps`, in tokens; none if it is not loaded or the server is too old to say.
pub(super) fn find_loaded_context(value: &Value, name: &str) -> Option<u32> {
    let models = value.get("models")?.as_array()?;
    let model = models.iter().find(|model| {
        [model.get("name"), model.get("model")]
            .into_iter()
            .flatten()
            .any(|found| is_same_model(found.as_str(), name))
    })?;
    parse_token_count(model.get("context_length")).filter(|tokens| *tokens > 0)
}

/// The names of the local models by `/api/tags`, newest first. Models that Ollama only passes on to its own cloud are
/// left out: nobody who runs a model at home expects the chat to leave the house.
pub(super) fn list_local_models(value: &Value) -> Vec<String> {
    let mut models: Vec<(&str, &str)> = value
        .get("models")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|model| {
            model
                .get("remote_host")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .is_empty()
        })
        .filter_map(|model| {
            let name = model.get("name").or_else(|| model.get("model"))?.as_str()?;
            Some((
                model
                    .get("modified_at")
                    .and_then(Value::as_str)
                    .unwrap_or_default(),
                name,
            ))
        })
        .collect();
    models.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
    models
        .into_iter()
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// The address of an Ollama from what `OLLAMA_HOST` may hold: host, host:port, :port or a URL. An address to listen on
/// (0.0.0.0) becomes one that can be asked.
pub(super) fn build_base_url(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest
        .replace("0.0.0.0", "127.0.0.1")
        .replace("[::]", "[::1]");
    let (name, path) = rest
        .split_once('/')
        .map_or((rest.as_str(), String::new()), |(n, p)| {
            (n, format!("/{p}"))
        });
    let has_port = name
        .rsplit(']')
        .next()
        .is_some_and(|tail| tail.contains(':'));
    let name = match name {
        "" => "127.0.0.1".to_owned(),
        name if name.starts_with(':') => format!("127.0.0.1{name}"),
        name => name.to_owned(),
    };
    let port = if has_port || host.contains("://") {
        ""
    } else {
        ":11434"
    };
    format!("{scheme}://{name}{port}{path}")
}

/// Whether two names mean one model: `qwen3` is `qwen3:latest`.
pub(super) fn is_same_model(found: Option<&str>, name: &str) -> bool {
    fn strip_latest_tag(name: &str) -> &str {
        name.strip_suffix(":latest").unwrap_or(name)
    }
    found.is_some_and(|found| strip_latest_tag(found) == strip_latest_tag(name))
}

#[cfg(test)]
#[path = "tests/unit/ollama.rs"]
mod tests;
