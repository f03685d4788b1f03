//! How a model call ended: what it took, or why it failed.

use kith_language::LocalizedMessage;
use serde::{Deserialize, Serialize};

use super::persona::Language;

/// Tokens a model call took, as the provider counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    pub prompt: u32,
    /// Of the prompt, served from the provider's cache.
    pub cached: u32,
    /// Of the prompt, written to that cache, where the provider takes a price of its own for it.
    #[serde(default)]
    pub cache_written: u32,
    /// Of the answer, reasoning included.
    pub completion: u32,
    /// Whether these are estimates because the provider gave none.
    pub estimated: bool,
    /// Whether the answer ended because it reached its length limit.
    pub truncated: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFailure {
    /// One sentence: what, where, how to mend it. Holds no secret.
    pub message: String,
    /// The call never happened because the budget is spent.
    #[serde(default)]
    pub budget: bool,
    /// What the call took all the same with all its tries, counted by the server or estimated; none if it never left or
    /// was refused before the model began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<TokenUsage>,
    /// The sentence for whoever reads another language, as long as nobody has read it: it is not stored.
    #[serde(skip)]
    pub localized: Option<LocalizedMessage>,
}

impl ModelFailure {
    /// A failure that took nothing and has nothing to do with the budget.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }

    pub fn from_message(message: LocalizedMessage) -> Self {
        Self {
            localized: Some(message.clone()),
            ..Self::new(message.to_string())
        }
    }

    pub fn describe(&self, language: Language) -> String {
        match &self.localized {
            Some(message) => message.in_language(language),
            None => self.message.clone(),
        }
    }

    pub fn into_language(self, language: Language) -> Self {
        Self {
            message: self.describe(language),
            localized: None,
            ..self
        }
    }

    /// The sentence for logs: without the server's own words, which may quote a prompt. Every sentence puts those into
    /// double quotes, and they may hold quotes of their own, so all between the first and the last goes.
    pub fn message_for_log(&self) -> String {
        match (self.message.find('"'), self.message.rfind('"')) {
            (Some(from), Some(to)) if from < to => {
                format!("{}…{}", &self.message[..=from], &self.message[to..])
            }
            _ => self.message.clone(),
        }
    }
}
