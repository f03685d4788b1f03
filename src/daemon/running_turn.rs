//! What the daemon keeps of a running turn.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::running_calls::RunningCalls;
use super::turn_news::TurnNews;
use kith_core::chat::ChannelId;
use kith_model::{AttachedImage, Model, ModelChain};
use kith_store::StoredPrompt;

pub(super) struct RunningTurn {
    pub channel: ChannelId,
    /// The models that answer this turn to its end, whatever is chosen meanwhile; each where those before it failed.
    pub models: ModelChain,
    pub tasks: Vec<AbortHandle>,
    pub calls: RunningCalls,
    pub prompts: Vec<StoredPrompt>,
    pub call: Option<TurnModelCall>,
    pub notes: Vec<String>,
    /// Pictures its tools answered with, the newest last.
    pub tool_pictures: Vec<AttachedImage>,
    pub news: TurnNews,
    pub is_retrying: bool,
    /// What its calls cost so far, as far as their models have a price.
    pub cost: Option<f64>,
}

/// A model call of a turn that has not told its end.
pub(super) struct TurnModelCall {
    pub ask: u32,
    pub hang_up: Arc<Notify>,
    /// Whether pictures were shown: what they take is only guessed.
    pub with_images: bool,
}

impl RunningTurn {
    pub fn new(channel: ChannelId, models: ModelChain) -> Self {
        Self {
            channel,
            models,
            tasks: Vec::new(),
            calls: RunningCalls::default(),
            prompts: Vec::new(),
            call: None,
            notes: Vec::new(),
            tool_pictures: Vec::new(),
            news: TurnNews::default(),
            is_retrying: false,
            cost: None,
        }
    }

    pub fn model(&self) -> &Model {
        self.models.model()
    }

    /// Whether the model that is asked, or one that stands in for it, can see.
    pub fn may_see(&self) -> bool {
        self.models.remaining().iter().any(Model::can_see_images)
    }

    /// The answer to this model call is complete, whatever is still written.
    pub fn stop_answer(&self, ask: u32) {
        if let Some(call) = self.call.as_ref().filter(|call| call.ask == ask) {
            call.hang_up.notify_one();
        }
    }

    pub fn add_cost(&mut self, cost: f64) {
        *self.cost.get_or_insert(0.0) += cost;
    }
}

impl Drop for RunningTurn {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}
