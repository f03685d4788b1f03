//! Discord: the token, what the application may, the link that invites it, and the log channel. The token is typed
//! unseen and shown nowhere.

use std::path::Path;

use anyhow::bail;

use super::ask::DefaultAnswer;
use super::draft::{SecretLocation, TOKEN_FILE};
use super::{Setup, SetupArgs};
use crate::cli::check::discord::check_log_channel;
use crate::cli::print_line;
use crate::settings;
use kith_core::chat::ChannelId;
use kith_discord::gateway::{GatewayInfo, GatewayStartError, fetch_gateway_info};
use kith_discord::{DiscordSettings, build_invite_url, build_rest_client, list_wanted_permissions};

impl Setup {
    /// Asks until the token is right, or until the person wants no Discord.
    pub(super) fn ask_discord(&mut self, args: &SetupArgs) -> anyhow::Result<()> {
        if args.no_discord {
            return Ok(());
        }
        // What the environment holds is stronger than any file.
        let mut given = args
            .discord_token_file
            .clone()
            .filter(|_| !has_environment_token());
        let start = loop {
            self.draft.token = match given.take() {
                Some(file) => SecretLocation::File(file),
                None => self.ask_token()?,
            };
            let settings = match self.load_settings() {
                Ok(settings) => settings.discord,
                Err(error) if self.terminal.is_interactive() => {
                    print_line(format_args!("{error:#}"));
                    continue;
                }
                Err(error) => bail!(error),
            };
            if settings.token.is_empty() {
                self.print_localized(
                    "No Discord: kith opens a room on this machine.",
                    "不连接 Discord：kith 会在本机打开一个聊天房间。",
                );
                return Ok(());
            }
            match self.fetch_gateway_info(&settings) {
                Ok(start) => break start,
                Err(why) if !self.terminal.is_interactive() => bail!(why.describe(self.language)),
                Err(why) => {
                    print_line(why.describe(self.language));
                    let keep = self
                        .language
                        .pick("Keep this token all the same?", "仍然保留这个令牌？");
                    if why != GatewayStartError::Token
                        && self.terminal.ask_yes_no(keep, DefaultAnswer::No)?
                    {
                        self.obstacles.push(why.describe(self.language));
                        return Ok(());
                    }
                    if has_environment_token() {
                        bail!(self.language.pick(
                            "correct or unset DISCORD_TOKEN, and start again.",
                            "请改正或取消 DISCORD_TOKEN，然后重新开始。"
                        ));
                    }
                }
            }
        };
        let settings = self.load_settings()?.discord;
        let start = self.check_intents(start, &settings)?;
        self.print_invitation(&start, &settings);
        self.ask_log_channel(args.log_channel, &start, &settings)
    }

    /// A token, by whatever way the person likes; none for no Discord.
    fn ask_token(&mut self) -> anyhow::Result<SecretLocation> {
        self.draft.token = SecretLocation::Elsewhere;
        if has_environment_token() {
            self.print_localized(
                "The token is taken from DISCORD_TOKEN.",
                "使用环境变量 DISCORD_TOKEN 中的令牌。",
            );
            return Ok(SecretLocation::Elsewhere);
        }
        let file = self.draft.folder.join(TOKEN_FILE);
        if file.is_file()
            && self
                .terminal
                .ask_yes_no(&self.format_file_question(&file), DefaultAnswer::Yes)?
        {
            return Ok(SecretLocation::File(file));
        }
        let token = self.terminal.secret(&self.language.pick(
            "Discord bot token (it is not shown; Enter for no Discord, just the room)".to_owned(),
            "Discord 机器人令牌（不会显示；按 Enter 表示不用 Discord，只用房间）".to_owned(),
        ))?;
        Ok(if token.is_empty() {
            SecretLocation::Elsewhere
        } else {
            SecretLocation::Typed(token)
        })
    }

    fn format_file_question(&self, file: &Path) -> String {
        let file = file.display();
        self.language.pick(
            format!("Use the token in {file}?"),
            format!("使用 {file} 中的令牌？"),
        )
    }

