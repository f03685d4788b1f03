//! The one resolved plain value of all settings for a channel. `settings/` makes it; the core only reads it.

use std::sync::Arc;

use chrono::NaiveTime;
use serde::{Deserialize, Serialize};

use super::call::ToolSpec;
use super::chat::{MINUTE, Millis};
use super::daily_hours::DailyHours;
use super::moderation::ModerationSettings;
use super::persona::Persona;
use super::skill::SkillSpec;
use super::talkativeness::Talkativeness;

pub use super::burst_window::HeartbeatSettings;
pub use super::typing_time::PacingSettings;

/// Whether the companion may speak in a channel; ordered by how much it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelMode {
    /// Nothing is stored or sent to a model.
    Off,
    /// Reads along, never speaks.
    Observe,
    /// Reads along and speaks.
    #[default]
    On,
}

/// The form the model writes its actions in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputProtocol {
    /// Elements below `<turn>`.
    #[default]
    Xml,
    /// An object with `thoughts` and `actions`.
    Json,
    /// The provider's own tool calls.
    Native,
}

/// How what a prompt shows is laid out as messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptLayout {
    /// All of it in one message of the user's, below the system's.
    #[default]
    Document,
    /// The companion's own lines as messages of its own, in the form of the protocol; the rest as messages of the user's
    /// between them.
    Chat,
}

/// The sizes of the prompt's parts, in estimated tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContextBudget {
    pub prompt_tokens: u32,
    /// The history: past this the oldest quarter is dropped.
    pub history_tokens: u32,
    pub recall_tokens: u32,
    pub lore_tokens: u32,
    /// Working memory; older results are shortened first.
    pub working_tokens: u32,
}

/// Up to this many tokens a prompt is small.
const SMALL_PROMPT: u32 = 2_000;

impl ContextBudget {
    /// Whether the whole prompt is small, as for a small model: it is told less then, for it talks of whatever it reads last.
    pub fn is_small(&self) -> bool {
        self.prompt_tokens <= SMALL_PROMPT
    }
}

impl Default for ContextBudget {
    fn default() -> Self {
        Self {
            prompt_tokens: 8_000,
            history_tokens: 4_000,
            recall_tokens: 600,
            lore_tokens: 800,
            working_tokens: 2_000,
        }
    }
}

/// The small reactions of Law 1, where it cannot answer. Empty switches one off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SmallReactions {
    /// Asleep, or the budget is spent.
    pub asleep: String,
    /// The model failed.
    pub failure: String,
    pub paused: String,
    /// A member asked for quiet: the whole answer to that.
    pub quiet: String,
}

impl Default for SmallReactions {
    fn default() -> Self {
        Self {
            asleep: "💤".into(),
            failure: "⚠️".into(),
            paused: "⏸️".into(),
            quiet: "🤐".into(),
        }
    }
}

/// What is done with messages of other bots. Webhooks are never answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BotPolicy {
    /// They are read and never answered.
    #[default]
    Ignored,
    /// They are answered like people, but only so often (see `core/channel/`).
    Limited,
}

/// What it may do in a channel with nobody speaking to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InitiativeSettings {
    /// The most turns a day that its own intentions wake; with 0 it has none.
    pub wakes_a_day: u32,
    /// The most times a day that it speaks first; with 0 it never does.
    pub openings_a_day: u32,
    /// How long a lively channel must have been silent before it breaks the lull, in minutes.
    pub lull_minutes: u32,
    /// The hours in which it may speak first.
    pub hours: DailyHours,
}

impl InitiativeSettings {
    pub fn none() -> Self {
        Self {
            wakes_a_day: 0,
            openings_a_day: 0,
            ..Self::default()
        }
    }
}

impl Default for InitiativeSettings {
    fn default() -> Self {
        let at = |hour| NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default();
        let hours = DailyHours {
            from: at(10),
            to: at(22),
            timezone: None,
        };
        Self {
            wakes_a_day: 6,
            openings_a_day: 0,
            lull_minutes: 180,
            hours,
        }
    }
}

