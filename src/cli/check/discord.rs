//! `kith check --online` on Discord: what the token may, and whether the guilds and channels that the settings name are
//! there. Only asks over REST: nobody in a guild sees that it was here, and no session is started.

use crate::settings::{SettingOrigins, SettingProblem, Settings, Severity};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::directory::PermissionSet;
use kith_core::persona::Language;
use kith_discord::gateway::{GatewayInfo, GatewayStartError, fetch_gateway_info};
use kith_discord::rest::{RestClient, RestError, RestRequest, RestRoute};
use kith_discord::{ChannelLookup, build_invite_url, build_rest_client, look_up_channel};
use kith_language::{LocalizedMessage, cli};

/// How many places the settings name are looked at.
const MOST_LOOKED_AT: usize = 50;

/// What of a log channel must be allowed, and how Discord calls it.
fn list_log_permissions() -> [(PermissionSet, LocalizedMessage); 3] {
    [
        (PermissionSet::VIEW_CHANNEL, cli::view_channel()),
        (PermissionSet::SEND_MESSAGES, cli::send_messages()),
        (PermissionSet::EMBED_LINKS, cli::embed_links()),
    ]
}

/// Everything that is wrong, and where it could be asked one line of what was found.
pub async fn check(
    settings: &Settings,
    language: Language,
) -> (Option<String>, Vec<SettingProblem>) {
    let origins = &settings.origins;
    let describe = |why: &GatewayStartError| strip_full_stop(why.describe(language));
    let found = async {
        let rest = build_rest_client(&settings.discord)
            .map_err(|why| SettingProblem::error(strip_full_stop(why), ""))?;
        let start = fetch_gateway_info(&rest)
            .await
            .map_err(|why| origins.make_problem("discord.token_file", describe(&why), ""))?;
        Ok((rest, start))
    };
    let (rest, start) = match found.await {
        Ok(found) => found,
        Err(problem) => return (None, vec![problem]),
    };
    let mut problems = Vec::new();
    if !start.message_content {
        problems.push(SettingProblem::error(
            describe(&GatewayStartError::MessageContent {
                application: start.application,
            }),
            "",
        ));
    }
    if start.limit.is_low() || start.limit.remaining < start.shards.into() {
        problems.push(SettingProblem::error(
            describe(&GatewayStartError::FewSessions(start.limit)),
            "",
        ));
    }
    let faults = check_places(settings, &rest, &start).await;
    let faults = faults.into_iter();
    problems.extend(faults.map(|fault| fault.into_problem(origins, language)));
    let summary = describe_start(settings, &start).in_language(language);
    (Some(summary), problems)
}

fn describe_start(settings: &Settings, start: &GatewayInfo) -> LocalizedMessage {
    let GatewayInfo {
        application_name,
        name,
        shards,
        limit,
        ..
    } = start;
    cli::discord_summary(
        application_name,
        build_invite_url(start.application, &settings.discord),
        name,
        limit.remaining.to_string(),
        *shards,
        limit.total.to_string(),
    )
}

/// A sentence for people as problems have it.
fn strip_full_stop(sentence: String) -> String {
    sentence.trim_end_matches(['.', '\u{3002}']).to_owned()
}

async fn check_places(
    settings: &Settings,
    rest: &RestClient,
    start: &GatewayInfo,
) -> Vec<SettingFault> {
    let mut problems = Vec::new();
    if let Some(channel) = settings.discord.log.channel {
        problems
            .extend(check_log_channel(rest, start.me, "discord.log.channel", channel, None).await);
    }
    for (id, differs) in settings.guild.iter().take(MOST_LOOKED_AT) {
        let Ok(guild) = id.parse().map(GuildId) else {
            continue;
        };
        if let Err(why) = rest.call(RestRequest::get(RestRoute::guild(guild))).await {
            problems.push(SettingFault::from_lookup_error(
                SettingPlace::Guild,
                id,
                &why,
            ));
        } else if let Some(channel) = differs.log_channel {
            let path = format!("guild.{id}.log_channel");
            problems.extend(check_log_channel(rest, start.me, &path, channel, Some(guild)).await);
        }
    }
    for id in settings.channel.keys().take(MOST_LOOKED_AT) {
        let Ok(channel) = id.parse().map(ChannelId) else {
            continue;
        };
        if let Err(why) = rest
            .call(RestRequest::get(RestRoute::channel(channel)))
            .await
        {
            problems.push(SettingFault::from_lookup_error(
                SettingPlace::Channel,
                id,
                &why,
            ));
        }
    }
    problems
}

