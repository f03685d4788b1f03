//! What happens to sessions, and the tools that want to be told. Telling never waits and never fails for who tells: each
//! tool hears its events in their order, one after the other, in the background.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinHandle};

use super::command::CommandTool;
use super::defined_tool::DefinedTool;
use super::session_event::SessionEvent;
use crate::ToolContext;

/// How many events may wait for a slow listener; what comes then is dropped. At the start every channel's session is
/// told at once.
const WAITING: usize = 1_024;

#[derive(Default)]
pub struct SessionEventTools(Vec<Listener>);

struct Listener {
    name: String,
    events: Vec<SessionEvent>,
    /// Under which names published data is for it.
    publications: Vec<String>,
    queue: mpsc::Sender<SessionNotice>,
    task: JoinHandle<()>,
}

impl Listener {
    fn has_publication(&self, publication: &str) -> bool {
        self.publications.iter().any(|name| name == publication)
    }
}

struct SessionNotice {
    event: SessionEvent,
    about: Value,
    context: ToolContext,
}

impl SessionEventTools {
    /// Those of these tools that want to be told something. Needs a runtime; ends with what is told so far.
    pub fn from_definitions(defined: &[DefinedTool]) -> Self {
        let listener = |one: &DefinedTool| {
            let command = one.definition.command.clone().filter(|command| {
                !(command.on_session.is_empty() && command.on_publish.is_empty())
            })?;
            let (queue, inbox) = mpsc::channel(WAITING);
            let (name, events) = (one.name.clone(), command.on_session.clone());
            let publications = command.on_publish.clone();
            let task = tokio::spawn(deliver_events(one.clone(), command, inbox));
            Some(Listener {
                name,
                events,
                publications,
                queue,
                task,
            })
        };
        Self(defined.iter().filter_map(listener).collect())
    }

    pub fn has_listener(&self, event: SessionEvent) -> bool {
        self.0
            .iter()
            .any(|listener| listener.events.contains(&event))
    }

    /// Tells those tools of the session that want to know.
    pub fn run_event_tools(&self, event: SessionEvent, about: &Value, context: &ToolContext) {
        let wants = |listener: &Listener| listener.events.contains(&event);
        self.notify(wants, event, about, context);
    }

    pub fn has_publication_listener(&self, name: &str) -> bool {
        self.0.iter().any(|listener| listener.has_publication(name))
    }

    /// Tells those tools of the session that asked for it what another published. What they publish meanwhile goes
    /// nowhere, so that no two tools keep each other busy.
    pub fn run_publication_tools(
        &self,
        tool: &str,
        (name, data): (&str, &Value),
        context: &ToolContext,
    ) {
        let wants = |listener: &Listener| listener.name != tool && listener.has_publication(name);
        let about = json!({ "tool": tool, "name": name, "data": data });
        self.notify(wants, SessionEvent::Published, &about, context);
    }

    fn notify(
        &self,
        wants: impl Fn(&Listener) -> bool,
        event: SessionEvent,
        about: &Value,
        context: &ToolContext,
    ) {
        let has = |name: &str| context.tools.iter().any(|tool| tool.name == name);
        for listener in self.0.iter().filter(|one| wants(one) && has(&one.name)) {
            let notice = SessionNotice {
                event,
                about: about.clone(),
                context: context.clone(),
            };
            if listener.queue.try_send(notice).is_err() {
                tracing::warn!(
                    tool = listener.name,
                    ?event,
                    "a tool is too slow to be told of this"
                );
            }
        }
    }

    /// Waits until all has been told, but no longer than this.
    pub async fn close(self, limit: Duration) {
        let tasks: Vec<JoinHandle<()>> = self.0.into_iter().map(|listener| listener.task).collect();
        let stops: Vec<_> = tasks.iter().map(JoinHandle::abort_handle).collect();
        if tokio::time::timeout(limit, join_all(tasks)).await.is_err() {
            tracing::warn!("some tools were not told of everything before the end");
            stops.iter().for_each(AbortHandle::abort);
        }
    }
}

async fn deliver_events(
    tool: DefinedTool,
    command: CommandTool,
    mut inbox: mpsc::Receiver<SessionNotice>,
) {
    while let Some(SessionNotice {
        event,
        about,
        context,
    }) = inbox.recv().await
    {
        let result = tokio::time::timeout(
            tool.time_out(),
            command.send_event(&tool, event, &about, &context),
        )
        .await;
        let why = match result {
            Ok(result) if !result.is_error => continue,
            Ok(result) => context.redactor.redact(&result.content).into_owned(),
            Err(_) => format!("it took longer than {} s", tool.time_out().as_secs_f32()),
        };
        tracing::warn!(
            tool = tool.name,
            ?event,
            why,
            "a tool that was told of something failed"
        );
    }
}
