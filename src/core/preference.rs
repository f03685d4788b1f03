//! What people may decide about themselves. Plain data.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonPreference {
    #[default]
    Remember,
    /// Answered, but what they write is gone after 24 hours.
    DontRemember,
    /// Not read, not stored, not answered, and stripped from quotes.
    Ignore,
}

/// What a person wishes everywhere, as one partition tells it the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedWish {
    /// Everything of theirs is to be erased.
    Forget,
    /// They want to be treated so from now on. What there is of them stays.
    Treat(PersonPreference),
}
