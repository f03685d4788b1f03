//! What the daemon's own tasks tell the loop, and how tools have something done by it.

use tokio::sync::{mpsc, oneshot};

use super::approvals::event::ApprovalNews;
use super::console::ConsoleStep;
use super::consolidation_event::ConsolidationProgress;
use super::deliveries::stored_action::DeliveryEvent;
use super::embedding_event::EmbeddingProgress;
use super::model_event::ModelChoiceEvent;
use super::monitoring::MonitoringRequest;
use super::prompt_event::PromptEvent;
use super::sessions::event::SessionOpeningEvent;
use super::summary_event::SummaryEvent;
use kith_core::chat::{ChannelId, TurnId};
use kith_language::{LocalizedMessage, daemon};
use kith_store::{AppendOutcome, StoreError};
use kith_tools::{Authorization, HostCommand};

pub(super) enum LoopMessage {
    Prompt(Box<PromptEvent>),
    Model(Box<ModelChoiceEvent>),
    Summary(Box<SummaryEvent>),
    Consolidation(ConsolidationProgress),
    Embedding(EmbeddingProgress),
    Delivery(DeliveryEvent),
    Approval(Box<ApprovalNews>),
    Session(SessionOpeningEvent),
    Command(ChannelId, LoopCommand, oneshot::Sender<LoopCommandResult>),
    /// This call of this turn has run for long, if it still does.
    SlowCall(TurnId, u32),
    /// The store has read what an answer to the console needs, and the rest is the loop's.
    Console(Box<ConsoleStep>),
    /// Texts that were sent along are erased in the store.
    AttachedErased(AppendOutcome),
    Monitoring(MonitoringRequest),
    DatabaseDamaged(StoreError),
}

pub(super) enum LoopCommand {
    /// What a tool has done, and by whose leave.
    Host(Authorization, HostCommand),
    /// Say this in a thread that was just opened: its first words, which are said once.
    PostOpening(String),
}

/// What came of it; the error is a sentence for the model.
pub(super) type LoopCommandResult = Result<(), LocalizedMessage>;

/// The way of tools to the loop. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct LoopCommandSender(mpsc::Sender<LoopMessage>);

impl LoopCommandSender {
    pub fn new(loop_sender: mpsc::Sender<LoopMessage>) -> Self {
        Self(loop_sender)
    }

    pub async fn run(&self, channel: ChannelId, loop_command: LoopCommand) -> LoopCommandResult {
        run_command(&self.0, |answer| {
            LoopMessage::Command(channel, loop_command, answer)
        })
        .await
    }
}

/// Sends a command with the way back of its answer, and waits for that.
pub(super) async fn run_command<M>(
    sender: &mpsc::Sender<M>,
    build_message: impl FnOnce(oneshot::Sender<LoopCommandResult>) -> M,
) -> LoopCommandResult {
    let (answer, result) = oneshot::channel();
    sender
        .send(build_message(answer))
        .await
        .map_err(|_| daemon::stopping())?;
    result.await.unwrap_or_else(|_| Err(daemon::stopping()))
}
