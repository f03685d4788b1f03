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

pub(super) async fn answer(
    context: &CommandContext<'_>,
    id: ProposalId,
    approves: bool,
) -> CommandOutcome {
    let Some(proposal) = context.command_service.store.find_proposal(id).await? else {
        return refuse_unknown(context);
    };
    check_can_decide(context, &proposal, approves)?;
    if approves
        && proposal.state == ApprovalState::Waiting
        && matches!(proposal.wanted, ApprovalSubject::Deed(_))
    {
        check_can_be_done(context)?;
    }
    let by = (context.caller.user, context.caller.name.clone());
    match context
        .command_service
        .store
        .decide_proposal(id, approves, by, context.facts.now)
        .await?
    {
        ApprovalDecision::Decided(proposal) => {
            let what = capitalize(&proposal.wanted.describe(context.language()));
            let text = match approves {
                true => context.say(
                    format!("Approved: {what}. The card tells what came of it."),
                    format!("已批准：{what}。结果见卡片。"),
                ),
                false => context.say(
                    format!("Denied: {what}. Nothing is done."),
                    format!("已拒绝：{what}。不会执行。"),
                ),
            };
            Ok((
                CommandAnswer::Text(text),
                vec![DaemonChange::ApplyDecision(Box::new(proposal))],
            ))
        }
        ApprovalDecision::AlreadyDecided(proposal) => {
            let text = context.say(
                "It was decided before, or its time is over.",
                "已经有人决定过，或者已经过期。",
            );
            Ok((
                CommandAnswer::Refused(text.to_owned()),
                vec![DaemonChange::ShowDecision(Box::new(proposal))],
            ))
        }
        ApprovalDecision::Unknown => refuse_unknown(context),
    }
}

fn refuse_unknown(context: &CommandContext<'_>) -> CommandOutcome {
    context.refuse(
        "Nothing is known of that any more: nothing is done.",
        "这件事已经没有记录了：不会执行。",
    )
}

/// Dropping a proposal takes less: a moderator may always.
fn check_can_decide(
    context: &CommandContext<'_>,
    proposal: &ApprovalRequest,
    approves: bool,
) -> Result<(), CommandRefusal> {
    let caller = context.caller;
    if caller.is_operator {
        return Ok(());
    }
    if caller.guild != Some(proposal.wanted.guild()) {
        return context.refuse(
            "That is about another server: decide there.",
            "这涉及别的服务器：请在那里决定。",
        );
    }
    if matches!(proposal.wanted, ApprovalSubject::Call(_)) {
        return match caller.moderator {
            true => Ok(()),
            false => context.refuse(
                "Only members with the permission Manage Server may decide that.",
                "只有拥有“管理服务器”权限的成员可以决定。",
            ),
        };
    }
    let obstacle = context
        .facts
        .denial_status
        .unwrap_or_else(unknown_denial_status)
        .caller_denial;
    match obstacle {
        None => Ok(()),
        Some(_) if !approves && caller.moderator => Ok(()),
        Some(obstacle) => {
            let why = obstacle.describe(context.language());
            context.refuse(
                format!("Only who could do it by hand may decide that, and you could not: {why}."),
                format!("只有自己能这样操作的人才能决定，而你不能：{why}。"),
            )
        }
    }
}

/// What cannot be done now is not approved: it may be mended, and the card stays.
fn check_can_be_done(context: &CommandContext<'_>) -> Result<(), CommandRefusal> {
    let Some(obstacle) = context
        .facts
        .denial_status
        .unwrap_or_else(unknown_denial_status)
        .companion_denial
    else {
        return Ok(());
    };
    let why = obstacle.describe(context.language());
    context.refuse(
        format!("I cannot do that now: {why}. Mend it and press again, or deny it."),
        format!("我现在做不到：{why}。处理好之后再按一次，或者拒绝。"),
    )
}

/// Where nothing could be found out, nobody may and nothing can be done.
fn unknown_denial_status() -> DenialStatus {
    DenialStatus {
        companion_denial: Some(DenialReason::NoGuild),
        caller_denial: Some(DenialReason::NoGuild),
    }
}
