//! The settings of one channel, its persona and so its language among them: from all layers of files, then what
//! moderators chose by hand, within what the host allows. The daemon adds what only it knows (`daemon/channel_policy.rs`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Settings, SettingsOverride};
use kith_core::call::ToolSpec;
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, Millis};
use kith_core::manual_override::{ManualOverrides, OverrideScope, OverrideValue};
use kith_core::moderation::{ModerationKind, ModerationSettings};
use kith_core::persona::{Language, Persona};
use kith_core::policy::{ChannelMode, ChannelPolicy, ContextBudget, InitiativeSettings};
use kith_core::talkativeness::Talkativeness;
use kith_model::ModelProfile;
use kith_tools::custom::Hooks;
use kith_tools::{ToolRegistry, WEB_SEARCH};

/// The whole prompt of a small model, in tokens.
const SMALL_PROMPT: ContextBudget = ContextBudget {
    prompt_tokens: 1_500,
    history_tokens: 600,
    recall_tokens: 150,
    lore_tokens: 150,
    working_tokens: 250,
};
pub(super) const SMALL_TOOLS: &[&str] = &["send_message", "react", "stay_silent"];

/// What nobody needs who is never woken for it.
const WAITS: &str = "wait_for";

/// What the platform knows of a channel and no setting says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelFacts {
    /// What the companion is called here besides the persona's name and aliases: its nick, the application's name.
    pub names: Vec<String>,
    /// Not everybody in the guild can see it.
    pub hidden: bool,
    pub nsfw: bool,
    /// It is a private thread: not everybody who sees its parent can see it.
    pub private: bool,
    /// Whether the platform lets the companion write here.
    pub may_send: bool,
    pub may_react: bool,
    /// Whether nobody reads along without speaking.
    pub only_speakers: bool,
    /// The mode without settings: on in the room, off in a guild, `discord.direct_messages` in a direct message.
    pub default_mode: ChannelMode,
}

impl Default for ChannelFacts {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            hidden: false,
            nsfw: false,
            private: false,
            may_send: true,
            may_react: true,
            only_speakers: false,
            default_mode: ChannelMode::On,
        }
    }
}

/// How near to a channel something was set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OverrideLevel {
    Own,
    Parent,
    Guild,
}

impl ChannelFacts {
    /// Whether a mode set on this level counts here: a guild's only where everybody in it can read along, a parent's not
    /// in private threads. Off counts always.
    fn should_apply_mode(&self, level: OverrideLevel, mode: ChannelMode) -> bool {
        mode == ChannelMode::Off
            || match level {
                OverrideLevel::Own => true,
                OverrideLevel::Parent => !self.private,
                OverrideLevel::Guild => !self.hidden && !self.nsfw && !self.private,
            }
    }
}

impl Settings {
    /// All settings of one channel. Its tools and known skills are empty: the driver fills them in, as it holds the
    /// registry that [`Settings::resolve_tools`] chooses from.
    pub fn resolve_channel_settings(
        &self,
        channel: &Channel,
        overrides: &ManualOverrides,
        facts: &ChannelFacts,
    ) -> ChannelPolicy {
        let layers = || self.find_layers(channel).map(|(_, layer)| layer);
        let offered = |choice: &OverrideValue| match choice {
            OverrideValue::Persona(name) => self.personas.get(name).map(|file| file.as_path()),
            _ => None,
        };
        let chosen = overrides.find(channel, offered);
        let persona =
            self.find_persona(chosen.or(layers().find_map(|layer| layer.persona.as_deref())));
        let talkativeness = match overrides.find(channel, as_talkativeness) {
            Some(chosen) => chosen.cap_level(self.discord.max_talkativeness),
            None => layers()
                .find_map(|layer| layer.talkativeness)
                .or(persona.talkativeness)
                .unwrap_or(self.talkativeness),
        };
        ChannelPolicy {
            mode: self.mode(channel, overrides, facts),
            talkativeness,
            is_replay: false,
            names: collect_names(&persona, facts),
            persona: persona.clone(),
            heartbeat: self.heartbeat.clone(),
            pacing: self.pacing.clone(),
            rounds: self.turn.rounds,
            protocol: self.model.protocol,
            layout: self.model.layout(),
            tools: Arc::from(Vec::new()),
            context: self.compute_context_budget(None),
            plain_text_is_speech: self.model.profile == ModelProfile::Small,
            small_reactions: self.reactions.clone(),
            is_judged: !self.roles.judge.is_empty(),
            near_duplicate: self.near_duplicate,
            assistant_phrases: self.assistant_phrases,
            initiative: self.resolve_initiative(channel),
            quiet_hours: layers()
                .find_map(|layer| layer.quiet_hours)
                .or(self.quiet_hours),
            paused_until: find_pause_end(channel, overrides),
            may_send: facts.may_send,
            may_react: facts.may_react,
            only_speakers: facts.only_speakers,
            bots: self.discord.bots,
            is_demo: false,
            model: layers()
                .find_map(|layer| layer.model.clone())
                .filter(|name| !name.is_empty()),
            moderation: self.resolve_moderation(channel),
            skills: self.resolve_skills(channel, &persona),
            known_skills: Arc::from(Vec::new()),
            own_templates: Arc::from(Vec::new()),
        }
    }

