//! The settings as they hold in each channel, and what happens when they change.

use std::sync::Arc;

use super::loop_message::LoopMessage;
use super::model_event::ModelChoiceEvent;
use super::room::to_room_channel;
use super::state::Daemon;
use crate::settings::{ChannelFacts, SettingProblem, Settings};
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId};
use kith_core::event::Event;
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_room::LiveEvent;
use kith_system::clock;

impl Daemon {
    /// Takes over settings that were read again; answers whether they hold now, and are to be told to every channel.
    pub(super) fn apply_settings(
        &mut self,
        changed: Result<Settings, Vec<SettingProblem>>,
    ) -> bool {
        match changed {
            Err(problems) => {
                for problem in problems {
                    tracing::error!("{problem}");
                    self.send_live_event(LiveEvent::Notice {
                        text: problem.to_string(),
                    });
                }
                tracing::warn!("the settings stay as they were");
                false
            }
            Ok(fresh) => {
                for problem in Arc::make_mut(&mut self.prompts).reload(fresh.prompts_dir.as_deref())
                {
                    tracing::error!("{problem}; the last good prompts stay");
                    self.send_live_event(LiveEvent::Notice {
                        text: problem.to_string(),
                    });
                }
                let restart = fresh.find_restart_changes(&self.settings);
                if !restart.is_empty() {
                    let text = format!("{}: counts after a restart of kith.", restart.join(", "));
                    tracing::warn!("{text}");
                    self.send_live_event(LiveEvent::Notice { text });
                }
                let model_changed = fresh.model_set() != self.settings.model_set();
                self.model_calls.set_budget(fresh.budget.clone());
                self.tools.apply_settings(&fresh, &self.settings);
                self.settings = fresh;
                self.register_secrets();
                if model_changed {
                    let model_set = self.settings.model_set();
                    let loop_sender = self.loop_sender.clone();
                    tokio::spawn(async move {
                        let selection = kith_model::resolve_all(&model_set).await;
                        let _ = loop_sender
                            .send(LoopMessage::Model(Box::new(ModelChoiceEvent::Chosen(
                                selection, None,
                            ))))
                            .await;
                    });
                }
                self.update_budget_state(clock::now());
                true
            }
        }
    }

    /// Tells the core the settings of every channel as they are now.
    pub(super) fn reapply_policies(&mut self) {
        let known: Vec<Channel> = self
            .core
            .channel_states()
            .map(|channel_state| channel_state.channel.clone())
            .collect();
        known
            .into_iter()
            .for_each(|channel| self.apply_policy(channel));
    }

    pub(super) fn apply_policy(&mut self, channel: Channel) {
        let policy = Arc::new(self.resolve_policy(&channel));
        self.send_live_event(LiveEvent::Channel(to_room_channel(&channel, &policy)));
        let id = channel.id;
        self.handle_event(Event::ChannelSeen { channel, policy });
        self.record_current_mode(id);
        self.start_tool_session(id);
    }

    /// The settings of a channel, with its tools and with prompts no larger than the model can hold.
    pub(super) fn resolve_policy(&self, channel: &Channel) -> ChannelPolicy {
        let here = self.find_channel_facts(channel);
        let mut policy = self
            .settings
            .resolve_policy(channel, &self.manual_overrides, &here);
        policy.mode = self.limit_mode(channel, policy.mode);
        policy.own_templates = self.prompts.own_templates();
        let language = policy.persona.language;
        let sheet = self.session_config(channel.id);
        if let Some(sheet) = sheet {
            sheet.apply_to_policy(&mut policy);
        }
        policy.tools = match sheet.and_then(|sheet| sheet.tools.as_deref()) {
            Some(listed) => {
                self.settings
                    .select_tools(listed, channel, &self.tools.registry, language)
            }
            None => self
                .settings
                .resolve_tools(channel, &self.tools.registry, language),
        };
        policy.known_skills = self
            .settings
            .known_skills
            .select_specs(policy.skills.as_deref(), language);
        policy.tools =
            self.tools
                .registry
                .add_skill_tools(policy.tools, &policy.known_skills, language);
        if self.platform.abilities().moderation && !policy.moderation.actions.is_empty() {
            let moderation_tools =
                kith_tools::build_moderation_specs(&policy.moderation.actions, language);
            policy.tools = policy
                .tools
                .iter()
                .chain(moderation_tools.iter())
                .cloned()
                .collect();
        }
        let selection = self.model_calls.selection();
        let model = policy
            .model
            .as_deref()
            .map_or_else(|| selection.model.clone(), |name| selection.named(name));
        // An answer's limit above half of the context is a limit, not a wish.
        let limit = model
            .context_tokens()
            .map(|context| context - model.max_tokens().min(context / 2));
        let limit = limit.map(|limit| limit.saturating_sub(model.image_token_budget()));
        policy.context = self.settings.compute_context_budget(limit);
        policy
    }

    /// The mode of a channel, as in its settings: asked of every channel there is.
    pub(super) fn resolve_mode(&self, channel: &Channel) -> ChannelMode {
        self.limit_mode(
            channel,
            self.settings.mode(
                channel,
                &self.manual_overrides,
                &self.find_channel_facts(channel),
            ),
        )
    }

    fn find_channel_facts(&self, channel: &Channel) -> ChannelFacts {
        self.platform.channel_facts(channel, &self.settings)
    }

    /// A mode within what is possible just now.
    fn limit_mode(&self, channel: &Channel, mode: ChannelMode) -> ChannelMode {
        if self.is_log_channel(channel.id) {
            ChannelMode::Off
        // Until it is known which model answers, calls wait for it.
        } else if !self.may_model_speak() && self.model_calls.is_model_known() {
            mode.min(ChannelMode::Observe)
        } else {
            mode
        }
    }

    /// Whether the model that was found may answer here.
    pub(super) fn may_model_speak(&self) -> bool {
        self.platform.abilities().demo_model || !self.model_calls.selection().model.is_demo()
    }

    /// What holds in a channel now; off where there is no channel state.
    pub(super) fn current_mode(&self, channel: ChannelId) -> ChannelMode {
        self.core
            .channel_state(channel)
            .map_or(ChannelMode::Off, |channel_state| {
                channel_state.policy().mode
            })
    }

    /// Whether what is said in a channel may be read and kept.
    pub(super) fn is_read(&self, channel: ChannelId) -> bool {
        self.current_mode(channel) != ChannelMode::Off
    }

    /// Tells the platform what holds in a channel.
    pub(super) fn record_current_mode(&mut self, channel: ChannelId) {
        let mode = self.current_mode(channel);
        self.platform.record_mode(channel, mode);
    }

    /// A channel that has a state, or that the platform knows.
    pub(super) fn find_channel(&self, id: ChannelId) -> Option<Channel> {
        let known = self.core.channel_state(id);
        known
            .map(|channel_state| channel_state.channel.clone())
            .or_else(|| self.platform.find_channel(id))
    }

    /// The companion as the author of its lines in a channel.
    pub(super) fn build_own_author(&self, channel: ChannelId) -> Author {
        let named = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.policy().persona.name.clone());
        let name = named.unwrap_or_else(|| self.settings.shipped.name.clone());
        Author {
            id: self.companion_id,
            name: name.into(),
            kind: AuthorKind::Companion,
        }
    }
}
