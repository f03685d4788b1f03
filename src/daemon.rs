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
mod side_calls;
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
use kith_core::event::{BudgetState, Event};
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
use pictures::PictureCache;
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
    started: impl FnOnce(&StartupInfo),
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let prompts = PromptTemplates::load(settings.prompts_dir.as_deref()).map_err(problems)?;
    let mut looking = tokio::spawn({
        let model_set = settings.model_set();
        async move { kith_model::resolve_all(&model_set).await }
    });
    tokio::pin!(stop);
    // Discord may let it wait.
    let (door, discord) = tokio::select! {
        opened = listener::open(&settings) => opened?,
        () = &mut stop => return Ok(()),
    };
    let store = Store::open(&settings.data_dir.join("kith.db"))?;
    let found = tokio::time::timeout(MODEL_WAIT, &mut looking).await;
    let found = found.ok().map(|found| found.context("looking for a model")).transpose()?;
    let (chosen, held) = match found {
        Some(chosen) => (chosen, None),
        None => (models::not_known_yet(&settings.model).await, Some(Vec::new())),
    };
    let about = StartupInfo {
        place: door.place().clone(),
        model: models::line(&chosen, door.place()),
        problem: chosen.problem.clone(),
        daily_tokens: settings.budget.daily_tokens,
    };
    let watch = settings::watch(load, &settings);
    let (mut daemon, inner) = Daemon::open(settings, store, prompts, chosen, held, discord).await?;
    if daemon.held.is_some() {
        daemon.wait_for_model(looking);
    }
    if let ListenerKind::Room { token, .. } = door.place() {
        daemon.know_secret(token.secret());
    }
    let mut door = door.open(daemon.live.clone());
    started(&about);
    daemon.look_for_damage();
    if daemon.held.is_none() {
        daemon.tell_if_speechless();
    }
    daemon.live_until(stop.as_mut(), &mut door, inner, watch.ok()).await;
    daemon.close().await;
    door.close().await;
    daemon.fatal.map_or(Ok(()), |why| Err(anyhow::anyhow!(why)))
}

fn problems(problems: Vec<impl std::fmt::Display>) -> anyhow::Error {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    anyhow::anyhow!(lines.join("\n"))
}

/// What the daemon's own tasks tell it.
enum LoopMessage {
    /// What a round's prompt needs from the store is there.
    Gathered {
        turn: TurnId,
        channel: ChannelId,
        ask: u32,
        gathered: Result<(RenderInputs, vision::FetchedPictures), String>,
    },
    /// Pictures were looked at for a round.
    Looked { look: u64, looked: Vec<PictureDescription>, waiting: Box<vision::PictureWait> },
    /// Who was asked whether to speak answered, or did not.
    Verdict { name: String, speaks: Result<bool, String>, waiting: Box<vision::PictureWait> },
    /// A visible action of a turn went out, or did not.
    Delivered(deliver::DeliveryOutcome),
    /// A tool wants something done.
    Errand(ChannelId, loop_commands::LoopCommand, tokio::sync::oneshot::Sender<loop_commands::LoopCommandResult>),
    /// Nobody knows yet whether a part of a turn went out.
    Unconfirmed { turn: Option<TurnId>, part: u32, nonce: String },
    /// An action comes late: is it still to be done?
    IsWanted(discord::delivery::StillWantedQuestion),
    /// The model that was still looked for when the page opened.
    Found(Box<ModelSelection>),
    /// Another model was chosen, by the settings or by somebody who waits for the answer.
    Chosen(Box<ModelSelection>, Option<reply::RequestReply>),
    /// A model was tested for somebody who waits for the answer.
    Tested(models::ModelTestResult),
    /// It was tried whether it may post in a channel again: because that was due, or because somebody spoke to it.
    Tried { channel: ChannelId, planned: bool },
    /// What was missed in a channel of Discord, and how much that was to be said there is too old now.
    Missed { channel: Channel, missed: ChannelBackfill, dropped: usize },
    /// What the store had not taken was offered again.
    Offered(Result<Vec<AppendOutcome>, StoreError>),
    /// What came of something that waits for a decision.
    Proposals(Box<approvals::ApprovalNews>),
    /// What the desk decided on a request.
    Desk(Box<discord::CommandDecision>),
    /// A turn asks for a session.
    Wished(Box<sessions::RequestedSession>),
    /// The channel of a session is there, or could not be opened.
    Brought(Box<sessions::SessionChannelResult>),
    /// A prompt wants to begin with a summary.
    Wanted(Box<summaries::SummaryRequest>),
    /// What is missing in a channel's summary.
    Missing(Box<compaction::UnsummarizedSpan>),
    /// A model is about to be asked for a summary.
    Asking(Box<summarizer::SummaryCallRequest>),
    /// It was summed up, or not.
    SummedUp(Box<summarizer::SummaryResult>),
    /// Texts that people did not want to be remembered are erased.
    Forgot(ForgetResult),
    /// The database is damaged.
    Damaged(StoreError),
}

