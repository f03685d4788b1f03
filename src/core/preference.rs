//! What people may decide about themselves. Plain data.

use serde::{Deserialize, Serialize};

/// How a person wants to be treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonPreference {
    /// Like everybody.
    #[default]
    Remember,
    /// Answered, but what they write is gone after 24 hours.
    DontRemember,
    /// Not read, not stored, not answered, and stripped from quotes.
    Ignore,
}
