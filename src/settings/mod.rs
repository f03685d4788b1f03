//! Settings: load, layer, watch, resolve to a policy per channel; errors name file and line. The only place that
//! reads the environment. Never decides anything a policy does not say.

mod check;
mod explain;
mod layers;
mod load;
mod persona;
mod problem;
mod strict;
mod tables;
mod watch;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::load::{LoadOptions, environment, load};
pub use self::persona::{load as load_persona, parse as parse_persona, shipped as shipped_persona};
pub use self::problem::{Problem, Severity};
pub use self::tables::{LogLevel, LogSettings, Override, RoomSettings, StoreSettings, TurnSettings};
pub use self::watch::{Watch, watch};

use crate::core::call::ToolSpec;
use crate::core::chat::Channel;
use crate::core::persona::{Language, Persona};
use crate::core::policy::{ContextBudget, Heartbeat, Pacing, Policy, SmallReactions};
use crate::model::{BudgetSettings, ModelSettings, Profile};

/// Everything a person can set, all layers put together and checked.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The folder of the database.
    pub data_dir: PathBuf,
    /// The persona file; none for the shipped one in `language`.
    pub persona: Option<PathBuf>,
    /// The language of page, messages and the shipped persona; none for the machine's own.
    pub language: Option<Language>,
    /// A folder of templates that replace the embedded ones of the same name.
    pub prompts_dir: Option<PathBuf>,
    /// 0 shy … 1 chatty, where the persona does not say.
    pub talkativeness: f32,
    /// From which likeness to its own recent lines a line is held back.
    pub near_duplicate: f32,
    /// The local room.
    pub room: RoomSettings,
    /// The chat model.
    pub model: ModelSettings,
    /// How long a burst is waited out.
    pub heartbeat: Heartbeat,
    /// What runs when a beat says yes.
    pub turn: TurnSettings,
    /// How fast it types.
    pub pacing: Pacing,
    /// The sizes of the prompt's parts.
    pub context: ContextBudget,
    /// What is put on a message it cannot answer.
    pub reactions: SmallReactions,
    /// What may be spent.
    pub budget: BudgetSettings,
    /// What is kept.
    pub store: StoreSettings,
    /// The log.
    pub log: LogSettings,
    /// What differs in a guild, by its id.
    pub guild: BTreeMap<String, Override>,
    /// What differs in a channel, by its id.
    pub channel: BTreeMap<String, Override>,
    /// The persona files named anywhere above, read.
    #[serde(skip)]
    pub personas: HashMap<PathBuf, Arc<Persona>>,
    /// The persona where no file is named.
    #[serde(skip)]
    pub shipped: Arc<Persona>,
    /// What works but is probably not meant.
    #[serde(skip)]
    pub warnings: Vec<Problem>,
}

impl Default for Settings {
    fn default() -> Self {
        let policy = Policy::default();
        Self {
            data_dir: "data".into(),
            persona: None,
            language: None,
            prompts_dir: None,
            talkativeness: policy.talkativeness,
            near_duplicate: policy.near_duplicate,
            room: RoomSettings::default(),
            model: ModelSettings::default(),
            heartbeat: policy.heartbeat,
            turn: TurnSettings { rounds: policy.rounds, ..TurnSettings::default() },
            pacing: policy.pacing,
            context: policy.context,
            reactions: policy.small_reactions,
            budget: BudgetSettings::default(),
            store: StoreSettings::default(),
            log: LogSettings::default(),
            guild: BTreeMap::new(),
            channel: BTreeMap::new(),
            personas: HashMap::new(),
            shipped: policy.persona,
            warnings: Vec::new(),
        }
    }
}

/// The whole prompt of a small model, in tokens.
const SMALL_PROMPT: ContextBudget =
    ContextBudget { prompt_tokens: 1_500, history_tokens: 600, recall_tokens: 150, working_tokens: 250 };
/// What a small model may do.
const SMALL_TOOLS: &[&str] = &["send_message", "react", "stay_silent"];

