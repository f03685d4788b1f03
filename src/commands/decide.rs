//! Approve and deny: a deed is decided on by who could do it by hand, or by the host, so that nobody gets done through the
//! companion what they could not do themselves; a call of a tool by a moderator of its guild, or by the host. It is decided
//! once.

use super::rights::{CommandContext, CommandOutcome, CommandRefusal};
use super::{CommandAnswer, DaemonChange, DenialStatus};
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::ProposalId;
use kith_core::moderation::DenialReason;
use kith_observe::embed::words::capitalize;
use kith_store::ApprovalDecision;

pub(super) async fn answer(visit: &CommandContext<'_>, id: ProposalId, approves: bool) -> CommandOutcome {
    let Some(proposal) = visit.command_service.store.find_proposal(id).await? else { return refuse_unknown(visit) };
    check_can_decide(visit, &proposal, approves)?;
    if approves && proposal.state == ApprovalState::Waiting && matches!(proposal.wanted, ApprovalSubject::Deed(_)) {
        check_can_be_done(visit)?;
    }
    let by = (visit.asker.user, visit.asker.name.clone());
    match visit.command_service.store.decide_proposal(id, approves, by, visit.facts.now).await? {
        ApprovalDecision::Decided(proposal) => {
            let what = capitalize(&proposal.wanted.describe(visit.language()));
            let said = match approves {
                true => visit.say(
                    format!("Approved: {what}. The card tells what came of it."),
                    format!("已批准：{what}。结果见卡片。"),
                ),
                false => visit.say(format!("Denied: {what}. Nothing is done."), format!("已拒绝：{what}。不会执行。")),
            };
            Ok((CommandAnswer::Text(said), vec![DaemonChange::ApplyDecision(Box::new(proposal))]))
        }
        ApprovalDecision::AlreadyDecided(proposal) => {
            let said = visit.say("It was decided before, or its time is over.", "已经有人决定过，或者已经过期。");
            Ok((CommandAnswer::Refused(said.to_owned()), vec![DaemonChange::ShowDecision(Box::new(proposal))]))
        }
        ApprovalDecision::Unknown => refuse_unknown(visit),
    }
}

fn refuse_unknown(visit: &CommandContext<'_>) -> CommandOutcome {
    visit.refuse("Nothing is known of that any more: nothing is done.", "这件事已经没有记录了：不会执行。")
}

/// Dropping a proposal takes less: a moderator may always.
fn check_can_decide(
    visit: &CommandContext<'_>,
    proposal: &ApprovalRequest,
    approves: bool,
) -> Result<(), CommandRefusal> {
    let asker = visit.asker;
    if asker.host {
        return Ok(());
    }
    if asker.guild != Some(proposal.wanted.guild()) {
        return visit.refuse("That is about another server: decide there.", "这涉及别的服务器：请在那里决定。");
    }
    if matches!(proposal.wanted, ApprovalSubject::Call(_)) {
        return match asker.moderator {
            true => Ok(()),
            false => visit.refuse(
                "Only members with the permission Manage Server may decide that.",
                "只有拥有“管理服务器”权限的成员可以决定。",
            ),
        };
    }
    let obstacle = visit.facts.standing.unwrap_or_else(unknown_denial_status).theirs;
    match obstacle {
        None => Ok(()),
        Some(_) if !approves && asker.moderator => Ok(()),
        Some(obstacle) => {
            let why = obstacle.describe(visit.language());
            visit.refuse(
                format!("Only who could do it by hand may decide that, and you could not: {why}."),
                format!("只有自己能这样操作的人才能决定，而你不能：{why}。"),
            )
        }
    }
}

/// What cannot be done now is not approved: it may be mended, and the card stays.
fn check_can_be_done(visit: &CommandContext<'_>) -> Result<(), CommandRefusal> {
    let Some(obstacle) = visit.facts.standing.unwrap_or_else(unknown_denial_status).mine else { return Ok(()) };
    let why = obstacle.describe(visit.language());
    visit.refuse(
        format!("I cannot do that now: {why}. Mend it and press again, or deny it."),
        format!("我现在做不到：{why}。处理好之后再按一次，或者拒绝。"),
    )
}

/// Where nothing could be found out, nobody may and nothing can be done.
fn unknown_denial_status() -> DenialStatus {
    DenialStatus { mine: Some(DenialReason::NoGuild), theirs: Some(DenialReason::NoGuild) }
}
