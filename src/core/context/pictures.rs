//! What is said of pictures in the lines they were sent with. The words of whoever looked at a picture are text from
//! outside: they are escaped like a message.

use super::escape;
use super::words::{self, ContextWords};
use crate::chat::MessageId;
use crate::persona::Language;

/// A picture in a message, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPicture {
    /// The message it came with.
    pub message: MessageId,
    /// Its file's name.
    pub name: String,
    /// What is known.
    pub told: PictureContent,
}

/// What is known of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureContent {
    /// What it shows, in the words of a model that looked at it.
    Shows(String),
    /// It could not be loaded.
    Lost,
}

impl ShownPicture {
    /// What stands behind the text of its line.
    pub fn note(&self, language: Language) -> String {
        match &self.told {
            PictureContent::Shows(what) => self.noted(what),
            PictureContent::Lost => self.noted(ContextWords::of(language).picture_lost),
        }
    }

    /// The same without what it shows, for prompts that are kept: nobody could find it there when the picture is erased.
    pub fn bare_note(&self, language: Language) -> String {
        match &self.told {
            PictureContent::Shows(_) => self.noted("…"),
            PictureContent::Lost => self.note(language),
        }
    }

    fn noted(&self, what: &str) -> String {
        let mut out = " [".to_owned();
        for (text, end) in [(self.name.as_str(), ": "), (what, "]")] {
            let round = text.replace(['[', '［'], "(").replace([']', '］'], ")");
            escape::line(&mut out, &round, &|_| None);
            out.push_str(end);
        }
        out
    }
}

/// The words before a picture that a model sees: which line it belongs to, by the short id.
pub fn picture_label(language: Language, line: u16) -> String {
    words::fill(ContextWords::of(language).picture, &[&line.to_string()])
}
