//! From what Discord says to what the daemon hears, through the public face.

mod backfill;
mod hostile;
mod layouts;
mod messages;
mod missed_events;
mod permissions;
mod readable;
mod structure;
mod support;
