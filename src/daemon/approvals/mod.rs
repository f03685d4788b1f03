//! What waits for a person's decision: calls of tools, and actions about members.

mod calls;
pub(super) mod event;
mod handle;
mod moderation;
mod pending_approvals;

pub(super) use event::ModerationRules;
pub(super) use pending_approvals::PendingApprovals;
