//! How several processes share the partitions of one database: each holds some by a lease that it renews, and what a dead
//! one held is taken over.

mod book;
mod shares;
#[cfg(test)]
#[path = "../../tests/leases.rs"]
mod tests;

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use book::LeaseTable;
pub(super) use book::{begin_statement, explain_lost_lease, token_question};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::address::{PartitionLease, PostgresAddress};
use super::lease_view::LeaseView;
use crate::error::StoreError;
use crate::sql_error::PostgresError;
use kith_system::clock::monotonic;

const RENEWED_EVERY: Duration = Duration::from_secs(3);
/// How long after it said so nobody else can have taken what it holds, by its own clock. Less than the server waits
/// before it counts as dead, for its clock may go slower.
const VALID_FOR: Duration = Duration::from_secs(book::SILENT_FOR.as_secs() - 2);

/// How long the server may take to say when a session may be started.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// How long the server may take to be told that this process is no more.
const LEFT_WITHIN: Duration = Duration::from_secs(5);

enum LeaseRequest {
    GiveBack(PartitionLease),
    AskStart(SessionStartQuestion),
    Leave(oneshot::Sender<()>),
}

#[derive(Clone, Copy)]
enum SessionStartStep {
    Reserve,
    Claim,
}

/// When the next session of a group of shards may be started.
struct SessionStartQuestion {
    step: SessionStartStep,
    group: u16,
    apart: Duration,
    answer: oneshot::Sender<Duration>,
}

/// The leases of this process. Dropped, it says no more that it lives, and others take over.
#[derive(Debug)]
pub struct PartitionLeases {
    requests: mpsc::Sender<LeaseRequest>,
    view: watch::Receiver<LeaseView>,
    _thread: JoinHandle<()>,
}

impl PartitionLeases {
    /// Takes part in sharing a database that is divided into so many partitions, under a name for people. Waits for the
    /// server: not for async code.
    ///
    /// # Errors
    /// The server cannot be reached or used, or the database is divided otherwise.
    pub fn open(address: &PostgresAddress, name: &str, count: u16) -> Result<Self, StoreError> {
        let shown = address.to_shown_path();
        let failed = |reason: String| StoreError::Unreachable {
            path: shown.clone(),
            reason,
        };
        let (requests, received) = mpsc::channel();
        let (publish, view) = watch::channel(LeaseView::default());
        let (opened, is_open) = mpsc::channel();
        let (address, name, path) = (address.clone(), name.to_owned(), shown.clone());
        let keep = move || match LeaseTable::open(&address, &name, count) {
            Ok(mut book) => {
                let first = renew(&mut book, &publish);
                let explain = |error| StoreError::explain(error, &path);
                let _ = opened.send(first.map_err(explain));
                keep_leases(&mut book, &publish, &received);
            }
            Err(error) => drop(opened.send(Err(error))),
        };
        let thread = Builder::new()
            .name("store-leases".into())
            .spawn(keep)
            .map_err(|error| failed(error.to_string()))?;
        is_open
            .recv()
            .unwrap_or_else(|_| Err(failed("its thread ended".into())))?;
        Ok(Self {
            requests,
            view,
            _thread: thread,
        })
    }

    pub fn view(&self) -> watch::Receiver<LeaseView> {
        self.view.clone()
    }

    /// A partition that is not run here any more is free for others.
    pub fn give_back(&self, lease: PartitionLease) {
        // Without its thread everything is given back anyway.
        let _ = self.requests.send(LeaseRequest::GiveBack(lease));
    }

    /// What reserves the starts of sessions with Discord, of which all processes together have so many.
    pub fn session_starts(&self) -> SessionStartQueue {
        SessionStartQueue(self.requests.clone())
    }

    /// Everything is free for others, and this process is no more. Where the server does not answer, nobody waits long:
    /// others will see that it is silent.
    pub async fn leave(self) {
        let (done, is_done) = oneshot::channel();
        let _ = self.requests.send(LeaseRequest::Leave(done));
        let _ = timeout(LEFT_WITHIN, is_done).await;
    }
}

/// The starts of sessions with Discord, one after the other over all processes.
#[derive(Clone, Debug)]
pub struct SessionStartQueue(mpsc::Sender<LeaseRequest>);

impl SessionStartQueue {
    /// Reserves the next start in a group of shards, of which two are `apart`. Answers how long to wait for it; none where
    /// the server cannot be asked.
    pub async fn reserve(&self, group: u16, apart: Duration) -> Option<Duration> {
        self.ask(SessionStartStep::Reserve, group, apart).await
    }

    /// Counts a start in a group of shards as made now. Answers zero, or how long it has to wait and ask again because
    /// another was made less than `apart` ago; none where the server does not answer.
    pub async fn claim(&self, group: u16, apart: Duration) -> Option<Duration> {
        self.ask(SessionStartStep::Claim, group, apart).await
    }

    async fn ask(&self, step: SessionStartStep, group: u16, apart: Duration) -> Option<Duration> {
        let (answer, wait) = oneshot::channel();
        let question = SessionStartQuestion {
            step,
            group,
            apart,
            answer,
        };
        self.0.send(LeaseRequest::AskStart(question)).ok()?;
        timeout(ANSWERED_WITHIN, wait).await.ok()?.ok()
    }
}

fn renew(book: &mut LeaseTable, publish: &watch::Sender<LeaseView>) -> Result<(), PostgresError> {
    let began = monotonic();
    let view = book.beat()?;
    publish.send_replace(LeaseView {
        valid_until: Some(began + VALID_FOR),
        ..view
    });
    Ok(())
}

fn keep_leases(
    book: &mut LeaseTable,
    publish: &watch::Sender<LeaseView>,
    requests: &mpsc::Receiver<LeaseRequest>,
) {
    let mut next_beat = monotonic() + RENEWED_EVERY;
    loop {
        match requests.recv_timeout(next_beat.saturating_duration_since(monotonic())) {
            Ok(LeaseRequest::GiveBack(lease)) => {
                next_beat = monotonic();
                if let Err(error) = book.give_back(&lease) {
                    let partition = lease.partition.number();
                    tracing::warn!(partition, "it is not given back yet: {error}");
                }
            }
            // Who asked may have given up.
            Ok(LeaseRequest::AskStart(question)) if question.answer.is_closed() => {}
            Ok(LeaseRequest::AskStart(question)) => {
                let SessionStartQuestion { group, apart, .. } = question;
                let wait = match question.step {
                    SessionStartStep::Reserve => book.reserve_start(group, apart),
                    SessionStartStep::Claim => book.claim_start(group, apart),
                };
                match wait {
                    Ok(wait) => drop(question.answer.send(wait)),
                    Err(error) => {
                        tracing::warn!("other processes' sessions are not known: {error}")
                    }
                }
            }
            Ok(LeaseRequest::Leave(done)) => {
                if let Err(error) = book.leave() {
                    tracing::warn!("others wait until this process counts as dead: {error}");
                }
                let _ = done.send(());
                return;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if monotonic() < next_beat {
            continue;
        }
        next_beat = monotonic() + RENEWED_EVERY;
        if let Err(error) = renew(book, publish) {
            tracing::warn!("this process cannot tell others that it lives: {error}");
        }
    }
}
