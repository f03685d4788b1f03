//! How long a model may take: to be reached, for its first token, between two, and in all. `attempt.rs` holds calls to it.

use std::time::Duration;

use super::settings::{ModelProfile, ModelSettings, Provider, is_thinking_model};

/// How long to wait for the first token of a server that has its models in memory, in seconds.
const FIRST_TOKEN_SECONDS: f32 = 60.0;
/// The same for a machine that may have to load the model first or reads slowly.
const FIRST_TOKEN_SECONDS_LOCAL: f32 = 300.0;
/// How long one call may take, in seconds.
const TOTAL_SECONDS: f32 = 180.0;
/// The longest time limit that can be set; more is taken as this.
const LONGEST_SECONDS: f32 = 86_400.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLimits {
    pub connect: Duration,
    /// Until the first token, from the start of a try.
    pub first_token: Duration,
    pub idle: Duration,
    /// For the call with all its tries.
    pub total: Duration,
}

impl ModelSettings {
    /// The time limits that hold when `provider` is asked; `is_local` if its server is on this machine.
    pub fn resolve_time_limits(&self, provider: Provider, is_local: bool) -> TimeLimits {
        // Who thinks long before it answers may do so without a word.
        let asked = self.has_thinking_option() || is_thinking_model(&self.name);
        let slow = is_local
            || provider == Provider::Ollama
            || self.profile == ModelProfile::Small
            || asked;
        let by_default = if slow {
            FIRST_TOKEN_SECONDS_LOCAL
        } else {
            FIRST_TOKEN_SECONDS
        };
        let first_token = self.first_token_seconds.unwrap_or(by_default);
        let total = self
            .total_seconds
            .unwrap_or(TOTAL_SECONDS.max(2.0 * first_token));
        TimeLimits {
            connect: to_duration(self.connect_seconds),
            first_token: to_duration(first_token),
            idle: to_duration(self.idle_seconds),
            total: to_duration(total),
        }
    }
}

fn to_duration(value: f32) -> Duration {
    Duration::from_secs_f32(if value.is_finite() {
        value.clamp(0.0, LONGEST_SECONDS)
    } else {
        LONGEST_SECONDS
    })
}
