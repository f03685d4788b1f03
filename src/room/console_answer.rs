//! What the daemon answers to the console. Plain data, shaped as its views show it; nothing here decides.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::room_answer::{FullTurn, ModelState, PendingAction, ShownPrompt};
use kith_core::chat::{Channel, ChannelId, GuildId, Millis, TurnId};
use kith_core::policy::ChannelMode;
use kith_core::report::TurnOutcome;

/// What the daemon answers. In JSON each is the bare value; the request says which to expect.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ConsoleAnswer {
    /// It is done and will stay so. `{}` in JSON.
    Done {},
    Overview(ChannelOverview),
    Day(Box<ChannelDay>),
    Turns {
        /// Newest first.
        turns: Vec<TurnSummary>,
        /// Whether there are older ones.
        more: bool,
    },
    Turn(Box<InspectedTurn>),
    Spend(SpendOverview),
    Faults(FaultOverview),
    Settings(SettingsView),
    Approvals {
        /// Oldest first.
        pending: Vec<PendingApproval>,
    },
    Personas {
        personas: Vec<PersonaFile>,
    },
    Persona {
        text: String,
    },
    PersonaCheck(PersonaCheckResult),
}

#[derive(Clone, Debug, Serialize)]
pub struct ChannelOverview {
    /// The moment this was true.
    pub at: Millis,
    pub model: ModelState,
    /// What was spent today, in the money of the prices.
    pub cost_today: f64,
    /// The most money a day.
    pub cost_cap: Option<f64>,
    pub guilds: Vec<GuildSummary>,
    pub channels: Vec<ChannelStatus>,
    /// How many channels fit, on all pages.
    pub total: usize,
    pub page_size: usize,
    /// The processes that share the companion, none where only one does.
    pub processes: Vec<ProcessStatus>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ProcessStatus {
    /// The host and the number of the process there.
    pub name: String,
    /// Which partitions it runs; none where it waits to take over.
    pub partitions: Vec<u16>,
    /// Whether the console is served by it.
    pub is_own: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct GuildSummary {
    /// None for direct messages.
    pub id: Option<GuildId>,
    /// Empty where it is not known.
    pub name: String,
    /// How many channels of it are on record.
    pub channels: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct ChannelStatus {
    #[serde(flatten)]
    pub channel: Channel,
    /// None where it is not there any more.
    pub mode: Option<ChannelMode>,
    /// The willingness now, 0 … 1; none before the first message since the start.
    pub score: Option<f32>,
    /// What it must reach unasked.
    pub threshold: Option<f32>,
    /// When something was written last.
    pub heard: Option<Millis>,
    /// When the companion spoke last.
    pub spoke: Option<Millis>,
    /// The turn that runs now.
    pub turn: Option<TurnId>,
    pub tokens_today: u64,
    /// The most tokens a day here.
    pub daily_cap: Option<u64>,
}

/// What was heard, thought and said in a channel. The lists beside `at` have one entry for each message.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ChannelDay {
    pub name: String,
    /// When each message was written, oldest first.
    pub at: Vec<Millis>,
    /// How willing the companion was; none for its own lines and for what was not scored.
    pub score: Vec<Option<f32>>,
    /// What it had to reach.
    pub threshold: Vec<Option<f32>>,
    /// Whether the companion wrote it.
    pub own: Vec<bool>,
    /// Whether somebody spoke to the companion with it.
    pub addressed: Vec<bool>,
    pub turns: Vec<TurnSummary>,
    /// How many messages of that time are left out, the oldest.
    pub left_out: usize,
    pub rate: TalkRate,
}

/// How often it speaks unasked: wanted and reached.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TalkRate {
    /// The share of messages that it wants to follow with one of its own; none where the channel is not awake.
    pub wanted_share: Option<f32>,
    /// The median member's share of what people wrote lately; none where the channel is not awake.
    pub median_share: Option<f32>,
    /// Messages of people that did not speak to it.
    pub messages: usize,
    /// Turns nobody asked for that ended in a message.
    pub reached: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct TurnSummary {
    pub turn: TurnId,
    pub channel: ChannelId,
    /// The channel's name, where it is known.
    pub channel_name: String,
    pub started: Millis,
    pub ended: Millis,
    pub outcome: TurnOutcome,
    /// Whether nobody had spoken to it.
    pub unasked: bool,
    pub rounds: usize,
    pub prompt: u64,
    /// Of these, from the provider's cache.
    pub cached: u64,
    /// Tokens of all answers.
    pub completion: u64,
    pub cost: Option<f64>,
}

/// A turn with what its first prompt is held against.
#[derive(Clone, Debug, Serialize)]
pub struct InspectedTurn {
    #[serde(flatten)]
    pub turn: FullTurn,
    pub channel_name: String,
    /// The turn before it in its channel.
    pub previous: Option<TurnId>,
    /// That one's last prompt, where it is still kept.
    pub prompt_before: Option<ShownPrompt>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SpendOverview {
    /// By day and function, oldest first.
    pub days: Vec<SpendItem>,
    /// By channel, dearest first, at most 100; the label is its id.
    pub channels: Vec<SpendItem>,
    /// By function, dearest first.
    pub functions: Vec<SpendItem>,
    /// By model, dearest first.
    pub models: Vec<SpendItem>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SpendItem {
    /// The day, `2026-01-31`; empty where days are added up.
    pub day: String,
    /// The id of a channel, or the name of a function or model.
    pub label: String,
    /// The name of the channel; empty for all else.
    pub name: String,
    pub calls: u64,
    pub prompt: u64,
    pub cached: u64,
    pub completion: u64,
    /// In the money of the prices.
    pub cost: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct FaultOverview {
    /// Turns in which something failed, newest first.
    pub turns: Vec<TurnFault>,
    /// Warnings and errors of the log since the start, newest first.
    pub log: Vec<LogFault>,
}

#[derive(Clone, Debug, Serialize)]
pub struct TurnFault {
    pub turn: TurnId,
    pub channel: ChannelId,
    pub channel_name: String,
    pub at: Millis,
    /// Each in a sentence.
    pub messages: Vec<String>,
    /// Whether nothing came of the turn.
    pub failed: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct LogFault {
    pub at: Millis,
    /// Whether it is an error, or a warning.
    pub error: bool,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct SettingsView {
    pub file: PathBuf,
    pub settings: Vec<SettingView>,
    pub warnings: Vec<String>,
}

/// A setting. Never holds a secret.
#[derive(Clone, Debug, Serialize)]
pub struct SettingView {
    pub path: String,
    pub value: Value,
    pub origin: SettingOriginView,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SettingOriginView {
    Default {},
    /// Not written anywhere: found out at the start, as the machine's language is.
    Found {},
    File {
        file: PathBuf,
        line: Option<usize>,
    },
    /// A variable or a flag.
    Outside {
        name: String,
    },
}

/// What waits for approval, and where.
#[derive(Clone, Debug, Serialize)]
pub struct PendingApproval {
    pub channel_name: String,
    pub guild_name: String,
    #[serde(flatten)]
    pub action: PendingAction,
}

#[derive(Clone, Debug, Serialize)]
pub struct PersonaFile {
    pub file: PathBuf,
    /// The persona's name.
    pub name: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PersonaCheckResult {
    /// The name it gives; none where it cannot be used.
    pub name: Option<String>,
    pub problems: Vec<PersonaProblem>,
    /// Whether the file says this now.
    pub saved: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct PersonaProblem {
    pub line: Option<usize>,
    /// Whether the persona cannot be used, or probably means something else.
    pub error: bool,
    /// What is wrong, and how to mend it.
    pub text: String,
}
