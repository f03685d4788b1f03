//! The one loop: takes what happens from platforms, tasks and the clock, stores it, lets the core decide, and executes
//! its effects. Everything that changes the companion's state happens here, one thing after the other.

mod approvals;
mod approved_calls;
mod budget_scopes;
mod changes;
mod compaction;
mod decisions;
mod deliver;
mod discord;
mod effects;
mod ids;
mod intents;
mod judge;
mod listener;
mod loop_commands;
mod model_calls;
mod models;
mod news;
mod pictures;
mod policy_resolver;
mod redaction;
mod reply;
mod requests;
mod restart;
mod room_members;
mod running;
mod sessions;
mod summaries;
mod summarizer;
mod tools;
mod upkeep;
mod vision;
mod waits;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::sync::{broadcast, mpsc};

use crate::settings::{self, LoadOptions, Settings};
use kith_agent::describe::PictureDescription;
use kith_agent::prompt::PromptTemplates;
use kith_agent::{TaskReport, TurnEventSender};
use kith_commands::CommandService;
use kith_core::chat::{Channel, ChannelId, Millis, TurnId, UserId};
use kith_core::event::Event;
use kith_core::manual_override::ManualOverrides;
use kith_core::redactor::Redactor;
use kith_core::willingness::Weights;
use kith_core::{Core, CoreSetup, RenderInputs};
use kith_discord::{ChannelBackfill, DiscordConnection};
use kith_memory::Memory;
use kith_model::{BudgetLedger, ModelSelection};
use kith_observe::Observer;
use kith_room::LiveEvent;
use kith_store::{AppendOutcome, ForgetResult, Store, StoreError};
use kith_system::clock;
use kith_tools::custom::mcp::{McpServers, McpTimeouts};
use kith_tools::{ToolHost, ToolPermission, ToolRegistry, ToolUses, WebClient};

use approvals::PendingApprovals;
use discord::DiscordPlatform;
use ids::IdGenerator;
pub use listener::ListenerKind;
use listener::{ListenerEvent, PlatformListener};
use model_calls::ModelCalls;
use pictures::{FileHash, PictureCache};
use room_members::RoomMembers;

/// How long a server may take to tell about its model before the page opens without it.
const MODEL_WAIT: Duration = Duration::from_millis(150);
/// How many live events a slow front end may lag behind before it has to fetch everything again.
const LIVE_KEPT: usize = 1_024;

/// What the daemon tells about itself when its doors are open.
#[derive(Clone, Debug)]
pub struct StartupInfo {
    /// Where it lives.
    pub place: ListenerKind,
    /// Which model answers.
    pub model: String,
    /// What is wrong with the model that was asked for.
    pub problem: Option<String>,
    /// The most tokens a day.
    pub daily_tokens: u64,
}

/// Runs the companion until `stop` is done. `started` is told once when people can come.
///
/// # Errors
/// What keeps it from starting: the store, the port, the prompts. Once started it goes on whatever happens.
pub async fn run(
    settings: Settings,
    load: LoadOptions,
    on_start: impl FnOnce(&StartupInfo),
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let prompts = PromptTemplates::load(settings.prompts_dir.as_deref()).map_err(join_problems)?;
    let mut model_search = tokio::spawn({
        let model_set = settings.model_set();
        async move { kith_model::resolve_all(&model_set).await }
    });
    tokio::pin!(stop);
    // Discord may let it wait.
    let (listener, discord) = tokio::select! {
        opened = listener::bind(&settings) => opened?,
        () = &mut stop => return Ok(()),
    };
    let store = Store::open(&settings.data_dir.join("kith.db"))?;
    let found = tokio::time::timeout(MODEL_WAIT, &mut model_search).await;
    let found = found
        .ok()
        .map(|found| found.context("looking for a model"))
        .transpose()?;
    let is_known = found.is_some();
    let selection = match found {
        Some(selection) => selection,
        None => models::build_placeholder_selection(&settings.model).await,
    };
    let startup_info = StartupInfo {
        place: listener.place().clone(),
        model: models::format_model_line(&selection, listener.place()),
        problem: selection.problem.clone(),
        daily_tokens: settings.budget.daily_tokens,
    };
    let watch = settings::watch(load, &settings);
    let (mut daemon, inbox) =
        Daemon::open(settings, store, prompts, (selection, is_known), discord).await?;
    if !is_known {
        daemon.wait_for_model(model_search);
    }
    if let ListenerKind::Room { token, .. } = listener.place() {
        daemon.register_secret(token.secret());
    }
    let mut listener = listener.open(daemon.live.clone());
    on_start(&startup_info);
    daemon.look_for_damage();
    if is_known {
        daemon.warn_if_speechless();
    }
    daemon
        .run_until(stop.as_mut(), &mut listener, inbox, watch.ok())
        .await;
    daemon.close().await;
    listener.close().await;
    daemon.fatal.map_or(Ok(()), |why| Err(anyhow::anyhow!(why)))
}

