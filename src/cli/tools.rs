//! `kith tools`: which tools there are, what the model is told of them, and trying one by hand.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::check::build_runtime;
use super::failure::CommandFailure;
use super::{ConfigArgs, print_line, restart_without_secrets};
use crate::settings::{self, Settings, SettingsOverride};
use kith_core::call::{ToolCall, ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::chat::ChannelId;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_language::{LocalizedMessage, cli};
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

pub fn run(args: &ToolsArgs, language: Language) -> ExitCode {
    let config = match &args.what {
        ToolsCommand::List { config }
        | ToolsCommand::Show { config, .. }
        | ToolsCommand::Call(CallArgs { config, .. }) => config,
    };
    match run_with_settings(config, &args.what, language) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(language),
    }
}

fn run_with_settings(
    config: &ConfigArgs,
    what: &ToolsCommand,
    language: Language,
) -> Result<(), CommandFailure> {
    let options = config.options();
    let settings = settings::load(&options)?;
    restart_without_secrets(&options, &settings, language);
    let running = run_command(settings, what, language);
    Ok(build_runtime()?.block_on(running)?)
}

async fn run_command(
    settings: Settings,
    what: &ToolsCommand,
    language: Language,
) -> Result<(), LocalizedMessage> {
    let servers = start_servers(&settings).await;
    for (name, status) in servers.statuses() {
        if let Some(fault) = describe_server_fault(&name, &status) {
            eprintln!("{}", fault.in_language(language));
        }
    }
    let registry = settings.build_registry(servers.tools());
    let done = match what {
        ToolsCommand::List { .. } => {
            for spec in registry.specs(Language::EN).iter() {
                let line = describe_tool(&settings, &registry, spec);
                print_line(line.in_language(language));
            }
            Ok(())
        }
        ToolsCommand::Show { name, .. } => show_tool(&settings, &registry, name, language),
        ToolsCommand::Call(args) => call_tool(&settings, &registry, args, language).await,
    };
    servers.stop().await;
    done
}