    fn fetch_gateway_info(
        &self,
        settings: &DiscordSettings,
    ) -> Result<GatewayInfo, GatewayStartError> {
        let asking = self.language.pick("asking Discord …", "正在询问 Discord……");
        let rest = build_rest_client(settings)
            .map_err(|_| GatewayStartError::Missing("discord.api_base"))?;
        self.wait(asking, fetch_gateway_info(&rest))
    }

    /// Says which switch is missing, and looks again as often as the person likes.
    fn check_intents(
        &mut self,
        mut start: GatewayInfo,
        settings: &DiscordSettings,
    ) -> anyhow::Result<GatewayInfo> {
        self.print_localized(
            format!(
                "This is {} of the application {}.",
                start.name, start.application_name
            ),
            format!(
                "这是应用“{}”的机器人 {}。",
                start.application_name, start.name
            ),
        );
        while !start.message_content {
            let missing = GatewayStartError::MessageContent {
                application: start.application,
            }
            .describe(self.language);
            print_line(&missing);
            let again = self.language.pick("Look again?", "再检查一次？");
            if !self.terminal.is_interactive()
                || !self.terminal.ask_yes_no(again, DefaultAnswer::Yes)?
            {
                self.obstacles.push(missing);
                return Ok(start);
            }
            match self.fetch_gateway_info(settings) {
                Ok(now) => start = now,
                Err(why) => print_line(why.describe(self.language)),
            }
        }
        if start.limit.is_low() {
            self.obstacles
                .push(GatewayStartError::FewSessions(start.limit).describe(self.language));
        }
        Ok(start)
    }

    fn print_invitation(&self, start: &GatewayInfo, settings: &DiscordSettings) {
        self.print_localized(
            "Invite it with this link, as somebody with Manage Server:",
            "请由有“管理服务器”权限的人用此链接邀请它：",
        );
        print_line(format_args!(
            "  {}",
            build_invite_url(start.application, settings)
        ));
        self.print_localized(
            "It asks for these permissions and no others:",
            "它只申请以下权限：",
        );
        for wanted in list_wanted_permissions(settings) {
            let (name, reason) = self.language.pick(
                (wanted.name.0, wanted.reason.0),
                (wanted.name.1, wanted.reason.1),
            );
            print_line(format_args!("  - {name}: {reason}"));
        }
        self.print_localized(
            "There it is off until a moderator writes /kith on in a channel.",
            "邀请后它默认关闭，直到管理员在频道里输入 /kith on。",
        );
    }

    /// Where the host watches; whether it can write there is only told, for it may not be invited yet.
    fn ask_log_channel(
        &mut self,
        given: Option<u64>,
        start: &GatewayInfo,
        settings: &DiscordSettings,
    ) -> anyhow::Result<()> {
        let mut given = given;
        let channel = loop {
            let answer = match given.take() {
                Some(id) => id.to_string(),
                None => self.terminal.ask_line(self.language.pick(
                    "Id of a channel in which you watch every turn (right-click, Copy Channel ID; Enter for none)",
                    "用来查看每次思考过程的频道 ID（右键频道，复制频道 ID；按 Enter 表示不用）",
                ))?,
            };
            if answer.is_empty() {
                return Ok(());
            }
            match answer.parse::<u64>() {
                Ok(id) if i64::try_from(id).is_ok_and(|id| id > 0) => break id,
                _ => self.print_localized(
                    "That is no id: it is a number of 17 to 19 digits.",
                    "这不是 ID：ID 是 17 到 19 位数字。",
                ),
            }
        };
        self.draft.log_channel = Some(channel);
        let Ok(rest) = build_rest_client(settings) else {
            return Ok(());
        };
        let asking = self.language.pick("asking Discord …", "正在询问 Discord……");
        if let Some(wrong) = self.wait(
            asking,
            check_log_channel(
                &rest,
                start.me,
                "discord.log.channel",
                ChannelId(channel),
                None,
            ),
        ) {
            print_line(format_args!("{}; {}", wrong.message, wrong.cure));
        }
        Ok(())
    }
}

/// Whether the environment holds a token.
fn has_environment_token() -> bool {
    settings::read_environment()
        .get("DISCORD_TOKEN")
        .is_some_and(|token| !token.trim().is_empty())
}
