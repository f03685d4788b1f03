//! Offering something to the store until it takes it.

use std::time::Duration;

use tokio::time::sleep;

use kith_core::back_off::BackOffSchedule;
use kith_core::outgoing::{OutgoingAction, STALE};
use kith_store::{JournalOutcome, Store, StoreError, StoreReply};
use kith_system::clock;

/// The first wait; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Offers what is done until the store takes it. If the process ends before, the journal tells.
pub(super) async fn retry_until_stored<T>(offer: impl Fn() -> StoreReply<T>) -> T {
    let mut waits = BackOffSchedule::new(FIRST_WAIT, LONGEST_WAIT);
    loop {
        match offer().await {
            Ok(stored) => return stored,
            Err(error) => {
                tracing::warn!(%error, "what it did is not stored yet; it is tried again")
            }
        }
        sleep(waits.next_wait()).await;
    }
}

/// Journals an action. If the database server is away it waits as long as the action is worth doing, and calls `wait`
/// before each wait. After an error it is not journaled and will not be.
pub(super) async fn journal_patiently(
    store: &Store,
    outgoing: &OutgoingAction,
    wait: impl Fn(),
) -> Result<JournalOutcome, StoreError> {
    let mut waits = BackOffSchedule::new(FIRST_WAIT, LONGEST_WAIT);
    loop {
        match store.journal(outgoing.clone()).await {
            Err(error) if error.is_about_server() && clock::now() - outgoing.at < STALE => {
                tracing::debug!(%error, "an action waits to be journaled");
            }
            done => return done,
        }
        wait();
        sleep(waits.next_wait()).await;
    }
}
