//! The console: what happens in all channels, what it costs and what holds, for who runs Kith. The same in the room and on
//! Discord. What only reads the store is answered by tasks of their own, so that no view holds the loop up.

mod approvals;
mod channel_day;
mod fault_log;
mod faults;
mod overview;
mod personas;
mod place_names;
mod requests;
mod server;
mod settings_view;
mod spend;
mod step;
mod turns;

pub use fault_log::FaultLog;
pub use place_names::name_places;
pub(super) use place_names::name_places_by;
pub(super) use server::ConsoleServer;
pub(super) use step::ConsoleStep;
