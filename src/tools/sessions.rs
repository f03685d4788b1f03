//! The way from a tool to who opens sessions: the daemon, which alone knows what is open. And the program that says what
//! one begins with.

use kith_language::{LocalizedMessage, tools};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use serde_json::{Map, Value};
use tokio::time::timeout;

use super::ToolContext;
use super::custom::{CommandTool, DefinedTool, ToolDefinition};
use super::tool_host::unsupported_error;
use kith_core::call::ToolResult;
use kith_core::chat::{ChannelId, SessionId};
use kith_core::session::SessionRequest;

/// How long the program may take that says what a session begins with: a turn waits for it.
const CONTEXT_TIME_OUT: Duration = Duration::from_secs(30);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedSession {
    pub id: SessionId,
    pub label: String,
    pub channel: ChannelId,
}

/// What comes of a wish: an error is a sentence for the model.
pub type SessionOpening = BoxFuture<'static, Result<OpenedSession, LocalizedMessage>>;

/// Opens sessions; by default nobody does.
#[derive(Clone, Default)]
pub struct SessionOpener(Option<Arc<dyn Fn(SessionRequest) -> SessionOpening + Send + Sync>>);

impl SessionOpener {
    pub fn from_opener(
        opener: impl Fn(SessionRequest) -> SessionOpening + Send + Sync + 'static,
    ) -> Self {
        Self(Some(Arc::new(opener)))
    }

    pub fn open(&self, request: SessionRequest) -> SessionOpening {
        match &self.0 {
            Some(opener) => opener(request),
            None => std::future::ready(Err(unsupported_error())).boxed(),
        }
    }
}

impl fmt::Debug for SessionOpener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Sessions(open)"
        } else {
            "Sessions(closed)"
        })
    }
}

/// Runs the program of a profile with the lines of a talk, as a program of a tool runs; answers with what it makes of them.
///
/// # Errors
/// Why it made nothing, for the host.
pub async fn run_context_program(
    profile: &str,
    argv: Vec<String>,
    lines: Vec<Value>,
    context: ToolContext,
) -> Result<String, String> {
    let tool = DefinedTool {
        name: format!("profile-{profile}"),
        file: Path::new("").into(),
        line: 1,
        skill: None,
        definition: ToolDefinition::default(),
    };
    let command = CommandTool {
        argv,
        ..CommandTool::default()
    };
    let (language, redactor) = (context.language(), context.redactor.clone());
    let arguments = Map::from_iter([("lines".to_owned(), lines.into())]);
    let running = command.run(&tool, arguments, context);
    let result = timeout(CONTEXT_TIME_OUT, running)
        .await
        .unwrap_or_else(|_| {
            let seconds = CONTEXT_TIME_OUT.as_secs().to_string();
            ToolResult::error(tools::took_too_long(seconds, &tool.name).in_language(language))
        });
    let text = redactor.redact(result.content.trim()).into_owned();
    match result.is_error || result.is_pending {
        true => Err(text),
        false => Ok(text),
    }
}
