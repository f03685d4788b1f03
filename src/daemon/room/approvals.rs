//! The room's side of what waits for a person's decision: what the page shows of it, and who clicks.

use super::members::ROOM;
use super::platform::RoomPlatform;
use crate::daemon::approvals::event::ApprovalNews;
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::reply::{
    RequestReply, refuse_bad_request, refuse_missing, reply_later, to_request_refusal,
};
use crate::daemon::state::Daemon;
use kith_commands::{ApprovalVerdict, Decider, decide};
use kith_core::approval::{ApprovalRequest, ApprovalSubject};
use kith_core::call::ToolCall;
use kith_core::chat::{ChannelId, ProposalId, UserId};
use kith_core::proposed_call::ProposedCall;
use kith_language::room_refusals;
use kith_room::{PendingAction, RoomAnswer};
use kith_system::clock;

impl Daemon<RoomPlatform> {
    /// What waits for approval in a channel.
    pub(super) fn list_pending_approvals(&self, channel: ChannelId, to: RequestReply) {
        let waiting = self
            .require_channel(channel)
            .map(|_| self.store.find_waiting_proposals(channel));
        reply_later(to, async move {
            let waiting = waiting?.await.map_err(to_request_refusal)?;
            Ok(RoomAnswer::Pending {
                pending: waiting.into_iter().filter_map(to_pending_action).collect(),
            })
        });
    }

    /// Somebody approves something or drops it.
    pub(super) fn decide_proposal(
        &self,
        id: ProposalId,
        approves: bool,
        person: UserId,
        to: RequestReply,
    ) {
        // Everybody in the room moderates it.
        let decider = self.require_person(person).map(|by| Decider {
            user: by.id,
            name: by.name.to_string(),
            guild: Some(ROOM),
            moderator: true,
            is_operator: false,
            denial_status: None,
        });
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        reply_later(to, async move {
            let decided = decide(&store, &decider?, id, approves, clock::now()).await;
            match decided.map_err(to_request_refusal)? {
                ApprovalVerdict::Decided(proposal) => {
                    let news = ApprovalNews::Decided(*proposal);
                    let _ = loop_sender
                        .send(LoopMessage::Approval(Box::new(news)))
                        .await;
                    Ok(RoomAnswer::Done {})
                }
                ApprovalVerdict::AlreadyDecided(_) => {
                    Err(refuse_bad_request(room_refusals::already_decided()))
                }
                ApprovalVerdict::Unknown | ApprovalVerdict::Refused(_) => {
                    Err(refuse_missing(room_refusals::nothing_pending()))
                }
            }
        });
    }
}

/// As the page shows it.
fn to_pending_action(proposal: ApprovalRequest) -> Option<PendingAction> {
    let ApprovalRequest {
        id,
        source_call: (turn, _),
        wanted: ApprovalSubject::Call(proposed),
        made,
        expires,
        ..
    } = proposal
    else {
        return None;
    };
    let message = proposed.line().map(|(message, _)| message);
    let ProposedCall {
        channel,
        call: ToolCall { name: tool, params },
        preview,
        causes,
        ..
    } = *proposed;
    Some(PendingAction {
        id,
        channel,
        turn,
        tool,
        preview,
        params,
        message,
        causes,
        made,
        expires,
    })
}