fn join_problems(problems: Vec<impl std::fmt::Display>) -> anyhow::Error {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    anyhow::anyhow!(lines.join("\n"))
}

/// What the daemon's own tasks tell it.
enum LoopMessage {
    /// What a round's prompt needs from the store is there.
    InputsGathered {
        turn: TurnId,
        channel: ChannelId,
        ask: u32,
        inputs: Result<(RenderInputs, vision::FetchedPictures), String>,
    },
    /// Pictures were looked at for a round.
    PicturesDescribed {
        looked: Vec<(FileHash, PictureDescription)>,
        waiting: Box<vision::PictureWait>,
    },
    /// Who was asked whether to speak answered, or did not.
    JudgeAnswered {
        name: String,
        speaks: Result<bool, String>,
        waiting: Box<vision::PictureWait>,
    },
    /// A visible action of a turn went out, or did not.
    Delivered(deliver::DeliveryOutcome),
    /// A tool wants something done.
    Command(
        ChannelId,
        loop_commands::LoopCommand,
        tokio::sync::oneshot::Sender<loop_commands::LoopCommandResult>,
    ),
    /// Nobody knows yet whether a part of a turn went out.
    DeliveryUnconfirmed {
        turn: Option<TurnId>,
        part: u32,
        nonce: String,
    },
    /// An action comes late: is it still to be done?
    AskStillWanted(discord::delivery::StillWantedQuestion),
    /// The model that was still looked for when the page opened.
    ModelFound(Box<ModelSelection>),
    /// Another model was chosen, by the settings or by somebody who waits for the answer.
    ModelChosen(Box<ModelSelection>, Option<reply::RequestReply>),
    /// A model was tested for somebody who waits for the answer.
    ModelTested(models::ModelTestResult),
    /// It was tried whether it may post in a channel again: because that was due, or because somebody spoke to it.
    PermissionTried { channel: ChannelId, planned: bool },
    /// What was missed in a channel of Discord, and how much that was to be said there is too old now.
    BackfillFetched {
        channel: Channel,
        missed: ChannelBackfill,
        dropped: usize,
    },
    /// What the store had not taken was offered again.
    StoreRetried(Result<Vec<AppendOutcome>, StoreError>),
    /// What came of something that waits for a decision.
    ApprovalNews(Box<approvals::ApprovalNews>),
    /// What the desk decided on a request.
    CommandDecided(Box<discord::CommandDecision>),
    /// A turn asks for a session.
    SessionRequested(Box<sessions::RequestedSession>),
    /// The channel of a session is there, or could not be opened.
    SessionChannelOpened(Box<sessions::SessionChannelResult>),
    /// A prompt wants to begin with a summary.
    SummaryRequested(Box<summaries::SummaryRequest>),
    /// What is missing in a channel's summary.
    UnsummarizedSpanRead(Box<compaction::UnsummarizedSpan>),
    /// It was summed up, or not.
    SummaryFinished(Box<summarizer::SummaryResult>),
    /// Texts that people did not want to be remembered are erased.
    TextsErased(ForgetResult),
    /// The database is damaged.
    DatabaseDamaged(StoreError),
}

