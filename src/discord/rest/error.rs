//! Why a request to Discord failed, as a closed enum for those who branch and a sentence for people: what happened and
//! how to mend it. It never holds the token, a path with a token in it, or a proxy's password.

use std::time::Duration;

use super::ability::DiscordAbility;
use kith_core::report::FailureKind;

#[derive(Clone, Debug, PartialEq)]
pub enum RestError {
    /// The token is wrong. Nothing more is asked with it.
    Unauthorized,
    /// Too much was refused lately; only what is vital is still asked.
    CircuitOpen {
        refused: usize,
    },
    /// It was refused here before, and nothing has changed since.
    AbilityDisabled(DiscordAbility),
    Forbidden {
        /// Discord's code; none where something else than the API refused.
        code: Option<u32>,
        said: String,
    },
    /// What it is about is not there, or no longer.
    NotFound {
        /// Discord's code: 10003 a channel, 10008 a message, 10014 an emoji …
        code: u32,
        said: String,
    },
    /// The guild's AutoMod does not let this text pass. The same text never will.
    AutoMod,
    SlowMode {
        retry_after: Duration,
    },
    /// Discord cannot make sense of the request, or what it asks for cannot be.
    Invalid {
        /// Discord's code; 0 for none.
        code: u32,
        said: String,
    },
    /// It must wait longer than anybody wants to wait. It was not asked.
    RateLimited {
        retry_after: Duration,
    },
    /// It waited until it was not worth doing any more. It was not asked.
    Expired,
    TimedOut {
        after: Duration,
    },
    /// There is no way there. It was not asked.
    Unreachable(String),
    ConnectionBroken(String),
    Failed {
        /// The HTTP status, 500 or more.
        status: u16,
    },
    /// The answer is none of Discord's.
    Unreadable(String),
}

impl RestError {
    /// Whether Discord may have done what was asked all the same.
    pub const fn can_have_happened(&self) -> bool {
        matches!(
            self,
            Self::TimedOut { .. }
                | Self::ConnectionBroken(_)
                | Self::Failed { .. }
                | Self::Unreadable(_)
        )
    }

    /// Whether the same is worth asking later though nobody asked it now: what stands in the way passes by itself, after
    /// this long where that is known.
    pub const fn retry_delay(&self) -> Option<Option<Duration>> {
        match self {
            Self::RateLimited { retry_after } | Self::SlowMode { retry_after } => {
                Some(Some(*retry_after))
            }
            Self::Unreachable(_) | Self::CircuitOpen { .. } => Some(None),
            _ => None,
        }
    }

    /// The same as a kind, for those who read of a turn.
    pub const fn failure_kind(&self) -> FailureKind {
        match self {
            Self::AutoMod => FailureKind::Filter,
            Self::AbilityDisabled(_) | Self::Forbidden { .. } => FailureKind::NotAllowed,
            Self::NotFound { .. } => FailureKind::Gone,
            Self::SlowMode { .. } | Self::RateLimited { .. } => FailureKind::TooFast,
            Self::Expired
            | Self::TimedOut { .. }
            | Self::Unreachable(_)
            | Self::ConnectionBroken(_)
            | Self::Failed { .. }
            | Self::Unreadable(_) => FailureKind::NoAnswer,
            Self::Unauthorized | Self::CircuitOpen { .. } | Self::Invalid { .. } => {
                FailureKind::Other
            }
        }
    }

    /// Whether it cannot see the place: it lacks the permission, or was removed from the server.
    pub const fn is_out_of_sight(&self) -> bool {
        matches!(
            self,
            Self::Forbidden {
                code: Some(50_001),
                ..
            }
        )
    }

    /// Whether the same may go well a moment later.
    pub const fn is_transient(&self) -> bool {
        self.can_have_happened() || matches!(self, Self::Unreachable(_) | Self::RateLimited { .. })
    }
}