pub(super) fn describe_server_fault(
    name: &str,
    status: &McpServerStatus,
) -> Option<LocalizedMessage> {
    match status {
        McpServerStatus::Ready => None,
        McpServerStatus::Unavailable(why) => Some(cli::server_unavailable(name, why)),
        McpServerStatus::Starting => Some(cli::server_silent(name, ANSWER.as_secs())),
    }
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

fn describe_tool(
    settings: &Settings,
    registry: &ToolRegistry,
    spec: &ToolSpec,
) -> LocalizedMessage {
    let kind = describe_kind(settings, registry, &spec.name);
    let mut about = vec![kind, describe_action(spec.kind)];
    about.extend(spec.annotations.read_only.then(cli::tool_read_only));
    about.extend(
        (spec.annotations.idempotent && !spec.annotations.read_only).then(cli::tool_idempotent),
    );
    about.extend((spec.offer == ToolExposure::Found).then(cli::tool_to_be_found));
    if let Some(permission) = settings.tool.get(&spec.name) {
        about.extend(describe_permission(permission));
    }
    let name = format!("{:<24}", spec.name);
    let places = describe_places(settings, registry, &spec.name);
    match registry.origin(&spec.name) {
        None | Some(ToolOrigin::BuiltIn) => cli::tool_line(join(about), name, places),
        Some(origin) => {
            cli::tool_line_with_origin(join(about), name, describe_origin(origin), places)
        }
    }
}

fn join(parts: Vec<LocalizedMessage>) -> LocalizedMessage {
    let joined = parts.into_iter().reduce(cli::list_two);
    joined.unwrap_or_else(|| String::new().into())
}

fn describe_kind(settings: &Settings, registry: &ToolRegistry, name: &str) -> LocalizedMessage {
    if matches!(registry.origin(name), Some(ToolOrigin::Server(_))) {
        return "mcp".to_owned().into();
    }
    let own = settings.defined.iter().find(|one| one.name == name);
    own.and_then(|one| one.definition.kind())
        .map_or_else(cli::tool_built_in, |kind| kind.name().to_owned().into())
}

fn describe_origin(origin: &ToolOrigin) -> LocalizedMessage {
    match origin {
        ToolOrigin::BuiltIn => cli::origin_kith(),
        ToolOrigin::File(..) => origin.to_string().into(),
        ToolOrigin::Server(name) => cli::origin_server(name.to_string()),
    }
}

fn describe_action(kind: ToolKind) -> LocalizedMessage {
    match kind {
        ToolKind::Tool => cli::action_tool(),
        ToolKind::Quiet => cli::action_quiet(),
        ToolKind::Visible => cli::action_visible(),
    }
}

fn describe_permission(set: &ToolPermission) -> Vec<LocalizedMessage> {
    let who = match &set.caused_by {
        PermittedCallers::Anyone => cli::anyone(),
        PermittedCallers::Roles(roles) => cli::roles(roles.join(", ")),
        PermittedCallers::Moderators => cli::moderators(),
        PermittedCallers::Host => cli::host(),
    };
    let mut all = vec![cli::caused_by(who)];
    all.extend(
        set.most_an_hour
            .map(|most| cli::times_an_hour(most.to_string())),
    );
    all.extend((!set.direct_messages).then(cli::not_in_direct_messages));
    all.extend(set.approval.then(cli::with_approval));
    all
}

/// Where the settings have it.
fn describe_places(settings: &Settings, registry: &ToolRegistry, name: &str) -> LocalizedMessage {
    let has = |list: &[String]| {
        registry
            .select(list, Language::EN)
            .iter()
            .any(|spec| spec.name == name)
    };
    let everywhere = has(&settings.tools);
    let differs = |layer: &SettingsOverride| {
        let here = has(layer.tools.as_deref()?);
        (here != everywhere).then_some(here)
    };
    let mut places = vec![if everywhere { cli::on() } else { cli::off() }];
    for (id, layer) in &settings.guild {
        places.extend(differs(layer).map(|here| match here {
            true => cli::on_in_guild(id),
            false => cli::off_in_guild(id),
        }));
    }
    for (id, layer) in &settings.channel {
        places.extend(differs(layer).map(|here| match here {
            true => cli::on_in_channel(id),
            false => cli::off_in_channel(id),
        }));
    }
    join(places)
}

fn show_tool(
    settings: &Settings,
    registry: &ToolRegistry,
    name: &str,
    reader: Language,
) -> Result<(), LocalizedMessage> {
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
    let origin = registry.origin(name).unwrap_or(&ToolOrigin::BuiltIn);
    let kind = describe_kind(settings, registry, name);
    let places = describe_places(settings, registry, name);
    let line = cli::tool_origin(kind, describe_origin(origin), places);
    print_line(line.in_language(reader));
    Ok(())
}

fn explain_unknown_tool(registry: &ToolRegistry, name: &str) -> LocalizedMessage {
    let names: Vec<String> = registry
        .specs(Language::EN)
        .iter()
        .map(|spec| spec.name.clone())
        .collect();
    match settings::find_nearest(name, &names) {
        Some(nearest) => cli::unknown_tool_like(name, nearest),
        None => cli::unknown_tool(name),
    }
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
) -> Result<ToolContext, LocalizedMessage> {
    let store = Store::open_in_memory().map_err(|error| error.to_message())?;
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
        hooks: settings.resolve_plain_hooks(channel),
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
    language: Language,
) -> Result<(), LocalizedMessage> {
    registry
        .origin(&args.name)
        .ok_or_else(|| explain_unknown_tool(registry, &args.name))?;
    let params: Map<String, Value> = serde_json::from_str(&args.parameters)
        .map_err(|error| cli::parameters_malformed(error.to_string()))?;
    let tell = move |message: LocalizedMessage| eprintln!("{}", message.in_language(language));
    let news = ToolNewsSender::from_listener(move |item| match item {
        ToolNewsItem::Denied(text) | ToolNewsItem::Note(text) => eprintln!("{text}"),
        ToolNewsItem::Complaint(text) => tell(cli::standard_error(text)),
        ToolNewsItem::Progress(text) => eprintln!("… {text}"),
        ToolNewsItem::Picture(_) => {}
        ToolNewsItem::Published { channel, data } => {
            tell(cli::published(channel.to_string(), data.to_string()))
        }
    });
    let context = build_context(settings, registry, ChannelId(args.channel), news)?;
    let call = ToolCall {
        name: args.name.clone(),
        params,
    };
    let result = registry.run(call, context).await;
    let text = result.text();
    if result.is_error {
        return Err(text.into_owned().into());
    }
    print_line(text);
    let ToolResult {
        details,
        is_pending,
        ends_turn,
        ..
    } = result;
    if let Some(details) = details {
        tell(cli::details(details.to_string()));
    }
    if is_pending {
        tell(cli::call_pending());
    }
    if ends_turn {
        tell(cli::call_ends_turn());
    }
    Ok(())
}
