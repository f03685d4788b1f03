//! What a running turn can have done beside it, as its tools ask for it.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

use super::sub_agent::SubAgent;
use super::tasks::{Ear, Told};
use crate::core::call::CallResult;
use crate::core::chat::TurnId;
use crate::tools::{Aside, ToolContext};

/// Who does it.
pub struct Beside {
    /// Works on tasks.
    pub agent: SubAgent,
    /// The driver, which sums up.
    pub ear: Ear,
    /// The turn.
    pub turn: TurnId,
}

impl Aside for Beside {
    fn work(&self, task: String, context: ToolContext) -> BoxFuture<'static, CallResult> {
        self.agent.clone().work(task, context).boxed()
    }

    fn compact(&self, _: ToolContext) -> BoxFuture<'static, CallResult> {
        let (ear, turn) = (self.ear.clone(), self.turn);
        async move {
            let (answer, told) = oneshot::channel();
            let stopped = || CallResult::error("kith is stopping");
            match ear.send((turn, Told::Compact(answer))).await {
                Ok(()) => told.await.unwrap_or_else(|_| stopped()),
                Err(_) => stopped(),
            }
        }
        .boxed()
    }
}
