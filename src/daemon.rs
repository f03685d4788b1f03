//! The one loop: takes what happens from platforms, tasks and the clock, stores it, lets the core decide, and executes
//! its effects. Everything that changes the companion's state happens here, one thing after the other.

mod changes;
mod deliver;
mod effects;
mod ids;
mod models;
mod reply;
mod requests;
mod restart;
mod rooms;
mod running;

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::clock;
use crate::core::chat::{Channel, ChannelId, Millis, SECOND, TurnId};
use crate::core::event::{BudgetState, Event};
use crate::core::willingness::Weights;
use crate::core::{Core, Inputs, Setup};
use crate::memory::Memory;
use crate::model::{Budget, Chosen};
use crate::observe::Observer;
use crate::platform::room::{self, Asked, Doors, Live};
use crate::settings::{self, LoadOptions, Problem, Settings};
use crate::store::Store;
use crate::tools::Registry;
use crate::turn::prompt::Prompts;
use crate::turn::{Ear, Told};

use ids::Ids;
use rooms::Guests;

/// How many requests of front ends are stored in one commit.
const REQUESTS_TOGETHER: usize = 64;
/// How long a server may take to tell about its model before the page opens without it.
const MODEL_WAIT: Duration = Duration::from_millis(150);
/// How many live events a slow front end may lag behind before it has to fetch everything again.
const LIVE_KEPT: usize = 1_024;
/// Lane states are saved at most this often.
const SAVE_EVERY: Millis = SECOND;
/// Old messages are looked for this often.
const PRUNE_EVERY: Millis = 6 * 60 * 60 * SECOND;

/// What the daemon tells about itself when its doors are open.
#[derive(Clone, Debug)]
pub struct Started {
    /// Where the page is.
    pub address: SocketAddr,
    /// Which model answers.
    pub model: String,
    /// What is wrong with the model that was asked for.
    pub problem: Option<String>,
    /// The most tokens a day.
    pub daily_tokens: u64,
}

/// Runs the companion until `stop` is done. `started` is told once when the page can be opened.
///
/// # Errors
/// What keeps it from starting: the store, the port, the prompts. Once started it goes on whatever happens.
pub async fn run(
    settings: Settings,
    load: LoadOptions,
    started: impl FnOnce(&Started),
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let listener = room::bind(settings.room.listen).await?;
    let address = listener.local_addr().context("the room's own address")?;
    let prompts = Prompts::load(settings.prompts_dir.as_deref()).map_err(problems)?;
    let store = Store::open(&settings.data_dir.join("kith.db"))?;
    let mut looking = tokio::spawn({
        let settings = settings.model.clone();
        async move { crate::model::resolve(&settings).await }
    });
    let found = tokio::time::timeout(MODEL_WAIT, &mut looking).await;
    let found = found.ok().map(|found| found.context("looking for a model")).transpose()?;
    let (chosen, held) = match found {
        Some(chosen) => (chosen, None),
        None => (models::not_known_yet(&settings.model).await, Some(Vec::new())),
    };
    let about = Started {
        address,
        model: chosen.line.clone(),
        problem: chosen.problem.clone(),
        daily_tokens: settings.budget.daily_tokens,
    };
    let watch = settings::watch(load, &settings);
    let (mut daemon, inner) = Daemon::open(settings, store, prompts, chosen, held).await?;
    if daemon.held.is_some() {
        daemon.wait_for_model(looking);
    }
    let (requests, stop_room, room) = daemon.open_room(listener);
    started(&about);
    daemon.live_until(stop, requests, inner, watch.ok()).await;
    daemon.close().await;
    let _ = stop_room.send(());
    // Browsers may hold their stream open; the page comes back by itself when the daemon does.
    let _ = tokio::time::timeout(Duration::from_secs(2), room).await;
    Ok(())
}

fn problems(problems: Vec<impl std::fmt::Display>) -> anyhow::Error {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    anyhow::anyhow!(lines.join("\n"))
}

/// What the daemon's own tasks tell it.
enum Inner {
    /// What a round's prompt needs from the store is there.
    Gathered { turn: TurnId, channel: ChannelId, ask: u32, inputs: Result<Inputs, String> },
    /// A visible action of a turn went out, or did not.
    Delivered(deliver::Delivered),
    /// The model that was still looked for when the page opened.
    Found(Box<Chosen>),
    /// Another model was chosen, by the settings or by somebody who waits for the answer.
    Chosen(Box<Chosen>, Option<reply::Reply>),
    /// A model was tested for somebody who waits for the answer.
    Tested(models::Tested),
}

/// A model call that waits: turn, channel, and the number of the call.
type HeldCall = (TurnId, ChannelId, u32);

