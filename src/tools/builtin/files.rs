//! `list_files`, `read_file`, `write_file`, `delete_file`: the small text files of a session. They are rows of the store,
//! not files of the machine: no path leads out of them, and they are erased, exported and backed up as all else is.

use kith_language::{LocalizedMessage, tool_descriptions, tools};
use kith_memory::MemoryScope;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_store::{FILE_PREFIX, ToolDataError};

/// The longest path, in characters: a key's, without the prefix.
const PATH_CHARACTERS: usize = 59;
/// The largest file, in bytes: a value's, even where each line is short.
const FILE_BYTES: usize = 6_000;

#[derive(Deserialize, JsonSchema)]
struct ListFiles {}

#[derive(Deserialize, JsonSchema)]
struct NamedFile {
    path: String,
}

#[derive(Deserialize, JsonSchema)]
struct WriteFile {
    path: String,
    /// None where an element is empty: so is the file.
    text: Option<String>,
}

pub(super) fn list_tool() -> Tool {
    let text = tool_descriptions::list_files();
    Tool::new("list_files", ToolKind::Tool, text, list_files)
        .optional()
        .read_only()
}

pub(super) fn read_tool() -> Tool {
    let text = tool_descriptions::read_file();
    Tool::new("read_file", ToolKind::Tool, text, read_file)
        .primary("path")
        .optional()
        .read_only()
}

pub(super) fn write_tool() -> Tool {
    let text = tool_descriptions::write_file();
    Tool::new("write_file", ToolKind::Tool, text, write_file)
        .primary("text")
        .optional()
        .idempotent()
}

pub(super) fn delete_tool() -> Tool {
    let text = tool_descriptions::delete_file();
    Tool::new("delete_file", ToolKind::Tool, text, delete_file)
        .primary("path")
        .optional()
}

async fn list_files(_: ListFiles, context: ToolContext) -> ToolResult {
    let files = match load_files(&context).await {
        Ok(files) => files,
        Err(why) => return context.build_error(why),
    };
    let size = |text: &Value| text.as_str().map_or(0, str::len);
    let lines: Vec<String> = files
        .iter()
        .map(|(path, text)| format!("{path} ({} B)", size(text)))
        .collect();
    ToolResult::ok(match lines.is_empty() {
        true => tools::no_session_files().in_language(context.language()),
        false => lines.join("\n"),
    })
}

async fn read_file(params: NamedFile, context: ToolContext) -> ToolResult {
    match find_file(&params.path, &context).await {
        Ok((_, text)) => ToolResult::ok(text),
        Err(why) => context.build_error(why),
    }
}

async fn write_file(params: WriteFile, context: ToolContext) -> ToolResult {
    let path = match check_path(&params.path) {
        Ok(path) => path,
        Err(why) => return context.build_error(why),
    };
    let text = params.text.unwrap_or_default();
    let size = text.len();
    if size > FILE_BYTES {
        return context.build_error(tools::session_file_too_large(FILE_BYTES));
    }
    let written = tools::session_file_written(size, path);
    save(path, text.into(), written, &context).await
}

async fn delete_file(params: NamedFile, context: ToolContext) -> ToolResult {
    match find_file(&params.path, &context).await {
        Ok((path, _)) => {
            save(
                path,
                Value::Null,
                tools::session_file_deleted(path),
                &context,
            )
            .await
        }
        Err(why) => context.build_error(why),
    }
}

/// A path as files have it: names of letters, digits, `.`, `-` and `_`, none of which begins with a dot.
fn check_path(path: &str) -> Result<&str, LocalizedMessage> {
    let plain = path.trim().trim_start_matches("./");
    let is_name = |name: &str| {
        let is_plain = |c: char| c.is_alphanumeric() || ['.', '-', '_'].contains(&c);
        !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain)
    };
    if plain.chars().count() > PATH_CHARACTERS || !plain.split('/').all(is_name) {
        return Err(tools::session_file_path_wrong(PATH_CHARACTERS, path));
    }
    Ok(plain)
}

fn scope(context: &ToolContext) -> String {
    MemoryScope::Channel(context.channel).to_string()
}

async fn load_files(context: &ToolContext) -> Result<Map<String, Value>, LocalizedMessage> {
    let kept = context.store.load_tool_data(scope(context)).await?;
    let file =
        |(key, text): (String, Value)| Some((key.strip_prefix(FILE_PREFIX)?.to_owned(), text));
    Ok(kept.into_iter().filter_map(file).collect())
}

async fn find_file<'a>(
    path: &'a str,
    context: &ToolContext,
) -> Result<(&'a str, String), LocalizedMessage> {
    let path = check_path(path)?;
    let mut files = load_files(context).await?;
    match files.remove(path) {
        Some(Value::String(text)) => Ok((path, text)),
        _ => Err(tools::session_file_missing(path)),
    }
}

/// Puts a text in the place of a file's, all or nothing; null removes it.
async fn save(
    path: &str,
    text: Value,
    done: LocalizedMessage,
    context: &ToolContext,
) -> ToolResult {
    let text = context.redactor.redact_json(text);
    let change = Map::from_iter([(format!("{FILE_PREFIX}{path}"), text)]);
    let kept = context
        .store
        .put_tool_data(scope(context), change, context.now);
    match kept.await {
        Ok(Ok(())) => ToolResult::ok(done.in_language(context.language())),
        Ok(Err(ToolDataError::Value(_))) => {
            context.build_error(tools::session_file_too_large(FILE_BYTES))
        }
        Ok(Err(_)) => context.build_error(tools::session_files_full()),
        Err(error) => context.build_error(error),
    }
}
