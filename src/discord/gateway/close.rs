//! What a close code of the gateway means. Codes: Discord's documentation, "Gateway Close Event Codes".

use kith_core::persona::Language;

/// What follows the end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseAction {
    /// The session goes on over a new link.
    Resume,
    /// The session is gone; a new one must be started.
    NewSession,
    /// No new link would help.
    Stop(FatalClose),
}

/// Why Discord refuses for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FatalClose {
    /// 4004: the token is wrong.
    Token,
    /// 4010: the shard's number is wrong.
    Shard,
    /// 4011: too many guilds for this many shards.
    TooFewShards,
    /// 4012: the API version is gone.
    Version,
    /// 4013: the intents are no valid set.
    InvalidIntents,
    /// 4014: an intent is not switched on.
    DisallowedIntents,
}

/// What follows a close with this code, or with none.
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
    pub fn describe(self, language: Language) -> &'static str {
        match self {
            Self::Token => language.pick(
                "Discord refused the token: copy it again from the developer portal (your application, Bot, \
                 Reset Token) into DISCORD_TOKEN or discord.token_file, and start again.",
                "Discord 拒绝了令牌：请在开发者门户（你的应用 → Bot → Reset Token）重新复制，\
                 写入 DISCORD_TOKEN 或 discord.token_file，然后重新启动。",
            ),
            Self::Shard => language.pick(
                "Discord refused the shard number (4010), which is an error of Kith: start it again, and report it if \
                 that does not help.",
                "Discord 拒绝了分片编号（4010），这是 Kith 的错误：请重新启动，若仍不行请报告此问题。",
            ),
            Self::TooFewShards => language.pick(
                "The bot is in more guilds than one link may serve (4011): start Kith again, it asks Discord for the \
                 number of shards at each start.",
                "机器人所在的服务器超过了当前分片数所允许的数量（4011）：请重新启动 Kith，\
                 它每次启动都会向 Discord 询问分片数。",
            ),
            Self::Version => language.pick(
                "Discord no longer speaks the gateway version this Kith knows (4012): update Kith.",
                "Discord 已不再支持此 Kith 所用的网关版本（4012）：请更新 Kith。",
            ),
            Self::InvalidIntents => language.pick(
                "Discord does not know one of the intents this Kith asks for (4013): update Kith.",
                "Discord 不认识此 Kith 请求的某个 intent（4013）：请更新 Kith。",
            ),
            Self::DisallowedIntents => language.pick(
                "Discord does not let the bot read messages (4014): switch on \"Message Content Intent\" in the \
                 developer portal (your application, Bot, Privileged Gateway Intents), and start again.",
                "Discord 不允许机器人读取消息（4014）：请在开发者门户（你的应用 → Bot → Privileged Gateway Intents）\
                 打开 “Message Content Intent”，然后重新启动。",
            ),
        }
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
