//! What is said of pictures in the lines they were sent with. The words of whoever looked at a picture are text from
//! outside: they are escaped like a message.

use super::escape;
use crate::chat::MessageId;
use crate::persona::Language;
use kith_language::prompt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPicture {
    pub message: MessageId,
    /// Its file's name.
    pub name: String,
    pub content: PictureContent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureContent {
    /// What it shows, in the words of a model that looked at it; of a text, its beginning.
    Description(String),
    /// It could not be loaded.
    Lost,
}

impl ShownPicture {
    /// What stands behind the text of its line.
    pub fn note(&self, language: Language) -> String {
        match &self.content {
            PictureContent::Description(what) => self.format_note(what),
            PictureContent::Lost => self.format_note(&prompt::picture_lost().in_language(language)),
        }
    }

    /// The same without what it shows, for prompts that are kept: nobody could find it there when the picture is erased.
    pub fn render_bare_note(&self, language: Language) -> String {
        match &self.content {
            PictureContent::Description(_) => self.format_note("…"),
            PictureContent::Lost => self.note(language),
        }
    }

    fn format_note(&self, what: &str) -> String {
        let mut out = " [".to_owned();
        for (text, end) in [(self.name.as_str(), ": "), (what, "]")] {
            let round = text.replace(['[', '［'], "(").replace([']', '］'], ")");
            escape::escape_line(&mut out, &round, &|_| None);
            out.push_str(end);
        }
        out
    }
}

/// The words before a picture that a model sees: which line it belongs to, by the short id.
pub fn format_picture_label(language: Language, line: u16) -> String {
    prompt::picture(line).in_language(language)
}
