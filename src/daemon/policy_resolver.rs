//! The settings as they hold in each channel, and what happens when they change.

use std::sync::Arc;

use super::{Daemon, LoopMessage, room_members};
use crate::settings::{ChannelFacts, SettingProblem, Settings};
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId};
use kith_core::event::Event;
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_room::LiveEvent;
use kith_system::clock;

impl Daemon {
    pub(super) async fn apply_settings(&mut self, changed: Result<Settings, Vec<SettingProblem>>) {
        match changed {
            Err(problems) => {
                for problem in problems {
                    tracing::error!("{problem}");
                    self.send_live_event(LiveEvent::Notice {
                        text: problem.to_string(),
                    });
                }
                tracing::warn!("the settings stay as they were");
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
                let tools_changed = fresh.defined != self.settings.defined
                    || fresh.known_secrets != self.settings.known_secrets;
                let model_changed = fresh.model_set() != self.settings.model_set();
                self.model_calls.set_budget(fresh.budget.clone());
                self.permissions = Arc::new(fresh.tool.clone());
                if fresh.web != self.settings.web {
                    self.web = Arc::new(kith_tools::WebClient::new(fresh.web.clone()));
                }
                self.settings = fresh;
                self.register_secrets();
                if tools_changed {
                    self.reload_tools();
                }
                if model_changed {
                    let model_set = self.settings.model_set();
                    let loop_sender = self.loop_sender.clone();
                    tokio::spawn(async move {
                        let selection = kith_model::resolve_all(&model_set).await;
                        let _ = loop_sender
                            .send(LoopMessage::ModelChosen(Box::new(selection), None))
                            .await;
                    });
                }
                self.update_budget_state(clock::now());
                match self.away {
                    Some(_) => self.apply_discord_settings().await,
                    None => self.reapply_policies(),
                }
                tracing::info!("settings, personas and prompts were read again");
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
        self.send_live_event(LiveEvent::Channel(room_members::to_room_channel(
            &channel, &policy,
        )));
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
            Some(listed) => self
                .settings
                .select_tools(listed, channel, &self.registry, language),
            None => self
                .settings
                .resolve_tools(channel, &self.registry, language),
        };
        policy.known_skills = self
            .settings
            .known_skills
            .select_specs(policy.skills.as_deref(), language);
        policy.tools = self
            .registry
            .add_skill_tools(policy.tools, &policy.known_skills, language);
        if self.away.is_some() && !policy.moderation.actions.is_empty() {
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
        match &self.away {
            Some(platform) => {
                platform.build_channel_facts(channel, self.settings.discord.direct_messages)
            }
            None => ChannelFacts {
                only_speakers: true,
                ..ChannelFacts::default()
            },
        }
    }

    /// A mode within what is possible on Discord just now.
    fn limit_mode(&self, channel: &Channel, mode: ChannelMode) -> ChannelMode {
        match &self.away {
            None => mode,
            Some(_) if self.is_log_channel(channel.id) => ChannelMode::Off,
            // The stand-in is a toy for the room; in front of a whole server it would be taken for the companion. Until
            // it is known which model answers, calls wait for it.
            Some(_) if self.answers_with_demo() => mode.min(ChannelMode::Observe),
            Some(_) => mode,
        }
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
