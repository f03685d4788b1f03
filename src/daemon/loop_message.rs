//! What the daemon's own tasks tell the loop, and how tools have something done by it.

use tokio::sync::{mpsc, oneshot};

use super::approvals::event::ApprovalNews;
use super::deliveries::stored_action::DeliveryEvent;
use super::pictures::FileHash;
use super::{compaction, models, reply, sessions, summaries, summarizer, vision};
use kith_agent::describe::PictureDescription;
use kith_core::RenderInputs;
use kith_core::bilingual::{Bilingual, bilingual};
use kith_core::chat::{ChannelId, TurnId};
use kith_core::outgoing::MessageEnclosure;
use kith_model::ModelSelection;
use kith_store::StoreError;
use kith_tools::{Authorization, ReminderRequest};

/// What the daemon's own tasks tell it.
pub(super) enum LoopMessage {
    /// What a round's prompt needs from the store is there.
    InputsGathered {
        turn: TurnId,
        channel: ChannelId,
        ask: u32,
        inputs: Result<(RenderInputs, vision::FetchedPictures), String>,
    },
    /// Pictures were looked at for a round.
    PicturesDescribed {
        looked: Vec<(FileHash, PictureDescription)>,
        waiting: Box<vision::PictureWait>,
    },
    /// Who was asked whether to speak answered, or did not.
    JudgeAnswered {
        name: String,
        speaks: Result<bool, String>,
        waiting: Box<vision::PictureWait>,
    },
    /// News of visible actions on their way out.
    Delivery(DeliveryEvent),
    /// A tool wants something done.
    Command(ChannelId, LoopCommand, oneshot::Sender<LoopCommandResult>),
    /// The model that was still looked for when the page opened.
    ModelFound(Box<ModelSelection>),
    /// Another model was chosen, by the settings or by somebody who waits for the answer.
    ModelChosen(Box<ModelSelection>, Option<reply::RequestReply>),
    /// A model was tested for somebody who waits for the answer.
    ModelTested(models::ModelTestResult),
    /// What came of something that waits for a decision.
    ApprovalNews(Box<ApprovalNews>),
    /// A turn asks for a session.
    SessionRequested(Box<sessions::RequestedSession>),
    /// The channel of a session is there, or could not be opened.
    SessionChannelOpened(Box<sessions::SessionChannelResult>),
    /// A prompt wants to begin with a summary.
    SummaryRequested(Box<summaries::SummaryRequest>),
    /// What is missing in a channel's summary.
    UnsummarizedSpanRead(Box<compaction::UnsummarizedSpan>),
    /// It was summed up, or not.
    SummaryFinished(Box<summarizer::SummaryResult>),
    /// The database is damaged.
    DatabaseDamaged(StoreError),
}

/// Something to be done.
pub(super) enum LoopCommand {
    /// Post this in the place of words.
    Post(Authorization, MessageEnclosure),
    /// Say this in a thread that was just opened: its first words, which are said once.
    PostOpening(String),
    /// Give this reminder.
    Remind(Authorization, ReminderRequest),
    /// Sum up what was said.
    Compact(Authorization),
}

/// What came of it; the error is a sentence for the model.
pub(super) type LoopCommandResult = Result<(), Bilingual>;

/// The way of tools to the loop. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct LoopCommandSender(mpsc::Sender<LoopMessage>);

impl LoopCommandSender {
    pub fn new(loop_sender: mpsc::Sender<LoopMessage>) -> Self {
        Self(loop_sender)
    }

    /// Has something done in a channel, and waits until it is.
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
    let stopping = || bilingual!("kith is being stopped", "程序正在停止");
    let (answer, result) = oneshot::channel();
    sender
        .send(build_message(answer))
        .await
        .map_err(|_| stopping())?;
    result.await.unwrap_or_else(|_| Err(stopping()))
}
