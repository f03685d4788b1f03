//! What is done by the clock: waking the core, saving channel states, removing what is old.

mod chores;
mod clock_trust;
mod prune;
mod regular_task;
mod schedule;

pub(super) use regular_task::RegularTask;
pub(super) use schedule::Upkeep;
