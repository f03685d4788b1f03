//! The room's side of what waits for a person's decision: what the page shows of it, and who clicks. Everybody in the room
//! is the host.

use super::platform::RoomPlatform;
use crate::daemon::approvals::event::ApprovalNews;
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::reply::{RequestReply, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::approval::{ApprovalRequest, ApprovalSubject};
use kith_core::call::ToolCall;
use kith_core::chat::{ChannelId, ProposalId, UserId};
use kith_core::proposed_call::ProposedCall;
use kith_room::{PendingAction, RequestRefusal, RoomAnswer};
use kith_store::ApprovalDecision;
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
        let by = self.require_person(person);
        let here: Vec<ChannelId> = self
            .platform
            .members
            .channels()
            .iter()
            .map(|channel| channel.id)
            .collect();
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        reply_later(to, async move {
            let by = by?;
            let unknown = || {
                RequestRefusal::not_found("nothing is known of that any more, so nothing is done")
            };
            let known = store
                .find_proposal(id)
                .await
                .map_err(to_request_refusal)?
                .ok_or_else(unknown)?;
            if !here.contains(&known.wanted.channel()) {
                return Err(unknown());
            }
            match store
                .decide_proposal(id, approves, (by.id, by.name.to_string()), clock::now())
                .await
                .map_err(to_request_refusal)?
            {
                ApprovalDecision::Decided(proposal) => {
                    let _ = loop_sender
                        .send(LoopMessage::ApprovalNews(Box::new(ApprovalNews::Decided(
                            proposal,
                        ))))
                        .await;
                    Ok(RoomAnswer::Done {})
                }
                ApprovalDecision::AlreadyDecided(_) => Err(RequestRefusal::bad_request(
                    "it was decided before, or its time is over",
                )),
                ApprovalDecision::Unknown => Err(unknown()),
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
