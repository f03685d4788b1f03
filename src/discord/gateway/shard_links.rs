//! Which shards have a session that is up, for whoever watches over the companion.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether each shard that runs here is connected. Cheap to clone: all clones tell the same.
#[derive(Clone, Debug)]
pub struct ShardLinks(Arc<[(u16, AtomicBool)]>);

impl ShardLinks {
    /// These shards, none of which is connected.
    pub(super) fn new(shards: impl Iterator<Item = u16>) -> Self {
        Self(
            shards
                .map(|shard| (shard, AtomicBool::new(false)))
                .collect(),
        )
    }

    pub(super) fn set(&self, shard: u16, is_up: bool) {
        if let Some((_, link)) = self.0.iter().find(|(number, _)| *number == shard) {
            link.store(is_up, Ordering::Relaxed);
        }
    }

    pub fn are_up(&self) -> Vec<(u16, bool)> {
        let links = self.0.iter();
        links
            .map(|(shard, link)| (*shard, link.load(Ordering::Relaxed)))
            .collect()
    }
}
