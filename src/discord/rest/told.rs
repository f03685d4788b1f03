//! Why a request failed, for people, in their language.

use super::error::RestError;
use kith_core::persona::Language;

impl RestError {
    /// What happened and how to mend it, in one sentence.
    pub fn describe(&self, language: Language) -> String {
        language.pick(self.to_string(), self.describe_in_chinese())
    }

    fn describe_in_chinese(&self) -> String {
        match self {
            Self::Unauthorized => "Discord 拒绝了令牌（401）：请从开发者后台重新复制机器人令牌，填入 DISCORD_TOKEN 或 \
                                   discord.token_file 指定的文件。"
                .into(),
            Self::CircuitOpen { refused } => format!(
                "Discord 在十分钟内拒绝了 {refused} 个请求，达到 10,000 个会被封禁，所以暂时只发送必要的请求：请在日志里查看\
                 被拒绝的是什么，并给机器人所缺的权限。"
            ),
            Self::AbilityDisabled(ability) => {
                format!("Discord 不允许它在这里这样做：请在此频道给它“{}”权限，之后会再试。", ability.labels().1)
            }
            Self::Forbidden { said, .. } => format!("Discord 不允许（{said}）：请给机器人的身份组所缺的权限。"),
            Self::NotFound { said, .. } => format!("Discord 找不到所指的对象（{said}）：它已被删除，或者无法看到。"),
            Self::AutoMod => "服务器的 AutoMod 不让这段文字通过：请换个说法，或者不说。".into(),
            Self::SlowMode { retry_after } => {
                format!("频道开启了慢速模式：{} 秒后才能再发消息。", retry_after.as_secs_f64().ceil())
            }
            Self::Invalid { said, .. } => {
                format!("Discord 拒绝了请求（{said}）：请修改它所指的内容，或作为 Kith 的错误反馈。")
            }
            Self::RateLimited { retry_after } => {
                format!("Discord 要求放慢速度，还要 {} 秒：这次没有发出请求。", retry_after.as_secs_f64().ceil())
            }
            Self::TimedOut { after } => {
                format!("Discord 在 {} 秒内没有回答：请检查网络，或等 Discord 恢复。", after.as_secs_f64())
            }
            Self::Unreachable(why) => {
                format!("无法连接 Discord（{why}）：请检查网络、discord.proxy 和 discord.api_base。")
            }
            Self::ConnectionBroken(why) => format!("和 Discord 的连接中断了（{why}）：请检查网络或中间的代理。"),
            Self::Failed { status } => format!("Discord 出了故障（{status}）：请等它恢复。"),
            Self::Unreadable(why) => {
                format!("回答的不是 Discord 的 API（{why}）：请检查 discord.api_base 或中间的代理。")
            }
        }
    }
}

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