/// Everything the loop holds.
struct Daemon {
    settings: Settings,
    core: Core,
    store: Store,
    memory: Memory,
    registry: Arc<Registry>,
    prompts: Prompts,
    chosen: Chosen,
    budget: Budget,
    budget_state: BudgetState,
    observer: Observer,
    live: broadcast::Sender<Arc<Live>>,
    host: Arc<rooms::RoomHost>,
    inner: mpsc::Sender<Inner>,
    ear: Ear,
    ids: Ids,
    guests: Guests,
    turns: HashMap<TurnId, running::Running>,
    /// Model calls that wait until it is known which model answers; none once it is.
    held: Option<Vec<HeldCall>>,
    /// What the page was told of when channels are looked at next.
    next_beats: HashMap<ChannelId, Option<Millis>>,
    /// The channels something happened in since the page was told.
    touched: BTreeSet<ChannelId>,
    save_at: Option<Millis>,
    prune_at: Millis,
}

/// The receiving ends of what [`Daemon`] hands out.
struct Inbox {
    inner: mpsc::Receiver<Inner>,
    told: mpsc::Receiver<(TurnId, Told)>,
}

impl Daemon {
    async fn open(
        settings: Settings,
        store: Store,
        prompts: Prompts,
        chosen: Chosen,
        held: Option<Vec<HeldCall>>,
    ) -> anyhow::Result<(Self, Inbox)> {
        let now = clock::now();
        let guests = Guests::load(&store, settings.language.unwrap_or_default()).await?;
        let spent = restart::spent_today(&store, now).await?;
        let core = Core::new(Setup {
            me: rooms::ME,
            weights: Arc::new(Weights::embedded()),
            turns_in_flight: settings.turns_in_flight() as usize,
            first_turn: TurnId(store.last_turn().await?.0 + 1),
        });
        let (inner, inner_inbox) = mpsc::channel(256);
        let (ear, told) = mpsc::channel(1_024);
        let (live, _) = broadcast::channel(LIVE_KEPT);
        let mut daemon = Self {
            core,
            memory: Memory::new(store.clone()),
            registry: Arc::new(Registry::builtin()),
            prompts,
            chosen,
            budget: Budget::new(settings.budget.clone(), now, spent),
            budget_state: BudgetState::Open,
            observer: Observer::new(store.clone()),
            live,
            host: Arc::new(rooms::RoomHost::default()),
            inner,
            ear,
            ids: Ids::after(guests.newest_id(&store).await?),
            guests,
            turns: HashMap::new(),
            held,
            next_beats: HashMap::new(),
            touched: BTreeSet::new(),
            save_at: None,
            prune_at: now,
            settings,
            store,
        };
        daemon.look_at_budget(now);
        daemon.restore(now).await?;
        Ok((daemon, Inbox { inner: inner_inbox, told }))
    }

    fn open_room(
        &self,
        listener: TcpListener,
    ) -> (mpsc::Receiver<Asked>, oneshot::Sender<()>, tokio::task::JoinHandle<std::io::Result<()>>) {
        let (requests, inbox) = mpsc::channel(REQUESTS_TOGETHER * 4);
        let (stop, stopped) = oneshot::channel();
        let doors = Doors { requests, live: self.live.clone() };
        let room = tokio::spawn(room::serve(listener, doors, async {
            let _ = stopped.await;
        }));
        (inbox, stop, room)
    }

    async fn live_until(
        &mut self,
        stop: impl Future<Output = ()>,
        mut requests: mpsc::Receiver<Asked>,
        mut inbox: Inbox,
        mut watch: Option<settings::Watch>,
    ) {
        tokio::pin!(stop);
        let mut asked = Vec::with_capacity(REQUESTS_TOGETHER);
        loop {
            let wake = self.next_deadline();
            tokio::select! {
                () = &mut stop => return,
                count = requests.recv_many(&mut asked, REQUESTS_TOGETHER) => {
                    if count == 0 {
                        return;
                    }
                    self.look_at_budget(clock::now());
                    self.answer(std::mem::take(&mut asked)).await;
                }
                Some((turn, told)) = inbox.told.recv() => self.told(turn, told),
                Some(inner) = inbox.inner.recv() => self.inner(inner),
                Some(changed) = changes(&mut watch) => self.settings_changed(changed),
                () = until(wake) => self.tick(),
            }
            self.save_lanes_in_time();
        }
    }

    fn inner(&mut self, inner: Inner) {
        match inner {
            Inner::Gathered { turn, channel, ask, inputs } => self.ask_model(turn, channel, ask, inputs),
            Inner::Delivered(delivered) => self.delivered(delivered),
            Inner::Found(chosen) if self.held.is_some() => self.use_model(*chosen, None),
            // Somebody chose one meanwhile.
            Inner::Found(_) => {}
            Inner::Chosen(chosen, to) => self.use_model(*chosen, to),
            Inner::Tested(tested) => self.tested(tested),
        }
    }

