//! The tables of kith.toml that belong to no other crate, and the types of their values. Plain data; units are in the
//! names.

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
use kith_core::setting::{
    SettingData, SettingField, SettingRule, SettingShape, SettingTable, SettingType, SettingValue,
    join_path,
};
use kith_core::talkativeness::{self, Talkativeness};
use kith_core::{setting_table, setting_values};

/// Where something is served. In a file also a port alone, or `localhost` before it, for one on loopback.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ListenAddress(pub SocketAddr);

impl<'de> Deserialize<'de> for ListenAddress {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(ListenAddressVisitor)
    }
}

struct ListenAddressVisitor;

impl Visitor<'_> for ListenAddressVisitor {
    type Value = ListenAddress;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("socket address")
    }

    fn visit_str<E: serde::de::Error>(self, typed: &str) -> Result<ListenAddress, E> {
        let typed = typed.trim();
        let port = typed.strip_prefix("localhost:").unwrap_or(typed);
        let address = match port.parse() {
            Ok(port) => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            Err(_) => typed.parse().map_err(E::custom)?,
        };
        Ok(ListenAddress(address))
    }
}

setting_table! {
    /// The local web chat room.
    pub struct RoomSettings {
        /// Where it is served: address:port, or a port alone. Loopback only, because what it says is not encrypted; port 0
        /// takes any free one. The room opens for whoever has its token, which stands in `data/room.token` and in the address
        /// that Kith prints.
        #[setting(Restart, Loopback(PAGE))]
        pub listen: ListenAddress = ListenAddress(SocketAddr::from((Ipv4Addr::LOCALHOST, 5484))),
    }
}

/// How to serve a page that other machines can reach.
const PAGE: &str = "what the page says is not encrypted, so write a loopback address like \"127.0.0.1:5484\", and reach it \
                    from elsewhere through an SSH tunnel";
/// How to serve numbers that other machines can reach.
const NUMBERS: &str = "anybody who reaches it can read it, so write a loopback address like \"127.0.0.1:9464\", and have a \
                       collector on this machine fetch it";

setting_table! {
    /// The page that shows what was said and thought in every channel, what was spent, and what waits for approval. In the
    /// room it is a link of the room's page.
    pub struct ConsoleSettings {
        /// Where it is served on Discord, to whoever has the token in `data/room.token`. Loopback only, as the room, and off
        /// where nothing is set.
        #[setting(Restart, Loopback(PAGE), Example("\"127.0.0.1:5484\""))]
        pub listen: Option<ListenAddress>,
    }
}

setting_table! {
    /// Numbers and health for programs that watch over Kith.
    pub struct MetricsSettings {
        /// Where they read its numbers (/metrics, for Prometheus) and its health (/healthz, /readyz). Numbers only: no words,
        /// no names, no ids of people or channels. Loopback only; not set, and nothing is served.
        #[setting(Restart, Loopback(NUMBERS), Example("\"127.0.0.1:9464\""))]
        pub listen: Option<ListenAddress>,
    }
}

setting_table! {
    /// What runs when it is decided to speak.
    pub struct TurnSettings {
        /// The most model calls of one turn that lead to more calls; then one last call without tools.
        #[setting(Range(1.0, 20.0))]
        pub rounds: u32 = 5,
        /// The most turns at the same time over all channels: bounds what a busy moment can cost at once.
        #[setting(Range(1.0, 64.0), Restart)]
        pub in_flight: u32 = 4,
    }
}

setting_table! {
    /// What the tool `task` has worked on apart from a turn. `budget.task_tokens` bounds all of a day.
    pub struct TaskSettings {
        /// The most model calls of one task.
        #[setting(Range(1.0, 30.0))]
        pub rounds: u32 = 30,
        /// The most tokens of one task, after which it has to come to its end.
        #[setting(Range(1_000.0, 1e7), Unit("tokens"))]
        pub tokens: u64 = 60_000,
        /// The names of tools it has besides those of the channel: none that people see the effects of.
        #[setting(ToolNames)]
        pub tools: Vec<String>,
    }
}

setting_table! {
    /// A session is a thread of Discord, or a channel of the room, with settings of its own, which the model opens with
    /// `create_session` where `tools` names it.
    pub struct SessionSettings {
        /// The most that are open in one server; those in archived threads do not count.
        #[setting(Range(1.0, 1_000.0))]
        pub most: u32 = 20,
        /// How deep one may be opened from another.
        #[setting(Range(1.0, 20.0))]
        pub depth: u32 = 3,
    }
}

