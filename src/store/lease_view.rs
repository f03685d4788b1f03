//! What a process knows of the partitions that it shares with others.

use std::time::Instant;

use crate::postgres::PartitionLease;

/// What is leased, as it was found last.
#[derive(Clone, Debug, Default)]
pub struct LeaseView {
    /// What this process holds.
    pub held: Vec<PartitionLease>,
    /// Which of them it is to give back, so that another has its share.
    pub give_back: Option<u16>,
    /// All processes that live, …
    pub processes: Vec<LivingProcess>,
    /// … and the number of this one.
    pub own: Option<i64>,
    /// Until when nobody else can have taken what is held; none where nothing is.
    pub valid_until: Option<Instant>,
}

impl LeaseView {
    /// Whether this process surely holds it still.
    pub fn is_held(&self, lease: &PartitionLease, now: Instant) -> bool {
        self.valid_until.is_some_and(|until| now < until) && self.held.contains(lease)
    }
}

/// A process with a partition or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivingProcess {
    /// Which it is; numbers are never given again.
    pub number: i64,
    /// What it calls itself.
    pub name: String,
    /// The partitions that it runs.
    pub partitions: Vec<u16>,
}
