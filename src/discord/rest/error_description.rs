//! Why a request failed, for people, in their language.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::error::RestError;
use kith_core::persona::Language;
use kith_language::{LocalizedMessage, rest_errors};

impl RestError {
    /// What happened and how to mend it, in one sentence.
    pub fn describe(&self, language: Language) -> String {
        self.to_message().in_language(language)
    }

    /// The same for whoever reads it in whatever language.
    pub fn to_message(&self) -> LocalizedMessage {
        let whole_seconds = |time: &Duration| time.as_secs_f64().ceil().to_string();
        match self {
            Self::Unauthorized => rest_errors::unauthorized(),
            Self::CircuitOpen { refused } => rest_errors::circuit_open(*refused),
            Self::AbilityDisabled(ability) => {
                let (ability, permission) = ability.labels();
                rest_errors::ability_disabled(ability, permission)
            }
            _ if self.is_out_of_sight() => rest_errors::no_access(),
            Self::Forbidden { said, .. } => rest_errors::forbidden(said),
            Self::NotFound { said, .. } => rest_errors::not_found(said),
            Self::AutoMod => rest_errors::auto_mod(),
            Self::SlowMode { retry_after } => rest_errors::slow_mode(whole_seconds(retry_after)),
            Self::Invalid { said, .. } => rest_errors::invalid(said),
            Self::RateLimited { retry_after } => {
                rest_errors::rate_limited(whole_seconds(retry_after))
            }
            Self::Expired => rest_errors::expired(),
            Self::TimedOut { after } => rest_errors::timed_out(after.as_secs_f64().to_string()),
            Self::Unreachable(why) => rest_errors::unreachable(why),
            Self::ConnectionBroken(why) => rest_errors::connection_broken(why),
            Self::Failed { status } => rest_errors::failed(*status),
            Self::Unreadable(why) => rest_errors::unreadable(why),
        }
    }
}

impl fmt::Display for RestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl Error for RestError {}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::ability::DiscordAbility;
    use super::*;

    #[test]
    fn every_reason_is_told_in_chinese_without_a_sentence_in_english() {
        let second = Duration::from_secs(1);
        let reasons = [
            RestError::Unauthorized,
            RestError::CircuitOpen { refused: 9 },
            RestError::AbilityDisabled(DiscordAbility::Send),
            RestError::Forbidden {
                code: None,
                said: String::new(),
            },
            RestError::NotFound {
                code: 1,
                said: String::new(),
            },
            RestError::AutoMod,
            RestError::SlowMode {
                retry_after: second,
            },
            RestError::Invalid {
                code: 1,
                said: String::new(),
            },
            RestError::RateLimited {
                retry_after: second,
            },
            RestError::Expired,
            RestError::TimedOut { after: second },
            RestError::Unreachable(String::new()),
            RestError::ConnectionBroken(String::new()),
            RestError::Failed { status: 500 },
            RestError::Unreadable(String::new()),
        ];
        for reason in reasons {
            let told = reason.describe(Language::ZH);
            assert!(
                told.ends_with('。') && !told.contains(" the ") && !told.contains(": "),
                "{told}"
            );
            assert_eq!(reason.describe(Language::EN), reason.to_string());
        }
    }
}
