//! What the companion should know besides the history, once: what came of something it asked for, what could not be
//! delivered. Whom it is about stands under the name the prompt gives them, and that is known when it is rendered.

use std::sync::Arc;

use super::display_names::DisplayNames;
use crate::chat::UserId;
use crate::quotes::QuoteRedactor;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextNote {
    text: String,
    subject: Option<(UserId, Arc<str>)>,
}

impl ContextNote {
    /// Stands in a text where the name of whom it is about belongs: no name, and nothing people type.
    pub const NAME: &'static str = "\u{fffc}";

    /// About somebody of this name, who is named in the text by [`ContextNote::NAME`].
    pub fn with_user(user: UserId, name: &str, text: String) -> Self {
        Self {
            text,
            subject: Some((user, name.into())),
        }
    }

    pub fn remove_quotes(&mut self, quotes: &QuoteRedactor) {
        quotes.clean(&mut self.text);
    }

    /// As it stands in a prompt in which people have these names.
    pub(super) fn render_text(&self, names: &mut DisplayNames) -> String {
        match &self.subject {
            Some((user, name)) => {
                self.text
                    .replacen(Self::NAME, &names.resolve_quoted_name(*user, name), 1)
            }
            None => self.text.clone(),
        }
    }
}

impl From<String> for ContextNote {
    fn from(text: String) -> Self {
        Self {
            text,
            subject: None,
        }
    }
}
