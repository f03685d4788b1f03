//! The one loop: takes what happens from the platform, tasks and the clock, stores it, lets the core decide, and executes
//! its effects. Everything that changes the companion's state happens here, one thing after the other.
//!
//! Where to look: `state` is what the loop holds, `platform` what it asks of the place it lives in (`discord`, `room`),
//! `effects` what it does for the core, and each other module owns one kind of state.

mod approvals;
mod ask_model;
mod budget_scopes;
mod call_stops;
mod channel_policy;
mod compaction;
mod compaction_jobs;
mod console;
mod consolidation;
mod consolidation_event;
mod consolidation_jobs;
mod decision_times;
mod deliveries;
mod discord;
mod effects;
mod embedding;
mod embedding_event;
mod embedding_jobs;
mod erasure;
mod full_turn;
mod intents;
mod judge;
mod listener;
mod log_channels;
mod loop_commands;
mod loop_message;
mod memory_view;
mod model_calls;
mod model_choice;
mod model_event;
mod monitoring;
mod picture_cache;
mod picture_prompts;
mod platform;
mod platform_loop;
mod prompt_event;
mod prompt_inputs;
mod redaction;
mod reply;
mod restart;
mod room;
mod running_calls;
mod running_turn;
mod sessions;
mod settings_reload;
mod share;
mod shutdown;
mod spent_today;
mod state;
mod store_retry;
mod summarizer;
mod summary_event;
mod task_reports;
mod tool_contexts;
mod tool_set;
mod turn_news;
mod upkeep;
pub(crate) mod waits;

use std::future::Future;
use std::time::Duration;

use anyhow::Context as _;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;

use crate::settings::{self, LoadOptions, Settings};
use kith_agent::TaskReport;
use kith_agent::prompt::PromptTemplates;
use kith_core::chat::TurnId;
use kith_language::LocalizedMessage;
use kith_memory::Memory;
use kith_model::ModelSelection;
use kith_room::{ConsoleHandles, ConsoleRequest, MemoryRequest, PendingRequest};
use kith_store::{DatabasePlace, Store};
use kith_system::{clock, service_manager};

pub use console::{FaultLog, name_places};
use discord::{DiscordListener, DiscordPlatform};
use listener::{BoundListener, Listener, ListenerSource};
pub use listener::{ListenerKind, PageAddress};
use loop_message::{LoopCommandSender, LoopMessage};
pub use monitoring::{MonitoredLoops, MonitoringServer};
use platform_loop::PlatformLoop;
use room::{RoomListener, RoomPlatform};
pub use share::PartitionContext;
use state::{Daemon, DaemonParts};

/// How long a server may take to tell about its model before the page opens without it.
const ROOM_MODEL_WAIT: Duration = Duration::from_millis(150);
/// Waits longer than the room: a channel that is switched on is told where its messages go, which must be right.
const DISCORD_MODEL_WAIT: Duration = Duration::from_secs(10);
/// How many live events a slow front end may lag behind before it has to fetch everything again.
const LIVE_KEPT: usize = 1_024;
const CONSOLE_QUEUE: usize = 64;

#[derive(Clone, Debug)]
pub struct StartupInfo {
    pub place: ListenerKind,
    pub model: LocalizedMessage,
    /// What is wrong with the model that was asked for.
    pub problem: Option<LocalizedMessage>,
    /// The most tokens a day.
    pub daily_tokens: u64,
}

impl StartupInfo {
    fn new(settings: &Settings, place: ListenerKind, selection: &ModelSelection) -> Self {
        Self {
            model: model_choice::describe_selection(selection, &place),
            place,
            problem: selection.problem.clone(),
            daily_tokens: settings.budget.daily_tokens,
        }
    }
}

