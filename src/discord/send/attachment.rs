//! What a message carries in the place of words, as Discord takes it: a poll, a sticker of the guild, a picture.

use std::sync::Arc;

use serde_json::{Value, json};

use kith_core::outgoing::Poll;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    Poll(Poll),
    Sticker(u64),
    Picture(PictureUpload),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureUpload {
    /// The file's name, with an ending Discord knows.
    pub file: String,
    /// What it shows: read out to who cannot see it, and by which it is found again after a crash.
    pub caption: String,
    pub bytes: Arc<[u8]>,
}

impl Attachment {
    /// The key it stands under in a message's body, and what stands there.
    pub(super) fn to_body_field(&self) -> (&'static str, Value) {
        match self {
            Self::Poll(Poll {
                question,
                answers,
                hours,
                several,
            }) => {
                let answers: Vec<Value> = answers
                    .iter()
                    .map(|answer| json!({ "poll_media": { "text": answer } }))
                    .collect();
                let poll = json!({
                    "question": { "text": question },
                    "answers": answers,
                    "duration": hours,
                    "allow_multiselect": several,
                    "layout_type": 1,
                });
                ("poll", poll)
            }
            Self::Sticker(id) => ("sticker_ids", json!([id.to_string()])),
            Self::Picture(PictureUpload { file, caption, .. }) => (
                "attachments",
                json!([{ "id": "0", "filename": file, "description": caption }]),
            ),
        }
    }
}
