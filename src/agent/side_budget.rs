//! Where model calls beside a turn's own are paid: each is promised to the driver's budget before it is made, and told
//! what it took when it is over. One that is dropped half-way is settled by the driver, as all that was promised.

use tokio::sync::oneshot;

use super::tasks::{TaskReport, TurnEventSender};
use kith_core::chat::TurnId;
use kith_core::report::ModelFailure;
use kith_model::{CallUsage, Model, ModelFunction};

/// A call that is about to be made beside a turn.
#[derive(Debug)]
pub struct ReservationRequest {
    /// Who is asked.
    pub model: Model,
    /// What for.
    pub function: ModelFunction,
    /// The prompt, in estimated tokens.
    pub prompt_tokens: u32,
    /// Who waits for leave, with its number.
    pub answer: oneshot::Sender<Result<u64, ModelFailure>>,
}

/// Where calls of one function beside a turn are paid.
#[derive(Clone, Debug)]
pub struct SideBudget {
    event_sender: TurnEventSender,
    turn: TurnId,
    function: ModelFunction,
}

impl SideBudget {
    /// The driver that hears `ear` pays for calls of a turn.
    pub fn new(event_sender: TurnEventSender, turn: TurnId, function: ModelFunction) -> Self {
        Self {
            event_sender,
            turn,
            function,
        }
    }

    /// Asks for leave to make a call, and answers with its number.
    ///
    /// # Errors
    /// The budget does not allow it, or the driver has stopped.
    pub async fn open(&self, model: &Model, prompt_tokens: u32) -> Result<u64, ModelFailure> {
        let (answer, reply) = oneshot::channel();
        let request = ReservationRequest {
            model: model.clone(),
            function: self.function,
            prompt_tokens,
            answer,
        };
        let stopped = || ModelFailure {
            message: "kith is stopping".into(),
            ..ModelFailure::default()
        };
        self.event_sender
            .send((self.turn, TaskReport::ReservationRequested(request)))
            .await
            .map_err(|_| stopped())?;
        reply.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// The call is over.
    pub async fn settle(&self, call: u64, usage: CallUsage) {
        // Nobody counts any more when the driver stops: it has counted all that was promised.
        let _ = self
            .event_sender
            .send((self.turn, TaskReport::Settled { call, usage }))
            .await;
    }
}
