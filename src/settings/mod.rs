//! Settings: load, layer, watch, resolve to a policy per channel; errors name file and line. The only place that
//! reads the environment. Never decides anything a policy does not say.

mod channel_settings;
mod check;
mod check_discord;
mod check_models;
mod check_moderation;
mod check_partitions;
mod check_persona;
mod check_skills;
mod check_tools;
mod check_web;
mod environment;
mod keep_model;
mod layers;
mod load;
mod lorebooks;
mod persona;
mod persona_doubts;
mod persona_import;
mod problem;
mod profiles;
mod proxy;
mod ranges;
mod secret_environment;
mod secret_file;
mod secret_shape;
mod secrets;
mod setting_errors;
mod tables;
mod text_checks;
mod toml_reader;
mod tool_files;
mod watch;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::channel_settings::ChannelFacts;
pub use self::environment::read_environment;
pub use self::keep_model::{KeptModel, keep_model};
pub use self::layers::{SettingOrigin, SettingOrigins};
pub use self::load::{LoadOptions, find_language, load, load_without_file};
pub use self::persona::{
    inspect as inspect_persona, inspect_text as inspect_persona_text, load as load_persona,
    parse as parse_persona,
};
pub use self::persona_import::{ImportFailure, ImportResult, import_character, import_world};
pub use self::problem::{SettingProblem, Severity};
pub use self::profiles::fill_template;
pub use self::secret_environment::restart_without_secrets;
pub use self::secret_file::{KEY_FILE, replace_file, write_secret};
pub use self::secrets::find_password;
pub use self::setting_errors::{find_nearest, is_secret_path};
pub use self::tables::{
    ConsoleSettings, LogLevel, LogSettings, MetricsSettings, RoomSettings, SecretSource,
    SessionSettings, SettingsOverride, StoreSettings, TaskSettings, TurnSettings,
};
pub use self::toml_reader::explain_unreadable;
pub use self::watch::{FileWatcher, watch};

use kith_core::daily_hours::DailyHours;
use kith_core::persona::{Language, Persona};
use kith_core::policy::{
    ChannelPolicy, ContextBudget, HeartbeatSettings, InitiativeSettings, PacingSettings,
    SmallReactions,
};
use kith_core::session;
use kith_core::talkativeness::Talkativeness;
use kith_discord::DiscordSettings;
use kith_language::{LocalizedMessage, cli};
use kith_model::{BudgetSettings, ModelProfile, ModelRoles, ModelSet, ModelSettings};
use kith_tools::custom::mcp::McpServer;
use kith_tools::custom::{self, DefinedTool};
use kith_tools::skills::Skills;
use kith_tools::{DEFAULT_TOOLS, Tool, ToolPermission, ToolRegistry, ToolSecrets, WebSettings};

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
    /// How much it speaks unasked, where the persona does not say.
    pub talkativeness: Talkativeness,
    /// The names of the tools and actions it has, `default` among them.
    pub tools: Vec<String>,
    /// Who may cause a tool to run and how often, by its name.
    pub tool: BTreeMap<String, ToolPermission>,
    pub skill_paths: Vec<PathBuf>,
    /// The names of the skills it has; none for all in `skill_paths`.
    pub skills: Option<Vec<String>>,
    /// What tools of the host's own need and nobody may see, by name: where it is.
    pub secrets: BTreeMap<String, SecretSource>,
    /// Files and folders that define tools of the host's own.
    pub tool_paths: Vec<PathBuf>,
    /// Which definitions look at what is said and at what tools answer, in this order, where no guild or channel differs.
    pub hooks: Vec<String>,
    /// Where tools may go on the web.
    pub web: WebSettings,
    /// The hours without unasked speech.
    pub quiet_hours: Option<DailyHours>,
    /// From which likeness to its own recent lines a line is held back.
    pub near_duplicate: f32,
    /// Whether it may talk like an assistant.
    pub assistant_phrases: bool,
    pub room: RoomSettings,
    pub console: ConsoleSettings,
    /// Discord: where the companion goes with a token.
    pub discord: DiscordSettings,
    pub model: ModelSettings,
    /// Further models, by names of the host's own.
    pub models: BTreeMap<String, ModelSettings>,
    /// Who does what besides the chat model.
    pub roles: ModelRoles,
    /// How long a burst is waited out.
    pub heartbeat: HeartbeatSettings,
    /// What runs when it is decided to speak.
    pub turn: TurnSettings,
    /// What is worked on apart from a turn.
    pub task: TaskSettings,
    /// How fast it types.
    pub pacing: PacingSettings,
    /// The sizes of the prompt's parts.
    pub context: ContextBudget,
    /// What it may do with nobody speaking to it.
    pub initiative: InitiativeSettings,
    /// What is put on a message it cannot answer.
    pub reactions: SmallReactions,
    /// What may be spent.
    pub budget: BudgetSettings,
    /// How many sessions there may be.
    pub sessions: SessionSettings,
    /// What sessions may be opened as, by names of the host's own.
    pub profiles: BTreeMap<String, session::SessionProfile>,
    /// What is kept.
    pub store: StoreSettings,
    pub log: LogSettings,
    /// Numbers and health for programs that watch over it.
    pub metrics: MetricsSettings,
    /// The persona files that moderators can choose from, by the name they see.
    pub personas: BTreeMap<String, PathBuf>,
    /// What differs in a guild, by its id.
    pub guild: BTreeMap<String, SettingsOverride>,
    /// What differs in a channel, by its id.
    pub channel: BTreeMap<String, SettingsOverride>,
    /// The persona files named anywhere above, read.
    #[serde(skip)]
    pub persona_files: HashMap<PathBuf, Arc<Persona>>,
    /// The persona where no file is named.
    #[serde(skip)]
    pub shipped: Arc<Persona>,
    /// The secrets that `secrets` names, read.
    #[serde(skip)]
    pub known_secrets: Arc<ToolSecrets>,
    /// The tools that `tool_paths` defines, read.
    #[serde(skip)]
    pub defined: Arc<[DefinedTool]>,
    /// The skills that ship with Kith and those in `skill_paths`, read.
    #[serde(skip)]
    pub known_skills: Arc<Skills>,
    /// Where each of them comes from that is no default.
    #[serde(skip)]
    pub origins: SettingOrigins,
    /// What works but is probably not meant.
    #[serde(skip)]
    pub warnings: Vec<SettingProblem>,
}