/// Everything the loop holds.
struct Daemon {
    settings: Settings,
    core: Core,
    store: Store,
    memory: Memory,
    registry: Arc<ToolRegistry>,
    /// The servers that have tools of their own.
    servers: McpServers,
    /// The tools that are told what happens to sessions.
    listeners: tools::ToolListeners,
    /// Who may cause which tool to run, as the settings say.
    permissions: Arc<BTreeMap<String, ToolPermission>>,
    /// The web, as tools may go there.
    web: Arc<WebClient>,
    /// How often tools ran lately.
    uses: Arc<ToolUses>,
    prompts: Arc<PromptTemplates>,
    model_calls: ModelCalls,
    observer: Observer,
    live: broadcast::Sender<Arc<LiveEvent>>,
    /// Takes out what nobody may see.
    redactor: Redactor,
    tool_host: Arc<dyn ToolHost>,
    loop_sender: mpsc::Sender<LoopMessage>,
    turn_event_sender: TurnEventSender,
    /// The companion's own id.
    companion_id: UserId,
    /// What moderators set by slash command.
    manual_overrides: ManualOverrides,
    /// Which channels have settings of their own.
    sessions: sessions::SessionBook,
    ids: IdGenerator,
    /// The people and channels of the room; nobody where it lives on Discord.
    members: RoomMembers,
    away: Option<DiscordPlatform>,
    /// What waits for a person's decision.
    approvals: PendingApprovals,
    /// Why it must end.
    fatal: Option<String>,
    turns: HashMap<TurnId, running::RunningTurn>,
    /// What people sent along.
    pictures: PictureCache,
    /// What is being summed up of channels' histories.
    compaction: compaction::CompactionJobs,
    /// What the page was told of when channels are looked at next.
    next_decision_times: HashMap<ChannelId, Option<Millis>>,
    /// The channels something happened in since the page was told.
    touched_channels: BTreeSet<ChannelId>,
    /// How much was posted in the place of words since the start: turns are unique, so this is unique in each.
    enclosure_count: u64,
    /// What is done by the clock.
    upkeep: upkeep::Upkeep,
}

/// The receiving ends of what [`Daemon`] hands out.
struct Inbox {
    loop_messages: mpsc::Receiver<LoopMessage>,
    task_reports: mpsc::Receiver<(TurnId, TaskReport)>,
}

impl Daemon {
    async fn open(
        settings: Settings,
        store: Store,
        prompts: PromptTemplates,
        (selection, is_model_known): (ModelSelection, bool),
        discord: Option<DiscordConnection>,
    ) -> anyhow::Result<(Self, Inbox)> {
        let now = clock::now();
        let memory = Memory::new(store.clone());
        let (loop_sender, loop_messages) = mpsc::channel(256);
        let loop_commands = loop_commands::LoopCommandSender::new(loop_sender.clone());
        let (members, discord_platform) = match discord {
            Some(discord) => {
                let command_service = CommandService::new(store.clone(), memory.clone());
                (
                    RoomMembers::empty(loop_commands.clone()),
                    Some(
                        DiscordPlatform::new(discord, &store, command_service, loop_commands)
                            .await?,
                    ),
                )
            }
            None => (
                RoomMembers::load(&store, settings.language.unwrap_or_default(), loop_commands)
                    .await?,
                None,
            ),
        };
        let companion_id = discord_platform
            .as_ref()
            .map_or(room_members::ME, |away| away.discord.me());
        let tool_host: Arc<dyn ToolHost> = discord_platform
            .as_ref()
            .map_or_else(|| members.tool_host(), DiscordPlatform::tool_host);
        let spent = restart::load_spent_today(&store, now).await?;
        let core = Core::new(CoreSetup {
            me: companion_id,
            weights: Arc::new(Weights::load_embedded()),
            turns_in_flight: settings.turns_in_flight() as usize,
            first_turn: TurnId(store.last_turn().await?.0 + 1),
        });
        let (turn_event_sender, task_reports) = mpsc::channel(1_024);
        let (live, _) = broadcast::channel(LIVE_KEPT);
        let mut daemon = Self {
            core,
            memory,
            registry: Arc::new(settings.build_registry(Vec::new())),
            servers: McpServers::new(McpTimeouts::default()),
            listeners: tools::ToolListeners::default(),
            permissions: Arc::new(settings.tool.clone()),
            web: Arc::new(WebClient::new(settings.web.clone())),
            uses: Arc::default(),
            prompts: Arc::new(prompts),
            model_calls: ModelCalls::new(
                selection,
                is_model_known,
                BudgetLedger::new(settings.budget.clone(), now, spent),
            ),
            observer: Observer::new(store.clone()),
            live,
            redactor: Redactor::default(),
            tool_host,
            loop_sender,
            turn_event_sender,
            ids: IdGenerator::with_last(members.find_newest_id(&store).await?),
            members,
            companion_id,
            manual_overrides: ManualOverrides::new(store.overrides().await?),
            sessions: sessions::SessionBook::load(&store).await?,
            away: discord_platform,
            approvals: PendingApprovals::load(&store).await?,
            fatal: None,
            turns: HashMap::new(),
            pictures: PictureCache::default(),
            compaction: compaction::CompactionJobs::default(),
            next_decision_times: HashMap::new(),
            touched_channels: BTreeSet::new(),
            enclosure_count: 0,
            upkeep: upkeep::Upkeep::load(&store, now).await?,
            settings,
            store,
        };
        daemon.register_secrets();
        daemon.reload_tools();
        daemon.resume_budget(now).await?;
        daemon.restore_room(now).await?;
        if daemon.away.is_none() {
            daemon.resume_proposals();
        }
        Ok((
            daemon,
            Inbox {
                loop_messages,
                task_reports,
            },
        ))
    }

