//! Whether what the settings name is there: guilds, channels, log channels. What is not is told once, in a sentence that
//! says how to mend it; everything else goes on.

use kith_language::discord;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;

use super::DiscordEvent;
use super::log_channel::{LogChannelGap, LogChannels};
use super::rest::{RequestPriority, RestClient, RestError, RestRequest, RestRoute};
use kith_core::chat::{ChannelId, GuildId};
use kith_core::directory::{Directory, PermissionSet};
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_system::clock;

const TO_LOG: PermissionSet = PermissionSet(
    PermissionSet::VIEW_CHANNEL.0 | PermissionSet::SEND_MESSAGES.0 | PermissionSet::EMBED_LINKS.0,
);

#[derive(Clone, Debug, Default)]
pub struct ConfiguredIds {
    pub guilds: Vec<GuildId>,
    pub channels: Vec<ChannelId>,
    pub host_log: Option<ChannelId>,
    pub guild_logs: Vec<ChannelId>,
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
    /// What was asked about for all partitions, so that it is asked once.
    asked_for_all: Mutex<HashSet<ChannelId>>,
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
            asked_for_all: Mutex::default(),
        }
    }

    /// What of the named is not in the directory, which must be complete. What another partition looks for is left to it.
    pub fn find_missing(&self, places: ConfiguredIds, directory: &Directory) -> ConfiguredIds {
        let now = clock::now();
        let lacks_permission =
            |log: &ChannelId| !directory.compute_own_permissions(*log, now).has(TO_LOG);
        ConfiguredIds {
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
                .filter(|channel| self.begin_search(*channel, directory))
                .collect(),
            host_log: places
                .host_log
                .filter(lacks_permission)
                .filter(|log| self.begin_search(*log, directory)),
            guild_logs: places
                .guild_logs
                .into_iter()
                .filter(lacks_permission)
                .collect(),
        }
    }

    /// Whether it is looked for here. Of a channel that is not in the directory nobody knows whose it is: each partition
    /// would ask for the channels of all others. So the first one asks, and once.
    fn begin_search(&self, channel: ChannelId, directory: &Directory) -> bool {
        let is_divided = self.partition.count() > 1;
        if !is_divided || directory.channels.contains_key(&channel) {
            return true;
        }
        self.partition.is_first() && self.lock_asked().insert(channel)
    }

    /// Tells of what is missing. A channel may be an archived thread or a direct message, which Discord has not told of:
    /// that is asked first.
    pub async fn report_missing(&self, missing: ConfiguredIds) {
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
        for log in missing.host_log.into_iter().chain(missing.guild_logs) {
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
        let request =
            RestRequest::get(RestRoute::channel(channel)).priority(RequestPriority::Background);
        match self.rest.call(request).await {
            Ok(found) => Ok(found["guild_id"].as_str().and_then(|id| id.parse().ok())),
            Err(error) => {
                // Where Discord did not say, it is asked again the next time.
                if !matches!(
                    error,
                    RestError::NotFound { .. } | RestError::Forbidden { .. }
                ) {
                    self.lock_asked().remove(&channel);
                }
                Err(error)
            }
        }
    }

    fn lock_asked(&self) -> MutexGuard<'_, HashSet<ChannelId>> {
        self.asked_for_all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests {
    use kith_core::secret::Secret;
    use kith_testkit::fake_model::{FakeModel, Reply};
    use serde_json::json;

    use super::super::log_channel::LogEmbedOptions;
    use super::super::rest::RestSettings;
    use super::*;

    /// A search in a partition of so many, on a Discord that has none of what is asked for.
    fn make_search(server: &FakeModel, number: u16, count: u16) -> NameSearch {
        let base = format!("http://{}/api/v10", server.host());
        let settings = RestSettings::new(&base, Secret::new("any"), "");
        let rest = RestClient::new(settings).expect("a client");
        let (out, _) = mpsc::channel(16);
        let log = LogChannels::new(rest.clone(), LogEmbedOptions::default(), out.clone());
        let partition = Partition::new(number, count).expect("a partition");
        NameSearch::new(
            rest,
            log,
            out,
            (Language::EN, partition),
            "https://invite".into(),
        )
    }

    /// What is asked where these are named twice, as it is each time all guilds are there.
    async fn list_asked(number: u16, count: u16) -> Vec<String> {
        let server = FakeModel::start().await;
        for channel in [1, 2] {
            let unknown = json!({ "code": 10_003, "message": "Unknown Channel" });
            let line = format!("GET /api/v10/channels/{channel}");
            server.on(&line, Reply::json(404, unknown));
        }
        let search = make_search(&server, number, count);
        let places = ConfiguredIds {
            channels: vec![ChannelId(1)],
            host_log: Some(ChannelId(2)),
            ..ConfiguredIds::default()
        };
        for _ in 0..2 {
            let missing = search.find_missing(places.clone(), &Directory::default());
            search.report_missing(missing).await;
        }
        let asked = server.asked().into_iter();
        asked
            .map(|request| request.line.replace("GET /api/v10/channels/", ""))
            .collect()
    }

    #[tokio::test]
    async fn a_channel_that_may_be_of_any_partition_is_asked_for_by_the_first_alone_and_once() {
        assert_eq!(list_asked(0, 8).await, ["1", "2"]);
        assert!(list_asked(3, 8).await.is_empty());
        // Alone it looks again each time.
        assert_eq!(list_asked(0, 1).await, ["1", "2", "1", "2"]);
    }
}
