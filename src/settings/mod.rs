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

pub use self::channel_settings::ChannelFacts;
pub use self::environment::read_environment;
pub use self::keep_model::{SavedModel, keep_model};
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
pub use self::secrets::{find_hidden_parts, find_password};
pub use self::setting_errors::{find_nearest, is_secret_path};
pub use self::tables::{
    ConsoleSettings, ListenAddress, LogLevel, LogSettings, MetricsSettings, RoomSettings,
    SecretSource, SessionSettings, SettingsOverride, StoreSettings, TaskSettings, TurnSettings,
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
use kith_core::setting::{SettingData, SettingField, SettingRule, SettingType, SettingValue};
use kith_core::setting_table;
use kith_core::talkativeness::{self, Talkativeness};
use kith_discord::DiscordSettings;
use kith_language::{LocalizedMessage, cli};
use kith_model::{BudgetSettings, ModelProfile, ModelRoles, ModelSet, ModelSettings};
use kith_tools::custom::mcp::McpServer;
use kith_tools::custom::{self, DefinedTool};
use kith_tools::skills::Skills;
use kith_tools::{DEFAULT_TOOLS, Tool, ToolPermission, ToolRegistry, ToolSecrets, WebSettings};

setting_table! {
    /// Everything that can be set in `kith.toml`; here what belongs to no table of its own.
    pub struct Settings {
        /// The folder of the database. Created where it is missing; holds everything that must survive. Other users of the
        /// machine cannot open what is in it.
        #[setting(Folder, Restart)]
        pub data_dir: PathBuf = "data".into(),
        /// The persona file: who the companion is. Not set: the shipped persona in `language`.
        #[setting(PersonaFile, Example("\"persona/juno.toml\""))]
        pub persona: Option<PathBuf>,
        /// The language of the page, of messages and of the shipped persona: `"en"` or `"zh"`. Not set: Chinese where the
        /// machine's locale is Chinese, else English.
        #[setting(Example("\"en\""))]
        pub language: Option<Language>,
        /// A folder of prompt templates that replace the embedded ones of the same name.
        #[setting(Folder, Example("\"prompts\""))]
        pub prompts_dir: Option<PathBuf>,
        /// How much it speaks unasked, where the persona does not say. At 0.3 it may say one line for three of the median
        /// member's, and falls silent after three in a row that nobody took up (docs/TALKATIVENESS.md has the formula).
        #[setting(Wanted(talkativeness::WANTED))]
        pub talkativeness: Talkativeness = ChannelPolicy::default().talkativeness,
        /// From which likeness to its own recent lines a line is held back as a repetition. 0.9 lets a running joke pass and
        /// stops a loop.
        #[setting(Range(0.1, 2.0), Wanted("a number from 0.1 to 1, or 2 to switch it off"))]
        pub near_duplicate: f32 = ChannelPolicy::default().near_duplicate,
        /// The tools and actions it has, by name. `"default"` stands for send_message, react, stay_silent, get_time, recall,
        /// core memory and wait_for. Others are offered only where they are named, for each costs tokens in every prompt:
        /// channel_history, server_info, list_emoji, calculate, roll_dice, random_choice, web_fetch, web_search, member_info,
        /// edit_message, delete_own_message, create_thread, create_poll, send_sticker, set_status, remind, list_files,
        /// read_file, write_file, delete_file (docs/TOOLS.md), create_session (docs/SESSIONS.md), todo, task, compact
        /// (docs/SKILLS.md).
        #[setting(ToolNames)]
        pub tools: Vec<String> = vec![DEFAULT_TOOLS.to_owned()],
        /// Files and folders that define tools of your own, such as `"tools"` or `"~/more/weather.toml"` (docs/TOOLS.md); of a
        /// folder every file in it that ends in .toml. They are read again when they change. What they define is part of
        /// `"default"`, unless a definition says `optional`.
        pub tool_paths: Vec<PathBuf>,
        /// Which of those definitions are hooks that hold, in this order: programs or requests that look at what is about to
        /// be said and at what tools answer, and may change or refuse it (docs/TOOLS.md). None by itself. A guild and a
        /// channel can have a list of their own, which stands in the place of this one.
        #[setting(HookNames)]
        pub hooks: Vec<String>,
        /// Folders of skills: each folder in one of them that holds a SKILL.md is a skill (docs/SKILLS.md). Read again when a
        /// file in them changes.
        #[setting(Folder)]
        pub skill_paths: Vec<PathBuf>,
        /// The skills it has, by name. Not set: all in `skill_paths`; `[]` for none. Two ship with kith and are there where
        /// they are named: `"movie-night"` runs a vote on what to watch, `"catch-up"` tells somebody what they missed. A
        /// guild, a channel and a persona file can have a list of their own, which stands in the place of this one.
        #[setting(SkillNames, Example("[\"movie-night\", \"catch-up\"]"))]
        pub skills: Option<Vec<String>>,
        /// Whether it may talk like an assistant. Without it, "Great question!" and "let me know if you need anything else"
        /// are left out of its messages, and what was nothing else is asked for once in other words. `true` is for a persona
        /// that is one: a help desk, a librarian.
        pub assistant_phrases: bool,
        /// The hours in which it says nothing unasked; who speaks to it is still answered. Without a time zone the clock of
        /// the persona's schedule counts, else the machine's. Not set, so that nobody wonders why it is silent at night.
        #[setting(Example("\"23:00-08:00 Europe/Berlin\""))]
        pub quiet_hours: Option<DailyHours>,
        pub room: RoomSettings,
        pub console: ConsoleSettings,
        pub discord: DiscordSettings,
        pub model: ModelSettings,
        /// A further model, by a name of your own: all settings of `[model]` but `protocol`, `profile` and `layout`, which the
        /// prompt is written for. Nothing of `[model]` goes along to it: neither address nor key.
        pub models: BTreeMap<String, ModelSettings>,
        pub roles: ModelRoles,
        pub heartbeat: HeartbeatSettings,
        pub turn: TurnSettings,
        pub task: TaskSettings,
        pub pacing: PacingSettings,
        pub context: ContextBudget,
        pub initiative: InitiativeSettings,
        pub reactions: SmallReactions,
        pub budget: BudgetSettings,
        pub sessions: SessionSettings,
        pub profiles: BTreeMap<String, session::SessionProfile>,
        pub store: StoreSettings,
        pub log: LogSettings,
        pub metrics: MetricsSettings,
        pub tool: BTreeMap<String, ToolPermission>,
        /// What tools of your own need and nobody may see, by names of your own.
        pub secrets: BTreeMap<String, SecretSource>,
        pub web: WebSettings,
        /// The personas that moderators can choose with /kith persona: the name they see, and the file. None are offered by
        /// default: who the companion is, is the host's to say.
        #[setting(PersonaFile)]
        pub personas: BTreeMap<String, PathBuf>,
        pub guild: BTreeMap<String, SettingsOverride>,
        pub channel: BTreeMap<String, SettingsOverride>,
    }
    filled {
        /// The persona files named anywhere above, read.
        pub persona_files: HashMap<PathBuf, Arc<Persona>>,
        /// The persona where no file is named.
        pub shipped: Arc<Persona>,
        /// The secrets that `secrets` names, read.
        pub known_secrets: Arc<ToolSecrets>,
        /// The tools that `tool_paths` defines, read.
        pub defined: Arc<[DefinedTool]>,
        /// The skills that ship with Kith and those in `skill_paths`, read.
        pub known_skills: Arc<Skills>,
        /// Where each of them comes from that is no default.
        pub origins: SettingOrigins,
        /// What works but is probably not meant.
        pub warnings: Vec<SettingProblem>,
    }
}

impl Settings {
    /// Every single value that is set, in the order they are declared in.
    pub fn values(&self) -> Vec<SettingValue<'_>> {
        let mut values = Vec::new();
        self.walk("", &SettingField::ROOT, &mut |value| values.push(value));
        values
    }

    /// What differs in guilds and channels, with the path of its table.
    pub(crate) fn overrides(&self) -> impl Iterator<Item = (String, &SettingsOverride)> {
        let guilds = self.guild.iter().map(|layer| ("guild", layer));
        let channels = self.channel.iter().map(|layer| ("channel", layer));
        let layers = guilds.chain(channels);
        layers.map(|(table, (id, layer))| (format!("{table}.{id}"), layer))
    }

    /// The most turns at the same time, over all channels.
    pub fn turns_in_flight(&self) -> u32 {
        match self.model.profile {
            ModelProfile::Normal => self.turn.in_flight,
            ModelProfile::Small => 1,
        }
    }

    /// The settings that differ from `old` and count only after a restart.
    pub fn find_restart_changes(&self, old: &Settings) -> Vec<String> {
        let [new, before] = [self, old].map(Settings::collect_restart_values);
        let mut changed = Vec::new();
        Self::SHAPE.list("", &mut |path, _| {
            // Of these two a restart takes over only a part.
            let counts_now = match path.as_str() {
                "discord.direct_messages" => {
                    self.discord.has_direct_messages() == old.discord.has_direct_messages()
                }
                "model.profile" => self.turns_in_flight() == old.turns_in_flight(),
                _ => false,
            };
            if new.get(&path) != before.get(&path) && !counts_now {
                changed.push(path);
            }
        });
        changed
    }

    /// What counts only after a restart, by path. It holds secrets.
    fn collect_restart_values(&self) -> BTreeMap<String, Vec<String>> {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for value in self.values() {
            if value.field.has(SettingRule::Restart) {
                let text = match value.data {
                    SettingData::Secret(secret) => secret.expose().to_owned(),
                    ref data => format!("{data:?}"),
                };
                values
                    .entry(value.list_path().to_owned())
                    .or_default()
                    .push(text);
            }
        }
        values
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
        let named = || {
            let layers = self
                .overrides()
                .filter_map(|(_, layer)| layer.model.as_deref());
            let profiles = self.profiles.values();
            layers.chain(profiles.filter_map(|profile| profile.model.as_deref()))
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
            let address = format!("http://{}", self.room.listen.0);
            cli::summary_in_room(address, model, name, tokens)
        } else {
            cli::summary_on_discord(model, name, tokens)
        }
    }
}
