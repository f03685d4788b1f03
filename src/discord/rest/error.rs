//! Why a request to Discord failed, as a closed enum for those who branch and a sentence for people: what happened and
//! how to mend it. It never holds the token, a path with a token in it, or a proxy's password.

use std::time::Duration;

use super::ability::DiscordAbility;
use kith_core::report::FailureKind;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RestError {
    /// The token is wrong. Nothing more is asked with it.
    #[error(
        "Discord refused the token (401): copy the bot's token from the developer portal again, into DISCORD_TOKEN or \
         the file named by discord.token_file."
    )]
    Unauthorized,
    /// Too much was refused lately; only what is vital is still asked.
    #[error(
        "Discord has refused {refused} requests within ten minutes and bans whoever reaches 10,000, so nothing is asked \
         that is not vital until fewer were refused: look in the log for what is refused, and give the bot the \
         permission it lacks."
    )]
    CircuitOpen {
        /// How many were refused.
        refused: usize,
    },
    /// It was refused here before, and nothing has changed since.
    #[error(
        "Discord does not let it {} here: give it the permission \"{}\" in this channel; then it is tried again.",
        .0.labels().0,
        .0.labels().1
    )]
    AbilityDisabled(DiscordAbility),
    /// It is not allowed.
    #[error(
        "Discord does not allow it ({said}): give the bot's role the permission it lacks there."
    )]
    Forbidden {
        /// Discord's code; none where something else than the API refused.
        code: Option<u32>,
        /// What it says.
        said: String,
    },
    /// What it is about is not there, or no longer.
    #[error(
        "Discord does not know what this is about ({said}): it was deleted, or it cannot be seen."
    )]
    NotFound {
        /// Discord's code: 10003 a channel, 10008 a message, 10014 an emoji …
        code: u32,
        /// What it says.
        said: String,
    },
    /// The guild's AutoMod does not let this text pass. The same text never will.
    #[error(
        "The server's AutoMod does not let this text pass: say it in other words, or leave it."
    )]
    AutoMod,
    /// The channel is in slow mode.
    #[error("The channel is in slow mode: the next message may be sent in {} s.", .retry_after.as_secs_f64().ceil())]
    SlowMode {
        /// From when on it is worth trying again.
        retry_after: Duration,
    },
    /// Discord cannot make sense of the request, or what it asks for cannot be.
    #[error(
        "Discord refused the request ({said}): change what it names, or report it as a fault of Kith."
    )]
    Invalid {
        /// Discord's code; 0 for none.
        code: u32,
        /// What it says.
        said: String,
    },
    /// It must wait longer than anybody wants to wait. It was not asked.
    #[error("Discord asks to slow down, for {} s more: it was not asked.", .retry_after.as_secs_f64().ceil())]
    RateLimited {
        /// From when on it is worth trying again.
        retry_after: Duration,
    },
    /// No answer came in time.
    #[error("Discord did not answer within {} s: look at the network, or wait until Discord is well again.", .after.as_secs_f64())]
    TimedOut {
        /// How long the answer was waited for.
        after: Duration,
    },
    /// There is no way there. It was not asked.
    #[error(
        "Discord cannot be reached ({0}): look at the network, discord.proxy and discord.api_base."
    )]
    Unreachable(String),
    /// The connection broke before the answer was there.
    #[error("The connection to Discord broke ({0}): look at the network or a proxy in between.")]
    ConnectionBroken(String),
    /// Discord failed.
    #[error("Discord failed ({status}): wait until it is well again.")]
    Failed {
        /// The HTTP status, 500 or more.
        status: u16,
    },
    /// The answer is none of Discord's.
    #[error(
        "What answered was not Discord's API ({0}): look at discord.api_base or a proxy in between."
    )]
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
            Self::TimedOut { .. }
            | Self::Unreachable(_)
            | Self::ConnectionBroken(_)
            | Self::Failed { .. }
            | Self::Unreadable(_) => FailureKind::NoAnswer,
            Self::Unauthorized | Self::CircuitOpen { .. } | Self::Invalid { .. } => {
                FailureKind::Other
            }
        }
    }

    /// Whether the same may go well a moment later.
    pub const fn is_transient(&self) -> bool {
        self.can_have_happened() || matches!(self, Self::Unreachable(_) | Self::RateLimited { .. })
    }
}
