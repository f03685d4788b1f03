//! What a model costs, as the settings say it.

use kith_core::report::TokenUsage;
use serde::{Deserialize, Serialize};

/// What Anthropic takes for a token it writes to its cache, in prices of a token it reads.
const CACHE_WRITE: f64 = 1.25;

/// What a model costs, in money for a million tokens. Which money, the host knows; all prices are in the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    pub prompt: f64,
    /// Of what is served from the provider's cache; absent: as `prompt`.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Of what is written to that cache, where the provider counts it (Anthropic); absent: a quarter more than `prompt`.
    #[serde(default)]
    pub cache_write: Option<f64>,
    /// Of answers.
    pub completion: f64,
}

impl ModelPrice {
    /// What a call cost.
    pub fn of(&self, usage: &TokenUsage) -> f64 {
        let cached = usage.cached.min(usage.prompt);
        let written = usage.cache_written.min(usage.prompt - cached);
        let million = f64::from(usage.prompt - cached - written) * self.prompt
            + f64::from(cached) * self.cached.unwrap_or(self.prompt)
            + f64::from(written) * self.cache_write.unwrap_or(self.prompt * CACHE_WRITE)
            + f64::from(usage.completion) * self.completion;
        million / 1e6
    }
}
