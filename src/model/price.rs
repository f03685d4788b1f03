//! What a model costs, as the settings say it.

use kith_core::report::TokenUsage;
use serde::{Deserialize, Serialize};

/// What Anthropic takes for a token it writes to its cache, in prices of a token it reads.
const CACHE_WRITE: f64 = 1.25;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    pub prompt: f64,
    #[serde(default)]
    pub cached: Option<f64>,
    #[serde(default)]
    pub cache_write: Option<f64>,
    pub completion: f64,
}

kith_core::declare_settings! {
    ["What it costs, in money for a million tokens; not set: nothing is counted in money."]
    ModelPrice {
        ["Of prompts."]
        [Range(0.0, 1e9), Unit("for a million tokens"), Example("0.4")] prompt: f64,
        ["Of what is served from the provider's cache; not set: as `prompt`."]
        [Range(0.0, 1e9), Unit("for a million tokens"), Example("0.1")] cached: Option<f64>,
        ["Of what Anthropic writes to its cache; not set: a quarter more than `prompt`."]
        [Range(0.0, 1e9), Unit("for a million tokens"), Example("0.5")] cache_write: Option<f64>,
        ["Of answers."]
        [Range(0.0, 1e9), Unit("for a million tokens"), Example("1.6")] completion: f64,
    }
}
impl ModelPrice {
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