/// A model call that waits: turn, channel, and the number of the call.
type HeldCall = (TurnId, ChannelId, u32);

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
    chosen: ModelSelection,
    budget: BudgetLedger,
    budget_state: BudgetState,
    /// The channels whose own share is not open any more, as the core was told.
    short: BTreeMap<ChannelId, BudgetState>,
    observer: Observer,
    live: broadcast::Sender<Arc<LiveEvent>>,
    /// Takes out what nobody may see.
    redactor: Redactor,
    host: Arc<dyn ToolHost>,
    inner: mpsc::Sender<LoopMessage>,
    ear: TurnEventSender,
    /// The companion's own id.
    me: UserId,
    /// What moderators set by slash command.
    by_hand: ManualOverrides,
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
    /// Pictures that are being described.
    looks: HashMap<u64, vision::PictureDescriptions>,
    next_look: u64,
    /// What is being summed up of channels' histories.
    compaction: compaction::CompactionJobs,
    /// Calls for summaries that have not told their end.
    promises: summarizer::PromisedCalls,
    /// Model calls that wait until it is known which model answers; none once it is.
    held: Option<Vec<HeldCall>>,
    /// What the page was told of when channels are looked at next.
    next_beats: HashMap<ChannelId, Option<Millis>>,
    /// The channels something happened in since the page was told.
    touched: BTreeSet<ChannelId>,
    /// How much was posted in the place of words since the start: turns are unique, so this is unique in each.
    enclosed: u64,
    /// What is done by the clock.
    upkeep: upkeep::Upkeep,
}

/// The receiving ends of what [`Daemon`] hands out.
struct Inbox {
    inner: mpsc::Receiver<LoopMessage>,
    told: mpsc::Receiver<(TurnId, TaskReport)>,
}

