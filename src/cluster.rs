//! Several processes that share one companion: each runs the partitions it holds a lease of, every one as a daemon of its
//! own, and takes over what a dead process held.
//!
//! A process that holds nothing waits: it is a standby. So a bot of one partition has a second process that goes on where
//! the first one dies, without any more settings.

mod running;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use crate::daemon::{MonitoredLoops, MonitoringServer, PartitionContext, StartupInfo, waits};
use crate::settings::{LoadOptions, Settings};
use kith_agent::prompt::PromptTemplates;
use kith_discord::DiscordShare;
use kith_discord::gateway::SharedSessionStarts;
use kith_discord::rest::{DeliveryFence, RequestAllowance, RequestPacing};
use kith_store::{
    DatabasePlace, LeaseView, PartitionLease, PartitionLeases, PostgresAddress, SessionStartQueue,
};
use kith_system::{clock, service_manager};
use running::RunningPartitions;

#[derive(Clone, Debug)]
pub enum ClusterNews {
    /// Others run all of it. This one takes over where one of them ends.
    Waiting,
    /// People can come to a partition.
    Started(Box<StartupInfo>),
}

#[derive(Clone)]
struct Outfit {
    settings: Settings,
    prompts: PromptTemplates,
    load: LoadOptions,
    address: PostgresAddress,
    allowance: RequestAllowance,
}

/// The server where several processes can share a companion; none unless it lives on Discord with a database there.
pub fn find_shared_server(settings: &Settings) -> Option<PostgresAddress> {
    match settings.database_place() {
        DatabasePlace::Server(address) if !settings.discord.token.is_empty() => Some(*address),
        _ => None,
    }
}

/// Runs what is leased to this process until `stop` is done, and tells the news of it.
///
/// # Errors
/// The server cannot be used, or a partition cannot be run for another reason than that somebody else has it.
pub async fn run(
    settings: Settings,
    prompts: PromptTemplates,
    load: LoadOptions,
    address: PostgresAddress,
    mut on_news: impl FnMut(&ClusterNews) + Send,
    stop: impl Future<Output = ()> + Send,
) -> anyhow::Result<()> {
    tokio::pin!(stop);
    let leases = tokio::select! {
        leases = open_leases(&address, settings.store.partitions) => leases?,
        () = &mut stop => return Ok(()),
    };
    let mut view = leases.view();
    let loops = MonitoredLoops::new(leases.view());
    let _monitoring =
        MonitoringServer::open(settings.metrics.listen.map(|listen| listen.0), &loops).await?;
    let outfit = Outfit {
        settings,
        prompts,
        load,
        address,
        allowance: RequestAllowance::new(0),
    };
    let (mut running, mut all_news) = RunningPartitions::new();
    let mut watchdog = service_manager::find_watchdog_interval().map(tokio::time::interval);
    if view.borrow().held.is_empty() {
        service_manager::notify_ready();
        on_news(&ClusterNews::Waiting);
    }
    let mut outcome = Ok(());
    while outcome.is_ok() {
        let seen = view.borrow_and_update().clone();
        running.stop_lost(&seen);
        let held = seen.held.len();
        let allowed = find_allowed(held, outfit.settings.store.partitions);
        outfit.allowance.set_per_second(allowed);
        // Until the server has heard of it: what is to be given back is run nowhere.
        if let Some(lease) = running.find_given_up(&seen) {
            leases.give_back(lease);
        }
        for lease in running.find_startable(&seen) {
            let share = share_of(&lease, &outfit, &leases, &loops);
            running.start(lease, &outfit, share);
        }
        tokio::select! {
            () = &mut stop => break,
            changed = view.changed() => outcome = changed.context("the thread of the leases ended"),
            Some(news) = all_news.recv() => on_news(&news),
            Some(end) = running.next_end() => outcome = running.settle_end(end, &leases),
            () = waits::wait_for_interval(&mut watchdog) => drop(tokio::spawn(tell_alive(loops.clone()))),
        }
    }
    running.stop_all(&leases).await;
    leases.leave().await;
    outcome
}

async fn open_leases(address: &PostgresAddress, count: u16) -> anyhow::Result<PartitionLeases> {
    let (address, name) = (address.clone(), name_process());
    let opening = move || PartitionLeases::open(&address, &name, count);
    Ok(tokio::task::spawn_blocking(opening).await??)
}

fn name_process() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format!("{}:{}", host.trim(), std::process::id())
}

/// How many requests a second this process may send Discord: the share of its partitions, whichever is busy.
fn find_allowed(held: usize, partitions: u16) -> usize {
    RequestPacing::default().per_second * held / usize::from(partitions)
}

fn share_of(
    lease: &PartitionLease,
    outfit: &Outfit,
    leases: &PartitionLeases,
    loops: &MonitoredLoops,
) -> PartitionContext {
    PartitionContext {
        database: DatabasePlace::Server(Box::new(outfit.address.leased(lease))),
        discord: DiscordShare {
            partition: lease.partition,
            session_starts: Some(Arc::new(SharedStarts(leases.session_starts()))),
            allowance: Some(outfit.allowance.clone()),
            fence: Some(fence_of(lease.clone(), leases.view())),
        },
        loops: loops.clone(),
        leases: Some(leases.view()),
    }
}

/// Open while nobody else can have taken what is leased.
fn fence_of(lease: PartitionLease, view: watch::Receiver<LeaseView>) -> DeliveryFence {
    DeliveryFence::new(move || view.borrow().is_held(&lease, clock::monotonic()))
}

struct SharedStarts(SessionStartQueue);

impl SharedSessionStarts for SharedStarts {
    fn reserve(&self, group: u16, apart: Duration) -> BoxFuture<'_, Option<Duration>> {
        self.0.reserve(group, apart).boxed()
    }

    fn claim(&self, group: u16, apart: Duration) -> BoxFuture<'_, Option<Duration>> {
        self.0.claim(group, apart).boxed()
    }
}

/// Tells that the process is alive, if every loop in it is: it is started anew where one of them hangs.
async fn tell_alive(loops: MonitoredLoops) {
    if loops.are_alive().await {
        service_manager::notify_alive();
    }
}
