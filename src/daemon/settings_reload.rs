//! What happens when settings were read again: prompts, budget, tools and the model follow, and every channel is told.

use std::sync::Arc;

use super::loop_message::LoopMessage;
use super::model_event::ModelChoiceEvent;
use super::state::Daemon;
use crate::settings::{SettingProblem, Settings};
use kith_core::chat::Channel;
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
                if fresh.budget != self.settings.budget {
                    self.embedding.retry_unpaid(clock::now());
                }
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
}