impl Daemon {
    async fn open(
        settings: Settings,
        store: Store,
        prompts: PromptTemplates,
        chosen: ModelSelection,
        held: Option<Vec<HeldCall>>,
        discord: Option<DiscordConnection>,
    ) -> anyhow::Result<(Self, Inbox)> {
        let now = clock::now();
        let memory = Memory::new(store.clone());
        let (inner, inner_inbox) = mpsc::channel(256);
        let loop_commands = loop_commands::LoopCommandSender::new(inner.clone());
        let (members, away) = match discord {
            Some(discord) => {
                let command_service = CommandService::new(store.clone(), memory.clone());
                (
                    RoomMembers::nobody(loop_commands.clone()),
                    Some(DiscordPlatform::new(discord, &store, command_service, loop_commands).await?),
                )
            }
            None => (RoomMembers::load(&store, settings.language.unwrap_or_default(), loop_commands).await?, None),
        };
        let me = away.as_ref().map_or(room_members::ME, |away| away.discord.me());
        let host: Arc<dyn ToolHost> = away.as_ref().map_or_else(|| members.host(), DiscordPlatform::host);
        let spent = restart::spent_today(&store, now).await?;
        let core = Core::new(CoreSetup {
            me,
            weights: Arc::new(Weights::embedded()),
            turns_in_flight: settings.turns_in_flight() as usize,
            first_turn: TurnId(store.last_turn().await?.0 + 1),
        });
        let (ear, told) = mpsc::channel(1_024);
        let (live, _) = broadcast::channel(LIVE_KEPT);
        let mut daemon = Self {
            core,
            memory,
            registry: Arc::new(settings.registry(Vec::new())),
            servers: McpServers::new(McpTimeouts::default()),
            listeners: tools::ToolListeners::default(),
            permissions: Arc::new(settings.tool.clone()),
            web: Arc::new(WebClient::new(settings.web.clone())),
            uses: Arc::default(),
            prompts: Arc::new(prompts),
            chosen,
            budget: BudgetLedger::new(settings.budget.clone(), now, spent),
            budget_state: BudgetState::Open,
            short: BTreeMap::new(),
            observer: Observer::new(store.clone()),
            live,
            redactor: Redactor::default(),
            host,
            inner,
            ear,
            ids: IdGenerator::after(members.newest_id(&store).await?),
            members,
            me,
            by_hand: ManualOverrides::new(store.by_hand().await?),
            sessions: sessions::SessionBook::load(&store).await?,
            away,
            approvals: PendingApprovals::load(&store).await?,
            fatal: None,
            turns: HashMap::new(),
            pictures: PictureCache::default(),
            looks: HashMap::new(),
            next_look: 0,
            compaction: compaction::CompactionJobs::default(),
            promises: summarizer::PromisedCalls::new(),
            held,
            next_beats: HashMap::new(),
            touched: BTreeSet::new(),
            enclosed: 0,
            upkeep: upkeep::Upkeep::load(&store, now).await?,
            settings,
            store,
        };
        daemon.know_secrets();
        daemon.tools_anew();
        daemon.resume_budget(now).await?;
        daemon.restore(now).await?;
        if daemon.away.is_none() {
            daemon.take_up_proposals();
        }
        Ok((daemon, Inbox { inner: inner_inbox, told }))
    }

    async fn live_until(
        &mut self,
        stop: impl Future<Output = ()>,
        door: &mut PlatformListener,
        mut inbox: Inbox,
        mut watch: Option<settings::FileWatcher>,
    ) {
        tokio::pin!(stop);
        let mut served = self.servers.changes();
        while self.fatal.is_none() {
            let wake = self.next_deadline();
            tokio::select! {
                () = &mut stop => return,
                came = door.next() => match came {
                    ListenerEvent::Asked(asked) => {
                        self.look_at_budget(clock::now());
                        self.answer(asked).await;
                    }
                    ListenerEvent::Heard(heard) => self.heard(heard).await,
                    ListenerEvent::Nobody => return,
                },
                Some((turn, told)) = inbox.told.recv() => self.told(turn, told),
                Some(inner) = inbox.inner.recv() => self.inner(inner).await,
                Ok(()) = served.changed() => self.served(),
                Some(changed) = waits::changes(&mut watch) => self.settings_changed(changed).await,
                () = waits::until(wake) => self.tick().await,
            }
            self.observer.keep_decided();
            self.save_lanes_in_time();
        }
    }

