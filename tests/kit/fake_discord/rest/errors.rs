//! Refusals as Discord words them: a status, its own number, and for bodies the place that is wrong.

use serde_json::{Value, json};

use super::http::{Answer, Body};

fn refusal(status: u16, code: u64, message: &str) -> Answer {
    Answer::new(
        status,
        Body::Json(json!({"message": message, "code": code})),
    )
}

pub fn unauthorized() -> Answer {
    refusal(401, 0, "401: Unauthorized")
}

pub fn not_found() -> Answer {
    refusal(404, 0, "404: Not Found")
}

/// A refusal by Discord's number.
pub fn code(code: u64) -> Answer {
    let (status, message) = match code {
        10003 => (404, "Unknown Channel"),
        10004 => (404, "Unknown Guild"),
        10007 => (404, "Unknown Member"),
        10008 => (404, "Unknown Message"),
        10013 => (404, "Unknown User"),
        10014 => (400, "Unknown Emoji"),
        10015 => (404, "Unknown Webhook"),
        10062 => (404, "Unknown interaction"),
        10026 => (404, "Unknown Ban"),
        20012 => (
            403,
            "You are not authorized to perform this action on this application",
        ),
        20016 => (
            429,
            "This action cannot be performed due to slowmode rate limit",
        ),
        40001 => (401, "Unauthorized"),
        40067 => (
            400,
            "A tag is required to create a forum post in this channel",
        ),
        50024 => (400, "Cannot execute action on this channel type"),
        40060 => (400, "Interaction has already been acknowledged."),
        50001 => (403, "Missing Access"),
        50005 => (403, "Cannot edit a message authored by another user"),
        50006 => (400, "Cannot send an empty message"),
        50007 => (403, "Cannot send messages to this user"),
        50008 => (403, "Cannot send messages in a non-text channel"),
        50013 => (403, "Missing Permissions"),
        50027 => (401, "Invalid Webhook Token"),
        50034 => (
            400,
            "You can only bulk delete messages that are under 14 days old.",
        ),
        50081 => (400, "Invalid sticker sent"),
        50083 => (400, "Thread is archived"),
        50109 => (400, "The request body contains invalid JSON."),
        160_002 => (
            403,
            "Cannot reply without permission to read message history",
        ),
        160_005 => (403, "Thread is locked"),
        160_004 => (400, "A thread has already been created for this message"),
        200_000 => (400, "Message was blocked by automatic moderation"),
        _ => (400, "Unknown error"),
    };
    refusal(status, code, message)
}

/// 50035: what is wrong where; the path is `content` or `embeds.0.title`.
pub fn form(path: &str, kind: &str, message: &str) -> Answer {
    let mut errors = json!({"_errors": [{"code": kind, "message": message}]});
    for part in path.split('.').rev().filter(|part| !part.is_empty()) {
        errors = json!({part: errors});
    }
    let body = json!({"message": "Invalid Form Body", "code": 50035, "errors": errors});
    Answer::new(400, Body::Json(body))
}

/// Whether a refusal says that the request could never have been right.
pub fn is_malformed(answer: &Answer) -> bool {
    matches!(&answer.body, Body::Json(body) if [50006, 50035, 50109].iter().any(|code| body["code"] == *code))
}

/// A value, or 50035 because it is no string of digits.
pub fn snowflake(path: &str, value: &Value) -> Result<u64, Answer> {
    let id = value.as_str().and_then(|text| text.parse().ok());
    id.ok_or_else(|| {
        form(
            path,
            "NUMBER_TYPE_COERCE",
            &format!("Value {value} is not snowflake."),
        )
    })
}
