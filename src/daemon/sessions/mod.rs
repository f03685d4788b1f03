//! Sessions: opened on disk first, then where people are, so that a crash between the two opens none twice; put over the
//! policy of their channels; closed. What they say and begin with stays in the store and is read when a prompt is made.

pub(super) mod background;
mod book;
pub(super) mod event;
mod lifecycle;
mod opening_rules;
mod person_requests;

pub(super) use book::SessionBook;
pub(super) use lifecycle::to_room_session;