    async fn inner(&mut self, inner: LoopMessage) {
        match inner {
            LoopMessage::Gathered { turn, channel, ask, gathered } => self.gathered(turn, channel, ask, gathered),
            LoopMessage::Looked { look, looked, waiting } => self.looked(look, looked, *waiting),
            LoopMessage::Verdict { name, speaks, waiting } => self.hear_verdict(&name, speaks, *waiting),
            LoopMessage::Delivered(delivered) => self.delivered(delivered),
            LoopMessage::Errand(channel, loop_command, answer) => {
                self.loop_command(channel, loop_command, answer).await
            }
            LoopMessage::Unconfirmed { turn, part, nonce } => self.unconfirmed(turn, part, &nonce),
            LoopMessage::IsWanted(question) => self.is_wanted(question),
            LoopMessage::Found(chosen) if self.held.is_some() => self.use_model(*chosen, None),
            // Somebody chose one meanwhile.
            LoopMessage::Found(_) => {}
            LoopMessage::Chosen(chosen, to) => self.use_model(*chosen, to),
            LoopMessage::Tested(tested) => self.tested(tested),
            LoopMessage::Tried { channel, planned } => self.tried(channel, planned),
            LoopMessage::Missed { channel, missed, dropped } => self.missed(channel, missed, dropped).await,
            LoopMessage::Offered(stored) => self.offered(stored),
            LoopMessage::Proposals(news) => self.news_of_proposals(*news),
            LoopMessage::Desk(decided) => self.decided(*decided).await,
            LoopMessage::Wished(wished) => self.wished(*wished).await,
            LoopMessage::Brought(brought) => self.brought(*brought).await,
            LoopMessage::Wanted(wanted) => self.summary_wanted(*wanted),
            LoopMessage::Missing(missing) => self.missing(*missing),
            LoopMessage::Asking(asking) => self.scribe_asks(*asking),
            LoopMessage::SummedUp(told) => self.summed_up(*told).await,
            LoopMessage::Damaged(error) => self.fatal = Some(error.to_string()),
            LoopMessage::Forgot(gone) => {
                gone.messages.into_iter().for_each(|(channel, ids)| self.forgot(channel, ids));
                self.reworded(gone.reworded);
            }
        }
    }

    /// Gives an event to the core and does what it asks for.
    fn handle(&mut self, event: Event) {
        self.touched.extend(self.channel_of(&event));
        match &event {
            Event::Deleted { channel, ids, .. } => {
                self.pictures.gone(ids);
                self.compaction.changed(*channel, ids);
            }
            Event::Edited { channel, id, .. } => self.compaction.changed(*channel, &[*id]),
            Event::Forgotten { user, channels } => self.pictures.forget(*user, channels.as_deref()),
            _ => {}
        }
        let effects = self.core.handle(clock::now(), event);
        self.execute(effects);
    }

    fn channel_of(&self, event: &Event) -> Option<ChannelId> {
        match event {
            Event::ChannelSeen { channel, .. } => Some(channel.id),
            Event::Message(message) => Some(message.channel),
            Event::Edited { channel, .. }
            | Event::Deleted { channel, .. }
            | Event::Reaction { channel, .. }
            | Event::Typing { channel, .. }
            | Event::DecideNow { channel }
            | Event::Gap { channel, .. }
            | Event::Undelivered { channel, .. }
            | Event::Outcome { channel, .. }
            | Event::LookingBack { channel, .. }
            | Event::ShareLeft { channel, .. }
            | Event::Intended { channel, .. }
            | Event::Dropped { channel, .. }
            | Event::Fresh { channel, .. } => Some(*channel),
            Event::Turn { turn, .. } => self.core.channel_of(*turn),
            Event::Forgotten { .. } | Event::Budget(_) | Event::Tick => None,
        }
    }

    fn tell(&self, live: LiveEvent) {
        // Without a reader there is nobody to tell.
        let _ = self.live.send(Arc::new(live));
    }

    /// Ends what runs and waits until all of it is written down.
    async fn close(&mut self) {
        self.stop_turns();
        self.core.call_off();
        self.stop_looking();
        self.stop_summing();
        self.tools_are_told_the_end().await;
        std::mem::replace(&mut self.servers, McpServers::new(McpTimeouts::default())).stop().await;
        self.offer_the_rest().await;
        self.save_lanes(clock::now());
        self.save_seen().await;
        self.observer.flush().await;
    }
}
