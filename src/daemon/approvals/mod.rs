//! What waits for a person's decision: calls of tools, and actions about members.

mod approval_lifecycle;
mod calls;
mod decision;
pub(super) mod event;
mod moderation;
mod pending_approvals;

pub(super) use decision::{decide_in_page, to_pending_action};
pub(super) use event::ModerationRules;
pub(super) use pending_approvals::PendingApprovals;