impl Default for Settings {
    fn default() -> Self {
        let policy = ChannelPolicy::default();
        Self {
            data_dir: "data".into(),
            persona: None,
            language: None,
            prompts_dir: None,
            talkativeness: policy.talkativeness,
            tools: vec![DEFAULT_TOOLS.to_owned()],
            tool: BTreeMap::new(),
            skill_paths: Vec::new(),
            skills: None,
            secrets: BTreeMap::new(),
            tool_paths: Vec::new(),
            hooks: Vec::new(),
            web: WebSettings::default(),
            quiet_hours: None,
            near_duplicate: policy.near_duplicate,
            assistant_phrases: policy.assistant_phrases,
            room: RoomSettings::default(),
            console: ConsoleSettings::default(),
            discord: DiscordSettings::default(),
            model: ModelSettings::default(),
            models: BTreeMap::new(),
            roles: ModelRoles::default(),
            heartbeat: policy.heartbeat,
            turn: TurnSettings {
                rounds: policy.rounds,
                ..TurnSettings::default()
            },
            task: TaskSettings::default(),
            pacing: policy.pacing,
            context: policy.context,
            initiative: policy.initiative,
            reactions: policy.small_reactions,
            budget: BudgetSettings::default(),
            sessions: SessionSettings::default(),
            profiles: BTreeMap::new(),
            store: StoreSettings::default(),
            log: LogSettings::default(),
            metrics: MetricsSettings::default(),
            personas: BTreeMap::new(),
            guild: BTreeMap::new(),
            channel: BTreeMap::new(),
            persona_files: HashMap::new(),
            shipped: policy.persona,
            known_secrets: Arc::default(),
            defined: Arc::default(),
            known_skills: Arc::default(),
            origins: SettingOrigins::default(),
            warnings: Vec::new(),
        }
    }
}

impl Settings {
    /// The most turns at the same time, over all channels.
    pub fn turns_in_flight(&self) -> u32 {
        match self.model.profile {
            ModelProfile::Normal => self.turn.in_flight,
            ModelProfile::Small => 1,
        }
    }

