//! A server that is a program: started without a shell in an almost empty environment and a folder of its own, heard on
//! its standard output, ended with everything it has started.

use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rmcp::service::RoleClient;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader, ReadBuf};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use super::McpServer;
use crate::ToolSecrets;
use crate::custom::command::{ProgramGuard, create_workspace, launch};
use kith_core::redactor::Redactor;

const LINE_BYTES: usize = 4 << 20;
/// How many bytes it may write in a second before it counts as broken.
pub(super) const BYTES_A_SECOND: usize = 8 << 20;
/// How many lines of its complaints are logged for one run, and how much of each.
const COMPLAINTS: usize = 20;
const COMPLAINT_CHARACTERS: usize = 300;
/// How much is read for one line: so long that no secret is cut in two.
const COMPLAINT_BYTES: u64 = 64 << 10;

pub(super) type McpPipe = AsyncRwTransport<RoleClient, MeteredOutput, ChildStdin>;

/// How many bytes it may still write.
pub(super) type ByteMeter = Arc<AtomicUsize>;

pub(super) fn start_server(
    server: &McpServer,
    root: &Path,
    secrets: &ToolSecrets,
    complaints: &Arc<Mutex<Vec<String>>>,
) -> io::Result<(ProgramGuard, McpPipe, ByteMeter)> {
    let folder = create_workspace(root, &server.name)?;
    // Nothing of it outlives this process, so that its number alone tells it from others.
    let (program, pipes) = launch(&server.mcp.program(), &server.folder, &folder, 0, secrets)?;
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(io::Error::other("it has no pipes"));
    };
    tokio::spawn(log_complaints(
        server.name.clone(),
        stderr,
        Redactor::new(secrets.values()),
        complaints.clone(),
    ));
    let meter = ByteMeter::new(BYTES_A_SECOND.into());
    let read = MeteredOutput {
        stdout,
        meter: meter.clone(),
    };
    Ok((
        program,
        AsyncRwTransport::new(read, stdin).with_max_line_length(LINE_BYTES),
        meter,
    ))
}

/// Logs and keeps the first of what it complains, and reads the rest so that it can go on.
async fn log_complaints(
    name: String,
    stderr: ChildStderr,
    redactor: Redactor,
    kept: Arc<Mutex<Vec<String>>>,
) {
    let mut lines = BufReader::new(stderr);
    let mut line = Vec::new();
    for left in (0..COMPLAINTS).rev() {
        line.clear();
        match (&mut lines)
            .take(COMPLAINT_BYTES)
            .read_until(b'\n', &mut line)
            .await
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = redactor
            .redact(String::from_utf8_lossy(&line).trim())
            .into_owned();
        let text: String = text
            .chars()
            .filter(|c| !c.is_control())
            .take(COMPLAINT_CHARACTERS)
            .collect();
        tracing::info!(server = name, "{text}");
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < COMPLAINTS && !text.is_empty() {
            kept.push(text);
        }
        drop(kept);
        if left == 0 {
            tracing::info!(
                server = name,
                "what it complains from here on is not logged"
            );
        }
    }
    let _ = tokio::io::copy(&mut lines, &mut tokio::io::sink()).await;
}

/// What it writes, as long as that is not too much.
pub(super) struct MeteredOutput {
    stdout: ChildStdout,
    meter: ByteMeter,
}

impl AsyncRead for MeteredOutput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let polled = Pin::new(&mut self.stdout).poll_read(context, into);
        let read = into.filled().len() - before;
        let result = self
            .meter
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(read)
            });
        if result.is_err() {
            return Poll::Ready(Err(io::Error::other(
                "it writes more than anybody can read",
            )));
        }
        polled
    }
}