/// Runs the companion, or its share of one, until `stop` is done. `on_start` is told once when people can come.
///
/// # Errors
/// What keeps it from starting: the store, the port. Once started it goes on whatever happens.
pub async fn run(
    settings: Settings,
    prompts: PromptTemplates,
    load: LoadOptions,
    share: PartitionContext,
    on_start: impl FnOnce(&StartupInfo),
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let mut model_search = tokio::spawn({
        let model_set = settings.model_set();
        async move { kith_model::resolve_all(&model_set).await }
    });
    tokio::pin!(stop);
    let Some((bound, store)) = open_listener_and_store(&settings, &share, &mut stop).await? else {
        return Ok(());
    };
    let BoundListener { place, source } = bound;
    let (model_selection, is_model_known) = tokio::select! {
        found = wait_for_search(&settings, &source, &mut model_search) => found?,
        () = &mut stop => return Ok(()),
    };
    let startup_info = StartupInfo::new(&settings, place, &model_selection);
    let watch = settings::watch(load.clone(), &settings).ok();
    let (loop_sender, loop_messages) = mpsc::channel(256);
    let loop_commands = LoopCommandSender::new(loop_sender.clone());
    let _monitored = share
        .begin_monitoring(settings.metrics.listen.map(|listen| listen.0), &loop_sender)
        .await?;
    let watchdog = share.find_watchdog();
    let (console, console_requests, memory_requests) = open_console_queues();
    let parts = DaemonParts {
        settings,
        settings_file: load.file_to_watch(),
        memory: Memory::new(store.clone()),
        store,
        prompts,
        model_selection,
        is_model_known,
        live: broadcast::channel(LIVE_KEPT).0,
        loop_sender,
        leases: share.leases,
    };
    let (store, live) = (parts.store.clone(), parts.live.clone());
    let start = |daemon: &mut Daemon| {
        if let Some(page) = startup_info.place.page() {
            daemon.register_secret(page.token.secret());
        }
        on_start(&startup_info);
        daemon.look_for_damage();
        match is_model_known {
            true => daemon.warn_if_speechless(),
            false => daemon.wait_for_model(model_search),
        }
    };
    let hear = |task_reports| Inbox {
        loop_messages,
        task_reports,
        console_requests,
        memory_requests,
        watch,
        watchdog,
    };
    match source {
        ListenerSource::Discord(discord, events, page) => {
            let (platform, tasks) =
                DiscordPlatform::load(*discord, &store, &parts.memory, loop_commands).await?;
            let (daemon, task_reports) = Daemon::open(parts, platform).await?;
            let listener = || DiscordListener::new((events, tasks), page, console);
            serve(daemon, listener, hear(task_reports), start, stop).await
        }
        ListenerSource::Room(page, token) => {
            let language = parts.settings.language.unwrap_or_default();
            let (platform, commands) =
                RoomPlatform::load(&store, language, loop_commands, live.clone()).await?;
            let (daemon, task_reports) = Daemon::open(parts, platform).await?;
            let listener = || RoomListener::open((page, token), commands, live, console);
            serve(daemon, listener, hear(task_reports), start, stop).await
        }
    }
}

fn open_console_queues() -> (
    ConsoleHandles,
    mpsc::Receiver<PendingRequest<ConsoleRequest>>,
    mpsc::Receiver<PendingRequest<MemoryRequest>>,
) {
    let (requests, console_requests) = mpsc::channel(CONSOLE_QUEUE);
    let (memory, memory_requests) = mpsc::channel(CONSOLE_QUEUE);
    let console = ConsoleHandles { requests, memory };
    (console, console_requests, memory_requests)
}

/// Opens the way in, still closed to people, and finishes in the store what a stop cut off. None where it is stopped.
async fn open_listener_and_store(
    settings: &Settings,
    share: &PartitionContext,
    mut stop: impl Future<Output = ()> + Unpin,
) -> anyhow::Result<Option<(BoundListener, Store)>> {
    // Whose partition somebody else has does not go to Discord for it.
    let early = match share.is_whole() {
        true => None,
        false => Some(open_store(&share.database).await?),
    };
    let bound = tokio::select! {
        bound = listener::bind(settings, share) => bound?,
        () = &mut stop => return Ok(None),
    };
    let store = match early {
        Some(store) => store,
        None => open_store(&share.database).await?,
    };
    tokio::select! {
        () = erasure::finish_forgetting(&store) => Ok(Some((bound, store))),
        () = &mut stop => Ok(None),
    }
}

/// Opening may wait for a server, and whatever else runs here goes on meanwhile.
async fn open_store(place: &DatabasePlace) -> anyhow::Result<Store> {
    let place = place.clone();
    Ok(tokio::task::spawn_blocking(move || place.open()).await??)
}

/// The model, if it is found in the time there is for it, else what stands in while it is looked for; and whether it was.
async fn wait_for_search(
    settings: &Settings,
    source: &ListenerSource,
    model_search: &mut JoinHandle<ModelSelection>,
) -> anyhow::Result<(ModelSelection, bool)> {
    let longest_wait = match source {
        ListenerSource::Discord(..) => DISCORD_MODEL_WAIT,
        ListenerSource::Room(..) => ROOM_MODEL_WAIT,
    };
    match tokio::time::timeout(longest_wait, model_search).await {
        Ok(found) => Ok((found.context("looking for a model")?, true)),
        Err(_) => {
            let placeholder = model_choice::build_placeholder_selection(&settings.model).await;
            Ok((placeholder, false))
        }
    }
}

