//! What a close code of the gateway means. Codes: Discord's documentation, "Gateway Close Event Codes".

use kith_core::persona::Language;
use kith_language::discord;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseAction {
    Resume,
    NewSession,
    Stop(FatalClose),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FatalClose {
    /// 4004: the token is wrong.
    Token,
    /// 4010: the shard's number is wrong.
    Shard,
    /// 4011: too many guilds for this many shards.
    TooFewShards,
    Version,
    /// 4013: the intents are no valid set.
    InvalidIntents,
    /// 4014: an intent is not switched on.
    DisallowedIntents,
}

pub fn choose_close_action(code: Option<u16>) -> CloseAction {
    match code {
        Some(4004) => CloseAction::Stop(FatalClose::Token),
        Some(4010) => CloseAction::Stop(FatalClose::Shard),
        Some(4011) => CloseAction::Stop(FatalClose::TooFewShards),
        Some(4012) => CloseAction::Stop(FatalClose::Version),
        Some(4013) => CloseAction::Stop(FatalClose::InvalidIntents),
        Some(4014) => CloseAction::Stop(FatalClose::DisallowedIntents),
        // Not authenticated, session gone, invalid sequence, session timed out.
        Some(4003 | 4006 | 4007 | 4009) => CloseAction::NewSession,
        _ => CloseAction::Resume,
    }
}

impl FatalClose {
    /// One sentence that says what to do.
    pub fn describe(self, language: Language) -> String {
        let message = match self {
            Self::Token => discord::token_refused(),
            Self::Shard => discord::shard_refused(),
            Self::TooFewShards => discord::too_few_shards(),
            Self::Version => discord::gateway_version_unknown(),
            Self::InvalidIntents => discord::intents_unknown(),
            Self::DisallowedIntents => discord::intents_refused(),
        };
        message.in_language(language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_no_retry_mends_stops_it_and_every_other_leads_to_a_new_link() {
        for code in [4004, 4010, 4011, 4012, 4013, 4014] {
            let CloseAction::Stop(reason) = choose_close_action(Some(code)) else {
                panic!("{code} must stop it")
            };
            assert_ne!(reason.describe(Language::EN), reason.describe(Language::ZH));
        }
        for code in [
            None,
            Some(1000),
            Some(1001),
            Some(1006),
            Some(4000),
            Some(4001),
            Some(4002),
            Some(4008),
        ] {
            assert_eq!(choose_close_action(code), CloseAction::Resume, "{code:?}");
        }
        for code in [4003, 4006, 4007, 4009] {
            assert_eq!(choose_close_action(Some(code)), CloseAction::NewSession);
        }
    }
}