setting_table! {
    /// What is kept, and where.
    pub struct StoreSettings {
        /// Days that messages are kept.
        #[setting(Range(1.0, 36_500.0), Unit("days"))]
        pub keep_days: u32 = 90,
        /// The database is a file in `data_dir`. For very many servers it can be on a PostgreSQL server, 15 or newer:
        /// `postgres://USER:PASSWORD@HOST/DATABASE`. So that the password stands in no settings, the address can stand alone
        /// in a file, or in the systemd credential `store_url`. The first of the three that is there counts.
        #[setting(Address, Restart)]
        pub url: Secret,
        /// A file that holds the address and nothing else.
        #[setting(SecretFile, Credential("store_url"), Example("\"store.url\""))]
        pub url_file: Option<PathBuf>,
        /// Into how many parts the database on a server is divided. Each part has its share of the servers and runs in one
        /// process at a time, so that so many processes can share the work. With 1, a second process waits and takes over
        /// when the first one ends. It is chosen once, for an empty database.
        #[setting(Range(1.0, 256.0), Unit("partitions"), Restart)]
        pub partitions: u16 = 1,
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

setting_table! {
    /// The log on standard error.
    pub struct LogSettings {
        /// How much it says.
        #[setting(Restart)]
        pub level: LogLevel,
        /// One JSON object a line, for machines that read logs.
        #[setting(Restart)]
        pub json: bool,
    }
}

setting_values!(LogLevel);

setting_table! {
    /// What differs in one guild (`[guild.ID]`) or one channel (`[channel.ID]`), by its number (in Discord's developer mode:
    /// right-click, Copy ID). A thread has what its parent has, a channel wins over its guild, both over everything else.
    pub struct SettingsOverride {
        /// `"off"` (nothing is stored), `"observe"` (reads along, never speaks) or `"on"`. A new guild is off until the mode
        /// is set here or by a moderator. A guild's mode reaches only channels that everybody in it can see and that are not
        /// age-restricted; name the others singly.
        #[setting(Example("\"observe\""))]
        pub mode: Option<ChannelMode>,
        /// Whether moderators can only go below that mode and never above it.
        #[setting(Example("true"))]
        pub locked: Option<bool>,
        /// Another persona file.
        #[setting(PersonaFile, Example("\"persona/juno.toml\""))]
        pub persona: Option<PathBuf>,
        /// How much it speaks unasked.
        #[setting(Wanted(talkativeness::WANTED), Example("0.2"))]
        pub talkativeness: Option<Talkativeness>,
        /// The most turns a day that its own intentions wake.
        #[setting(Range(0.0, 100.0), Zero("never"), Unit("times a day"), Example("3"))]
        pub wakes_a_day: Option<u32>,
        /// The most times a day that it speaks first.
        #[setting(Range(0.0, 100.0), Zero("never"), Unit("times a day"), Example("0"))]
        pub openings_a_day: Option<u32>,
        /// Another model of the same server, or the name of a table `[models.NAME]`.
        #[setting(OneLine, Example("\"a-small-one\""))]
        pub model: Option<String>,
        /// What it can do there, by name, `"default"` among them.
        #[setting(ToolNames, Example("[\"send_message\", \"react\", \"stay_silent\"]"))]
        pub tools: Option<Vec<String>>,
        /// What it knows how to do there, by name.
        #[setting(SkillNames, Example("[]"))]
        pub skills: Option<Vec<String>>,
        /// The hooks that hold there; `[]` for none.
        #[setting(HookNames, Example("[]"))]
        pub hooks: Option<Vec<String>>,
        /// The hours without unasked speech.
        #[setting(Example("\"22:00-07:00\""))]
        pub quiet_hours: Option<DailyHours>,
        pub moderation: Option<ModerationSettings>,
        /// Where the guild's moderators watch it: that guild only, and nothing of others. A guild's only.
        #[setting(Example("\"1234567891\""))]
        pub log_channel: Option<ChannelId>,
    }
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

impl SettingType for SecretSource {
    const SHAPE: SettingShape = {
        const FIELDS: &[SettingField] = &[
            SettingField {
                name: "file",
                meaning: &["A file that holds it and nothing else."],
                shape: SettingShape::Path,
                rules: &[
                    SettingRule::SecretFile,
                    SettingRule::Example("\"news.key\""),
                ],
            },
            SettingField {
                name: "env",
                meaning: &["A variable of the environment that holds it."],
                shape: SettingShape::Value,
                rules: &[SettingRule::Example("\"SEARCH_KEY\"")],
            },
        ];
        SettingShape::Table(&SettingTable {
            meaning: &["A secret of yours: one of the two."],
            fields: FIELDS,
        })
    };

    fn walk<'a>(
        &'a self,
        path: &str,
        _: &'static SettingField,
        visit: &mut dyn FnMut(SettingValue<'a>),
    ) {
        let SettingShape::Table(SettingTable {
            fields: [of_file, ..],
            ..
        }) = Self::SHAPE
        else {
            return;
        };
        if let Self::File(file) = self {
            file.walk(&join_path(path, of_file.name), of_file, visit);
        }
    }
}

impl SettingType for ListenAddress {
    fn data(&self) -> SettingData<'_> {
        SettingData::Address {
            address: self.0.to_string(),
            is_loopback: self.0.ip().is_loopback(),
        }
    }
}
