//! What is done by the clock: waking the core, saving channel states, removing what is old.

mod handle;
mod regular;
mod schedule;
mod trust;

pub(super) use regular::RegularTask;
pub(super) use schedule::Upkeep;
