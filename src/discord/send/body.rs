//! What a message looks like when Discord is asked to post it. Whatever it says, it pings nobody but the people it
//! names and the one it answers.

use serde_json::{Map, Value, json};

use super::attachment::Attachment;
use super::mentions::RenderedText;
use kith_core::chat::{MessageId, UserId};

const MOST_PINGED: usize = 100;

pub(super) struct MessageChunk<'a> {
    pub rendered: &'a RenderedText,
    pub content: &'a str,
    pub nonce: String,
    pub has_stickers: bool,
    pub attachment: Option<&'a Attachment>,
    pub reply_to: Option<MessageId>,
}

impl MessageChunk<'_> {
    pub fn to_body(&self) -> Value {
        let mut body = Map::new();
        body.insert("content".into(), self.content.into());
        body.insert("nonce".into(), self.nonce.as_str().into());
        body.insert("enforce_nonce".into(), true.into());
        let users = self
            .rendered
            .users
            .iter()
            .filter(|user| self.content.contains(&format!("<@{user}>")));
        body.insert(
            "allowed_mentions".into(),
            build_allowed_mentions(users, self.reply_to.is_some()),
        );
        if let Some(message) = self.reply_to {
            // The original may have been deleted meanwhile.
            let reference = json!({ "message_id": message, "fail_if_not_exists": false });
            body.insert("message_reference".into(), reference);
        }
        if self.has_stickers && !self.rendered.stickers.is_empty() {
            let ids: Vec<String> = self.rendered.stickers.iter().map(u64::to_string).collect();
            body.insert("sticker_ids".into(), ids.into());
        }
        if let Some(attachment) = self.attachment {
            body.remove("content");
            let (key, value) = attachment.to_body_field();
            body.insert(key.into(), value);
        }
        Value::Object(body)
    }
}

/// Whom a message may ping: never everyone, never a role.
pub(super) fn build_allowed_mentions<'a>(
    users: impl Iterator<Item = &'a UserId>,
    replied_user: bool,
) -> Value {
    let users: Vec<&UserId> = users.take(MOST_PINGED).collect();
    json!({ "parse": [], "users": users, "replied_user": replied_user })
}
