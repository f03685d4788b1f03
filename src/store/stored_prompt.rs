//! A prompt of a turn as it is kept.

use serde::{Deserialize, Serialize};

use kith_core::report::PromptPart;

/// The exact prompts of so many newest turns are kept; they are large and asked for while a turn is fresh.
pub(crate) const PROMPTS_KEPT: i64 = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPrompt {
    pub ask: u32,
    #[serde(default)]
    pub model: String,
    pub system: String,
    /// What stands below it; each of several messages under a line that says whose it is.
    pub user: String,
    #[serde(default)]
    pub parts: Vec<PromptPart>,
}
