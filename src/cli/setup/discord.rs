//! Discord: the token, what the application may, the link that invites it, and the log channel. The token is typed
//! unseen and shown nowhere.

use kith_language::setup;
use std::path::Path;

use anyhow::bail;

use super::draft::{SecretLocation, TOKEN_FILE};
use super::terminal_input::DefaultAnswer;
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
                self.print_localized(setup::without_discord());
                return Ok(());
            }
            match self.fetch_gateway_info(&settings) {
                Ok(start) => break start,
                Err(why) if !self.terminal.is_interactive() => bail!(why.describe(self.language)),
                Err(why) => {
                    print_line(why.describe(self.language));
                    let keep = setup::keep_token().in_language(self.language);
                    if why != GatewayStartError::Token
                        && self.terminal.ask_yes_no(&keep, DefaultAnswer::No)?
                    {
                        self.obstacles.push(why.describe(self.language));
                        return Ok(());
                    }
                    if has_environment_token() {
                        bail!(setup::correct_token().in_language(self.language));
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
            self.print_localized(setup::token_from_environment());
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
        let token = self
            .terminal
            .secret(&setup::token_prompt().in_language(self.language))?;
        Ok(if token.is_empty() {
            SecretLocation::Elsewhere
        } else {
            SecretLocation::Typed(token)
        })
    }

    fn format_file_question(&self, file: &Path) -> String {
        let file = file.display();
        setup::token_from_file(file.to_string()).in_language(self.language)
    }

    fn fetch_gateway_info(
        &self,
        settings: &DiscordSettings,
    ) -> Result<GatewayInfo, GatewayStartError> {
        let asking = setup::asking_discord().in_language(self.language);
        let rest = build_rest_client(settings)
            .map_err(|_| GatewayStartError::Missing("discord.api_base"))?;
        self.wait(&asking, fetch_gateway_info(&rest))
    }

    /// Says which switch is missing, and looks again as often as the person likes.
    fn check_intents(
        &mut self,
        mut start: GatewayInfo,
        settings: &DiscordSettings,
    ) -> anyhow::Result<GatewayInfo> {
        self.print_localized(setup::this_is_bot(&start.application_name, &start.name));
        while !start.message_content {
            let missing = GatewayStartError::MessageContent {
                application: start.application,
            }
            .describe(self.language);
            print_line(&missing);
            let again = setup::look_again().in_language(self.language);
            if !self.terminal.is_interactive()
                || !self.terminal.ask_yes_no(&again, DefaultAnswer::Yes)?
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
        self.print_localized(setup::invite());
        print_line(format_args!(
            "  {}",
            build_invite_url(start.application, settings)
        ));
        self.print_localized(setup::permissions_asked());
        for wanted in list_wanted_permissions(settings) {
            let name = wanted.name.in_language(self.language);
            let reason = wanted.reason.in_language(self.language);
            print_line(format_args!("  - {name}: {reason}"));
        }
        self.print_localized(setup::off_until_switched_on());
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
                None => self
                    .terminal
                    .ask_line(&setup::log_channel_prompt().in_language(self.language))?,
            };
            if answer.is_empty() {
                return Ok(());
            }
            match answer.parse::<u64>() {
                Ok(id) if i64::try_from(id).is_ok_and(|id| id > 0) => break id,
                _ => self.print_localized(setup::no_channel_id()),
            }
        };
        self.draft.log_channel = Some(channel);
        let Ok(rest) = build_rest_client(settings) else {
            return Ok(());
        };
        let asking = setup::asking_discord().in_language(self.language);
        if let Some(wrong) = self.wait(
            &asking,
            check_log_channel(
                &rest,
                start.me,
                "discord.log.channel",
                ChannelId(channel),
                None,
            ),
        ) {
            print_line(wrong.describe(self.language));
        }
        Ok(())
    }
}

fn has_environment_token() -> bool {
    settings::read_environment()
        .get("DISCORD_TOKEN")
        .is_some_and(|token| !token.trim().is_empty())
}
