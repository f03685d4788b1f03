//! One run of a program: started without a shell, fed, listened to while it runs, ended with everything it has started.

use kith_language::{LocalizedMessage, custom_tools};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::mpsc;

use super::log::ProgramLog;
use super::output::ProgramOutput;
use super::process_group::{MARK, ProcessGroup, new_mark};
use super::question::answer_question;
use super::{CommandTool, PATH, resolve_relative_path};
use crate::custom::defined_tool::DefinedTool;
use crate::{ToolContext, ToolSecrets};
use kith_core::call::ToolResult;
use kith_core::chat::Millis;

/// The most bytes a program may print, on each of its outputs.
pub(super) const MOST_PRINTED: usize = 1 << 20;
/// How long what it printed may take to arrive after its end.
const DRAIN: Duration = Duration::from_millis(500);
/// The most characters of a complaint that a result repeats.
const COMPLAINT_CHARACTERS: usize = 300;

/// A program that is still wanted: dropped before its end, it is asked to end.
pub struct ProgramGuard(Option<ProcessGroup>);

impl Drop for ProgramGuard {
    fn drop(&mut self) {
        if let Some(group) = self.0.take() {
            group.terminate();
        }
    }
}

pub(crate) async fn run_program(
    command: &CommandTool,
    tool: &DefinedTool,
    input: Value,
    context: &ToolContext,
) -> ToolResult {
    let name = &tool.name;
    let started = match create_workspace(&context.workspace, name) {
        Ok(folder) => launch(
            command,
            tool.folder(),
            &folder,
            context.now,
            &context.secrets,
        ),
        Err(error) => Err(error),
    };
    let (mut guard, pipes) = match started {
        Ok(started) => started,
        Err(error) => {
            tracing::warn!(tool = name, %error, "a tool's program cannot be started");
            return context.build_error(custom_tools::cannot_run(error.to_string(), name));
        }
    };
    let mut output =
        ProgramOutput::new(context.news.clone(), context.redactor.clone(), command.asks);
    let mut log = ProgramLog::new(context);
    let asking = command.asks.then_some(context);
    let ended =
        communicate_until_exit(&mut guard, pipes, (input, asking), &mut output, &mut log).await;
    let complaint = log.end();
    match ended {
        Ok(status) => {
            let (result, set) = match tool.definition.hook {
                // Its answer has keys of its own.
                Some(_) => (ToolResult::ok(output.into_text()), Map::new()),
                None => output.into_result(name, context.language()),
            };
            if status.success() {
                return store_shared_data(result, set, context).await;
            }
            let code = describe_exit(status);
            tracing::warn!(
                tool = name,
                code,
                complaint = complaint.trim(),
                "a tool's program failed"
            );
            if result.is_error && !result.content.is_empty() {
                return result;
            }
            let why = extract_last_line(&complaint);
            context.build_error(custom_tools::program_failed(code, name, why))
        }
        Err(OutputOverflow) => {
            context.build_error(custom_tools::printed_too_much(MOST_PRINTED >> 10, name))
        }
    }
}

/// Keeps what the tools of this place are to share; what cannot be kept makes the result an error.
async fn store_shared_data(
    result: ToolResult,
    set: Map<String, Value>,
    context: &ToolContext,
) -> ToolResult {
    if set.is_empty() {
        return result;
    }
    // What is shared comes back to programs, and stands open in the store.
    let set = context.redactor.redact_data(set);
    let why = match context
        .store
        .put_tool_data(context.scope().to_string(), set, context.now)
        .await
    {
        Ok(Ok(())) => return result,
        Ok(Err(refused)) => LocalizedMessage::from(refused),
        Err(error) => error.into(),
    };
    context.build_error(custom_tools::not_kept(why))
}

struct OutputOverflow;

