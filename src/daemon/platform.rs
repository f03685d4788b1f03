//! What the daemon asks of the place it lives in: events come in through its listener ([`super::platform_loop`]), and
//! this is the other direction, what may be done there and what is known of its channels. A process serves one
//! platform, so most of it has an answer that needs no network.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::approvals::ModerationRules;
use super::approvals::event::ApprovalResult;
use super::deliveries::stored_action::StoredAction;
use crate::settings::{ChannelFacts, Settings};
use kith_commands::DenialStatus;
use kith_core::approval::{ApprovalRequest, ApprovalState};
use kith_core::chat::{
    Author, Channel, ChannelId, GuildId, MessagePicture, Millis, ProposalId, TurnId, UserId,
};
use kith_core::moderation::{DenialReason, ModerationAction, ModerationSettings};
use kith_core::outgoing::OutgoingAction;
use kith_core::partition::Partition;
use kith_core::policy::ChannelMode;
use kith_core::report::{DeliveryFailure, MessageDecision};
use kith_core::session::Session;
use kith_discord::PictureError;
use kith_discord::log_channel::LogChannels;
use kith_language::LocalizedMessage;
use kith_tools::ToolHost;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlatformAbilities {
    /// A message may carry a sticker or a poll; elsewhere they are said in words.
    pub enclosures: bool,
    /// Members can be timed out, kicked and banned.
    pub moderation: bool,
    /// The demo model may answer. In front of strangers it would be taken for the companion.
    pub demo_model: bool,
    /// Messages come with times of the platform's own clock.
    pub own_clock: bool,
    /// What was said while the daemon was stopped is fetched after a channel is restored.
    pub backfill: bool,
}

pub(super) struct DeliveryTask {
    /// How many messages it becomes.
    pub messages: usize,
    /// Set while it is known not to be done yet.
    pub put_off: Arc<AtomicBool>,
    /// Journals, sends and settles it; answers with what is stored of it, in order.
    pub work: BoxFuture<'static, Result<Vec<StoredAction>, DeliveryFailure>>,
}

/// The channel of a session, or the work of opening it.
pub(super) enum ThreadOpening {
    Opened(Result<ChannelId, LocalizedMessage>),
    Pending(BoxFuture<'static, Result<ChannelId, LocalizedMessage>>),
}

/// What came of a moderation action, and its request as it is settled; none where somebody in it was forgotten.
pub(super) type ModerationOutcome = (ApprovalState, Option<ApprovalRequest>);

/// Where the companion lives. What has a default needs no answer of its own where nothing of the kind exists.
pub(super) trait Platform: Send + Sync {
    fn abilities(&self) -> PlatformAbilities;

    fn companion_id(&self) -> UserId;

    fn tool_host(&self) -> Arc<dyn ToolHost>;

    fn channel_facts(&self, channel: &Channel, settings: &Settings) -> ChannelFacts;

    fn find_channel(&self, _id: ChannelId) -> Option<Channel>;

    fn list_channels(&self) -> Vec<Channel>;

    /// A channel that was opened by the daemon itself and of which nobody will tell it.
    fn find_own_channel(&self, _id: ChannelId) -> Option<Channel> {
        None
    }

    fn guild_name(&self, _guild: GuildId) -> Option<Arc<str>> {
        None
    }

    /// Whether all members of the server can read a channel.
    fn is_open(&self, _channel: ChannelId) -> bool {
        true
    }

    /// Whether everybody who reads the log channel `log` can read `channel`, too.
    fn is_readable_in(&self, _channel: ChannelId, _log: ChannelId) -> bool {
        true
    }

    /// Whether everybody who could be asked for a decision can be reached.
    fn is_complete(&self) -> bool {
        true
    }

    /// Somebody may be named in a channel though they have not written there since the start.
    fn remember_name(&self, _channel: ChannelId, _user: UserId, _name: &str) {}

    fn record_mode(&mut self, _channel: ChannelId, _mode: ChannelMode) {}

    fn show_typing(&self, _channel: ChannelId);

    /// Shows that it does not write any more, where that does not fade by itself.
    fn hide_typing(&self, _channel: ChannelId) {}

    /// An action goes out under the name of `own`. Messages of a channel keep their order.
    fn deliver(&mut self, outgoing: OutgoingAction, own: Author) -> DeliveryTask;

    /// Whether the platform takes messages in a channel, as far as is known.
    fn can_send(&self, _channel: ChannelId) -> bool {
        true
    }

    /// It may not send in a channel: finds out by itself when it may.
    fn schedule_permission_trial(&mut self, _channel: ChannelId) {}

    /// A message was judged: who speaks to the companion where it may not write is a reason to try again.
    fn start_permission_trial(&mut self, _decision: &MessageDecision) {}

    fn fetch_picture(
        &self,
        _picture: MessagePicture,
    ) -> BoxFuture<'static, Result<Vec<u8>, PictureError>> {
        std::future::ready(Err(PictureError::Permanent)).boxed()
    }

    /// The channels turns are watched in, where there are any.
    fn log_channels(&self) -> Option<&LogChannels> {
        None
    }

    fn may_log_turn(&self, _turn: TurnId) -> bool {
        true
    }

    /// Judges a moderation action that a turn asks for, and keeps it on record where it may be done.
    fn judge_moderation(
        &self,
        _rules: ModerationRules,
        _asked: (TurnId, u32),
        _action: ModerationAction,
    ) -> BoxFuture<'static, ApprovalResult> {
        std::future::ready(ApprovalResult::Refused(DenialReason::SwitchedOff)).boxed()
    }

    /// What stands in the way of a moderation action that waits for the operator; none where it is about other things.
    fn find_denial_status(
        &self,
        _id: ProposalId,
        _moderation: ModerationSettings,
    ) -> BoxFuture<'static, Option<DenialStatus>> {
        std::future::ready(None).boxed()
    }

    /// Carries out a moderation action that was decided on. `again`: an earlier run may have done it.
    fn carry_out_moderation(
        &self,
        _proposal: ApprovalRequest,
        _action: ModerationAction,
        _again: bool,
    ) -> Option<BoxFuture<'static, ModerationOutcome>> {
        None
    }

    fn can_open_threads(&self, _below: ChannelId) -> bool {
        true
    }

    /// Whether a session's channel is not archived.
    fn is_awake(&self, _channel: ChannelId) -> bool {
        true
    }

    /// Opens the channel of a session that is kept. `again`: an earlier run may have opened it.
    fn open_session_channel<'a>(
        &'a mut self,
        session: &'a Session,
        again: bool,
    ) -> BoxFuture<'a, ThreadOpening>;

    fn rename_thread(&self, _channel: ChannelId, _name: &str) {}

    /// A session is over: its channel may rest.
    fn archive_thread(&self, _channel: ChannelId) {}

    fn partition(&self) -> Partition {
        Partition::WHOLE
    }

    fn next_deadline(&mut self, _now: Millis) -> Option<Millis> {
        None
    }

    fn has_unsaved(&self) -> bool {
        false
    }

    /// Whether something was heard that the store does not take.
    fn has_unstored(&self) -> bool {
        false
    }

    /// The number of each connection to the platform, and whether it is up; none where there is no connection to lose.
    fn connected_shards(&self) -> Vec<(u16, bool)> {
        Vec::new()
    }

    fn save(&mut self) -> BoxFuture<'static, ()> {
        std::future::ready(()).boxed()
    }
}
