//! Whether what the settings name is there: guilds, channels, log channels. What is not is told once, in a sentence that
//! says how to mend it; everything else goes on.

use kith_language::discord;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc;

use super::DiscordEvent;
use super::log_channel::{LogChannelGap, LogChannels};
use super::rest::{RequestPriority, RestClient, RestError, RestRequest, RestRoute};
use kith_core::chat::{ChannelId, GuildId};
use kith_core::directory::{Directory, PermissionSet};
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_system::clock;

/// What a log channel takes.
const TO_LOG: PermissionSet = PermissionSet(
    PermissionSet::VIEW_CHANNEL.0 | PermissionSet::SEND_MESSAGES.0 | PermissionSet::EMBED_LINKS.0,
);

/// What the settings name.
#[derive(Clone, Debug, Default)]
pub struct NamedPlaces {
    /// The guilds of `[guild.ID]`.
    pub guilds: Vec<GuildId>,
    /// The channels of `[channel.ID]`.
    pub channels: Vec<ChannelId>,
    /// All log channels.
    pub logs: Vec<ChannelId>,
}

/// Looks for what is named, and remembers what was told.
pub(super) struct NameSearch {
    rest: RestClient,
    log: LogChannels,
    out: mpsc::Sender<DiscordEvent>,
    language: Language,
    invite: String,
    partition: Partition,
    reported: Mutex<HashSet<String>>,
}

impl NameSearch {
    pub fn new(
        rest: RestClient,
        log: LogChannels,
        out: mpsc::Sender<DiscordEvent>,
        (language, partition): (Language, Partition),
        invite: String,
    ) -> Self {
        Self {
            rest,
            log,
            out,
            language,
            invite,
            partition,
            reported: Mutex::default(),
        }
    }

    /// What of the named is not in the directory, which must be complete.
    pub fn find_missing(&self, places: NamedPlaces, directory: &Directory) -> NamedPlaces {
        let now = clock::now();
        NamedPlaces {
            guilds: places
                .guilds
                .into_iter()
                .filter(|guild| self.partition.holds_guild(guild.0))
                .filter(|guild| !directory.guilds.contains_key(guild))
                .collect(),
            channels: places
                .channels
                .into_iter()
                .filter(|channel| !directory.may_view(*channel, now))
                .collect(),
            logs: places
                .logs
                .into_iter()
                .filter(|log| !directory.compute_own_permissions(*log, now).has(TO_LOG))
                .collect(),
        }
    }

    /// Tells of what is missing. A channel may be an archived thread or a direct message, which Discord has not told of:
    /// that is asked first.
    pub async fn report_missing(&self, missing: NamedPlaces) {
        for guild in missing.guilds {
            self.report_once(self.describe_missing_guild(guild)).await;
        }
        for channel in missing.channels {
            if matches!(
                self.check_channel(channel).await,
                Err(RestError::NotFound { .. } | RestError::Forbidden { .. })
            ) {
                self.report_once(self.describe_missing_channel(channel))
                    .await;
            }
        }
        for log in missing.logs {
            let gap = match self.check_channel(log).await {
                Err(RestError::NotFound { .. } | RestError::Forbidden { .. }) => {
                    LogChannelGap::Channel
                }
                // Whoever hears of its server knows what may be done there.
                Ok(Some(guild)) if !self.partition.holds_guild(guild) => continue,
                _ => LogChannelGap::Permission,
            };
            self.log.report_gap(log, gap).await;
        }
    }

    /// Answers with its server's id, if it is in one.
    async fn check_channel(&self, channel: ChannelId) -> Result<Option<u64>, RestError> {
        let channel = self
            .rest
            .call(
                RestRequest::get(RestRoute::channel(channel)).priority(RequestPriority::Background),
            )
            .await?;
        Ok(channel["guild_id"].as_str().and_then(|id| id.parse().ok()))
    }

    async fn report_once(&self, text: String) {
        let is_new = self
            .reported
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(text.clone());
        if is_new {
            // Whoever listens may have ended.
            let _ = self.out.send(DiscordEvent::Notice(text)).await;
        }
    }

    fn describe_missing_guild(&self, guild: GuildId) -> String {
        let invite = &self.invite;
        discord::server_not_joined(guild.to_string(), invite).in_language(self.language)
    }

    fn describe_missing_channel(&self, channel: ChannelId) -> String {
        discord::channel_not_seen(channel.to_string()).in_language(self.language)
    }
}
