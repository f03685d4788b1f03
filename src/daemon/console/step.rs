//! An answer that the store has begun and the loop ends: what only the loop knows is added, or done, there.

use std::collections::{BTreeMap, HashMap};

use crate::daemon::reply::RequestReply;
use kith_core::approval::ApprovalRequest;
use kith_core::chat::{ChannelId, GuildId};
use kith_room::ConsoleAnswer;
use kith_store::ChannelActivity;

pub(super) type ConsoleReply = RequestReply<ConsoleAnswer>;

/// What the loop is to end.
pub(in crate::daemon) enum ConsoleStep {
    Overview(OverviewPage, ConsoleReply),
    Approvals(Vec<NamedProposal>, ConsoleReply),
    /// Who runs Kith approves or drops it.
    Decision(Box<ApprovalRequest>, bool, ConsoleReply),
}

/// A page of channels as far as the store knows them.
pub(in crate::daemon) struct OverviewPage {
    pub channels: Vec<ChannelActivity>,
    pub tokens: HashMap<ChannelId, u64>,
    /// How many channels each server has; none stands for direct messages.
    pub guilds: BTreeMap<Option<GuildId>, usize>,
    /// How many channels fit, on all pages.
    pub total: usize,
}

pub(in crate::daemon) type NamedProposal = (ApprovalRequest, String);
