//! `kith tools`: which tools there are, what the model is told of them, and trying one by hand.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::check::build_runtime;
use super::{ConfigArgs, print_line, print_problems, restart_without_secrets};
use crate::settings::{self, Settings};
use kith_core::call::{ToolCall, ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::chat::ChannelId;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_store::Store;
use kith_system::clock;
use kith_tools::custom::mcp::{McpServerStatus, McpServers, McpTimeouts};
use kith_tools::{
    PermittedCallers, ToolContext, ToolHost, ToolNewsItem, ToolNewsSender, ToolOrigin,
    ToolPermission, ToolRegistry, WebClient, tool_rendering,
};

/// Arguments of `kith tools`.
#[derive(Args, Debug)]
pub struct ToolsArgs {
    #[command(subcommand)]
    what: ToolsCommand,
}

#[derive(Debug, Subcommand)]
enum ToolsCommand {
    List {
        #[command(flatten)]
        config: ConfigArgs,
    },
    Show {
        #[command(flatten)]
        config: ConfigArgs,
        name: String,
    },
    Call(CallArgs),
}

/// How long servers may take to tell what tools they have.
pub(super) const ANSWER: Duration = Duration::from_secs(20);

#[derive(Args, Debug)]
struct CallArgs {
    #[command(flatten)]
    config: ConfigArgs,
    name: String,
    #[arg(default_value = "{}")]
    parameters: String,
    #[arg(long, value_name = "ID", default_value_t = 1)]
    channel: u64,
}

/// Lists, shows or calls.
pub fn run(args: &ToolsArgs) -> ExitCode {
    let config = match &args.what {
        ToolsCommand::List { config }
        | ToolsCommand::Show { config, .. }
        | ToolsCommand::Call(CallArgs { config, .. }) => config,
    };
    let options = config.options();
    let done = load_settings(&options).and_then(|settings| {
        restart_without_secrets(&options, &settings);
        let runtime = build_runtime().map_err(|problem| vec![problem.to_string()])?;
        runtime.block_on(run_command(settings, &args.what))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            print_problems(&problems);
            ExitCode::FAILURE
        }
    }
}

fn load_settings(options: &settings::LoadOptions) -> Result<Settings, Vec<String>> {
    settings::load(options).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

async fn run_command(settings: Settings, what: &ToolsCommand) -> Result<(), Vec<String>> {
    let servers = start_servers(&settings).await;
    for (name, status) in servers.statuses() {
        match status {
            McpServerStatus::Ready => {}
            McpServerStatus::Unavailable(why) => eprintln!("the server {name} is not there: {why}"),
            McpServerStatus::Starting => eprintln!(
                "the server {name} has not answered within {} s",
                ANSWER.as_secs()
            ),
        }
    }
    let registry = settings.build_registry(servers.tools());
    let done = match what {
        ToolsCommand::List { .. } => {
            format_tool_list(&settings, &registry)
                .iter()
                .for_each(print_line);
            Ok(())
        }
        ToolsCommand::Show { name, .. } => show_tool(&settings, &registry, name),
        ToolsCommand::Call(args) => call_tool(&settings, &registry, args).await,
    };
    servers.stop().await;
    done
}

/// Starts the servers of the settings and waits until each has answered, or could not.
pub(super) async fn start_servers(settings: &Settings) -> McpServers {
    let mut servers = McpServers::new(McpTimeouts::default());
    servers.set_servers(
        settings.servers(),
        &settings.known_secrets,
        &settings.workspace(),
    );
    servers.wait_until_settled(ANSWER).await;
    servers
}

fn format_tool_list(settings: &Settings, registry: &ToolRegistry) -> Vec<String> {
    let line = |spec: &ToolSpec| {
        let mut about = vec![
            describe_kind(settings, registry, &spec.name).to_owned(),
            describe_action(spec.kind).to_owned(),
        ];
        about.extend(spec.annotations.read_only.then(|| "read only".to_owned()));
        about.extend(
            (spec.annotations.idempotent && !spec.annotations.read_only)
                .then(|| "idempotent".to_owned()),
        );
        about.extend((spec.offer == ToolExposure::Found).then(|| "has to be found".to_owned()));
        about.extend(settings.tool.get(&spec.name).map(describe_permission));
        let origin = registry
            .origin(&spec.name)
            .filter(|origin| **origin != ToolOrigin::BuiltIn);
        let origin = origin.map_or(String::new(), |origin| format!(" ({origin})"));
        format!(
            "{:<24} {}; {}{origin}",
            spec.name,
            about.join(", "),
            describe_places(settings, registry, &spec.name)
        )
    };
    registry.specs(Language::EN).iter().map(line).collect()
}

/// Of which kind a tool is, for people.
fn describe_kind(settings: &Settings, registry: &ToolRegistry, name: &str) -> &'static str {
    if matches!(registry.origin(name), Some(ToolOrigin::Server(_))) {
        return "mcp";
    }
    let own = settings.defined.iter().find(|one| one.name == name);
    own.and_then(|one| one.definition.kind())
        .map_or("built in", |kind| kind.name())
}

fn describe_action(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::Tool => "tool",
        ToolKind::Quiet => "quiet action",
        ToolKind::Visible => "visible action",
    }
}

