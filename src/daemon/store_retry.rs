//! Offering something to the store until it takes it.

use std::time::Duration;

use tokio::time::sleep;

use kith_core::back_off::BackOffSchedule;
use kith_store::StoreReply;

/// The first wait; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What is done stays done when the store does not take it: it is offered again until it does, and if the process ends
/// before, what was journaled tells.
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
