//! The room's side of what waits for a person's decision: what the page shows of it, and who clicks. Everybody in the room
//! is the host.

use super::approvals::ApprovalNews;
use super::reply::{RequestReply, failed, later};
use super::{Daemon, LoopMessage};
use kith_core::approval::{ApprovalRequest, ApprovalSubject};
use kith_core::call::ToolCall;
use kith_core::chat::{ChannelId, ProposalId, UserId};
use kith_core::proposed_call::ProposedCall;
use kith_room::{PendingAction, RequestRefusal, RoomAnswer};
use kith_store::ApprovalDecision;
use kith_system::clock;

impl Daemon {
    /// What waits for approval in a channel.
    pub(super) fn pending_in(&self, channel: ChannelId, to: RequestReply) {
        let waiting = self.known(channel).map(|_| self.store.proposals_in(channel));
        later(to, async move {
            let waiting = waiting?.await.map_err(failed)?;
            Ok(RoomAnswer::Pending { pending: waiting.into_iter().filter_map(shown).collect() })
        });
    }

    /// Somebody approves something or drops it.
    pub(super) fn decide(&self, id: ProposalId, approves: bool, person: UserId, to: RequestReply) {
        let by = self.person(person);
        let here: Vec<ChannelId> = self.members.channels().iter().map(|channel| channel.id).collect();
        let (store, inner) = (self.store.clone(), self.inner.clone());
        later(to, async move {
            let by = by?;
            let unknown = || RequestRefusal::unknown("nothing is known of that any more, so nothing is done");
            let known = store.proposal(id).await.map_err(failed)?.ok_or_else(unknown)?;
            if !here.contains(&known.wanted.channel()) {
                return Err(unknown());
            }
            match store
                .decide_proposal(id, approves, (by.id, by.name.to_string()), clock::now())
                .await
                .map_err(failed)?
            {
                ApprovalDecision::Now(proposal) => {
                    let _ = inner.send(LoopMessage::Proposals(Box::new(ApprovalNews::Decided(proposal)))).await;
                    Ok(RoomAnswer::Done {})
                }
                ApprovalDecision::Before(_) => Err(RequestRefusal::wrong("it was decided before, or its time is over")),
                ApprovalDecision::Unknown => Err(unknown()),
            }
        });
    }
}

/// As the page shows it.
fn shown(proposal: ApprovalRequest) -> Option<PendingAction> {
    let ApprovalRequest { id, asked: (turn, _), wanted: ApprovalSubject::Call(proposed), made, expires, .. } = proposal
    else {
        return None;
    };
    let message = proposed.line().map(|(message, _)| message);
    let ProposedCall { channel, call: ToolCall { name: tool, params }, preview, causes, .. } = *proposed;
    Some(PendingAction { id, channel, turn, tool, preview, params, message, causes, made, expires })
}
