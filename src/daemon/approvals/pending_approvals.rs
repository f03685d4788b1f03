//! What waits for a person's decision, as the loop knows it. All of it is on record in the store.

use std::collections::BTreeMap;

use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::{ChannelId, Millis, ProposalId};
use kith_store::{Store, StoreError};
use kith_system::clock;

pub(in crate::daemon) struct PendingApprovals {
    /// When it began: what was decided on before is an earlier run's.
    started: Millis,
    /// What waits for a decision, and until when.
    waiting: BTreeMap<ProposalId, Millis>,
    /// What came out and stands in the next prompt of its channel.
    unreported: BTreeMap<ProposalId, ChannelId>,
}

impl PendingApprovals {
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let open = store.find_open_proposals().await?.into_iter();
        let waiting = open
            .filter(|known| known.state == ApprovalState::Waiting)
            .map(|known| (known.id, known.expires));
        Ok(Self {
            started: clock::now(),
            waiting: waiting.collect(),
            unreported: BTreeMap::new(),
        })
    }

    pub fn wait_for(&mut self, id: ProposalId, expires: Millis) {
        self.waiting.insert(id, expires);
    }

    pub fn stop_waiting(&mut self, id: ProposalId) {
        self.waiting.remove(&id);
    }

    pub fn next_expiry(&self) -> Option<Millis> {
        self.waiting.values().min().copied()
    }

    pub fn expire(&mut self, now: Millis) {
        self.waiting.retain(|_, expires| *expires > now);
    }

    /// What came of something stands in the next prompt of its channel; answers whether that is news.
    pub fn record_outcome(&mut self, id: ProposalId, channel: ChannelId) -> bool {
        self.unreported.insert(id, channel).is_none()
    }

    /// A prompt of a channel is on its way: what came out stands in it. Answers whether anything did.
    pub fn mark_told(&mut self, channel: ChannelId) -> bool {
        let before = self.unreported.len();
        self.unreported.retain(|_, place| *place != channel);
        self.unreported.len() < before
    }

    pub(super) fn plan_resumption(&self, proposal: &ApprovalRequest) -> ResumptionStep {
        let is_earlier = |at: Option<Millis>| at.is_none_or(|at| at < self.started);
        match (proposal.state, &proposal.wanted) {
            // What was decided on since it started is under way.
            (ApprovalState::Approved | ApprovalState::Running, _)
                if !is_earlier(proposal.decided) =>
            {
                ResumptionStep::Nothing
            }
            (ApprovalState::Approved, ApprovalSubject::Deed(_)) => ResumptionStep::ActAgain,
            (ApprovalState::Approved, ApprovalSubject::Call(_)) => ResumptionStep::RunCall,
            (ApprovalState::Running, _) => ResumptionStep::GiveUp,
            (ApprovalState::Waiting, _)
                if proposal.log_message.is_none()
                    && self.waiting.contains_key(&proposal.id)
                    && is_earlier(Some(proposal.made)) =>
            {
                ResumptionStep::AskAgain
            }
            _ => ResumptionStep::Nothing,
        }
    }
}

/// How something goes on that an earlier run left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResumptionStep {
    /// It is under way, or settled.
    Nothing,
    /// Nobody was asked yet, as far as is known.
    AskAgain,
    /// The earlier run may have carried it out.
    ActAgain,
    /// It was approved and did not run.
    RunCall,
    /// Nobody knows whether it ran.
    GiveUp,
}