    /// Gives an event to the core and does what it asks for.
    fn handle(&mut self, event: Event) {
        self.touched.extend(self.channel_of(&event));
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
            | Event::Gap { channel } => Some(*channel),
            Event::Turn { turn, .. } => self.core.channel_of(*turn),
            Event::Budget(_) | Event::Tick => None,
        }
    }

    fn next_deadline(&mut self) -> Option<Millis> {
        let renewed = (self.budget_state != BudgetState::Open).then(|| Budget::renews_at(clock::now()));
        [self.core.next_deadline(), self.save_at, Some(self.prune_at), renewed].into_iter().flatten().min()
    }

    fn tick(&mut self) {
        let now = clock::now();
        if self.prune_at <= now {
            self.prune_at = now + PRUNE_EVERY;
            self.prune(now);
        }
        self.look_at_budget(now);
        self.touched.extend(self.overdue_beats(now));
        self.handle(Event::Tick);
    }

    fn prune(&self, now: Millis) {
        let days = Millis::from(self.settings.store.keep_days);
        let before = now - days * 24 * 60 * 60 * SECOND;
        let store = self.store.clone();
        tokio::spawn(async move {
            loop {
                match store.prune(before).await {
                    Ok(0) => break,
                    Ok(count) => tracing::info!(count, days, "removed what is older than the days it is kept"),
                    Err(error) => {
                        tracing::warn!(%error, "old messages could not be removed; trying again later");
                        break;
                    }
                }
            }
        });
    }

    /// Tells the core and the page when the budget's state changed.
    fn look_at_budget(&mut self, now: Millis) {
        let state = self.budget.state(now);
        if state == self.budget_state {
            return;
        }
        self.budget_state = state;
        let (cap, spent) = (self.budget.cap(), self.budget.spent(now));
        let text = match state {
            BudgetState::Open => "The daily token budget is open again.".to_owned(),
            BudgetState::Soft => {
                format!("{spent} of {cap} tokens of the day are spent: from now on only direct address is answered.")
            }
            BudgetState::Hard => {
                format!("The daily budget of {cap} tokens is spent: nobody is answered until midnight UTC.")
            }
        };
        tracing::warn!("{text}");
        self.tell(Live::Notice { text });
        self.handle(Event::Budget(state));
    }

    fn save_lanes_in_time(&mut self) {
        let now = clock::now();
        match self.save_at {
            None => {
                let wanted = self.core.has_changed_lanes() || self.observer.has_unwritten();
                self.save_at = wanted.then_some(now + SAVE_EVERY);
            }
            Some(at) if at <= now => {
                self.save_at = None;
                if let Some(text) = self.observer.retry() {
                    self.tell(Live::Notice { text });
                }
                self.save_lanes(now);
            }
            Some(_) => {}
        }
    }

    fn save_lanes(&mut self, now: Millis) {
        for (channel, state) in self.core.changed_lanes() {
            self.observer.lane(channel, &state, now);
        }
    }

    fn settings_changed(&mut self, changed: Result<Settings, Vec<Problem>>) {
        match changed {
            Err(problems) => {
                for problem in problems {
                    tracing::error!("{problem}");
                    self.tell(Live::Notice { text: problem.to_string() });
                }
                tracing::warn!("the settings stay as they were");
            }
            Ok(fresh) => {
                for problem in self.prompts.reload(fresh.prompts_dir.as_deref()) {
                    tracing::error!("{problem}; the last good prompts stay");
                    self.tell(Live::Notice { text: problem.to_string() });
                }
                let restart = fresh.needs_restart(&self.settings);
                if !restart.is_empty() {
                    let text = format!("{}: counts after a restart of kith.", restart.join(", "));
                    tracing::warn!("{text}");
                    self.tell(Live::Notice { text });
                }
                let model_changed = fresh.model != self.settings.model;
                self.budget.set(fresh.budget.clone());
                self.settings = fresh;
                if model_changed {
                    let (settings, inner) = (self.settings.model.clone(), self.inner.clone());
                    tokio::spawn(async move {
                        let chosen = crate::model::resolve(&settings).await;
                        let _ = inner.send(Inner::Chosen(Box::new(chosen), None)).await;
                    });
                }
                self.look_at_budget(clock::now());
                self.resettle();
                tracing::info!("settings, personas and prompts were read again");
            }
        }
    }

    /// Tells the core the settings of every channel as they are now.
    fn resettle(&mut self) {
        self.host.set_channels(self.guests.channels());
        for channel in self.guests.channels().to_vec() {
            self.settle(channel);
        }
    }

    fn settle(&mut self, channel: Channel) {
        let policy = Arc::new(self.policy(&channel));
        self.tell(Live::Channel(rooms::room_channel(&channel, &policy)));
        self.handle(Event::ChannelSeen { channel, policy });
    }

    fn tell(&self, live: Live) {
        // Without a reader there is nobody to tell.
        let _ = self.live.send(Arc::new(live));
    }

    /// Ends what runs and waits until all of it is written down.
    async fn close(&mut self) {
        self.stop_turns();
        self.save_lanes(clock::now());
        self.observer.flush().await;
    }
}

async fn changes(watch: &mut Option<settings::Watch>) -> Option<Result<Settings, Vec<Problem>>> {
    match watch {
        Some(watch) => watch.changes.recv().await,
        None => std::future::pending().await,
    }
}

/// Sleeps until a moment by the machine's clock; for ever without one.
async fn until(deadline: Option<Millis>) {
    match deadline {
        None => std::future::pending().await,
        Some(at) => {
            let wait = u64::try_from(at - clock::now()).unwrap_or(0);
            sleep_until(Instant::now() + Duration::from_millis(wait)).await;
        }
    }
}