/// Feeds and hears the program until it ends, and ends whatever it leaves behind. One that asks does so in a context.
async fn communicate_until_exit(
    guard: &mut ProgramGuard,
    (stdin, stdout, stderr): ProgramPipes,
    (input, asking): (Value, Option<&ToolContext>),
    output: &mut ProgramOutput,
    log: &mut ProgramLog<'_>,
) -> Result<ExitStatus, OutputOverflow> {
    // As long as what it may print.
    let (asked, questions) = mpsc::unbounded_channel();
    let hear = move |piece: &[u8]| {
        for question in output.add_piece(piece) {
            let _ = asked.send(question);
        }
    };
    let mut exchange = Box::pin(async {
        let read_outputs = async {
            tokio::try_join!(
                read_output(stdout, hear),
                read_output(stderr, |piece| log.written.extend(piece))
            )
        };
        tokio::join!(write_input(stdin, input, questions, asking), read_outputs).1
    });
    let mut read_result = None;
    let status = loop {
        let Some(group) = &mut guard.0 else {
            return Err(OutputOverflow);
        };
        tokio::select! {
            all = &mut exchange, if read_result.is_none() => {
                // Whoever floods is not asked twice.
                if all.is_err() {
                    drop(guard.0.take());
                    return Err(OutputOverflow);
                }
                read_result = Some(all);
            }
            status = group.child.wait() => break status,
        }
    };
    // Its children hold its outputs open.
    drop(guard.0.take());
    if read_result.is_none()
        && let Ok(Err(OutputOverflow)) = tokio::time::timeout(DRAIN, exchange).await
    {
        return Err(OutputOverflow);
    }
    // The status is lost only where somebody else has waited for it.
    Ok(status.unwrap_or_default())
}

pub type ProgramPipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

/// Starts a program in a folder of its own. Paths in its arguments begin at `from`; `now` tells this run from others.
pub fn launch(
    command: &CommandTool,
    from: &Path,
    folder: &Path,
    now: Millis,
    secrets: &ToolSecrets,
) -> io::Result<(ProgramGuard, ProgramPipes)> {
    let here = std::path::absolute(from)?;
    let mut argv = command.argv.iter().map(|argument| {
        resolve_relative_path(argument, &here)
            .map_or_else(|| argument.into(), PathBuf::into_os_string)
    });
    let program = argv
        .next()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no program"))?;
    let mark = new_mark(now);
    let mut process = tokio::process::Command::new(&program);
    process.args(argv).current_dir(folder).env_clear();
    process
        .envs(&command.inherited)
        .env("PATH", PATH)
        .env("HOME", folder)
        .env(MARK, &mark);
    for (variable, secret) in &command.secrets {
        if let Some(secret) = secrets.get(secret) {
            process.env(variable, secret.expose());
        }
    }
    process
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    process.process_group(0);
    let mut child = process.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(
            error.kind(),
            format!("there is no program {} in {PATH}", program.display()),
        ),
        _ => error,
    })?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    Ok((ProgramGuard(Some(ProcessGroup::new(child, mark))), pipes))
}

/// The tool's own folder below `root`, made where it is missing.
pub fn create_workspace(root: &Path, name: &str) -> io::Result<PathBuf> {
    let folder = std::path::absolute(root.join(name))?;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(&folder)?;
    if !std::fs::symlink_metadata(&folder)?.is_dir() {
        return Err(io::Error::other(format!(
            "{} is no folder",
            folder.display()
        )));
    }
    Ok(folder)
}

/// Writes the input, then the answers to what it asks, and closes it. A program need not read it.
async fn write_input(
    stdin: Option<ChildStdin>,
    input: Value,
    mut questions: mpsc::UnboundedReceiver<Value>,
    asking: Option<&ToolContext>,
) {
    let Some(mut stdin) = stdin else { return };
    let mut line = format!("{input}\n");
    let mut number = 0;
    while stdin.write_all(line.as_bytes()).await.is_ok()
        && let Some(context) = asking
        && let Some(question) = questions.recv().await
    {
        number += 1;
        line = format!("{}\n", answer_question(question, number, context).await);
    }
}

async fn read_output(
    from: Option<impl AsyncRead + Unpin>,
    mut take: impl FnMut(&[u8]),
) -> Result<(), OutputOverflow> {
    let Some(mut from) = from else { return Ok(()) };
    let mut piece = vec![0; 16 << 10];
    let mut left = MOST_PRINTED;
    // An output that breaks ends like one that is closed.
    while let Ok(read @ 1..) = from.read(&mut piece).await {
        left = left.checked_sub(read).ok_or(OutputOverflow)?;
        take(piece.get(..read).unwrap_or_default());
    }
    Ok(())
}

fn describe_exit(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status
        .code()
        .map_or_else(|| "ended".to_owned(), |code| format!("exit code {code}"))
}

/// The last line of what it complained, which mostly is the error.
fn extract_last_line(complaint: &str) -> String {
    let line = complaint
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty())
        .unwrap_or_default();
    let line: String = line
        .chars()
        .filter(|c| !c.is_control())
        .take(COMPLAINT_CHARACTERS)
        .collect();
    if line.is_empty() {
        line
    } else {
        format!(": {line}")
    }
}
