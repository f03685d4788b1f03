//! What who approves or denies is told. Who may is decided in [`decision`](super::decision).

use super::decision::{ApprovalRefusal, ApprovalVerdict, Decider, decide};
use super::rights::{CommandContext, CommandOutcome};
use super::{CommandAnswer, DaemonChange};
use kith_core::chat::ProposalId;
use kith_observe::embed::words::capitalize;

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
                vec![DaemonChange::ApplyDecision(proposal)],
            ))
        }
        ApprovalVerdict::AlreadyDecided(proposal) => {
            let text = context.say(
                "It was decided before, or its time is over.",
                "已经有人决定过，或者已经过期。",
            );
            Ok((
                CommandAnswer::Refused(text.to_owned()),
                vec![DaemonChange::ShowDecision(proposal)],
            ))
        }
        ApprovalVerdict::Unknown => context.refuse(
            "Nothing is known of that any more: nothing is done.",
            "这件事已经没有记录了：不会执行。",
        ),
        ApprovalVerdict::Refused(refusal) => refuse(context, refusal),
    }
}

fn refuse(context: &CommandContext<'_>, refusal: ApprovalRefusal) -> CommandOutcome {
    match refusal {
        ApprovalRefusal::OtherGuild => context.refuse(
            "That is about another server: decide there.",
            "这涉及别的服务器：请在那里决定。",
        ),
        ApprovalRefusal::NotModerator => context.refuse(
            "Only members with the permission Manage Server may decide that.",
            "只有拥有“管理服务器”权限的成员可以决定。",
        ),
        ApprovalRefusal::CannotByHand(obstacle) => {
            let why = obstacle.describe(context.language());
            context.refuse(
                format!("Only who could do it by hand may decide that, and you could not: {why}."),
                format!("只有自己能这样操作的人才能决定，而你不能：{why}。"),
            )
        }
        ApprovalRefusal::CannotNow(obstacle) => {
            let why = obstacle.describe(context.language());
            context.refuse(
                format!("I cannot do that now: {why}. Mend it and press again, or deny it."),
                format!("我现在做不到：{why}。处理好之后再按一次，或者拒绝。"),
            )
        }
    }
}
