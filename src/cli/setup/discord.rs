//! Discord: the token, what the application may, the link that invites it, and the log channel. The token is typed
//! unseen and shown nowhere.

use std::path::Path;

use anyhow::bail;

use super::ask::DefaultAnswer;
use super::draft::{SecretLocation, TOKEN_FILE};
use super::{Setup, SetupArgs};
use crate::cli::check::discord::cannot_log;
use crate::cli::say;
use crate::settings;
use kith_core::chat::ChannelId;
use kith_discord::gateway::{GatewayInfo, GatewayStartError, look};
use kith_discord::{DiscordSettings, invite, rest, wanted};

impl Setup {
    /// Asks until the token is right, or until the person wants no Discord.
    pub(super) fn discord(&mut self, args: &SetupArgs) -> anyhow::Result<()> {
        if args.no_discord {
            return Ok(());
        }
        // What the environment holds is stronger than any file.
        let mut given = args.discord_token_file.clone().filter(|_| !is_in_environment());
        let start = loop {
            self.draft.token = match given.take() {
                Some(file) => SecretLocation::File(file),
                None => self.token()?,
            };
            let settings = match self.settings() {
                Ok(settings) => settings.discord,
                Err(error) if self.asker.is_there() => {
                    say(format_args!("{error:#}"));
                    continue;
                }
                Err(error) => bail!(error),
            };
            if settings.token.is_empty() {
                self.say(
                    "No Discord: kith opens a room on this machine.",
                    "不连接 Discord：kith 会在本机打开一个聊天房间。",
                );
                return Ok(());
            }
            match self.look(&settings) {
                Ok(start) => break start,
                Err(why) if !self.asker.is_there() => bail!(why.told(self.language)),
                Err(why) => {
                    say(why.told(self.language));
                    let keep = self.language.pick("Keep this token all the same?", "仍然保留这个令牌？");
                    if why != GatewayStartError::Token && self.asker.agrees(keep, DefaultAnswer::No)? {
                        self.left.push(why.told(self.language));
                        return Ok(());
                    }
                    if is_in_environment() {
                        bail!(self.language.pick(
                            "correct or unset DISCORD_TOKEN, and start again.",
                            "请改正或取消 DISCORD_TOKEN，然后重新开始。"
                        ));
                    }
                }
            }
        };
        let settings = self.settings()?.discord;
        let start = self.switches(start, &settings)?;
        self.invitation(&start, &settings);
        self.log_channel(args.log_channel, &start, &settings)
    }

    /// A token, by whatever way the person likes; none for no Discord.
    fn token(&mut self) -> anyhow::Result<SecretLocation> {
        self.draft.token = SecretLocation::Elsewhere;
        if is_in_environment() {
            self.say("The token is taken from DISCORD_TOKEN.", "使用环境变量 DISCORD_TOKEN 中的令牌。");
            return Ok(SecretLocation::Elsewhere);
        }
        let file = self.draft.folder.join(TOKEN_FILE);
        if file.is_file() && self.asker.agrees(&self.use_file(&file), DefaultAnswer::Yes)? {
            return Ok(SecretLocation::File(file));
        }
        let token = self.asker.secret(&self.language.pick(
            "Discord bot token (it is not shown; Enter for no Discord, just the room)".to_owned(),
            "Discord 机器人令牌（不会显示；按 Enter 表示不用 Discord，只用房间）".to_owned(),
        ))?;
        Ok(if token.is_empty() { SecretLocation::Elsewhere } else { SecretLocation::Typed(token) })
    }

    fn use_file(&self, file: &Path) -> String {
        let file = file.display();
        self.language.pick(format!("Use the token in {file}?"), format!("使用 {file} 中的令牌？"))
    }

    fn look(&self, settings: &DiscordSettings) -> Result<GatewayInfo, GatewayStartError> {
        let asking = self.language.pick("asking Discord …", "正在询问 Discord……");
        let rest = rest(settings).map_err(|_| GatewayStartError::Missing("discord.api_base"))?;
        self.wait(asking, look(&rest))
    }

    /// Says which switch is missing, and looks again as often as the person likes.
    fn switches(&mut self, mut start: GatewayInfo, settings: &DiscordSettings) -> anyhow::Result<GatewayInfo> {
        self.say(
            format!("This is {} of the application {}.", start.name, start.application_name),
            format!("这是应用“{}”的机器人 {}。", start.application_name, start.name),
        );
        while !start.message_content {
            let missing = GatewayStartError::MessageContent { application: start.application }.told(self.language);
            say(&missing);
            let again = self.language.pick("Look again?", "再检查一次？");
            if !self.asker.is_there() || !self.asker.agrees(again, DefaultAnswer::Yes)? {
                self.left.push(missing);
                return Ok(start);
            }
            match self.look(settings) {
                Ok(now) => start = now,
                Err(why) => say(why.told(self.language)),
            }
        }
        if start.limit.is_little() {
            self.left.push(GatewayStartError::FewSessions(start.limit).told(self.language));
        }
        Ok(start)
    }

    fn invitation(&self, start: &GatewayInfo, settings: &DiscordSettings) {
        self.say(
            "Invite it with this link, as somebody with Manage Server:",
            "请由有“管理服务器”权限的人用此链接邀请它：",
        );
        say(format_args!("  {}", invite(start.application, settings)));
        self.say("It asks for these permissions and no others:", "它只申请以下权限：");
        for wanted in wanted(settings) {
            let (name, reason) = self.language.pick((wanted.name.0, wanted.reason.0), (wanted.name.1, wanted.reason.1));
            say(format_args!("  - {name}: {reason}"));
        }
        self.say(
            "There it is off until a moderator writes /kith on in a channel.",
            "邀请后它默认关闭，直到管理员在频道里输入 /kith on。",
        );
    }

    /// Where the host watches; whether it can write there is only told, for it may not be invited yet.
    fn log_channel(
        &mut self,
        given: Option<u64>,
        start: &GatewayInfo,
        settings: &DiscordSettings,
    ) -> anyhow::Result<()> {
        let mut given = given;
        let channel = loop {
            let answer = match given.take() {
                Some(id) => id.to_string(),
                None => self.asker.line(self.language.pick(
                    "Id of a channel in which you watch every turn (right-click, Copy Channel ID; Enter for none)",
                    "用来查看每次思考过程的频道 ID（右键频道，复制频道 ID；按 Enter 表示不用）",
                ))?,
            };
            if answer.is_empty() {
                return Ok(());
            }
            match answer.parse::<u64>() {
                Ok(id) if i64::try_from(id).is_ok_and(|id| id > 0) => break id,
                _ => {
                    self.say("That is no id: it is a number of 17 to 19 digits.", "这不是 ID：ID 是 17 到 19 位数字。")
                }
            }
        };
        self.draft.log_channel = Some(channel);
        let Ok(rest) = rest(settings) else { return Ok(()) };
        let asking = self.language.pick("asking Discord …", "正在询问 Discord……");
        if let Some(wrong) =
            self.wait(asking, cannot_log(&rest, start.me, "discord.log.channel", ChannelId(channel), None))
        {
            say(format_args!("{}; {}", wrong.message, wrong.cure));
        }
        Ok(())
    }
}

/// Whether the environment holds a token.
fn is_in_environment() -> bool {
    settings::environment().get("DISCORD_TOKEN").is_some_and(|token| !token.trim().is_empty())
}
