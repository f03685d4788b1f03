//! `[discord]`: how Kith comes to Discord and where it is watched. Plain data; units are in the names.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::shard_count::ShardCount;
use kith_core::chat::{ChannelId, UserId};
use kith_core::moderation::ModerationKind;
use kith_core::policy::{BotPolicy, ChannelMode};
use kith_core::secret::Secret;

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiscordSettings {
    /// The bot's token. Never set in a file of its own table: it comes from `DISCORD_TOKEN`, `token_file`, or the
    /// systemd credential `discord_token`; empty means no Discord.
    #[serde(skip)]
    pub token: Secret,
    /// A file that holds the token and nothing else.
    pub token_file: Option<PathBuf>,
    /// The base of the REST API: Discord's own, a shared REST proxy's, or a test's.
    pub api_base: String,
    /// `http://host:port` (HTTP CONNECT) or `socks5://host:port`, for everything that goes to Discord; may hold a
    /// password. Empty in the file: what the usual environment variables say; empty once loaded: none.
    pub proxy: Secret,
    /// What direct messages are: off, observe or on.
    pub direct_messages: ChannelMode,
    /// What is done with messages of other bots.
    pub bots: BotPolicy,
    /// Whose webhooks speak for people, such as PluralKit's: known names (`webhooks.rs`), or ids of applications and webhooks.
    pub answer_webhooks: Vec<String>,
    /// Who may do what the host may, besides the application's owner and its team, read-only members left out.
    pub hosts: Vec<UserId>,
    /// Whether the nick in each guild follows the persona's name.
    pub nick_follows_persona: bool,
    /// A picture that becomes the bot's avatar.
    pub avatar: Option<PathBuf>,
    /// A folder of pictures that can be sent like stickers; none in the file: `stickers` in the data folder.
    pub stickers: Option<PathBuf>,
    /// The most talkativeness that moderators can choose, 0 … 1.
    pub max_talkativeness: f32,
    /// How many shards there are, over all processes.
    pub shards: ShardCount,
    /// The most pages of 100 messages that are fetched for a channel after an absence; what is older is a gap.
    pub backfill_pages: u32,
    pub log: LogChannelSettings,
    /// What is switched on in any guild or channel about members: the invite link asks for what that takes.
    #[serde(skip)]
    pub moderation_actions: Vec<ModerationKind>,
    /// The tools that are named for any guild or channel: the invite link asks for what they take.
    #[serde(skip)]
    pub named_tools: BTreeSet<String>,
}

impl Default for DiscordSettings {
    fn default() -> Self {
        Self {
            token: Secret::default(),
            token_file: None,
            api_base: "https://discord.com/api/v10".into(),
            proxy: Secret::default(),
            direct_messages: ChannelMode::Off,
            bots: BotPolicy::Ignored,
            answer_webhooks: vec!["pluralkit".into(), "tupperbox".into()],
            hosts: Vec::new(),
            nick_follows_persona: false,
            avatar: None,
            stickers: None,
            max_talkativeness: 1.0,
            shards: ShardCount::Auto,
            backfill_pages: 5,
            log: LogChannelSettings::default(),
            moderation_actions: Vec::new(),
            named_tools: BTreeSet::new(),
        }
    }
}

impl DiscordSettings {
    pub fn has_direct_messages(&self) -> bool {
        self.direct_messages != ChannelMode::Off
    }
}

/// How much a log channel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LogDetail {
    /// What failed, and what the host must know.
    Errors,
    #[default]
    Turns,
    /// And why somebody who spoke to it was not answered, and reconnects.
    Everything,
}

/// `[discord.log]`: the host's log channel. A guild's own is `[guild.ID] log_channel`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogChannelSettings {
    /// Where the host watches; none for nowhere.
    pub channel: Option<ChannelId>,
    /// How much is shown.
    pub level: LogDetail,
    /// Whether messages and thoughts are quoted in it.
    pub text: bool,
    /// After how many hours its entries are deleted; 0 keeps them.
    pub keep_hours: u32,
    /// After how many seconds a tool that still runs is told of, with a button that stops it; 0 for never.
    pub slow_tool_seconds: u32,
}

impl Default for LogChannelSettings {
    fn default() -> Self {
        Self {
            channel: None,
            level: LogDetail::Turns,
            text: false,
            keep_hours: 24 * 7,
            slow_tool_seconds: 10,
        }
    }
}