    async fn run_until(
        &mut self,
        stop: impl Future<Output = ()>,
        listener: &mut PlatformListener,
        mut inbox: Inbox,
        mut watch: Option<settings::FileWatcher>,
    ) {
        tokio::pin!(stop);
        let mut server_changes = self.servers.tool_changes();
        while self.fatal.is_none() {
            let deadline = self.next_deadline();
            tokio::select! {
                () = &mut stop => return,
                event = listener.next() => match event {
                    ListenerEvent::Requests(requests) => {
                        self.update_budget_state(clock::now());
                        self.answer_requests(requests).await;
                    }
                    ListenerEvent::DiscordEvents(events) => self.handle_discord_events(events).await,
                    ListenerEvent::Closed => return,
                },
                Some((turn, report)) = inbox.task_reports.recv() => self.handle_task_report(turn, report),
                Some(change) = self.model_calls.next_change() => self.handle_ledger_change(change),
                Some(message) = inbox.loop_messages.recv() => self.handle_loop_message(message).await,
                Ok(()) = server_changes.changed() => self.reload_server_tools(),
                Some(changed) = waits::wait_for_settings(&mut watch) => self.apply_settings(changed).await,
                () = waits::wait_until(deadline) => self.tick().await,
            }
            self.observer.queue_decisions();
            self.save_states_if_due();
        }
    }

