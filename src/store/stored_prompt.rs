//! A prompt of a turn as it is kept.

use serde::{Deserialize, Serialize};

use kith_core::report::PromptPart;

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
