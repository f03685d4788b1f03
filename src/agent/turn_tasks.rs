//! The tasks of a running turn: asking a model and running a call. Each tells the driver what came of it and can be
//! aborted at any point; it decides nothing.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use kith_core::call::{CallPreview, ToolCall};
use kith_core::chat::{Author, TurnId};
use kith_core::event::TurnEvent;
use kith_model::{ModelCall, ModelEvent};
use kith_tools::{NumberedLines, ToolContext, ToolNewsItem, ToolNewsSender, ToolRegistry};

/// What a task of a turn tells its driver.
#[derive(Debug)]
pub enum TaskReport {
    Event(TurnEvent),
    /// The model holds less than was thought: prompts have to be smaller from now on.
    ContextShrank,
    /// The model is asked the same again after a failure.
    Retry,
    /// Something people should find in the turn's report.
    Note(String),
    ApprovalNeeded(ApprovalCall),
    /// A running tool tells how it is getting on.
    News {
        tool: String,
        item: ToolNewsItem,
    },
}

/// A call of a turn that has to be approved by a person before it runs.
#[derive(Debug)]
pub struct ApprovalCall {
    /// The number to answer with.
    pub call: u32,
    pub what: ToolCall,
    /// Everybody who spoke to the companion in the turn.
    pub causes: Vec<Author>,
    pub lines: NumberedLines,
    /// What is to be approved, or why that cannot be read.
    pub preview: Result<CallPreview, String>,
}

pub type TurnEventSender = mpsc::Sender<(TurnId, TaskReport)>;

/// Sends the pieces and the end of a model call to the turn's driver, as events of call `ask`; settles it at the end.
pub fn forward_answer(
    mut call: ModelCall,
    (turn, ask): (TurnId, u32),
    event_sender: TurnEventSender,
) -> AbortHandle {
    let task = tokio::spawn(async move {
        let mut is_over = false;
        while !is_over {
            let event = call.next_event().await;
            is_over = matches!(event, ModelEvent::End(_));
            let report = match event {
                ModelEvent::Delta(text) => TaskReport::Event(TurnEvent::Delta { ask, text }),
                ModelEvent::ToolDelta(delta) => {
                    TaskReport::Event(TurnEvent::ToolDelta { ask, delta })
                }
                ModelEvent::Reasoning(_) => continue,
                ModelEvent::ContextShrank(_) => TaskReport::ContextShrank,
                ModelEvent::Note(note) => TaskReport::Note(note),
                ModelEvent::Retry => TaskReport::Retry,
                ModelEvent::End(end) => TaskReport::Event(TurnEvent::AnswerEnded { ask, end }),
            };
            // Nobody listens any more when the daemon stops.
            if event_sender.send((turn, report)).await.is_err() {
                return;
            }
        }
    });
    task.abort_handle()
}

/// Waits for `work`. The error is a sentence for the turn's report: it took longer than `limit`, or died.
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
