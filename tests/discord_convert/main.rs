//! From what Discord says to what the daemon hears, through the public face: each event as serenity reads it and as raw
//! JSON, which must come to the same.

mod backwards;
mod hostile;
mod messages;
mod permissions;
mod readable;
mod structure;
mod support;