/// Who may cause it and how often.
fn describe_permission(set: &ToolPermission) -> String {
    let who = match &set.caused_by {
        PermittedCallers::Anyone => "anyone".to_owned(),
        PermittedCallers::Roles(roles) => format!("roles {}", roles.join(", ")),
        PermittedCallers::Moderators => "moderators".to_owned(),
        PermittedCallers::Host => "host".to_owned(),
    };
    let often = set
        .most_an_hour
        .map_or(String::new(), |most| format!(", {most} times an hour"));
    let direct = if set.direct_messages {
        ""
    } else {
        ", not in direct messages"
    };
    let approval = if set.approval { ", with approval" } else { "" };
    format!("caused by {who}{often}{direct}{approval}")
}

/// Where the settings have it.
fn describe_places(settings: &Settings, registry: &ToolRegistry, name: &str) -> String {
    let has = |list: &[String]| {
        registry
            .select(list, Language::EN)
            .iter()
            .any(|spec| spec.name == name)
    };
    let everywhere = has(&settings.tools);
    let mut differs = Vec::new();
    for (table, overrides) in [("guild", &settings.guild), ("channel", &settings.channel)] {
        for (id, layer) in overrides {
            if let Some(here) = layer
                .tools
                .as_deref()
                .map(has)
                .filter(|here| *here != everywhere)
            {
                differs.push(format!(
                    "{} in {table} {id}",
                    if here { "on" } else { "off" }
                ));
            }
        }
    }
    let general = if everywhere { "on" } else { "off" };
    if differs.is_empty() {
        general.to_owned()
    } else {
        format!("{general}, {}", differs.join(", "))
    }
}

fn show_tool(settings: &Settings, registry: &ToolRegistry, name: &str) -> Result<(), Vec<String>> {
    for language in Language::ALL {
        let specs = registry.specs(language);
        let spec = specs
            .iter()
            .find(|spec| spec.name == name)
            .ok_or_else(|| explain_unknown_tool(registry, name))?;
        for (protocol, label) in [(OutputProtocol::Xml, "xml"), (OutputProtocol::Json, "json")] {
            print_line(format_args!(
                "{} {label:<6} {}",
                language.code(),
                tool_rendering::render_tool(spec, protocol, language)
            ));
        }
        let native = json!({
            "name": spec.name, "description": spec.description, "parameters": spec.schema.to_json_schema(),
        });
        print_line(format_args!("{} native {native}", language.code()));
    }
    let origin = registry
        .origin(name)
        .map(ToString::to_string)
        .unwrap_or_default();
    print_line(format_args!(
        "{}, from {origin}; {}",
        describe_kind(settings, registry, name),
        describe_places(settings, registry, name)
    ));
    Ok(())
}

fn explain_unknown_tool(registry: &ToolRegistry, name: &str) -> Vec<String> {
    let names: Vec<String> = registry
        .specs(Language::EN)
        .iter()
        .map(|spec| spec.name.clone())
        .collect();
    let cure = match settings::find_nearest(name, &names) {
        Some(near) => format!("did you mean {near}?"),
        None => "`kith tools list` names them".to_owned(),
    };
    vec![format!("error: there is no tool {name}; {cure}")]
}

/// Nobody knows a platform here.
struct NoHost;

impl ToolHost for NoHost {}

/// What a tool is told that is called by hand: the tools and skills it would find in this channel.
pub(super) fn build_context(
    settings: &Settings,
    registry: &ToolRegistry,
    channel: ChannelId,
    news: ToolNewsSender,
) -> Result<ToolContext, Vec<String>> {
    let store = Store::open_in_memory().map_err(|error| vec![format!("error: {error}")])?;
    let policy = settings.resolve_plain_policy(channel, registry);
    Ok(ToolContext {
        tools: policy.tools,
        skills: settings.known_skills.select_listed(&policy.known_skills),
        protocol: settings.model.protocol,
        model: settings.model.name.as_str().into(),
        tokens_left: settings.budget.daily_tokens,
        web: Arc::new(WebClient::new(settings.web.clone())),
        secrets: settings.known_secrets.clone(),
        redactor: settings.redactor(),
        hooks: settings.build_hooks(),
        workspace: settings.workspace(),
        news,
        ..ToolContext::new(
            channel,
            policy.persona,
            store,
            Arc::new(NoHost),
            clock::now(),
        )
    })
}

async fn call_tool(
    settings: &Settings,
    registry: &ToolRegistry,
    args: &CallArgs,
) -> Result<(), Vec<String>> {
    registry
        .origin(&args.name)
        .ok_or_else(|| explain_unknown_tool(registry, &args.name))?;
    let params: Map<String, Value> = serde_json::from_str(&args.parameters).map_err(|error| {
        vec![format!(
            "error: the parameters are no JSON object: {error}; write them like '{{\"a\": 1}}'"
        )]
    })?;
    let news = ToolNewsSender::from_listener(|item| match item {
        ToolNewsItem::Denied(text) | ToolNewsItem::Note(text) => eprintln!("{text}"),
        ToolNewsItem::Complaint(text) => eprintln!("standard error: {text}"),
        ToolNewsItem::Progress(text) => eprintln!("… {text}"),
        ToolNewsItem::Published { channel, data } => eprintln!("published {channel}: {data}"),
    });
    let context = build_context(settings, registry, ChannelId(args.channel), news)?;
    let call = ToolCall {
        name: args.name.clone(),
        params,
    };
    let ToolResult {
        content,
        details,
        is_error,
        is_pending,
        ends_turn,
        ..
    } = registry.run(call, context).await;
    if is_error {
        return Err(vec![format!("error: {content}")]);
    }
    print_line(content);
    if let Some(details) = details {
        eprintln!("details: {details}");
    }
    if is_pending {
        eprintln!("nothing is done: in a chat a person would have to approve it");
    }
    if ends_turn {
        eprintln!("it ends the turn");
    }
    Ok(())
}
