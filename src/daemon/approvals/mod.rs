//! What waits for a person's decision: calls of tools, and actions about members.

mod calls;
pub(super) mod event;
mod moderation;
mod pending;

pub(super) use event::ModerationRules;
pub(super) use pending::PendingApprovals;
