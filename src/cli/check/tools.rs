//! Servers of tools are started and tools are called, each once, and what they write to standard error is shown. Only a
//! tool that changes nothing by its own word, and needs no parameter, is called: any other might do something for real.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Map;

use crate::cli::print_line;
use crate::cli::tools::{build_context, describe_server_fault, start_servers};
use crate::settings::{SettingProblem, Settings};
use kith_core::call::{ToolCall, ToolSpec};
use kith_core::chat::ChannelId;
use kith_core::persona::Language;
use kith_core::truncate::truncate_line;
use kith_language::{LocalizedMessage, cli};
use kith_tools::custom::DefinedTool;
use kith_tools::custom::mcp::{McpServerStatus, McpServers};
use kith_tools::{ToolNewsItem, ToolNewsSender, ToolRegistry};

/// The most of a result that is shown, in characters.
const SHOWN: usize = 100;

/// Tells how each does, and answers with what is wrong.
pub(super) async fn check(settings: &Settings, language: Language) -> Vec<SettingProblem> {
    let mut problems = Vec::new();
    let servers = start_servers(settings).await;
    let registry = settings.build_registry(servers.tools());
    for (name, status) in servers.statuses() {
        let problem = tell_server(&servers, &name, &status, language);
        let found = settings.defined.iter().find(|one| one.name == name);
        problems.extend(problem.map(|message| locate(message.in_language(language), found)));
    }
    let specs = registry.specs(Language::EN);
    for defined in settings
        .defined
        .iter()
        .filter(|one| one.definition.mcp.is_none())
    {
        let Some(spec) = specs.iter().find(|spec| spec.name == defined.name) else {
            continue;
        };
        let needs = spec.schema.params.iter().any(|param| param.required);
        if needs || !spec.annotations.read_only {
            let name = &spec.name;
            print_line(cli::tool_not_called(name).in_language(language));
        } else if let Some(message) = call_once(settings, &registry, spec, language).await {
            problems.push(locate(message.in_language(language), Some(defined)));
        }
    }
    servers.stop().await;
    problems
}

/// A problem where the tool or server is defined.
fn locate(message: String, defined: Option<&DefinedTool>) -> SettingProblem {
    let problem = SettingProblem::error(message, "");
    match defined {
        Some(defined) => problem.with_location(defined.file.to_path_buf(), Some(defined.line)),
        None => problem,
    }
}

fn tell_complaint(name: &str, complaint: &str, language: Language) {
    for line in complaint.lines() {
        print_line(cli::tool_complains(line, name).in_language(language));
    }
}

/// Tells how a server does; answers with what is wrong with it.
fn tell_server(
    servers: &McpServers,
    name: &str,
    status: &McpServerStatus,
    language: Language,
) -> Option<LocalizedMessage> {
    let tools = servers.tools();
    let begin = format!("{name}_");
    let count = tools.iter().filter(|tool| tool.name().starts_with(&begin));
    if matches!(status, McpServerStatus::Ready) {
        print_line(cli::server_ready(count.count(), name).in_language(language));
    }
    for complaint in servers.complaints(name) {
        tell_complaint(name, &complaint, language);
    }
    describe_server_fault(name, status)
}

/// Calls a tool without parameters and tells what it answers; answers with why it failed.
async fn call_once(
    settings: &Settings,
    registry: &ToolRegistry,
    spec: &ToolSpec,
    language: Language,
) -> Option<LocalizedMessage> {
    let name = &spec.name;
    let complaints = Arc::new(Mutex::new(Vec::new()));
    let heard = complaints.clone();
    let news = ToolNewsSender::from_listener(move |item| {
        if let ToolNewsItem::Complaint(text) = item {
            heard
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(text);
        }
    });
    let context = match build_context(settings, registry, ChannelId(1), news) {
        Ok(context) => context,
        Err(why) => return Some(why),
    };
    let call = ToolCall {
        name: name.clone(),
        params: Map::new(),
    };
    let result = registry.run(call, context).await;
    let shown = truncate_line(&result.text(), SHOWN);
    if !result.is_error {
        print_line(cli::tool_answers(&shown, name).in_language(language));
    }
    let complaints = complaints.lock().unwrap_or_else(PoisonError::into_inner);
    for complaint in complaints.iter() {
        tell_complaint(name, complaint, language);
    }
    result.is_error.then(|| cli::tool_failed(&shown, name))
}