    /// The names of the settings that differ from `old` and count only after a restart. A changed profile is one of
    /// them where it changes how many turns there may be at the same time.
    pub fn find_restart_changes(&self, old: &Settings) -> Vec<&'static str> {
        let turns_differ = self.turns_in_flight() != old.turns_in_flight();
        let differs = [
            ("data_dir", self.data_dir != old.data_dir),
            ("store.url", self.store.url != old.store.url),
            (
                "store.partitions",
                self.store.partitions != old.store.partitions,
            ),
            ("discord.shards", self.discord.shards != old.discord.shards),
            ("room.listen", self.room.listen != old.room.listen),
            ("console.listen", self.console.listen != old.console.listen),
            ("metrics.listen", self.metrics.listen != old.metrics.listen),
            ("discord.token", self.discord.token != old.discord.token),
            (
                "discord.api_base",
                self.discord.api_base != old.discord.api_base,
            ),
            ("discord.proxy", self.discord.proxy != old.discord.proxy),
            // Whether they are asked for is told to Discord once, when a session begins.
            (
                "discord.direct_messages",
                self.discord.has_direct_messages() != old.discord.has_direct_messages(),
            ),
            ("discord.hosts", self.discord.hosts != old.discord.hosts),
            (
                "model.profile",
                self.model.profile != old.model.profile && turns_differ,
            ),
            ("turn.in_flight", self.turn.in_flight != old.turn.in_flight),
            ("log.level", self.log.level != old.log.level),
            ("log.json", self.log.json != old.log.json),
        ];
        differs
            .into_iter()
            .filter_map(|(name, differs)| differs.then_some(name))
            .collect()
    }

    /// Who the companion is where nothing says.
    pub fn general_persona(&self) -> Arc<Persona> {
        self.find_persona(None)
    }

    /// The tools there are: those that ship with Kith, the host's own, and those that servers have.
    pub fn build_registry(&self, served: Vec<Tool>) -> ToolRegistry {
        // Of those in files, names that are taken were an error when the settings were loaded.
        let (registry, taken) = custom::registry(&self.defined, served);
        taken
            .iter()
            .for_each(|taken| tracing::warn!("{taken}; it is left out"));
        registry
    }

    /// The servers that have tools of their own.
    pub fn servers(&self) -> Vec<McpServer> {
        self.defined
            .iter()
            .filter_map(McpServer::from_definition)
            .collect()
    }

    /// The folder below which tools have folders of their own.
    pub fn workspace(&self) -> Arc<Path> {
        self.data_dir.join("tools").into()
    }

    /// Every model that is asked for anything.
    pub fn model_set(&self) -> ModelSet {
        let used = self.used_models();
        let further = self
            .models
            .iter()
            .filter(|(name, _)| used.contains(name.as_str()));
        ModelSet {
            first: self.model.clone(),
            further: further
                .map(|(name, model)| (name.clone(), model.clone()))
                .collect(),
            roles: self.roles.clone(),
        }
    }

    /// The names of the further models that a role, a guild or a channel asks for: by the host's name for it, or by that of
    /// its server.
    pub(crate) fn used_models(&self) -> BTreeSet<&str> {
        let of_roles = self
            .roles
            .entries()
            .into_iter()
            .flat_map(|(_, names)| names)
            .map(String::as_str);
        let layers = || {
            self.guild
                .values()
                .chain(self.channel.values())
                .filter_map(|layer| layer.model.as_deref())
        };
        let named = || {
            layers().chain(
                self.profiles
                    .values()
                    .filter_map(|profile| profile.model.as_deref()),
            )
        };
        let by_server = self
            .models
            .iter()
            .filter(|(_, model)| named().any(|name| name == model.name));
        of_roles
            .chain(named())
            .chain(by_server.map(|(name, _)| name.as_str()))
            .collect()
    }

    /// One line for people: who, where, which model and at what cost.
    pub fn summary(&self) -> LocalizedMessage {
        let model = match self.model.name.as_str() {
            "" => cli::any_model(),
            name => name.to_owned().into(),
        };
        let name = self.find_persona(None).name.clone();
        let tokens = self.budget.daily_tokens.to_string();
        if self.discord.token.is_empty() {
            let address = format!("http://{}", self.room.listen);
            cli::summary_in_room(address, model, name, tokens)
        } else {
            cli::summary_on_discord(model, name, tokens)
        }
    }
}