    /// What it may do in a channel with nobody speaking to it.
    fn resolve_initiative(&self, channel: &Channel) -> InitiativeSettings {
        let layers = || self.find_layers(channel).map(|(_, layer)| layer);
        let general = &self.initiative;
        InitiativeSettings {
            wakes_a_day: layers()
                .find_map(|layer| layer.wakes_a_day)
                .unwrap_or(general.wakes_a_day),
            openings_a_day: layers()
                .find_map(|layer| layer.openings_a_day)
                .unwrap_or(general.openings_a_day),
            ..general.clone()
        }
    }

    /// What it may do about members in a channel. A small model is not trusted with it.
    fn resolve_moderation(&self, channel: &Channel) -> ModerationSettings {
        let set = self
            .find_layers(channel)
            .find_map(|(_, layer)| layer.moderation.clone());
        set.filter(|_| {
            self.model.profile == ModelProfile::Normal && channel.kind != ChannelKind::Direct
        })
        .unwrap_or_default()
    }

    /// What it may do about members anywhere: what is to be asked for when it is invited.
    pub fn moderation_kinds(&self) -> Vec<ModerationKind> {
        let layers = || {
            self.overrides()
                .filter_map(|(_, layer)| layer.moderation.as_ref())
        };
        ModerationKind::ALL
            .into_iter()
            .filter(|kind| layers().any(|set| set.actions.contains(kind)))
            .collect()
    }

    /// The sizes of the prompt's parts: at most `prompt_limit`, the model's own, and what `model.context_tokens` leave.
    pub fn compute_context_budget(&self, prompt_limit: Option<u32>) -> ContextBudget {
        let set = self
            .model
            .context_tokens
            .map(|all| all.saturating_sub(self.model.max_tokens).max(all / 2));
        let limit = prompt_limit.into_iter().chain(set).min();
        let mut budget = self.context.clone();
        if self.model.profile == ModelProfile::Small {
            budget = ContextBudget {
                prompt_tokens: budget.prompt_tokens.min(SMALL_PROMPT.prompt_tokens),
                history_tokens: budget.history_tokens.min(SMALL_PROMPT.history_tokens),
                recall_tokens: budget.recall_tokens.min(SMALL_PROMPT.recall_tokens),
                lore_tokens: budget.lore_tokens.min(SMALL_PROMPT.lore_tokens),
                working_tokens: budget.working_tokens.min(SMALL_PROMPT.working_tokens),
            };
        }
        if let Some(limit) = limit.filter(|limit| *limit < budget.prompt_tokens) {
            let share = |tokens: u32| {
                (u64::from(tokens) * u64::from(limit) / u64::from(budget.prompt_tokens)) as u32
            };
            budget = ContextBudget {
                history_tokens: share(budget.history_tokens),
                recall_tokens: share(budget.recall_tokens),
                lore_tokens: share(budget.lore_tokens),
                working_tokens: share(budget.working_tokens),
                prompt_tokens: limit,
            };
        }
        budget
    }