impl Settings {
    /// All settings of one channel. Its tools are empty: the driver fills them in from the tools room, by
    /// [`Settings::allowed_tools`].
    pub fn policy(&self, channel: &Channel) -> Policy {
        let of_guild = channel.guild.and_then(|guild| self.guild.get(&guild.to_string()));
        let of_channel = self.channel.get(&channel.id.to_string());
        let layers = || of_channel.into_iter().chain(of_guild);

        let persona = self.persona_of(layers().find_map(|layer| layer.persona.as_deref()));
        let mut names = vec![persona.name.clone()];
        names.extend(persona.aliases.iter().cloned());
        Policy {
            mode: layers().find_map(|layer| layer.mode).unwrap_or_default(),
            talkativeness: layers()
                .find_map(|layer| layer.talkativeness)
                .or(persona.talkativeness)
                .unwrap_or(self.talkativeness),
            names,
            persona,
            heartbeat: self.heartbeat.clone(),
            pacing: self.pacing.clone(),
            rounds: self.turn.rounds,
            protocol: self.model.protocol,
            tools: Arc::from(Vec::new()),
            context: self.context_budget(None),
            plain_text_is_speech: self.model.profile == Profile::Small,
            small_reactions: self.reactions.clone(),
            near_duplicate: self.near_duplicate,
        }
    }

    /// The sizes of the prompt's parts: never more than `prompt_limit` tokens, which is what the model that answers
    /// bears, and never more than `model.context_tokens` leave for a prompt.
    pub fn context_budget(&self, prompt_limit: Option<u32>) -> ContextBudget {
        let set = self.model.context_tokens.map(|all| all.saturating_sub(self.model.max_tokens).max(all / 2));
        let limit = prompt_limit.into_iter().chain(set).min();
        let mut budget = self.context.clone();
        if self.model.profile == Profile::Small {
            budget = ContextBudget {
                prompt_tokens: budget.prompt_tokens.min(SMALL_PROMPT.prompt_tokens),
                history_tokens: budget.history_tokens.min(SMALL_PROMPT.history_tokens),
                recall_tokens: budget.recall_tokens.min(SMALL_PROMPT.recall_tokens),
                working_tokens: budget.working_tokens.min(SMALL_PROMPT.working_tokens),
            };
        }
        if let Some(limit) = limit.filter(|limit| *limit < budget.prompt_tokens) {
            let share = |tokens: u32| (u64::from(tokens) * u64::from(limit) / u64::from(budget.prompt_tokens)) as u32;
            budget = ContextBudget {
                history_tokens: share(budget.history_tokens),
                recall_tokens: share(budget.recall_tokens),
                working_tokens: share(budget.working_tokens),
                prompt_tokens: limit,
            };
        }
        budget
    }

    /// Those of `tools` that the profile allows.
    pub fn allowed_tools(&self, tools: &[ToolSpec]) -> Arc<[ToolSpec]> {
        let allowed =
            |tool: &&ToolSpec| self.model.profile == Profile::Normal || SMALL_TOOLS.contains(&tool.name.as_str());
        tools.iter().filter(allowed).cloned().collect()
    }

    /// The most turns at the same time, over all channels.
    pub fn turns_in_flight(&self) -> u32 {
        match self.model.profile {
            Profile::Normal => self.turn.in_flight,
            Profile::Small => 1,
        }
    }

    /// The names of the settings that differ from `old` and count only after a restart. A changed profile is one of
    /// them where it changes how many turns there may be at the same time.
    pub fn needs_restart(&self, old: &Settings) -> Vec<&'static str> {
        let turns_differ = self.turns_in_flight() != old.turns_in_flight();
        let differs = [
            ("data_dir", self.data_dir != old.data_dir),
            ("room.listen", self.room.listen != old.room.listen),
            ("model.profile", self.model.profile != old.model.profile && turns_differ),
            ("turn.in_flight", self.turn.in_flight != old.turn.in_flight),
            ("log.level", self.log.level != old.log.level),
            ("log.json", self.log.json != old.log.json),
        ];
        differs.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
    }

    /// One line for people: who, where, which model and at what cost.
    pub fn summary(&self) -> String {
        let model = if self.model.name.is_empty() { "whatever model is found" } else { &self.model.name };
        format!(
            "{} in the room at http://{}, thinking with {model}, {} tokens a day at most",
            self.persona_of(None).name,
            self.room.listen,
            self.budget.daily_tokens,
        )
    }

    fn persona_of(&self, named: Option<&Path>) -> Arc<Persona> {
        let file = named.or(self.persona.as_deref());
        file.and_then(|file| self.personas.get(file)).unwrap_or(&self.shipped).clone()
    }
}
