//! The tasks of a running turn: asking a model and running a call. Each tells the driver what came of it and can be
//! aborted at any point; it decides nothing.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{Notify, mpsc};
use tokio::task::AbortHandle;

use super::side_budget::ReservationRequest;
use kith_core::call::{CallPreview, ToolCall};
use kith_core::chat::{Author, TurnId};
use kith_core::context::TokenEstimator;
use kith_core::event::TurnEvent;
use kith_core::report::{ModelFailure, TokenUsage};
use kith_model::{CallUsage, Model, ModelEvent, ModelRequest};
use kith_tools::{NumberedLines, ToolContext, ToolNewsItem, ToolNewsSender, ToolRegistry};

/// What a task of a turn tells its driver.
#[derive(Debug)]
pub enum TaskReport {
    /// Something for the turn machine.
    Event(TurnEvent),
    /// The model is, or may be, at work on a call without anything to hand on: it takes tokens all the same.
    Working {
        /// Which model call of the turn.
        ask: u32,
    },
    /// The model holds less than was thought: prompts have to be smaller from now on.
    ContextShrank,
    /// The model is asked the same again after a failure.
    Retry,
    /// Something people should find in the turn's report.
    Note(String),
    /// A call beside the turn's own is to be made.
    ReservationRequested(ReservationRequest),
    /// One is over.
    Settled {
        /// Its number.
        call: u64,
        /// What it took.
        usage: CallUsage,
    },
    /// A call that has to be approved by a person first.
    ApprovalNeeded(ApprovalCall),
    /// A running tool tells how it is getting on.
    News {
        /// Its name.
        tool: String,
        /// What it tells.
        item: ToolNewsItem,
    },
}

/// A call of a turn that has to be approved by a person before it runs.
#[derive(Debug)]
pub struct ApprovalCall {
    /// The number to answer with.
    pub call: u32,
    /// What the model asked for.
    pub what: ToolCall,
    /// Everybody who spoke to the companion in the turn.
    pub causes: Vec<Author>,
    /// The lines it was asked for with.
    pub lines: NumberedLines,
    /// What is to be approved, or why that cannot be read.
    pub preview: Result<CallPreview, String>,
}

/// Where tasks tell what came of them.
pub type TurnEventSender = mpsc::Sender<(TurnId, TaskReport)>;

/// A model call that was made.
#[derive(Debug)]
pub struct ModelCallHandle {
    /// Gives the call up without a word.
    pub task: AbortHandle,
    /// Hangs up: the answer was complete. Then its end comes as if the model had stopped there.
    pub hang_up: Arc<Notify>,
}

/// Asks the model; pieces of the answer and its end come to `ear` as events of the model call of this number in the turn.
/// What it took is estimated where it is hung up on.
pub fn ask_model(
    model: Model,
    request: ModelRequest,
    (turn, ask): (TurnId, u32),
    estimator: TokenEstimator,
    event_sender: TurnEventSender,
) -> ModelCallHandle {
    let hang_up = Arc::new(Notify::new());
    let hung_up = hang_up.clone();
    let task = tokio::spawn(async move {
        let prompt = request.prompt_tokens + request.image_tokens();
        let mut answer = model.ask(request);
        let (mut over, mut written) = (false, String::new());
        while !over {
            let event = tokio::select! {
                event = answer.recv() => event,
                () = hung_up.notified() => {
                    let completion = estimator.estimate_tokens(&written);
                    let usage = TokenUsage { prompt, completion, estimated: true, ..TokenUsage::default() };
                    Some(ModelEvent::End(Ok(usage)))
                }
            };
            let Some(event) = event else { break };
            let report = match event {
                ModelEvent::Delta(text) => {
                    written.push_str(&text);
                    TaskReport::Event(TurnEvent::Delta { ask, text })
                }
                ModelEvent::ToolDelta(delta) => {
                    written.push_str(&delta.to_text());
                    TaskReport::Event(TurnEvent::ToolDelta { ask, delta })
                }
                ModelEvent::Reasoning(_) => TaskReport::Working { ask },
                ModelEvent::ContextShrank(_) => TaskReport::ContextShrank,
                ModelEvent::Note(note) => TaskReport::Note(note),
                ModelEvent::Retry => TaskReport::Retry,
                ModelEvent::End(end) => {
                    over = true;
                    TaskReport::Event(TurnEvent::AnswerEnded { ask, end })
                }
            };
            if event_sender.send((turn, report)).await.is_err() {
                return;
            }
        }
        if !over {
            let message = "the model client stopped without a word; see the log".to_owned();
            let end = Err(ModelFailure {
                message,
                budget: false,
                spent: None,
            });
            // Nobody listens any more when the daemon stops.
            let _ = event_sender.send((turn, TaskReport::Working { ask })).await;
            let _ = event_sender
                .send((turn, TaskReport::Event(TurnEvent::AnswerEnded { ask, end })))
                .await;
        }
    });
    ModelCallHandle {
        task: task.abort_handle(),
        hang_up,
    }
}

/// What `work` comes to, or a sentence that says why it does not: it took longer than `limit`, or died.
///
/// # Errors
/// The sentence, for the report of the turn.
pub async fn run_with_limit<T>(
    limit: Duration,
    what: &str,
    work: impl Future<Output = T>,
) -> Result<T, String> {
    match tokio::time::timeout(limit, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(_)) => Err(format!("{what} failed inside; see the log")),
        Err(_) => Err(format!(
            "{what} took longer than {} s and was given up",
            limit.as_secs()
        )),
    }
}

/// Runs a call; its result comes to `ear` under the number `call`, or that a person has to approve it first.
pub fn run_call(
    registry: &ToolRegistry,
    tool_call: ToolCall,
    context: ToolContext,
    turn: TurnId,
    call: u32,
    event_sender: TurnEventSender,
) -> AbortHandle {
    let (news_sender, tool) = (event_sender.clone(), tool_call.name.clone());
    let news = ToolNewsSender::from_listener(move |item| {
        // What nobody has time to hear is not worth waiting for.
        let _ = news_sender.try_send((
            turn,
            TaskReport::News {
                tool: tool.clone(),
                item,
            },
        ));
    });
    let (causes, lines) = (context.causes.clone(), context.lines.clone());
    let running = registry.run(tool_call.clone(), ToolContext { news, ..context });
    let task = tokio::spawn(async move {
        let result = running.await;
        let report = match result.preview() {
            Some(preview) => TaskReport::ApprovalNeeded(ApprovalCall {
                call,
                what: tool_call,
                causes,
                lines,
                preview,
            }),
            None => TaskReport::Event(TurnEvent::CallDone { call, result }),
        };
        let _ = event_sender.send((turn, report)).await;
    });
    task.abort_handle()
}
