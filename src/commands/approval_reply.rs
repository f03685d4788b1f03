//! What who approves or denies is told. Who may is decided in `approval_decision.rs`.

use super::approval_decision::{ApprovalRefusal, ApprovalVerdict, Decider, decide};
use super::rights::{CommandContext, CommandOutcome};
use super::{CommandAnswer, DaemonChange};
use kith_core::chat::ProposalId;
use kith_language::approvals;
use kith_observe::embed::formats::capitalize;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    id: ProposalId,
    approves: bool,
) -> CommandOutcome {
    let (caller, facts) = (context.caller, context.facts);
    let decider = Decider {
        user: caller.user,
        name: caller.name.clone(),
        guild: caller.guild,
        moderator: caller.moderator,
        is_operator: caller.is_operator,
        denial_status: facts.denial_status,
    };
    let store = &context.command_service.store;
    match decide(store, &decider, id, approves, facts.now).await? {
        ApprovalVerdict::Decided(proposal) => {
            let what = capitalize(&proposal.wanted.describe(context.language()));
            let text = match approves {
                true => context.say(approvals::approved_card_tells(what)),
                false => context.say(approvals::denied_nothing_done(what)),
            };
            Ok((
                CommandAnswer::Text(text),
                vec![DaemonChange::ApplyDecision(proposal)],
            ))
        }
        ApprovalVerdict::AlreadyDecided(proposal) => {
            let text = context.say(approvals::decided_before());
            Ok((
                CommandAnswer::Refused(text.to_owned()),
                vec![DaemonChange::ShowDecision(proposal)],
            ))
        }
        ApprovalVerdict::Unknown => context.refuse(approvals::nothing_known()),
        ApprovalVerdict::Refused(refusal) => refuse(context, refusal),
    }
}

fn refuse(context: &CommandContext<'_>, refusal: ApprovalRefusal) -> CommandOutcome {
    match refusal {
        ApprovalRefusal::OtherGuild => context.refuse(approvals::about_another_server()),
        ApprovalRefusal::NotModerator => context.refuse(approvals::only_moderators_decide()),
        ApprovalRefusal::CannotByHand(obstacle) => {
            let why = obstacle.describe(context.language());
            context.refuse(approvals::only_by_hand(why))
        }
        ApprovalRefusal::CannotNow(obstacle) => {
            let why = obstacle.describe(context.language());
            context.refuse(approvals::cannot_be_done_now(why))
        }
    }
}
