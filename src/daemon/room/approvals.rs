//! The room's side of what waits for a person's decision: what the page shows of it, and who clicks.

use super::members::ROOM;
use super::platform::RoomPlatform;
use crate::daemon::approvals::{decide_in_page, to_pending_action};
use crate::daemon::reply::{RequestReply, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_commands::Decider;
use kith_core::chat::{ChannelId, ProposalId, UserId};
use kith_room::RoomAnswer;

impl Daemon<RoomPlatform> {
    pub(super) fn list_pending_approvals(&self, channel: ChannelId, to: RequestReply) {
        let language = self.settings.language.unwrap_or_default();
        let waiting = self
            .require_channel(channel)
            .map(|_| self.store.find_waiting_proposals(channel));
        reply_later(to, async move {
            let waiting = waiting?.await.map_err(to_request_refusal)?;
            Ok(RoomAnswer::Pending {
                pending: waiting
                    .into_iter()
                    .map(|proposal| to_pending_action(proposal, language))
                    .collect(),
            })
        });
    }

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
            decide_in_page(&store, &loop_sender, &decider?, id, approves).await?;
            Ok(RoomAnswer::Done {})
        });
    }
}
