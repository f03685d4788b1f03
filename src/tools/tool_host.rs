//! What only a platform knows or can do, as tools ask for it. The daemon implements it for live platforms; replay and
//! tests have their own.

use kith_language::{LocalizedMessage, tools};
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::permission_rules::CallerRights;
use kith_core::chat::{Author, ChannelId, MessageId, Millis, ProposalId, TurnId, UserId};
use kith_core::outgoing::MessageEnclosure;

/// What comes of something a platform is asked to do or to tell: an error is a sentence for the model.
pub type HostResult<'a, T = ()> = BoxFuture<'a, Result<T, LocalizedMessage>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authorization {
    /// A turn's, as long as it runs.
    Turn(TurnId),
    /// A person's, who approved this call of that turn: whether or not the turn is over.
    Person(TurnId, ProposalId),
}

/// What only a platform knows or can do. Whatever is not known or not possible there has an answer all the same.
pub trait ToolHost: Send + Sync {
    /// The channels whose text everybody who can view `channel` can view now, itself among them: only what stands
    /// there may be shown in it. A direct message stands alone.
    fn find_readable_channels(&self, channel: ChannelId) -> Vec<ChannelId> {
        vec![channel]
    }

    /// None for a direct message.
    fn server(&self, channel: ChannelId) -> Option<ServerInfo> {
        let _ = channel;
        None
    }

    /// The names of the emoji that can be used in a channel besides those of Unicode.
    fn list_emoji(&self, channel: ChannelId) -> Vec<Arc<str>> {
        let _ = channel;
        Vec::new()
    }

    /// What somebody may do where a channel is; nothing where nobody knows.
    fn find_caller_rights<'a>(
        &'a self,
        channel: ChannelId,
        person: &'a Author,
    ) -> BoxFuture<'a, CallerRights> {
        let _ = (channel, person);
        std::future::ready(CallerRights::default()).boxed()
    }

    fn find_name(&self, channel: ChannelId, person: UserId) -> Option<Arc<str>> {
        let _ = (channel, person);
        None
    }

    /// Who is called so in a channel, of those who were seen there.
    fn find_person(&self, channel: ChannelId, name: &str) -> Option<Author> {
        let _ = (channel, name);
        None
    }

    /// What everybody in a channel can see of somebody who can read along there.
    fn fetch_profile<'a>(
        &'a self,
        channel: ChannelId,
        person: &'a Author,
    ) -> HostResult<'a, MemberProfile> {
        let _ = (channel, person);
        unsupported_result()
    }

    fn edit_message<'a>(
        &'a self,
        channel: ChannelId,
        message: MessageId,
        text: &'a str,
    ) -> HostResult<'a> {
        let _ = (channel, message, text);
        unsupported_result()
    }

    fn delete_message(&self, channel: ChannelId, message: MessageId) -> HostResult<'_> {
        let _ = (channel, message);
        unsupported_result()
    }

    fn open_thread(&self, channel: ChannelId, thread: ThreadRequest) -> HostResult<'_> {
        let _ = (channel, thread);
        unsupported_result()
    }

    /// Has something done that changes what is said or kept in a channel.
    fn run_command(
        &self,
        channel: ChannelId,
        authorization: Authorization,
        command: HostCommand,
    ) -> HostResult<'_> {
        let _ = (channel, authorization, command);
        unsupported_result()
    }

    /// Shows a status beside the companion's name, everywhere; an empty one takes it away.
    fn set_status<'a>(&'a self, channel: ChannelId, text: &'a str) -> HostResult<'a> {
        let _ = (channel, text);
        unsupported_result()
    }
}

fn unsupported_result<'a, T: Send + 'a>() -> HostResult<'a, T> {
    std::future::ready(Err(unsupported_error())).boxed()
}

pub(super) fn unsupported_error() -> LocalizedMessage {
    tools::cannot_be_done_here()
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberProfile {
    pub name: String,
    /// The name of their account, where it is another.
    pub account: Option<String>,
    /// The names of their roles, the highest first.
    pub roles: Vec<String>,
    pub joined: Option<Millis>,
    pub made: Option<Millis>,
    pub is_bot: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadRequest {
    pub name: String,
    pub on: Option<MessageId>,
    /// What is said in it first; empty for nothing.
    pub text: String,
}

/// Something that changes what is said or kept in a channel, the same on every platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostCommand {
    /// Post this in the place of words: kept before it is sent, and never sent twice.
    Post(MessageEnclosure),
    Remind(ReminderRequest),
    /// Sum up what was said; done as soon as that is begun.
    Compact,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReminderRequest {
    pub at: Millis,
    pub text: String,
    /// Whom; everybody if none.
    pub recipient: Option<(UserId, Arc<str>)>,
    /// Who spoke to the companion when it was made, if one person did.
    pub asked_by: Option<UserId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    pub name: Arc<str>,
    /// The names of the channels that everybody there can view.
    pub channels: Vec<Arc<str>>,
}
