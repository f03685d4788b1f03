//! `[discord]`: how Kith comes to Discord and where it is watched. Plain data; units are in the names.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::shard_count::ShardCount;
use kith_core::chat::{ChannelId, UserId};
use kith_core::moderation::ModerationKind;
use kith_core::policy::{BotPolicy, ChannelMode};
use kith_core::secret::Secret;

kith_core::setting_table! {
    /// How it comes to Discord: with a token it goes there instead of the room.
    pub struct DiscordSettings {
        /// The bot's token. It never stands in the settings, which are easily shown and shared: it comes from this variable,
        /// else from `token_file`, else from the systemd credential `discord_token`.
        #[setting(Outside, Restart, Variable("DISCORD_TOKEN"))]
        #[serde(skip)]
        pub token: Secret,
        /// A file that holds the token and nothing else.
        #[setting(SecretFile, Credential("discord_token"), Example("\"discord.token\""))]
        pub token_file: Option<PathBuf>,
        /// The base of Discord's REST API: its own, or that of a REST proxy that several bots share. Plain http only on this
        /// machine, for the token travels with every request.
        #[setting(Restart)]
        pub api_base: String = "https://discord.com/api/v10".into(),
        /// The proxy for everything that goes to Discord: `http://host:port` (HTTP CONNECT) or `socks5://host:port`, with
        /// `user:password@` before the host where it wants them. Empty: what `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` say.
        #[setting(Address, Restart)]
        pub proxy: Secret,
        /// What direct messages are. Off, because anybody who shares a guild can write them, and the host pays for the
        /// answers. Switching them on or off counts after a restart.
        #[setting(Restart)]
        pub direct_messages: ChannelMode = ChannelMode::Off,
        /// Messages of other bots: `"ignored"` (read, never answered) or `"limited"` (answered like people's, but at most 3
        /// times the same bot and 6 times in a channel within 10 minutes, so that no two bots talk for ever). Other webhooks
        /// are never answered.
        pub bots: BotPolicy,
        /// Whose webhooks speak for people who are answered like any other: `"pluralkit"`, `"tupperbox"`, or the ids of
        /// applications and webhooks. Whoever may write through one can take any name, and has no account: no /kith command,
        /// no tool with a right.
        pub answer_webhooks: Vec<String> = vec!["pluralkit".into(), "tupperbox".into()],
        /// User ids of people who may do what the host may, besides the application's owner and its team (without its
        /// read-only members).
        #[setting(Restart)]
        pub hosts: Vec<UserId>,
        /// Whether its nick in each guild follows the persona's name. Off, because moderators like to choose nicks.
        pub nick_follows_persona: bool,
        /// A PNG, JPEG or GIF file that becomes the bot's avatar, else the general persona's `avatar`. A server with another
        /// persona shows that one's. Set once and again when the picture changes: Discord lets it change about twice an hour.
        #[setting(Example("\"persona/juno.png\""))]
        pub avatar: Option<PathBuf>,
        /// A folder of pictures that can be sent like stickers, each under its file's name: PNG, JPEG, GIF or WebP, up to
        /// 8 MiB. Not set: `stickers` in the data folder. Nothing is ever put there by Kith.
        #[setting(Folder, Example("\"stickers\""))]
        pub stickers: Option<PathBuf>,
        /// The most talkativeness that moderators can choose with /kith talkativeness, and with it the most messages an hour
        /// (1 allows 24): unasked speech is what costs.
        #[setting(Range(0.0, 1.0), Wanted("a number from 0 (shy) to 1 (chatty)"))]
        pub max_talkativeness: f32 = 1.0,
        /// How many shards the bot has, over all processes: `"auto"` for as many as Discord recommends, or a number, which has
        /// to be a multiple of `store.partitions`.
        #[setting(Restart)]
        pub shards: ShardCount,
        /// The most pages of 100 messages that are fetched for a channel after an absence. What is older is shown as a gap:
        /// what was said long ago is not worth the wait.
        #[setting(Range(0.0, 100.0), Unit("pages"))]
        pub backfill_pages: u32 = 5,
        pub log: LogChannelSettings,
    }
    filled {
        /// What is switched on in any guild or channel about members: the invite link asks for what that takes.
        pub moderation_actions: Vec<ModerationKind>,
        /// The tools that are named for any guild or channel: the invite link asks for what they take.
        pub named_tools: BTreeSet<String>,
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

kith_core::setting_table! {
    /// The host's log channel. A guild's own is `log_channel` in `[guild.ID]`.
    pub struct LogChannelSettings {
        /// The id of the channel in which the host watches every turn.
        #[setting(Example("\"1234567890\""))]
        pub channel: Option<ChannelId>,
        /// `"errors"`, `"turns"` (and every turn) or `"everything"` (and why somebody who spoke to it was not answered, and
        /// reconnects).
        pub level: LogDetail,
        /// Whether messages and thoughts are quoted there. Off, because everybody who can see the log channel could read them.
        pub text: bool,
        /// After how many hours its entries are deleted; 0 keeps them.
        #[setting(Range(0.0, 87_600.0), Zero("for ever"), Unit("hours"))]
        pub keep_hours: u32 = 24 * 7,
        /// After how many seconds a tool that still runs is told of there, with a button that stops it.
        #[setting(Range(0.0, 600.0), Zero("never"), Unit("seconds"))]
        pub slow_tool_seconds: u32 = 10,
    }
}

kith_core::setting_values!(ShardCount, LogDetail);
