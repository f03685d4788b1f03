//! Deeds about members: judged by what Discord says at that very moment, kept before anybody is asked or anything is done
//! (Law 10), and carried out so that done twice is the same as done once.

use std::time::Duration;

use tokio::time::sleep;

use crate::daemon::approvals::ModerationRules;
use crate::daemon::approvals::event::ApprovalResult;
use crate::daemon::store_retry::retry_until_stored;
use kith_commands::DenialStatus;
use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::back_off::BackOffSchedule;
use kith_core::chat::{MINUTE, Millis, ProposalId, TurnId, UserId};
use kith_core::directory::GuildMember;
use kith_core::moderation::{
    DenialReason, ModerationAction, ModerationKind, ModerationRequesters, ModerationSettings,
};
use kith_core::report::FailureKind;
use kith_discord::DiscordConnection;
use kith_discord::rest::RestError;
use kith_discord::send::CurrentMember;
use kith_store::Store;
use kith_system::clock;

/// What was decided on longer ago than this and not done is not done any more.
const STALE: Millis = 10 * MINUTE;
/// The first wait before something is tried again; it doubles.
const AGAIN: Duration = Duration::from_secs(1);
/// The longest of these waits.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Judges a deed, and keeps it where it may be done.
pub(super) async fn judge_action(
    discord: &DiscordConnection,
    store: &Store,
    rules: &ModerationRules,
    asked: (TurnId, u32),
    action: ModerationAction,
) -> ApprovalResult {
    if let Some(obstacle) = find_obstacle(discord, rules, &action).await {
        return ApprovalResult::Refused(obstacle);
    }
    let (made, asks) = (
        clock::now(),
        rules.moderation.is_approval_needed(action.deed),
    );
    let state = if asks {
        ApprovalState::Waiting
    } else {
        ApprovalState::Approved
    };
    let minutes = rules.moderation.approval_minutes;
    let proposal = ApprovalRequest {
        state,
        ..ApprovalRequest::new(asked, ApprovalSubject::Deed(action), made, minutes)
    };
    match store.put_proposal(proposal).await {
        Ok(Ok(proposal)) if asks => ApprovalResult::Pending(proposal),
        Ok(Ok(proposal)) => ApprovalResult::Approved(proposal),
        Ok(Err(obstacle)) => ApprovalResult::Refused(obstacle),
        Err(error) => {
            tracing::error!(%error, "what it wants done cannot be kept, so it is not done");
            ApprovalResult::Refused(DenialReason::Failed(FailureKind::Other))
        }
    }
}

async fn find_obstacle(
    discord: &DiscordConnection,
    rules: &ModerationRules,
    action: &ModerationAction,
) -> Option<DenialReason> {
    if !rules.moderation.actions.contains(&action.deed) {
        return Some(DenialReason::SwitchedOff);
    }
    if rules.causes.is_empty() {
        return Some(DenialReason::NoAuthority);
    }
    let target = match discord
        .message_sender()
        .fetch_member(action.guild, action.user)
        .await
    {
        Ok(target) => target,
        Err(why) => return Some(DenialReason::Failed(why.failure_kind())),
    };
    for user in &rules.causes {
        let may = match rules.moderation.caused_by {
            ModerationRequesters::Anyone => true,
            ModerationRequesters::Host => discord.is_operator(*user),
            ModerationRequesters::Moderators => {
                discord.is_operator(*user) || can_act(discord, action, *user, target.as_ref()).await
            }
        };
        if !may {
            return Some(DenialReason::NoAuthority);
        }
    }
    if rules.moderation.is_approval_needed(action.deed) && !rules.has_log {
        return Some(DenialReason::NobodyToAsk);
    }
    find_own_obstacle(discord, action, target.as_ref())
}

/// Whether somebody could do it by hand.
async fn can_act(
    discord: &DiscordConnection,
    action: &ModerationAction,
    user: UserId,
    target: Option<&CurrentMember>,
) -> bool {
    match discord
        .message_sender()
        .fetch_member(action.guild, user)
        .await
    {
        Ok(Some(member)) => {
            find_member_obstacle(discord, action, &member.as_guild_member(), target).is_none()
        }
        Ok(None) => false,
        Err(why) => {
            tracing::warn!("what somebody may do is not known, so they may not: {why}");
            false
        }
    }
}

fn find_own_obstacle(
    discord: &DiscordConnection,
    action: &ModerationAction,
    target: Option<&CurrentMember>,
) -> Option<DenialReason> {
    discord.directory().find_own_denial_reason(
        action,
        target.map(CurrentMember::as_guild_member).as_ref(),
        clock::now(),
    )
}

