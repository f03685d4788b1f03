//! The partitions that run in this process, each a task that can be told to stop.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use super::{ClusterNews, Outfit};
use crate::daemon::{self, PartitionContext};
use kith_core::partition::Partition;
use kith_discord::FewSessionStarts;
use kith_language::cli;
use kith_store::{LeaseView, PartitionLease, PartitionLeases, StoreError};
use kith_system::clock;

/// How long what is told to stop may take before it is cut off: others wait for it, and are to have it within 5 s. A server
/// that is away may make it wait for ever. What is cut off loses no more than what is killed.
const STOPPED_WITHIN: Duration = Duration::from_secs(4);

/// How long a partition rests that somebody else has: every try asks Discord, too.
const RESTED_FOR: Duration = Duration::from_secs(5);
/// How long one rests for which too few sessions may be started. It may be hours until there are more.
const RESTED_FOR_STARTS: Duration = Duration::from_secs(300);

/// Why a partition is not run here for a while, though nothing is wrong with this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RestCause {
    /// Somebody else has it.
    Taken,
    /// Discord lets the bot start too few sessions. Ending the process would end partitions that need no start.
    FewStarts,
}

pub(super) struct PartitionEnd {
    pub lease: PartitionLease,
    pub was_told: bool,
    pub outcome: anyhow::Result<()>,
}

struct RunningPartition {
    lease: PartitionLease,
    /// Gone once it was told to stop.
    stop: Option<oneshot::Sender<()>>,
    task: AbortHandle,
}

pub(super) struct RunningPartitions {
    by_number: BTreeMap<u16, RunningPartition>,
    tasks: JoinSet<(u16, anyhow::Result<()>)>,
    /// Until when some rest that could not be opened.
    rest_until: BTreeMap<u16, Instant>,
    news_sender: mpsc::UnboundedSender<ClusterNews>,
}

impl RunningPartitions {
    pub fn new() -> (Self, mpsc::UnboundedReceiver<ClusterNews>) {
        let (news_sender, news) = mpsc::unbounded_channel();
        let none = Self {
            by_number: BTreeMap::new(),
            tasks: JoinSet::new(),
            rest_until: BTreeMap::new(),
            news_sender,
        };
        (none, news)
    }

    /// What is leased, is not to be given back, and does not run.
    pub fn find_startable(&self, view: &LeaseView) -> Vec<PartitionLease> {
        let rests = |lease: &&PartitionLease| {
            let number = lease.partition.number();
            view.give_back != Some(number)
                && !self.by_number.contains_key(&number)
                && !self.rests(number)
        };
        view.held.iter().filter(rests).cloned().collect()
    }

    fn rest(&mut self, number: u16, time: Duration) {
        self.rest_until.insert(number, clock::monotonic() + time);
    }

    fn rests(&self, number: u16) -> bool {
        let until = self.rest_until.get(&number);
        until.is_some_and(|until| clock::monotonic() < *until)
    }

    /// What is to be given back and runs no more.
    pub fn find_given_up(&self, view: &LeaseView) -> Option<PartitionLease> {
        let number = view
            .give_back
            .filter(|number| !self.by_number.contains_key(number))?;
        let mut held = view.held.iter();
        held.find(|lease| lease.partition.number() == number)
            .cloned()
    }

    pub fn settle_end(
        &mut self,
        end: PartitionEnd,
        leases: &PartitionLeases,
    ) -> anyhow::Result<()> {
        let partition = end.lease.partition.number();
        if end.was_told {
            leases.give_back(end.lease);
            return Ok(());
        }
        match end.outcome {
            Err(error) if let Some(cause) = find_rest_cause(&error, end.lease.partition) => {
                match cause {
                    RestCause::Taken => {
                        tracing::warn!(partition, "somebody else has the partition: {error:#}");
                        self.rest(partition, RESTED_FOR);
                    }
                    RestCause::FewStarts => {
                        tracing::error!(partition, "the partition is not run for now: {error:#}");
                        self.rest(partition, RESTED_FOR_STARTS);
                        leases.give_back(end.lease);
                    }
                }
                Ok(())
            }
            Err(error) => Err(error),
            Ok(()) => Err(cli::daemon_died().into()),
        }
    }

