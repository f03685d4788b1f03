//! The policy of a channel: its settings (`settings/channel_settings.rs`) with its session's, its tools, the room in the
//! model's prompt, and the mode that is possible just now.

use std::sync::Arc;

use super::room::to_room_channel;
use super::state::Daemon;
use crate::settings::ChannelFacts;
use kith_core::chat::{Channel, ChannelId};
use kith_core::event::Event;
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_room::LiveEvent;

impl Daemon {
    /// Tells the core, the platform and who watches what holds in a channel now.
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
        let mut policy =
            self.settings
                .resolve_channel_settings(channel, &self.manual_overrides, &here);
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
        policy.is_demo = model.is_demo();
        if policy.is_demo {
            // Who tries it out is not kept waiting for a script that pretends to type.
            policy.pacing.characters_per_second = 0.0;
        }
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

    pub(super) fn may_model_speak(&self) -> bool {
        self.platform.abilities().demo_model || !self.model_calls.selection().model.is_demo()
    }

    pub(super) fn turn_channel_off(&mut self, channel: ChannelId) {
        let Some(state) = self.core.channel_state(channel) else {
            return;
        };
        let mut policy = state.policy().as_ref().clone();
        policy.mode = ChannelMode::Off;
        let event = Event::ChannelSeen {
            channel: state.channel.clone(),
            policy: policy.into(),
        };
        self.handle_event(event);
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

    pub(super) fn record_current_mode(&mut self, channel: ChannelId) {
        let mode = self.current_mode(channel);
        self.platform.record_mode(channel, mode);
    }
}
