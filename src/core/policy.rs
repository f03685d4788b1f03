//! The one resolved plain value of all settings for a channel. `settings/` makes it; the core only reads it.

use std::sync::Arc;

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
    /// The companion's own lines as messages of its own, in the form of the protocol; the rest as the user's between them.
    Chat,
}

crate::setting_table! {
    /// The sizes of the prompt's parts, in estimated tokens. Never more than the model can hold.
    pub struct ContextBudget {
        /// All of it.
        #[setting(Range(800.0, 1e7), Unit("tokens"))]
        pub prompt_tokens: u32 = 8_000,
        /// The history: past this the oldest quarter is dropped. Once half of this has left, it is summed up in a quarter
        /// of it at most.
        #[setting(Range(100.0, 1e7), Unit("tokens"))]
        pub history_tokens: u32 = 4_000,
        /// Recalled memories.
        #[setting(Range(0.0, 1e7), Unit("tokens"))]
        pub recall_tokens: u32 = 600,
        /// The persona's lore.
        #[setting(Range(0.0, 1e7), Unit("tokens"))]
        pub lore_tokens: u32 = 800,
        /// Working memory; older results are shortened first.
        #[setting(Range(100.0, 1e7), Unit("tokens"))]
        pub working_tokens: u32 = 2_000,
    }
}
/// Up to this many tokens a prompt is small.
const SMALL_PROMPT: u32 = 2_000;

impl ContextBudget {
    /// Whether the whole prompt is small, as for a small model: it is told less then, for it talks of whatever it reads last.
    pub fn is_small(&self) -> bool {
        self.prompt_tokens <= SMALL_PROMPT
    }
}

crate::setting_table! {
    /// What it puts on a message that was meant for it and that it cannot answer (Law 1). Empty: nothing.
    pub struct SmallReactions {
        /// Asleep, or out of budget.
        #[setting(OneLine)]
        pub asleep: String = "💤".into(),
        /// The model failed.
        #[setting(OneLine)]
        pub failure: String = "⚠️".into(),
        /// A moderator has paused it, so that nobody takes it for broken.
        #[setting(OneLine)]
        pub paused: String = "⏸️".into(),
        /// All it answers to "be quiet".
        #[setting(OneLine)]
        pub quiet: String = "🤐".into(),
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

crate::setting_table! {
    /// What it may do in a channel with nobody speaking to it. Neither asks a model before its moment comes, and never
    /// while it is paused, quiet, asleep, only observing, or past the soft budget.
    pub struct InitiativeSettings {
        /// The most turns a day that its own intentions wake (`wait_for`: until somebody writes, a word is said, it has
        /// been silent for a while, or a time of day). A few are what a friend remembers; with 0 it has none.
        #[setting(Range(0.0, 100.0), Zero("never"), Unit("times a day"))]
        pub wakes_a_day: u32 = 6,
        /// The most times a day that it speaks first: into a long lull after a lively talk, and at those parts of its
        /// persona's day that say `opens = true`. Never twice before somebody has answered, never in threads and direct
        /// messages. 0, because many do not want to be spoken to by a program.
        #[setting(Range(0.0, 100.0), Zero("never"), Unit("times a day"))]
        pub openings_a_day: u32,
        /// How long a lively channel must have been silent before it breaks the lull.
        #[setting(Range(10.0, 10_080.0), Unit("minutes"))]
        pub lull_minutes: u32 = 180,
        /// The hours in which it may speak first. Without a time zone the clock of the persona's schedule counts, else the
        /// machine's.
        pub hours: DailyHours = DailyHours::between_hours(10, 22),
    }
}

crate::setting_values!(ChannelMode, OutputProtocol, PromptLayout, BotPolicy);
impl InitiativeSettings {
    pub fn none() -> Self {
        Self {
            wakes_a_day: 0,
            openings_a_day: 0,
            ..Self::default()
        }
    }
}

#[derive(Clone, Debug)]
pub struct ChannelPolicy {
    pub mode: ChannelMode,
    pub persona: Arc<Persona>,
    /// Every name it answers to here: persona name, nick, aliases.
    pub names: Vec<String>,
    pub talkativeness: Talkativeness,
    /// In a recording no question waits for an answer, for what it would say is not what was said.
    pub is_replay: bool,
    pub heartbeat: HeartbeatSettings,
    pub pacing: PacingSettings,
    /// The most rounds of one turn before the wrap-up round.
    pub rounds: u32,
    pub protocol: OutputProtocol,
    pub layout: PromptLayout,
    pub tools: Arc<[ToolSpec]>,
    pub context: ContextBudget,
    /// Plain text counts as a message: for small models that cannot keep to a protocol.
    pub plain_text_is_speech: bool,
    pub small_reactions: SmallReactions,
    /// Whether a model is asked where the score is near the threshold.
    pub is_judged: bool,
    /// From which likeness to its own recent lines (0 … 1) a line is held back; above 1 switches it off.
    pub near_duplicate: f32,
    /// Whether it may talk like an assistant; else the phrases of one are left out of its messages.
    pub assistant_phrases: bool,
    /// The hours without unasked speech.
    pub quiet_hours: Option<DailyHours>,
    pub initiative: InitiativeSettings,
    /// Nobody is answered until then: a moderator paused it.
    pub paused_until: Option<Millis>,
    /// Whether the platform lets it write here.
    pub may_send: bool,
    pub may_react: bool,
    /// Whether all who are there speak, as in the local room: with nobody else around they speak to the companion.
    pub only_speakers: bool,
    pub bots: BotPolicy,
    /// Whether the demo model answers: a real one is not shown what that one wrote.
    pub is_demo: bool,
    /// Another model of the same server; none for the one everything is answered with.
    pub model: Option<String>,
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
