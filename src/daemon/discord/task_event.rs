//! What the platform's own tasks tell the loop.

use serde_json::Value;
use tokio::sync::oneshot;

use kith_commands::{CommandAnswer, DaemonChange};
use kith_core::chat::{Channel, ChannelId, Millis, UserId};
use kith_core::persona::Language;
use kith_discord::ChannelBackfill;
use kith_model::TokenCost;
use kith_store::{AppendOutcome, ForgetResult, RemoteRequest, StoreError};

pub(in crate::daemon) enum DiscordTaskEvent {
    AskStillWanted(StillWantedQuestion),
    /// It was tried whether it may post in a channel again: because that was due, or because somebody spoke to it.
    PermissionTried {
        channel: ChannelId,
        planned: bool,
    },
    /// What was missed in a channel, and how much that was to be said there is too old now.
    BackfillFetched {
        channel: Channel,
        missed: ChannelBackfill,
        dropped: usize,
    },
    StoreRetried(Result<Vec<AppendOutcome>, StoreError>),
    CommandDecided(Box<CommandDecision>),
    /// Somebody left a guild 30 days ago.
    MemberDeparted(DepartedMember),
    OthersTold(NewsOfOthers),
    /// Texts that people did not want to be remembered are erased.
    TextsErased(ForgetResult),
}

/// Somebody who left a guild, and what was erased of them there; none before it is.
#[derive(Clone)]
pub(in crate::daemon) struct DepartedMember {
    pub user: UserId,
    pub channels: Vec<ChannelId>,
    pub erased: Option<ForgetResult>,
}

pub(in crate::daemon) struct NewsOfOthers {
    /// What people wished there, and is not carried out here.
    pub wishes: Vec<RemoteRequest>,
    /// What they were asked about turns of this one, as Discord told it.
    pub interactions: Vec<Value>,
    /// What was spent there since the beginning of this day.
    pub day_start: Millis,
    pub spent: TokenCost,
}

/// The question whether an action that comes late is still to be done.
pub(in crate::daemon) struct StillWantedQuestion {
    pub channel: ChannelId,
    pub nonce: String,
    /// Why it is not.
    pub answer: oneshot::Sender<Option<&'static str>>,
}

pub(in crate::daemon) struct CommandDecision {
    pub by: UserId,
    pub language: Language,
    pub answer: CommandAnswer,
    pub changes: Vec<DaemonChange>,
    pub reply_sender: oneshot::Sender<CommandAnswer>,
}
