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
    pub(super) async fn settings_changed(&mut self, changed: Result<Settings, Vec<SettingProblem>>) {
        match changed {
            Err(problems) => {
                for problem in problems {
                    tracing::error!("{problem}");
                    self.tell(LiveEvent::Notice { text: problem.to_string() });
                }
                tracing::warn!("the settings stay as they were");
            }
            Ok(fresh) => {
                for problem in Arc::make_mut(&mut self.prompts).reload(fresh.prompts_dir.as_deref()) {
                    tracing::error!("{problem}; the last good prompts stay");
                    self.tell(LiveEvent::Notice { text: problem.to_string() });
                }
                let restart = fresh.needs_restart(&self.settings);
                if !restart.is_empty() {
                    let text = format!("{}: counts after a restart of kith.", restart.join(", "));
                    tracing::warn!("{text}");
                    self.tell(LiveEvent::Notice { text });
                }
                let tools_changed =
                    fresh.defined != self.settings.defined || fresh.known_secrets != self.settings.known_secrets;
                let model_changed = fresh.model_set() != self.settings.model_set();
                self.budget.set(fresh.budget.clone());
                self.permissions = Arc::new(fresh.tool.clone());
                if fresh.web != self.settings.web {
                    self.web = Arc::new(kith_tools::WebClient::new(fresh.web.clone()));
                }
                self.settings = fresh;
                self.know_secrets();
                if tools_changed {
                    self.tools_anew();
                }
                if model_changed {
                    let model_set = self.settings.model_set();
                    let inner = self.inner.clone();
                    tokio::spawn(async move {
                        let chosen = kith_model::resolve_all(&model_set).await;
                        let _ = inner.send(LoopMessage::Chosen(Box::new(chosen), None)).await;
                    });
                }
                self.look_at_budget(clock::now());
                match self.away {
                    Some(_) => self.follow_settings().await,
                    None => self.resettle(),
                }
                tracing::info!("settings, personas and prompts were read again");
            }
        }
    }

    /// Tells the core the settings of every channel as they are now.
    pub(super) fn resettle(&mut self) {
        let known: Vec<Channel> = self.core.lanes().map(|lane| lane.channel.clone()).collect();
        known.into_iter().for_each(|channel| self.settle(channel));
    }

    pub(super) fn settle(&mut self, channel: Channel) {
        let policy = Arc::new(self.policy(&channel));
        self.tell(LiveEvent::Channel(room_members::room_channel(&channel, &policy)));
        let id = channel.id;
        self.handle(Event::ChannelSeen { channel, policy });
        self.settled(id);
        self.session_there(id);
    }

    /// The settings of a channel, with its tools and with prompts no larger than the model can hold.
    pub(super) fn policy(&self, channel: &Channel) -> ChannelPolicy {
        let here = self.here(channel);
        let mut policy = self.settings.policy(channel, &self.by_hand, &here);
        policy.mode = self.at_most(channel, policy.mode);
        policy.own_templates = self.prompts.own_templates();
        let language = policy.persona.language;
        let sheet = self.sheet(channel.id);
        if let Some(sheet) = sheet {
            sheet.over(&mut policy);
        }
        policy.tools = match sheet.and_then(|sheet| sheet.tools.as_deref()) {
            Some(listed) => self.settings.tools_of(listed, channel, &self.registry, language),
            None => self.settings.allowed_tools(channel, &self.registry, language),
        };
        policy.known_skills = self.settings.known_skills.specs(policy.skills.as_deref(), language);
        policy.tools = self.registry.with_skills(policy.tools, &policy.known_skills, language);
        if self.away.is_some() && !policy.moderation.actions.is_empty() {
            let deeds = kith_tools::moderation(&policy.moderation.actions, language);
            policy.tools = policy.tools.iter().chain(deeds.iter()).cloned().collect();
        }
        let model = policy.model.as_deref().map_or_else(|| self.chosen.model.clone(), |name| self.chosen.named(name));
        // An answer's limit above half of the context is a limit, not a wish.
        let limit = model.context_tokens().map(|context| context - model.max_tokens().min(context / 2));
        let limit = limit.map(|limit| limit.saturating_sub(model.image_room()));
        policy.context = self.settings.context_budget(limit);
        policy
    }

    /// The mode of a channel, as in its settings: asked of every channel there is.
    pub(super) fn mode(&self, channel: &Channel) -> ChannelMode {
        self.at_most(channel, self.settings.mode(channel, &self.by_hand, &self.here(channel)))
    }

    fn here(&self, channel: &Channel) -> ChannelFacts {
        match &self.away {
            Some(away) => away.here(channel, self.settings.discord.direct_messages),
            None => ChannelFacts { only_speakers: true, ..ChannelFacts::default() },
        }
    }

    /// A mode within what is possible on Discord just now.
    fn at_most(&self, channel: &Channel, mode: ChannelMode) -> ChannelMode {
        match &self.away {
            None => mode,
            Some(_) if self.is_log_channel(channel.id) => ChannelMode::Off,
            // The stand-in is a toy for the room; in front of a whole server it would be taken for the companion. Until
            // it is known which model answers, calls wait for it.
            Some(_) if self.chosen.model.is_stand_in() && self.held.is_none() => mode.min(ChannelMode::Observe),
            Some(_) => mode,
        }
    }

    /// The companion as the author of its lines in a channel.
    pub(super) fn own(&self, channel: ChannelId) -> Author {
        let named = self.core.lane(channel).map(|lane| lane.policy().persona.name.clone());
        let name = named.unwrap_or_else(|| self.settings.shipped.name.clone());
        Author { id: self.me, name: name.into(), kind: AuthorKind::Companion }
    }
}
