//! `kith check --online` on Discord: what the token may, and whether the guilds and channels that the settings name are
//! there. Only asks over REST: nobody in a guild sees that it was here, and no session is started.

use crate::settings::{SettingOrigins, SettingProblem, Settings};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::directory::PermissionSet;
use kith_core::persona::Language;
use kith_discord::gateway::{GatewayInfo, GatewayStartError, fetch_gateway_info};
use kith_discord::rest::{RestClient, RestError, RestRequest, RestRoute};
use kith_discord::{ChannelLookup, build_invite_url, build_rest_client, look_up_channel};

/// How many places the settings name are looked at.
const MOST_LOOKED_AT: usize = 50;

/// What of a log channel must be allowed, and how Discord calls it.
const TO_LOG: [(PermissionSet, &str); 3] = [
    (PermissionSet::VIEW_CHANNEL, "View Channel"),
    (PermissionSet::SEND_MESSAGES, "Send Messages"),
    (PermissionSet::EMBED_LINKS, "Embed Links"),
];

/// Everything that is wrong, and where it could be asked one line of what was found.
pub async fn check(settings: &Settings) -> (Option<String>, Vec<SettingProblem>) {
    let origins = &settings.origins;
    let found = async {
        let rest = build_rest_client(&settings.discord)
            .map_err(|why| SettingProblem::error(strip_full_stop(&why), ""))?;
        let start = fetch_gateway_info(&rest)
            .await
            .map_err(|why| build_token_problem(&format_start_error(&why), origins))?;
        Ok((rest, start))
    };
    let (rest, start) = match found.await {
        Ok(found) => found,
        Err(problem) => return (None, vec![problem]),
    };
    let mut problems = Vec::new();
    if !start.message_content {
        problems.push(SettingProblem::error(
            format_start_error(&GatewayStartError::MessageContent {
                application: start.application,
            }),
            "",
        ));
    }
    if start.limit.is_low() || start.limit.remaining < start.shards.into() {
        problems.push(SettingProblem::error(
            format_start_error(&GatewayStartError::FewSessions(start.limit)),
            "",
        ));
    }
    problems.extend(check_places(settings, origins, &rest, &start).await);
    (Some(format_summary(settings, &start)), problems)
}

fn format_summary(settings: &Settings, start: &GatewayInfo) -> String {
    let GatewayInfo {
        application_name,
        name,
        shards,
        limit,
        ..
    } = start;
    format!(
        "Discord: {name} of the application {application_name}, {shards} shard{}, {} of {} session starts left; invite it \
         with {}",
        if *shards == 1 { "" } else { "s" },
        limit.remaining,
        limit.total,
        build_invite_url(start.application, &settings.discord)
    )
}

fn build_token_problem(message: &str, origins: &SettingOrigins) -> SettingProblem {
    origins.make_problem("discord.token_file", message.to_owned(), "")
}

/// The sentence for people without its full stop, as problems have it.
fn format_start_error(why: &GatewayStartError) -> String {
    strip_full_stop(&why.describe(Language::EN))
}

fn strip_full_stop(sentence: &str) -> String {
    sentence.strip_suffix('.').unwrap_or(sentence).to_owned()
}

/// The guilds and channels that the settings name.
async fn check_places(
    settings: &Settings,
    origins: &SettingOrigins,
    rest: &RestClient,
    start: &GatewayInfo,
) -> Vec<SettingProblem> {
    let to_problem = |wrong: SettingFault| wrong.into_problem(origins);
    let mut problems = Vec::new();
    if let Some(channel) = settings.discord.log.channel {
        problems.extend(
            check_log_channel(rest, start.me, "discord.log.channel", channel, None)
                .await
                .map(to_problem),
        );
    }
    for (id, differs) in settings.guild.iter().take(MOST_LOOKED_AT) {
        let Ok(guild) = id.parse().map(GuildId) else {
            continue;
        };
        if let Err(why) = rest.call(RestRequest::get(RestRoute::guild(guild))).await {
            problems.push(
                SettingFault::from_lookup_error("guild", id, why)
                    .into_problem(origins)
                    .into_warning(),
            );
        } else if let Some(channel) = differs.log_channel {
            let path = format!("guild.{id}.log_channel");
            problems.extend(
                check_log_channel(rest, start.me, &path, channel, Some(guild))
                    .await
                    .map(to_problem),
            );
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
            problems.push(
                SettingFault::from_lookup_error("channel", id, why)
                    .into_problem(origins)
                    .into_warning(),
            );
        }
    }
    problems
}

/// What is wrong with the setting at a path.
pub struct SettingFault {
    path: String,
    /// What, without a full stop.
    pub message: String,
    /// How to mend it.
    pub cure: String,
}

impl SettingFault {
    fn into_problem(self, origins: &SettingOrigins) -> SettingProblem {
        origins.make_problem(&self.path, self.message, self.cure)
    }

    fn from_lookup_error(what: &str, id: &str, why: RestError) -> Self {
        let path = format!("{what}.{id}");
        match why {
            RestError::Forbidden { .. } | RestError::NotFound { .. } => {
                let message = format!("`{path}` is no {what} the bot can see");
                let cure = match what {
                    "guild" => {
                        "invite it there, or correct the number (right-click the server, Copy Server ID)"
                    }
                    _ => {
                        "give it View Channel there, or correct the number (right-click the channel, Copy Channel ID)"
                    }
                };
                Self {
                    path,
                    message,
                    cure: cure.into(),
                }
            }
            why => Self {
                message: format!(
                    "`{path}` could not be looked at: {}",
                    strip_full_stop(&why.to_string())
                ),
                path,
                cure: String::new(),
            },
        }
    }
}

/// What keeps it from writing into the log channel that the setting at `path` names; it must be a channel of `of` where
/// that is a guild.
pub async fn check_log_channel(
    rest: &RestClient,
    me: UserId,
    path: &str,
    channel: ChannelId,
    expected_guild: Option<GuildId>,
) -> Option<SettingFault> {
    let wrong = |message: String, cure: &str| {
        Some(SettingFault {
            path: path.into(),
            message,
            cure: cure.into(),
        })
    };
    let ChannelLookup {
        guild,
        has_text,
        permissions: may,
    } = match look_up_channel(rest, me, channel).await {
        Ok(visited) => visited,
        Err(RestError::Forbidden { .. } | RestError::NotFound { .. }) => {
            let cure = "give it View Channel, Send Messages and Embed Links there, or correct the id (right-click the \
                        channel, Copy Channel ID)";
            return wrong(
                format!("`{path}` is {channel}, which is no channel the bot can see"),
                cure,
            );
        }
        Err(why) => {
            return wrong(
                format!(
                    "`{path}` could not be looked at: {}",
                    strip_full_stop(&why.to_string())
                ),
                "",
            );
        }
    };
    if expected_guild.is_some() && guild != expected_guild {
        let message = format!("`{path}` is {channel}, which is a channel of another server");
        return wrong(
            message,
            "name one of this server: a server's log channel shows that server only",
        );
    }
    if !has_text {
        return wrong(
            format!("`{path}` is {channel}, in which no messages can be written"),
            "name a text channel",
        );
    }
    let missing: Vec<&str> = TO_LOG
        .iter()
        .filter(|(needed, _)| !may.has(*needed))
        .map(|(_, name)| *name)
        .collect();
    if missing.is_empty() {
        return None;
    }
    let message = format!(
        "`{path}` is {channel}, where the bot lacks {}",
        missing.join(" and ")
    );
    wrong(
        message,
        "allow it in the channel's settings (Edit Channel, Permissions, the bot's role)",
    )
}
