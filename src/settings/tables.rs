//! The tables of kith.toml that belong to no other room, each with its defaults. Plain data; units are in the names.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use kith_core::chat::ChannelId;
use kith_core::daily_hours::DailyHours;
use kith_core::moderation::ModerationSettings;
use kith_core::policy::ChannelMode;
use kith_core::secret::Secret;
use kith_core::talkativeness::Talkativeness;

/// `[room]`: the local web chat room.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoomSettings {
    /// Where the page is served; a loopback address, also `localhost:5484` or a port alone. Port 0 takes any free port.
    #[serde(deserialize_with = "read_listen_address")]
    pub listen: SocketAddr,
}

/// `[console]`: the page that shows what the companion does.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConsoleSettings {
    /// Where it is served while the companion is on Discord, as for [`RoomSettings::listen`]; none for nowhere. In the
    /// room it is part of the room's page.
    #[serde(deserialize_with = "read_optional_address")]
    pub listen: Option<SocketAddr>,
}

fn read_optional_address<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<SocketAddr>, D::Error> {
    read_listen_address(from).map(Some)
}

fn read_listen_address<'de, D: Deserializer<'de>>(from: D) -> Result<SocketAddr, D::Error> {
    from.deserialize_str(ListenAddressVisitor)
}

/// Takes a port alone, or the name of this machine before it, for one on loopback.
struct ListenAddressVisitor;

impl Visitor<'_> for ListenAddressVisitor {
    type Value = SocketAddr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("socket address")
    }

    fn visit_str<E: serde::de::Error>(self, typed: &str) -> Result<SocketAddr, E> {
        let typed = typed.trim();
        let port = typed.strip_prefix("localhost:").unwrap_or(typed);
        match port.parse() {
            Ok(port) => Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
            Err(_) => typed.parse().map_err(E::custom),
        }
    }
}

/// `[metrics]`: numbers and health for programs that watch over Kith.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct MetricsSettings {
    /// Where they are served; a loopback address, written like that of the room. None serves nothing.
    #[serde(deserialize_with = "read_optional_address")]
    pub listen: Option<SocketAddr>,
}

impl Default for RoomSettings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 5484)),
        }
    }
}

/// `[turn]`: what runs when it is decided to speak.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct TurnSettings {
    /// The most rounds of one turn before the wrap-up round.
    pub rounds: u32,
    /// The most turns at the same time, over all channels.
    pub in_flight: u32,
}

impl Default for TurnSettings {
    fn default() -> Self {
        Self {
            rounds: 5,
            in_flight: 4,
        }
    }
}

/// `[task]`: what is worked on apart from a turn.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskSettings {
    /// The most rounds of one task.
    pub rounds: u32,
    /// The most tokens of one task, after which it has to come to its end.
    pub tokens: u64,
    /// The names of tools it has besides those of the channel.
    pub tools: Vec<String>,
}

impl Default for TaskSettings {
    fn default() -> Self {
        Self {
            rounds: 30,
            tokens: 60_000,
            tools: Vec::new(),
        }
    }
}

/// `[sessions]`: how many there may be.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionSettings {
    /// The most that are open in one guild; those in archived threads do not count.
    pub most: u32,
    /// How deep one may be opened from another.
    pub depth: u32,
}

impl Default for SessionSettings {
    fn default() -> Self {
        Self { most: 20, depth: 3 }
    }
}

/// `[store]`: what is kept.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreSettings {
    /// Days that raw messages are kept.
    pub keep_days: u32,
    /// The database on a PostgreSQL server, `postgres://USER:PASSWORD@HOST/DATABASE`; empty for the file in `data_dir`.
    pub url: Secret,
    /// A file that holds the address and nothing else.
    pub url_file: Option<PathBuf>,
    /// Into how many parts a database on a server is divided, so that several processes can share them.
    pub partitions: u16,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self {
            keep_days: 90,
            url: Secret::default(),
            url_file: None,
            partitions: 1,
        }
    }
}

/// How much the log says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// Only what failed.
    Error,
    /// And what may be wrong.
    Warn,
    /// And what happens, one line each.
    #[default]
    Info,
    /// And how it was decided.
    Debug,
    /// Everything.
    Trace,
}

/// `[log]`: the log on standard error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogSettings {
    /// How much it says.
    pub level: LogLevel,
    /// One JSON object a line, for machines.
    pub json: bool,
}

/// `[guild.ID]` and `[channel.ID]`: what differs there. A thread has what its parent has, a channel wins over its guild,
/// both over all other layers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsOverride {
    /// Off, observe or on. A guild's reaches only channels that everybody in it can see and that are not age-restricted.
    pub mode: Option<ChannelMode>,
    /// Whether `mode` is the most that moderators can choose.
    pub locked: Option<bool>,
    /// Another persona file.
    pub persona: Option<PathBuf>,
    /// How much it speaks unasked.
    pub talkativeness: Option<Talkativeness>,
    /// The most turns a day that its own intentions wake.
    pub wakes_a_day: Option<u32>,
    /// The most times a day that it speaks first.
    pub openings_a_day: Option<u32>,
    /// Another model of the same server.
    pub model: Option<String>,
    /// The names of the tools and actions it has there, `default` among them; none for what it has elsewhere.
    pub tools: Option<Vec<String>>,
    /// The names of the skills it has there; none for what it has elsewhere.
    pub skills: Option<Vec<String>>,
    /// The names of the hooks that hold there; none for those that hold elsewhere.
    pub hooks: Option<Vec<String>>,
    /// The hours without unasked speech.
    pub quiet_hours: Option<DailyHours>,
    /// What it may do about members; a channel's stands in the place of its guild's, whole.
    pub moderation: Option<ModerationSettings>,
    /// The channel its moderators watch it in; a guild's only.
    pub log_channel: Option<ChannelId>,
}

/// A value of `[secrets]`: where a secret is. Never the secret itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretSource {
    /// A file that holds nothing else.
    File(PathBuf),
    /// A variable of the environment.
    Env(String),
}