fn find_member_obstacle(
    discord: &DiscordConnection,
    action: &ModerationAction,
    member: &GuildMember<'_>,
    target: Option<&CurrentMember>,
) -> Option<DenialReason> {
    discord.directory().find_denial_reason(
        action,
        member,
        target.map(CurrentMember::as_guild_member).as_ref(),
    )
}

/// What stands in the way of a proposal for the companion and for who is to decide; none if nothing is known of it.
pub(super) async fn find_denial_status(
    discord: &DiscordConnection,
    store: &Store,
    id: ProposalId,
    member: &GuildMember<'_>,
    moderation: &ModerationSettings,
) -> Option<DenialStatus> {
    let ApprovalSubject::Deed(action) = store.find_proposal(id).await.ok().flatten()?.wanted else {
        return None;
    };
    let target = match discord
        .message_sender()
        .fetch_member(action.guild, action.user)
        .await
    {
        Ok(target) => target,
        Err(why) => {
            let obstacle = Some(DenialReason::Failed(why.failure_kind()));
            return Some(DenialStatus {
                companion_denial: obstacle,
                caller_denial: obstacle,
            });
        }
    };
    let off = (!moderation.actions.contains(&action.deed)).then_some(DenialReason::SwitchedOff);
    Some(DenialStatus {
        companion_denial: off.or_else(|| find_own_obstacle(discord, &action, target.as_ref())),
        caller_denial: find_member_obstacle(discord, &action, member, target.as_ref()),
    })
}

/// Carries out what was decided on, exactly as it was proposed, and settles it. `again`: an earlier run may have done it.
/// None in the place of the proposal where somebody in it was forgotten meanwhile.
pub(super) async fn carry_out_action(
    discord: &DiscordConnection,
    store: &Store,
    proposal: &ApprovalRequest,
    action: &ModerationAction,
    again: bool,
) -> (ApprovalState, Option<ApprovalRequest>) {
    let decided = proposal.decided.unwrap_or(proposal.made);
    let state = match run_with_retries(discord, action, decided, again).await {
        Ok(()) => ApprovalState::Done,
        Err(obstacle) => ApprovalState::Failed(obstacle),
    };
    (
        state,
        retry_until_stored(|| store.settle_proposal(proposal.id, state, String::new())).await,
    )
}

async fn run_with_retries(
    discord: &DiscordConnection,
    action: &ModerationAction,
    decided: Millis,
    mut again: bool,
) -> Result<(), DenialReason> {
    let mut waits = BackOffSchedule::new(AGAIN, LONGEST_WAIT);
    loop {
        let why = match try_action(discord, action, decided, again).await {
            Ok(None) => return Ok(()),
            Ok(Some(obstacle)) => return Err(obstacle),
            Err(why) => why,
        };
        let wait = waits.next_wait();
        if !why.is_transient() || clock::now() + wait.as_millis() as Millis - decided > STALE {
            tracing::warn!("what was decided on could not be done: {why}");
            return Err(DenialReason::Failed(why.failure_kind()));
        }
        again |= why.can_have_happened();
        sleep(wait).await;
    }
}

/// Looks once more whether it may be done, and does it.
async fn try_action(
    discord: &DiscordConnection,
    action: &ModerationAction,
    decided: Millis,
    again: bool,
) -> Result<Option<DenialReason>, RestError> {
    let now = clock::now();
    if now - decided > STALE
        || action.deed == ModerationKind::TimeoutMember && action.until(decided) <= now
    {
        return Ok(Some(DenialReason::TooLate));
    }
    let target = discord
        .message_sender()
        .fetch_member(action.guild, action.user)
        .await?;
    let is_out = target
        .as_ref()
        .is_none_or(|target| target.joined.is_some_and(|joined| joined > decided));
    if again && is_out && action.deed == ModerationKind::KickMember {
        // They are gone, or came back after it was done.
        return Ok(None);
    }
    let was_banned = again && target.is_none() && action.deed == ModerationKind::BanMember;
    if let Some(obstacle) =
        find_own_obstacle(discord, action, target.as_ref()).filter(|_| !was_banned)
    {
        return Ok(Some(obstacle));
    }
    let (message_sender, reason) = (discord.message_sender(), &action.reason);
    match action.deed {
        ModerationKind::TimeoutMember => {
            message_sender
                .time_out(action.guild, action.user, action.until(decided), reason)
                .await?
        }
        ModerationKind::KickMember => {
            message_sender
                .kick(action.guild, action.user, reason)
                .await?
        }
        ModerationKind::BanMember => {
            message_sender
                .ban(action.guild, action.user, 0, reason)
                .await?
        }
        ModerationKind::DeleteMessage => {
            message_sender
                .delete_message(action.channel, action.message, reason)
                .await?
        }
    }
    Ok(None)
}