pub struct SettingFault {
    path: String,
    message: LocalizedMessage,
    /// How to mend it, where the message does not say it.
    cure: Option<LocalizedMessage>,
    severity: Severity,
}

impl SettingFault {
    fn new(path: &str, message: LocalizedMessage, cure: Option<LocalizedMessage>) -> Self {
        Self {
            path: path.to_owned(),
            message,
            cure,
            severity: Severity::Error,
        }
    }

    fn into_problem(self, origins: &SettingOrigins, language: Language) -> SettingProblem {
        let message = strip_full_stop(self.message.in_language(language));
        let cure = self.cure.map(|cure| cure.in_language(language));
        let problem = origins.make_problem(&self.path, message, cure.unwrap_or_default());
        match self.severity {
            Severity::Warning => problem.into_warning(),
            Severity::Error => problem,
        }
    }

    /// The same for who sets it up just now.
    pub fn describe(self, language: Language) -> String {
        match self.cure {
            Some(cure) => cli::fault_with_cure(cure, self.message).in_language(language),
            None => self.message.in_language(language),
        }
    }

    fn from_lookup_error(place: SettingPlace, id: &str, why: &RestError) -> Self {
        let path = match place {
            SettingPlace::Guild => format!("guild.{id}"),
            SettingPlace::Channel => format!("channel.{id}"),
        };
        let (message, cure) = match (why, place) {
            (RestError::Forbidden { .. } | RestError::NotFound { .. }, SettingPlace::Guild) => {
                (cli::guild_invisible(&path), Some(cli::guild_cure()))
            }
            (RestError::Forbidden { .. } | RestError::NotFound { .. }, SettingPlace::Channel) => {
                (cli::channel_invisible(&path), Some(cli::channel_cure()))
            }
            _ => (cli::place_not_looked_at(&path, why.to_message()), None),
        };
        Self {
            severity: Severity::Warning,
            ..Self::new(&path, message, cure)
        }
    }
}

#[derive(Clone, Copy)]
enum SettingPlace {
    Guild,
    Channel,
}

/// What keeps it from writing into the log channel that `path` names, which must be in `expected_guild`, if any.
pub async fn check_log_channel(
    rest: &RestClient,
    me: UserId,
    path: &str,
    channel: ChannelId,
    expected_guild: Option<GuildId>,
) -> Option<SettingFault> {
    let wrong =
        |message: LocalizedMessage, cure| Some(SettingFault::new(path, message, Some(cure)));
    let shown = channel.to_string();
    let ChannelLookup {
        guild,
        has_text,
        permissions: may,
    } = match look_up_channel(rest, me, channel).await {
        Ok(visited) => visited,
        Err(RestError::Forbidden { .. } | RestError::NotFound { .. }) => {
            let message = cli::log_channel_invisible(shown, path);
            return wrong(message, cli::log_channel_cure());
        }
        Err(why) => {
            let message = cli::place_not_looked_at(path, why.to_message());
            return Some(SettingFault::new(path, message, None));
        }
    };
    if expected_guild.is_some() && guild != expected_guild {
        let message = cli::log_channel_elsewhere(shown, path);
        return wrong(message, cli::log_channel_elsewhere_cure());
    }
    if !has_text {
        let message = cli::log_channel_without_text(shown, path);
        return wrong(message, cli::log_channel_text_cure());
    }
    let missing = list_log_permissions()
        .into_iter()
        .filter(|(needed, _)| !may.has(*needed))
        .map(|(_, name)| name)
        .reduce(cli::both)?;
    let message = cli::log_channel_lacks(shown, path, missing);
    wrong(message, cli::log_channel_allow())
}