    /// All settings of a channel for which nobody has set anything, with the tools and skills it would find there.
    pub fn resolve_plain_policy(&self, id: ChannelId, registry: &ToolRegistry) -> ChannelPolicy {
        let channel = build_plain_channel(id);
        let policy =
            self.resolve_channel_settings(&channel, &Default::default(), &Default::default());
        let language = policy.persona.language;
        let known_skills = self
            .known_skills
            .select_specs(policy.skills.as_deref(), language);
        let tools = self.resolve_tools(&channel, registry, language);
        ChannelPolicy {
            tools: registry.add_skill_tools(tools, &known_skills, language),
            known_skills,
            ..policy
        }
    }

    /// What looks at what is said in a channel and at what tools answer there: the nearest list counts.
    pub fn resolve_hooks(&self, channel: &Channel) -> Hooks {
        let listed = self
            .find_layers(channel)
            .find_map(|(_, layer)| layer.hooks.as_deref())
            .unwrap_or(&self.hooks);
        Hooks::from_definitions(listed, &self.defined)
    }

    /// The same of a channel of which nothing is known but its number.
    pub fn resolve_plain_hooks(&self, id: ChannelId) -> Hooks {
        self.resolve_hooks(&build_plain_channel(id))
    }

    /// The tools and actions that the profile and the channel's settings allow.
    pub fn resolve_tools(
        &self,
        channel: &Channel,
        registry: &ToolRegistry,
        language: Language,
    ) -> Arc<[ToolSpec]> {
        let listed = self
            .find_layers(channel)
            .find_map(|(_, layer)| layer.tools.as_deref())
            .unwrap_or(&self.tools);
        self.select_tools(listed, channel, registry, language)
    }

    /// The same of a session's own list.
    pub fn select_tools(
        &self,
        listed: &[String],
        channel: &Channel,
        registry: &ToolRegistry,
        language: Language,
    ) -> Arc<[ToolSpec]> {
        let waits = self.resolve_initiative(channel).wakes_a_day > 0;
        let allowed = |tool: &ToolSpec| {
            (self.model.profile == ModelProfile::Normal
                || SMALL_TOOLS.contains(&tool.name.as_str()))
                && (waits || tool.name != WAITS)
                && (self.web.search.is_some() || tool.name != WEB_SEARCH)
        };
        let chosen = registry
            .select(listed, language)
            .into_iter()
            .filter(allowed);
        chosen.map(|tool| self.with_profiles(tool)).collect()
    }

    /// The tools that are named anywhere: what they take is to be asked for when it is invited.
    pub fn named_tools(&self) -> BTreeSet<String> {
        let layers = self
            .overrides()
            .filter_map(|(_, layer)| layer.tools.as_ref());
        layers.chain([&self.tools]).flatten().cloned().collect()
    }

    /// The nearest list of skills; none where there is no list at all. A small model has no skills.
    fn resolve_skills(&self, channel: &Channel, persona: &Persona) -> Option<Vec<String>> {
        if self.model.profile == ModelProfile::Small {
            return Some(Vec::new());
        }
        let set = self
            .find_layers(channel)
            .find_map(|(_, layer)| layer.skills.as_ref());
        set.or(persona.skills.as_ref())
            .or(self.skills.as_ref())
            .cloned()
    }

    pub fn offered_personas(&self) -> Vec<String> {
        self.personas.keys().cloned().collect()
    }

    /// Who the companion is in a guild, where no channel differs.
    pub fn find_guild_persona(&self, guild: GuildId, overrides: &ManualOverrides) -> Arc<Persona> {
        let chosen = overrides
            .at(OverrideScope::Guild(guild))
            .find_map(|set| match &set.choice {
                OverrideValue::Persona(name) => self.personas.get(name).map(|file| file.as_path()),
                _ => None,
            });
        let of_guild = self
            .guild
            .get(&guild.to_string())
            .and_then(|layer| layer.persona.as_deref());
        self.find_persona(chosen.or(of_guild))
    }

    /// The picture it shows everywhere; in a guild, that of the persona there where it is another than the general one.
    pub fn find_avatar(
        &self,
        guild: Option<GuildId>,
        overrides: &ManualOverrides,
    ) -> Option<PathBuf> {
        let general = self.find_persona(None);
        match guild.map(|guild| self.find_guild_persona(guild, overrides)) {
            None => self
                .discord
                .avatar
                .clone()
                .or_else(|| general.avatar.clone()),
            Some(here) if here == general => None,
            Some(here) => here.avatar.clone(),
        }
    }