    async fn handle_loop_message(&mut self, message: LoopMessage) {
        match message {
            LoopMessage::InputsGathered {
                turn,
                channel,
                ask,
                inputs,
            } => self.handle_prompt_inputs(turn, channel, ask, inputs),
            LoopMessage::PicturesDescribed {
                looked: descriptions,
                waiting,
            } => self.handle_picture_descriptions(descriptions, *waiting),
            LoopMessage::JudgeAnswered {
                name,
                speaks,
                waiting,
            } => self.handle_judge_verdict(&name, speaks, *waiting),
            LoopMessage::Delivered(delivered) => self.handle_delivery(delivered),
            LoopMessage::Command(channel, loop_command, answer) => {
                self.handle_loop_command(channel, loop_command, answer)
                    .await
            }
            LoopMessage::DeliveryUnconfirmed { turn, part, nonce } => {
                self.handle_unconfirmed_delivery(turn, part, &nonce)
            }
            LoopMessage::AskStillWanted(question) => self.is_wanted(question),
            LoopMessage::ModelFound(chosen) if !self.model_calls.is_model_known() => {
                self.use_model(*chosen, None)
            }
            // Somebody chose one meanwhile.
            LoopMessage::ModelFound(_) => {}
            LoopMessage::ModelChosen(chosen, to) => self.use_model(*chosen, to),
            LoopMessage::ModelTested(tested) => self.handle_model_test(tested),
            LoopMessage::PermissionTried { channel, planned } => {
                self.handle_permission_trial(channel, planned)
            }
            LoopMessage::BackfillFetched {
                channel,
                missed,
                dropped,
            } => self.handle_backfill(channel, missed, dropped).await,
            LoopMessage::StoreRetried(stored) => self.handle_store_retry(stored),
            LoopMessage::ApprovalNews(news) => self.handle_approval_news(*news),
            LoopMessage::CommandDecided(decided) => self.handle_command_decision(*decided).await,
            LoopMessage::SessionRequested(session_request) => {
                self.handle_session_request(*session_request).await
            }
            LoopMessage::SessionChannelOpened(brought) => {
                self.handle_session_channel(*brought).await
            }
            LoopMessage::SummaryRequested(request) => self.handle_summary_request(*request),
            LoopMessage::UnsummarizedSpanRead(missing) => self.handle_unsummarized_span(*missing),
            LoopMessage::SummaryFinished(result) => self.handle_summary_result(*result).await,
            LoopMessage::DatabaseDamaged(error) => self.fatal = Some(error.to_string()),
            LoopMessage::TextsErased(gone) => {
                gone.messages
                    .into_iter()
                    .for_each(|(channel, ids)| self.forget_messages(channel, ids));
                self.apply_rewordings(gone.reworded);
            }
        }
    }

    /// Gives an event to the core and does what it asks for.
    fn handle_event(&mut self, event: Event) {
        self.touched_channels
            .extend(self.find_event_channel(&event));
        match &event {
            Event::MessagesDeleted { channel, ids, .. } => {
                self.pictures.remove_messages(ids);
                self.compaction.record_changed_messages(*channel, ids);
            }
            Event::MessageEdited { channel, id, .. } => {
                self.compaction.record_changed_messages(*channel, &[*id])
            }
            Event::PersonForgotten { user, channels } => {
                self.pictures.forget(*user, channels.as_deref())
            }
            _ => {}
        }
        let effects = self.core.handle_event(clock::now(), event);
        self.execute_effects(effects);
    }

    fn find_event_channel(&self, event: &Event) -> Option<ChannelId> {
        match event {
            Event::ChannelSeen { channel, .. } => Some(channel.id),
            Event::Message(message) => Some(message.channel),
            Event::MessageEdited { channel, .. }
            | Event::MessagesDeleted { channel, .. }
            | Event::Reaction { channel, .. }
            | Event::Typing { channel, .. }
            | Event::DecideNow { channel }
            | Event::Gap { channel, .. }
            | Event::DeliveryFailed { channel, .. }
            | Event::ApprovalOutcome { channel, .. }
            | Event::BackfillRunning { channel, .. }
            | Event::ChannelBudget { channel, .. }
            | Event::IntentScheduled { channel, .. }
            | Event::IntentDropped { channel, .. }
            | Event::ContextReset { channel, .. } => Some(*channel),
            Event::Turn { turn, .. } => self.core.find_turn_channel(*turn),
            Event::PersonForgotten { .. } | Event::Budget(_) | Event::Tick => None,
        }
    }

    fn send_live_event(&self, live: LiveEvent) {
        // Without a reader there is nobody to tell.
        let _ = self.live.send(Arc::new(live));
    }

    /// Ends what runs and waits until all of it is written down.
    async fn close(&mut self) {
        self.stop_turns();
        self.core.cancel_attempts();
        self.model_calls.ledger().close();
        self.handle_ledger_changes();
        self.shut_down_tools().await;
        std::mem::replace(&mut self.servers, McpServers::new(McpTimeouts::default()))
            .stop()
            .await;
        self.store_remaining_events().await;
        self.save_channel_states(clock::now());
        self.save_seen().await;
        self.observer.flush().await;
    }
}