    pub fn start(&mut self, lease: PartitionLease, outfit: &Outfit, share: PartitionContext) {
        let Outfit {
            settings,
            prompts,
            load,
            ..
        } = outfit.clone();
        let (stop, stopped) = oneshot::channel();
        let news = self.news_sender.clone();
        let number = lease.partition.number();
        let task = self.tasks.spawn(async move {
            let on_start = move |info: &daemon::StartupInfo| {
                drop(news.send(ClusterNews::Started(Box::new(info.clone()))));
            };
            // Where nobody can tell it to stop any more, it is to stop as well.
            let stop = async move { drop(stopped.await) };
            let outcome = daemon::run(settings, prompts, load, share, on_start, stop).await;
            (number, outcome)
        });
        let partition = RunningPartition {
            lease,
            stop: Some(stop),
            task,
        };
        self.by_number.insert(number, partition);
    }

    /// Stops what is leased no more, and what is to be given back.
    pub fn stop_lost(&mut self, view: &LeaseView) {
        for (number, running) in &mut self.by_number {
            let is_kept = view.held.contains(&running.lease) && view.give_back != Some(*number);
            if !is_kept {
                running.tell_to_stop();
            }
        }
    }

    /// The next one that ends. Nothing where none runs.
    pub async fn next_end(&mut self) -> Option<PartitionEnd> {
        loop {
            match self.tasks.join_next().await? {
                Ok((number, outcome)) => return self.record_end(number, outcome),
                Err(error) if error.is_cancelled() => {
                    let is_cut = |running: &RunningPartition| running.task.id() == error.id();
                    let cut = self.by_number.iter().find(|(_, running)| is_cut(running));
                    if let Some(number) = cut.map(|(number, _)| *number) {
                        return self.record_end(number, Ok(()));
                    }
                }
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
        }
    }

    fn record_end(&mut self, number: u16, outcome: anyhow::Result<()>) -> Option<PartitionEnd> {
        let RunningPartition { lease, stop, .. } = self.by_number.remove(&number)?;
        Some(PartitionEnd {
            lease,
            was_told: stop.is_none(),
            outcome,
        })
    }

    /// Stops all and waits until they have ended. Each is free for others as soon as it has.
    pub async fn stop_all(mut self, leases: &PartitionLeases) {
        for running in self.by_number.values_mut() {
            running.tell_to_stop();
        }
        while let Some(end) = self.next_end().await {
            if let Err(error) = end.outcome {
                let partition = end.lease.partition.number();
                tracing::warn!(partition, "the partition did not stop well: {error:#}");
            }
            leases.give_back(end.lease);
        }
    }
}

impl RunningPartition {
    fn tell_to_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // Who has ended already need not be told.
            let _ = stop.send(());
            let task = self.task.clone();
            tokio::spawn(async move {
                sleep(STOPPED_WITHIN).await;
                task.abort();
            });
        }
    }
}

/// Whether a partition rests, and why; none where its error ends the process, as for one that is all there is.
fn find_rest_cause(error: &anyhow::Error, partition: Partition) -> Option<RestCause> {
    if let Some(StoreError::InUse { .. }) = error.downcast_ref::<StoreError>() {
        return Some(RestCause::Taken);
    }
    let lacks_starts = error.is::<FewSessionStarts>();
    (lacks_starts && partition.count() > 1).then_some(RestCause::FewStarts)
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn one_of_several_partitions_rests_for_want_of_session_starts_and_the_only_one_ends_its_process()
     {
        let few =
            || -> anyhow::Error { FewSessionStarts("Only 3 of 1000 are left.".into()).into() };
        let part = Partition::new(3, 8).unwrap();
        assert_eq!(find_rest_cause(&few(), part), Some(RestCause::FewStarts));
        assert_eq!(find_rest_cause(&few(), Partition::WHOLE), None);
        assert_eq!(find_rest_cause(&anyhow!("any other"), part), None);
        assert_eq!(few().to_string(), "Only 3 of 1000 are left.");
    }
}
