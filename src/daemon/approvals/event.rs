//! What the daemon's own tasks tell of what waits for a person's decision.

use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::{TurnId, UserId};
use kith_core::moderation::{DenialReason, ModerationSettings};

pub(in crate::daemon) struct ModerationRules {
    pub moderation: ModerationSettings,
    /// Whether there is a log channel in which somebody can be asked.
    pub has_log: bool,
    /// Everybody who spoke to the companion in the turn.
    pub causes: Vec<UserId>,
}

pub(in crate::daemon) enum ApprovalResult {
    Refused(DenialReason),
    Pending(ApprovalRequest),
    Approved(ApprovalRequest),
}

pub(in crate::daemon) enum ApprovalNews {
    Judged {
        asked: (TurnId, u32),
        wanted: ApprovalSubject,
        came: ApprovalResult,
    },
    /// Somebody in the room has just decided.
    Decided(ApprovalRequest),
    /// It was done, or could not be; with the turn and the call that wait for it, if they do.
    CarriedOut {
        state: ApprovalState,
        proposal: ApprovalRequest,
        is_known: bool,
        told: Option<(TurnId, u32)>,
    },
    Expired(Vec<ApprovalRequest>),
    /// A card was posted for one that was settled meanwhile.
    EmbedPosted(ApprovalRequest),
    /// These were open when it stopped.
    Open(Vec<ApprovalRequest>),
}
