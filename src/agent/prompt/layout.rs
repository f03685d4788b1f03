//! The user's part of a prompt as messages. In both layouts it is the same text from the same template: the history is
//! found in it, what stands before belongs to its first message, what stands behind to its last. The companion's own
//! lines are shown as it would have written them, for a model goes on in the form it finds.

use serde_json::{Map, Value, json};

use kith_core::call::ToolCall;
use kith_core::context::{HistoryPiece, OwnLine, PromptSection};
use kith_core::policy::OutputProtocol;
use kith_model::{MessageSide, PastCall, PromptMessage};

/// What a line of the companion was said with.
const SEND_MESSAGE: &str = "send_message";

/// The messages, and how many bytes of them the next prompt will most likely begin with.
pub(super) fn lay_out_messages(
    user: String,
    history: &PromptSection,
    pieces: &[HistoryPiece],
    protocol: OutputProtocol,
) -> (Vec<PromptMessage>, usize) {
    let shown = history.text.trim_end();
    let Some(start) = user.find(shown).filter(|_| !shown.is_empty()) else {
        return (vec![PromptMessage::from_user(user)], 0);
    };
    let end = start + shown.len();
    if pieces.iter().all(|piece| piece.own.is_empty()) {
        return (vec![PromptMessage::from_user(user)], end);
    }
    let mut messages: Vec<PromptMessage> = Vec::new();
    for piece in pieces {
        let text = shown
            .get(piece.place.clone())
            .unwrap_or_default()
            .trim_end();
        messages.push(match piece.own.is_empty() {
            true => PromptMessage::from_user(text),
            false => render_own_lines(&piece.own, shown, protocol),
        });
    }
    if let Some(first) = messages.first_mut() {
        first.text.insert_str(0, &user[..start]);
    }
    let tail = &user[end..];
    let bytes =
        |messages: &[PromptMessage]| messages.iter().map(|message| message.text.len()).sum();
    let settled = match messages.last_mut() {
        Some(last) if last.side == MessageSide::User => {
            let (before, tail) = (last.text.len(), tail.trim_end());
            last.text.push_str(tail);
            let behind = last.text.len() - before;
            bytes(&messages) - behind
        }
        // It may say more before anybody answers: then its last message grows.
        _ => {
            let settled = bytes(&messages[..messages.len().saturating_sub(1)]);
            messages.push(PromptMessage::from_user(tail.trim()));
            settled
        }
    };
    (messages, settled)
}

/// Lines of the companion's, one after the other, as one answer.
fn render_own_lines(lines: &[OwnLine], history: &str, protocol: OutputProtocol) -> PromptMessage {
    let words = |line: &OwnLine| {
        history
            .get(line.words.clone())
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    match protocol {
        OutputProtocol::Xml => {
            let one = |line: &OwnLine| {
                let reply = line
                    .replies_to
                    .map(|to| format!(" reply_to=\"{to}\""))
                    .unwrap_or_default();
                format!("<{SEND_MESSAGE}{reply}>{}</{SEND_MESSAGE}>", words(line))
            };
            PromptMessage::from_companion(format!(
                "<turn>{}</turn>",
                lines.iter().map(one).collect::<String>()
            ))
        }
        OutputProtocol::Json => {
            let one = |line: &OwnLine| json!({ "name": SEND_MESSAGE, "params": build_params(line, words(line)) });
            PromptMessage::from_companion(
                json!({ "actions": lines.iter().map(one).collect::<Vec<_>>() }).to_string(),
            )
        }
        OutputProtocol::Native => {
            let one = |line: &OwnLine| PastCall {
                id: format!("{:09}", line.short),
                call: ToolCall {
                    name: SEND_MESSAGE.into(),
                    params: build_params(line, words(line)),
                },
                line: line.short,
            };
            let calls: Vec<PastCall> = lines.iter().map(one).collect();
            let shown = |past: &PastCall| {
                format!("{SEND_MESSAGE} {}", Value::Object(past.call.params.clone()))
            };
            let text = calls.iter().map(shown).collect::<Vec<_>>().join("\n");
            PromptMessage {
                calls,
                ..PromptMessage::from_companion(text)
            }
        }
    }
}

fn build_params(line: &OwnLine, words: String) -> Map<String, Value> {
    let reply = line
        .replies_to
        .map(|to| ("reply_to".to_owned(), Value::from(to.to_string())));
    std::iter::once(("text".to_owned(), Value::from(words)))
        .chain(reply)
        .collect()
}
