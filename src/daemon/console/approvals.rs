//! What waits for approval anywhere, and the word of who runs Kith on it.

use super::step::{ConsoleReply, ConsoleStep, NamedProposal};
use crate::daemon::approvals::{decide_in_page, to_pending_action};
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::reply::{refuse_missing, reply, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_commands::Decider;
use kith_core::approval::{ApprovalRequest, ApprovalState};
use kith_core::chat::{ProposalId, UserId};
use kith_language::{approvals, room_refusals};
use kith_room::{ConsoleAnswer, PendingApproval, RequestRefusal};

/// Who runs Kith is none of the platform's users.
const OPERATOR: UserId = UserId(0);

impl Daemon {
    pub(super) fn begin_approvals(&self, answer: ConsoleReply) {
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        let load = async move || -> Result<Vec<NamedProposal>, RequestRefusal> {
            let mut waiting = Vec::new();
            let open = store.find_open_proposals().await;
            for proposal in open.map_err(to_request_refusal)? {
                if proposal.state == ApprovalState::Waiting {
                    let name = store.find_channel_name(proposal.wanted.channel()).await;
                    waiting.push((proposal, name.map_err(to_request_refusal)?));
                }
            }
            Ok(waiting)
        };
        tokio::spawn(async move {
            match load().await {
                Ok(waiting) => {
                    let step = ConsoleStep::Approvals(waiting, answer);
                    // The loop is only gone with the daemon.
                    let _ = loop_sender.send(LoopMessage::Console(Box::new(step))).await;
                }
                Err(refused) => reply(answer, Err(refused)),
            }
        });
    }

    /// Adds the names of servers, which only the platform knows.
    pub(super) fn complete_approvals(&self, waiting: Vec<NamedProposal>) -> ConsoleAnswer {
        let language = self.settings.language.unwrap_or_default();
        let placed = waiting
            .into_iter()
            .map(|(proposal, channel_name)| PendingApproval {
                channel_name,
                guild_name: self
                    .platform
                    .guild_name(proposal.wanted.guild())
                    .map_or_else(String::new, |name| name.to_string()),
                action: to_pending_action(proposal, language),
            });
        ConsoleAnswer::Approvals {
            pending: placed.collect(),
        }
    }

    pub(super) fn begin_decision(&self, id: ProposalId, approves: bool, answer: ConsoleReply) {
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            match store.find_proposal(id).await {
                Ok(Some(proposal)) => {
                    let step = ConsoleStep::Decision(Box::new(proposal), approves, answer);
                    let _ = loop_sender.send(LoopMessage::Console(Box::new(step))).await;
                }
                Ok(None) => {
                    let gone = refuse_missing(room_refusals::nothing_pending());
                    reply(answer, Err(gone));
                }
                Err(error) => reply(answer, Err(to_request_refusal(error))),
            }
        });
    }

    /// Decides as who runs Kith: they may all that the companion itself can do.
    pub(super) fn complete_decision(
        &self,
        proposal: &ApprovalRequest,
        approves: bool,
        answer: ConsoleReply,
    ) {
        let (id, place) = (proposal.id, &proposal.wanted);
        let policy = self.core.channel_state(place.channel());
        let moderation = policy.map(|state| state.policy().moderation.clone());
        let denial = self
            .platform
            .find_denial_status(id, moderation.unwrap_or_default());
        let mut decider = Decider {
            user: OPERATOR,
            name: approvals::operator().in_language(self.settings.language.unwrap_or_default()),
            guild: Some(place.guild()),
            moderator: true,
            is_operator: true,
            denial_status: None,
        };
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        reply_later(answer, async move {
            decider.denial_status = denial.await;
            decide_in_page(&store, &loop_sender, &decider, id, approves).await?;
            Ok(ConsoleAnswer::Done {})
        });
    }
}
