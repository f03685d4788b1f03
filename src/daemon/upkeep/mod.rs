//! What is done by the clock: waking the core, saving channel states, removing what is old.

mod handle;
mod prune;
mod regular_task;
mod schedule;
mod clock_trust;

pub(super) use schedule::Upkeep;