#[derive(Clone, Debug)]
pub struct ChannelPolicy {
    /// Off, observe or on.
    pub mode: ChannelMode,
    /// Who the companion is here.
    pub persona: Arc<Persona>,
    /// Every name it answers to here: persona name, nick, aliases.
    pub names: Vec<String>,
    /// How much it speaks unasked.
    pub talkativeness: Talkativeness,
    /// In a recording no question waits for an answer, for what it would say is not what was said.
    pub is_replay: bool,
    /// How long a burst is waited out.
    pub heartbeat: HeartbeatSettings,
    /// How fast it types.
    pub pacing: PacingSettings,
    /// The most rounds of one turn before the wrap-up round.
    pub rounds: u32,
    /// The form the model writes its actions in.
    pub protocol: OutputProtocol,
    /// How what a prompt shows is laid out as messages.
    pub layout: PromptLayout,
    /// The tools and actions it has here.
    pub tools: Arc<[ToolSpec]>,
    /// The sizes of the prompt's parts.
    pub context: ContextBudget,
    /// Plain text counts as a message: for small models that cannot keep to a protocol.
    pub plain_text_is_speech: bool,
    /// What is put on a message it cannot answer.
    pub small_reactions: SmallReactions,
    /// Whether a model is asked where the score is near the threshold.
    pub is_judged: bool,
    /// From which likeness to its own recent lines (0 … 1) a line is held back; above 1 switches it off.
    pub near_duplicate: f32,
    /// Whether it may talk like an assistant; else the phrases of one are left out of its messages.
    pub assistant_phrases: bool,
    /// The hours without unasked speech.
    pub quiet_hours: Option<DailyHours>,
    /// What it may do with nobody speaking to it.
    pub initiative: InitiativeSettings,
    /// Nobody is answered until then: a moderator paused it.
    pub paused_until: Option<Millis>,
    /// Whether the platform lets it write here.
    pub may_send: bool,
    /// Whether the platform lets it put reactions here.
    pub may_react: bool,
    /// Whether nobody reads along without speaking, as in the local room: then somebody who speaks with nobody else
    /// around speaks to the companion.
    pub only_speakers: bool,
    /// What is done with messages of other bots.
    pub bots: BotPolicy,
    /// Whether the demo model answers: a real one is not shown what that one wrote.
    pub is_demo: bool,
    /// Another model of the same server; none for the one everything is answered with.
    pub model: Option<String>,
    /// What it may do about members.
    pub moderation: ModerationSettings,
    /// The names of the skills it may use here; none for all of the host's own.
    pub skills: Option<Vec<String>>,
    /// What it knows how to do: the skills that `skills` stands for.
    pub known_skills: Arc<[SkillSpec]>,
    /// Templates that the host put in the place of those that ship, by file: what the model copies of them is not said.
    pub own_templates: Arc<[(String, String)]>,
}

impl Default for ChannelPolicy {
    fn default() -> Self {
        Self {
            mode: ChannelMode::On,
            persona: Arc::new(Persona::default()),
            names: Vec::new(),
            talkativeness: Talkativeness::Level(0.3),
            is_replay: false,
            heartbeat: HeartbeatSettings::default(),
            pacing: PacingSettings::default(),
            rounds: 5,
            protocol: OutputProtocol::Xml,
            layout: PromptLayout::Document,
            tools: Arc::from(Vec::new()),
            context: ContextBudget::default(),
            plain_text_is_speech: false,
            small_reactions: SmallReactions::default(),
            is_judged: false,
            near_duplicate: 0.9,
            assistant_phrases: false,
            quiet_hours: None,
            initiative: InitiativeSettings::default(),
            paused_until: None,
            may_send: true,
            may_react: true,
            only_speakers: false,
            bots: BotPolicy::default(),
            is_demo: false,
            model: None,
            moderation: ModerationSettings::default(),
            skills: None,
            known_skills: Arc::from(Vec::new()),
            own_templates: Arc::from(Vec::new()),
        }
    }
}

/// How long direct address in a group obliges the companion, by the message's own time.
pub const ADDRESS_FRESH: Millis = 10 * MINUTE;
/// The same in a direct message.
pub const DIRECT_FRESH: Millis = 12 * 60 * MINUTE;
/// How old a message may be, when it comes in, for it to count as something that could be answered unasked.
pub const UNASKED_FRESH: Millis = MINUTE;
