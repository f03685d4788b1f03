//! A message: what a test composes, what the world keeps, and what the bot's posts are compared with.

use serde_json::{Value, json};

use crate::fake_discord::{Id, Millis};

/// The flag of a message that only one person sees.
pub const EPHEMERAL: u64 = 1 << 6;
/// The flag of a deferred answer that is still empty.
pub const LOADING: u64 = 1 << 7;
/// The flag of a forward.
const HAS_SNAPSHOT: u64 = 1 << 14;

/// A message. Composed with [`Message::by`] and the methods after it; id and time come when it is posted.
#[derive(Clone, Debug, Default)]
pub struct Message {
    pub id: Id,
    pub channel: Id,
    pub author: Id,
    pub text: String,
    /// When it was posted; none before that means now.
    pub at: Option<Millis>,
    pub edited: Option<Millis>,
    /// Discord's number: 0 said, 6 pinned, 7 joined, 8 boosted, 18 thread created, 19 reply, 20 command, 21 thread start.
    pub kind: u64,
    pub nonce: Option<Value>,
    pub enforced: bool,
    pub flags: u64,
    pub tts: bool,
    pub reference: Option<Reference>,
    pub embeds: Vec<Value>,
    pub components: Vec<Value>,
    pub attachments: Vec<Value>,
    pub stickers: Vec<Id>,
    pub poll: Option<Value>,
    pub snapshots: Vec<Value>,
    /// The name a webhook shows; its id is the author.
    pub webhook: Option<String>,
    pub reactions: Vec<Reaction>,
    /// What the bot allowed; people may mention everybody they write.
    pub allowed_mentions: Option<Value>,
    /// Whom it pings: set when it is posted.
    pub mentions: Vec<Id>,
    pub mention_roles: Vec<Id>,
    pub mention_everyone: bool,
    /// `interaction_metadata` of an answer to a command.
    pub interaction: Option<Value>,
    /// What the bot says its files show, in their order.
    pub(in crate::fake_discord) shows: Vec<Option<String>>,
    /// Files of attachments that are composed: name, type, bytes.
    pub(in crate::fake_discord) files: Vec<(String, String, Vec<u8>)>,
}

/// What a message points at.
#[derive(Clone, Debug)]
pub struct Reference {
    pub message: Id,
    pub channel: Id,
    /// A forward, not a reply.
    pub forward: bool,
}

/// One emoji under a message.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// The character, or `name:id`.
    pub emoji: String,
    pub users: Vec<Id>,
}

impl Message {
    pub fn by(author: Id, text: impl Into<String>) -> Self {
        Self {
            author,
            text: text.into(),
            ..Self::default()
        }
    }

    pub fn by_webhook(id: Id, name: &str, text: impl Into<String>) -> Self {
        Self {
            webhook: Some(name.into()),
            ..Self::by(id, text)
        }
    }

    pub fn reply_to(mut self, message: Id) -> Self {
        self.kind = 19;
        self.reference = Some(Reference {
            message,
            channel: 0,
            forward: false,
        });
        self
    }

    /// Forwards a message; its text goes into a snapshot.
    pub fn forward(mut self, channel: Id, message: Id) -> Self {
        self.flags |= HAS_SNAPSHOT;
        self.reference = Some(Reference {
            message,
            channel,
            forward: true,
        });
        self
    }

    pub fn sticker(mut self, id: Id) -> Self {
        self.stickers.push(id);
        self
    }

    pub fn file(mut self, name: &str, content_type: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.files
            .push((name.into(), content_type.into(), bytes.as_ref().to_vec()));
        self
    }

    pub fn embed(mut self, embed: Value) -> Self {
        self.embeds.push(embed);
        self
    }

    pub fn poll(mut self, question: &str, answers: &[&str]) -> Self {
        let answers = answers
            .iter()
            .zip(1..)
            .map(|(text, id)| json!({"answer_id": id, "poll_media": {"text": text}}));
        self.poll = Some(json!({
            "question": {"text": question},
            "answers": answers.collect::<Vec<_>>(),
            "expiry": "2030-01-01T00:00:00.000000+00:00",
            "allow_multiselect": false,
            "layout_type": 1,
            "results": {"is_finalized": false, "answer_counts": []},
        }));
        self
    }

    /// Of another kind; 7 is a join, 8 a boost, 6 a pin.
    pub fn kind(mut self, kind: u64) -> Self {
        self.kind = kind;
        self
    }

    /// Written then, not now.
    pub fn at(mut self, at: Millis) -> Self {
        self.at = Some(at);
        self
    }

    /// The file that was sent along under this name, as text.
    pub fn file_text(&self, name: &str) -> Option<String> {
        let file = self.files.iter().find(|(known, ..)| known == name);
        file.map(|(.., bytes)| String::from_utf8_lossy(bytes).into_owned())
    }

    pub fn nonce_text(&self) -> Option<&str> {
        self.nonce.as_ref().and_then(Value::as_str)
    }

    pub fn replies_to(&self) -> Option<Id> {
        self.reference
            .as_ref()
            .filter(|reference| !reference.forward)
            .map(|reference| reference.message)
    }

    /// Whether anybody can read anything in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
            && self.embeds.is_empty()
            && self.components.is_empty()
            && self.attachments.is_empty()
            && self.stickers.is_empty()
            && self.poll.is_none()
            && self
                .reference
                .as_ref()
                .is_none_or(|reference| !reference.forward)
    }
}
