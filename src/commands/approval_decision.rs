//! Approve and deny, whoever asks and wherever: who may decide on what waits for approval, and that it is decided once.

use super::DenialStatus;
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::{GuildId, Millis, ProposalId, UserId};
use kith_core::moderation::DenialReason;
use kith_store::{ApprovalDecision, Store, StoreError};

/// Who decides, and what they may, as the platform says at that moment.
#[derive(Clone, Debug)]
pub struct Decider {
    pub user: UserId,
    /// Their name, as members see it.
    pub name: String,
    /// The guild they decide in; none in a direct message.
    pub guild: Option<GuildId>,
    /// Whether they have Manage Server there.
    pub moderator: bool,
    /// Whether they run this daemon.
    pub is_operator: bool,
    /// What stands in the way of the moderation action. Where nothing is found out, nobody may and nothing can be done.
    pub denial_status: Option<DenialStatus>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ApprovalVerdict {
    /// It is decided: the daemon carries it out, or tells that it is dropped.
    Decided(Box<ApprovalRequest>),
    /// It was decided before, or its time is over.
    AlreadyDecided(Box<ApprovalRequest>),
    /// Nothing is known of it any more.
    Unknown,
    /// It stays open.
    Refused(ApprovalRefusal),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalRefusal {
    OtherGuild,
    /// A call of a tool is decided on by moderators.
    NotModerator,
    /// A moderation action is decided on by who could do it by hand, and this keeps them from it.
    CannotByHand(DenialReason),
    /// The companion cannot do it now: it may be mended, and the request stays.
    CannotNow(DenialReason),
}

/// Somebody approves something that waits, or drops it.
///
/// # Errors
/// The store failed; nothing is decided.
pub async fn decide(
    store: &Store,
    decider: &Decider,
    id: ProposalId,
    approves: bool,
    now: Millis,
) -> Result<ApprovalVerdict, StoreError> {
    let Some(proposal) = store.find_proposal(id).await? else {
        return Ok(ApprovalVerdict::Unknown);
    };
    if let Some(refusal) = find_refusal(decider, &proposal, approves) {
        return Ok(ApprovalVerdict::Refused(refusal));
    }
    let by = (decider.user, decider.name.clone());
    let decided = store.decide_proposal(id, approves, by, now).await?;
    Ok(match decided {
        ApprovalDecision::Decided(proposal) => ApprovalVerdict::Decided(Box::new(proposal)),
        ApprovalDecision::AlreadyDecided(proposal) => {
            ApprovalVerdict::AlreadyDecided(Box::new(proposal))
        }
        ApprovalDecision::Unknown => ApprovalVerdict::Unknown,
    })
}

fn find_refusal(
    decider: &Decider,
    proposal: &ApprovalRequest,
    approves: bool,
) -> Option<ApprovalRefusal> {
    let is_elsewhere = decider.guild != Some(proposal.wanted.guild());
    if is_elsewhere && !decider.is_operator {
        return Some(ApprovalRefusal::OtherGuild);
    }
    if let ApprovalSubject::Call(_) = proposal.wanted {
        let may = decider.moderator || decider.is_operator;
        return (!may).then_some(ApprovalRefusal::NotModerator);
    }
    let DenialStatus {
        companion_denial,
        caller_denial,
    } = decider.denial_status.unwrap_or(DenialStatus {
        companion_denial: Some(DenialReason::NoGuild),
        caller_denial: Some(DenialReason::NoGuild),
    });
    // Dropping takes less: a moderator may always.
    let may_drop = decider.moderator && !approves;
    caller_denial
        .filter(|_| !decider.is_operator && !may_drop)
        .map(ApprovalRefusal::CannotByHand)
        .or_else(|| {
            let is_open = approves && proposal.state == ApprovalState::Waiting;
            companion_denial
                .filter(|_| is_open)
                .map(ApprovalRefusal::CannotNow)
        })
}
