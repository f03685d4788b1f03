//! Which shards have a session that is up, for whoever watches over the companion.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether each shard is connected. Cheap to clone: all clones tell the same.
#[derive(Clone, Debug)]
pub struct ShardLinks(Arc<[AtomicBool]>);

impl ShardLinks {
    /// So many shards, none of which is connected.
    pub(super) fn new(shards: u16) -> Self {
        Self((0..shards).map(|_| AtomicBool::new(false)).collect())
    }

    /// A shard's session is up, or not any more.
    pub(super) fn set(&self, shard: u16, is_up: bool) {
        if let Some(link) = self.0.get(usize::from(shard)) {
            link.store(is_up, Ordering::Relaxed);
        }
    }

    /// Whether each of them is connected, by number.
    pub fn are_up(&self) -> Vec<bool> {
        let is_up = |link: &AtomicBool| link.load(Ordering::Relaxed);
        self.0.iter().map(is_up).collect()
    }
}
