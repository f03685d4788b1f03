//! Approve and deny: a deed is decided on by who could do it by hand, or by the host, so that nobody gets done through the
//! companion what they could not do themselves; a call of a tool by a moderator of its guild, or by the host. It is decided
//! once.

use super::rights::{CommandContext, CommandOutcome, CommandRefusal};
use super::{CommandAnswer, DaemonChange, DenialStatus};
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::ProposalId;
use kith_core::moderation::DenialReason;
use kith_language::approvals;
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
                true => context.say(approvals::approved_card_tells(what)),
                false => context.say(approvals::denied_nothing_done(what)),
            };
            Ok((
                CommandAnswer::Text(text),
                vec![DaemonChange::ApplyDecision(Box::new(proposal))],
            ))
        }
        ApprovalDecision::AlreadyDecided(proposal) => {
            let text = context.say(approvals::decided_before());
            Ok((
                CommandAnswer::Refused(text.to_owned()),
                vec![DaemonChange::ShowDecision(Box::new(proposal))],
            ))
        }
        ApprovalDecision::Unknown => refuse_unknown(context),
    }
}

fn refuse_unknown(context: &CommandContext<'_>) -> CommandOutcome {
    context.refuse(approvals::nothing_known())
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
        return context.refuse(approvals::about_another_server());
    }
    if matches!(proposal.wanted, ApprovalSubject::Call(_)) {
        return match caller.moderator {
            true => Ok(()),
            false => context.refuse(approvals::only_moderators_decide()),
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
            context.refuse(approvals::only_by_hand(why))
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
    context.refuse(approvals::cannot_be_done_now(why))
}

/// Where nothing could be found out, nobody may and nothing can be done.
fn unknown_denial_status() -> DenialStatus {
    DenialStatus {
        companion_denial: Some(DenialReason::NoGuild),
        caller_denial: Some(DenialReason::NoGuild),
    }
}
