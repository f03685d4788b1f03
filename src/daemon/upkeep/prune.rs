//! Removes what is older than the days it is kept, memories that became too weak, and people of whom nothing else is
//! kept. How often is in `schedule.rs`; how it goes, in `store/prune.rs`.

use crate::daemon::state::Daemon;
use kith_core::chat::{DAY, Millis};
use kith_store::Store;

impl Daemon {
    pub(super) fn prune_messages(&self, now: Millis) {
        let days = Millis::from(self.settings.store.keep_days);
        let before = now - days * DAY;
        let store = self.store.clone();
        tokio::spawn(async move {
            loop {
                match store.prune(before).await {
                    Ok(0) => {
                        prune_memories(&store, now).await;
                        break prune_people(&store).await;
                    }
                    Ok(count) => tracing::info!(
                        count,
                        days,
                        "removed what is older than the days it is kept"
                    ),
                    Err(error) => {
                        tracing::warn!(%error, "old messages could not be removed; trying again later");
                        break;
                    }
                }
            }
        });
    }
}

/// Takes what is remembered and became too weak.
async fn prune_memories(store: &Store, now: Millis) {
    match store.prune_memories(now).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "forgot what nobody said or needed for long"),
        Err(error) => {
            tracing::warn!(%error, "weak memories could not be removed; trying again later");
        }
    }
}

async fn prune_people(store: &Store) {
    match store.prune_people().await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "removed people of whom nothing else is kept"),
        Err(error) => {
            tracing::warn!(%error, "people of whom nothing is kept could not be removed; trying again later")
        }
    }
}