/// What the loop hears besides the platform.
struct Inbox {
    loop_messages: mpsc::Receiver<LoopMessage>,
    task_reports: mpsc::Receiver<(TurnId, TaskReport)>,
    console_requests: mpsc::Receiver<PendingRequest<ConsoleRequest>>,
    memory_requests: mpsc::Receiver<PendingRequest<MemoryRequest>>,
    watch: Option<settings::FileWatcher>,
    watchdog: Option<tokio::time::Interval>,
}

/// Takes up what a stop left, lets people in, and runs the loop to its end.
async fn serve<P: PlatformLoop>(
    mut daemon: Daemon<P>,
    open_listener: impl FnOnce() -> P::Listener,
    inbox: Inbox,
    start: impl FnOnce(&mut Daemon),
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    P::restore(&mut daemon, clock::now()).await?;
    let mut listener = open_listener();
    start(&mut daemon);
    service_manager::notify_ready();
    run_loop(&mut daemon, &mut listener, inbox, stop).await;
    shutdown::close(&mut daemon).await;
    listener.close().await;
    daemon.fatal.map_or(Ok(()), |why| Err(anyhow::anyhow!(why)))
}

async fn run_loop<P: PlatformLoop>(
    daemon: &mut Daemon<P>,
    listener: &mut P::Listener,
    mut inbox: Inbox,
    stop: impl Future<Output = ()>,
) {
    tokio::pin!(stop);
    let mut server_changes = daemon.tools.changes();
    while daemon.fatal.is_none() {
        let deadline = daemon.next_deadline();
        tokio::select! {
            () = &mut stop => return,
            input = listener.next_input() => match input {
                Some(input) => P::handle_input(daemon, input).await,
                None => return,
            },
            Some((turn, report)) = inbox.task_reports.recv() => daemon.handle_task_report(turn, report),
            Some(change) = daemon.model_calls.next_change() => daemon.handle_ledger_change(change),
            Some(message) = inbox.loop_messages.recv() => {
                let waiting = (inbox.loop_messages.len(), inbox.task_reports.len());
                daemon.handle_loop_message(message, waiting).await;
            }
            Some(request) = inbox.console_requests.recv() => daemon.answer_console_request(request),
            Some(request) = inbox.memory_requests.recv() => daemon.answer_host_memory_request(request),
            Ok(()) = server_changes.changed() => daemon.reload_server_tools(),
            Some(changed) = waits::wait_for_settings(&mut inbox.watch) => {
                if daemon.apply_settings(changed) {
                    P::reapply_settings(daemon).await;
                    tracing::info!("settings, personas and prompts were read again");
                }
            }
            () = waits::wait_until(deadline) => tick(daemon).await,
            () = waits::wait_for_interval(&mut inbox.watchdog) => service_manager::notify_alive(),
        }
        daemon.observer.queue_decisions();
        daemon.save_states_if_due();
    }
}

async fn tick<P: PlatformLoop>(daemon: &mut Daemon<P>) {
    let now = clock::now();
    P::tick(daemon, now).await;
    if daemon.upkeep.are_chores_due(now) {
        daemon.check_clock(now).await;
        P::run_chores(daemon, now);
    }
    daemon.tick(now);
    daemon.tell_clock_correction();
}

impl Daemon {
    /// `waiting`: how much more waits for the loop, from its own tasks and from turns.
    async fn handle_loop_message(&mut self, message: LoopMessage, waiting: (usize, usize)) {
        match message {
            LoopMessage::Prompt(event) => self.handle_prompt_event(*event),
            LoopMessage::Model(event) => self.handle_model_event(*event),
            LoopMessage::Summary(event) => self.handle_summary_event(*event).await,
            LoopMessage::Consolidation(progress) => self.handle_consolidation_progress(progress),
            LoopMessage::Embedding(progress) => self.handle_embedding_progress(progress),
            LoopMessage::Delivery(event) => self.handle_delivery_event(event),
            LoopMessage::Approval(news) => self.handle_approval_news(*news),
            LoopMessage::Session(event) => self.handle_session_event(event).await,
            LoopMessage::Command(channel, command, answer) => {
                self.handle_loop_command(channel, command, answer)
            }
            LoopMessage::SlowCall(turn, call) => self.log_slow_call(turn, call),
            LoopMessage::Console(step) => self.continue_console_answer(*step),
            LoopMessage::Monitoring(request) => self.answer_monitoring(request, waiting),
            LoopMessage::AttachedErased(erased) => self.apply_append(erased),
            LoopMessage::DatabaseDamaged(error) => self.fatal = Some(error.to_string()),
        }
    }
}