    pub fn is_log_channel(&self, channel: ChannelId) -> bool {
        self.guild
            .values()
            .any(|layer| layer.log_channel == Some(channel))
    }

    pub fn find_log_channel(&self, guild: GuildId) -> Option<ChannelId> {
        self.guild.get(&guild.to_string())?.log_channel
    }

    /// The persona of a file that was read with the settings; the general one where none is named.
    pub(super) fn find_persona(&self, named: Option<&Path>) -> Arc<Persona> {
        let file = named.or(self.persona.as_deref());
        file.and_then(|file| self.persona_files.get(file))
            .unwrap_or(&self.shipped)
            .clone()
    }

    /// What differs in a channel, the nearest first: its own, its parent's, its guild's.
    fn find_layers(
        &self,
        channel: &Channel,
    ) -> impl Iterator<Item = (OverrideLevel, &SettingsOverride)> {
        let channels = [
            (OverrideLevel::Own, Some(channel.id)),
            (OverrideLevel::Parent, channel.parent),
        ];
        let of_channels = channels
            .into_iter()
            .filter_map(|(level, id)| Some((level, self.channel.get(&id?.to_string())?)));
        let of_guild = channel
            .guild
            .and_then(|guild| self.guild.get(&guild.to_string()));
        of_channels.chain(of_guild.map(|layer| (OverrideLevel::Guild, layer)))
    }

    /// Off, observe or on: as moderators chose, and where the host locked it never more than the files say.
    pub fn mode(
        &self,
        channel: &Channel,
        overrides: &ManualOverrides,
        facts: &ChannelFacts,
    ) -> ChannelMode {
        let set = self.find_layers(channel).find_map(|(level, layer)| {
            layer
                .mode
                .filter(|mode| facts.should_apply_mode(level, *mode))
        });
        let set = set.unwrap_or(facts.default_mode);
        let chosen = overrides.list_for_channel(channel).find_map(|by_hand| {
            let level = match by_hand.place {
                OverrideScope::Channel(id) if id == channel.id => OverrideLevel::Own,
                OverrideScope::Channel(_) => OverrideLevel::Parent,
                OverrideScope::Guild(_) => OverrideLevel::Guild,
            };
            as_mode(&by_hand.choice).filter(|mode| facts.should_apply_mode(level, *mode))
        });
        let locked = self
            .find_layers(channel)
            .find_map(|(_, layer)| layer.locked)
            .unwrap_or(false);
        match chosen {
            Some(chosen) if locked => chosen.min(set),
            Some(chosen) => chosen,
            None => set,
        }
    }
}

fn build_plain_channel(id: ChannelId) -> Channel {
    Channel {
        id,
        guild: None,
        name: "".into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    }
}

/// Everything it answers to: one identity, under whatever name. What people call it most stands first.
fn collect_names(persona: &Persona, facts: &ChannelFacts) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in std::iter::once(&persona.name)
        .chain(&persona.aliases)
        .chain(&facts.names)
    {
        let known = || {
            names
                .iter()
                .any(|known| known.to_lowercase() == name.to_lowercase())
        };
        if !name.trim().is_empty() && !known() {
            names.push(name.clone());
        }
    }
    names
}

fn as_mode(choice: &OverrideValue) -> Option<ChannelMode> {
    if let OverrideValue::Mode(mode) = choice {
        Some(*mode)
    } else {
        None
    }
}

fn as_talkativeness(choice: &OverrideValue) -> Option<Talkativeness> {
    if let OverrideValue::Talkativeness(value) = choice {
        Some(*value)
    } else {
        None
    }
}

/// The longest pause that holds in a channel. Who ends a pause there ends every one that holds there by then; a pause of
/// its own that is only over by now says nothing about those.
fn find_pause_end(channel: &Channel, overrides: &ManualOverrides) -> Option<Millis> {
    let (mut ended, mut longest) = (Millis::MIN, None);
    for set in overrides.list_for_channel(channel) {
        match set.choice {
            OverrideValue::PausedUntil(until) if until <= set.at => ended = ended.max(set.at),
            OverrideValue::PausedUntil(until) if set.at > ended => {
                longest = longest.max(Some(until))
            }
            _ => {}
        }
    }
    longest
}
