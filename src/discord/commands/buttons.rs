//! The buttons of Kith and their ids. All that a press needs is in the id, so that buttons outlive a restart.

use kith_commands::{CommandRequest, RequestScope};
use kith_core::chat::{ChannelId, MINUTE, Millis, ProposalId, TurnId, UserId};

const PREFIX: &str = "kith";
/// How long the button in a log channel pauses.
const BUTTON_PAUSE: Millis = 30 * MINUTE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmbedButton {
    Why(TurnId),
    Raw(TurnId),
    /// Nobody is answered for 30 minutes in the channel of a turn. The turn is in the id because Discord refuses a message
    /// with the same id twice.
    Pause(ChannelId, TurnId),
    /// A call of a turn that runs in this channel is stopped half-way.
    Stop(ChannelId, TurnId, u32),
    TakeBack(TurnId),
    Approve(ProposalId),
    Deny(ProposalId),
    /// The answer to a question this person was asked: do it.
    Confirm(UserId, DestructiveAction),
    Cancel(UserId),
}

/// What is asked back about before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DestructiveAction {
    /// The caller is forgotten everywhere.
    ForgetMe,
    /// All that was set by hand in a guild is taken back.
    Reset,
}

impl DestructiveAction {
    pub fn from_request(request: &CommandRequest) -> Option<Self> {
        match request {
            CommandRequest::ForgetMe(RequestScope::All) => Some(Self::ForgetMe),
            CommandRequest::Reset(RequestScope::All) => Some(Self::Reset),
            _ => None,
        }
    }

    pub fn request(self) -> CommandRequest {
        match self {
            Self::ForgetMe => CommandRequest::ForgetMe(RequestScope::All),
            Self::Reset => CommandRequest::Reset(RequestScope::All),
        }
    }
}

impl EmbedButton {
    /// The id Discord gives back when it is pressed; at most 100 characters.
    pub fn id(self) -> String {
        match self {
            Self::Why(turn) => format!("{PREFIX}:why:{turn}"),
            Self::Raw(turn) => format!("{PREFIX}:raw:{turn}"),
            Self::Pause(channel, turn) => format!("{PREFIX}:pause:{channel}:{turn}"),
            Self::Stop(channel, turn, call) => format!("{PREFIX}:stop:{channel}:{turn}:{call}"),
            Self::TakeBack(turn) => format!("{PREFIX}:back:{turn}"),
            Self::Approve(id) => format!("{PREFIX}:approve:{id}"),
            Self::Deny(id) => format!("{PREFIX}:deny:{id}"),
            Self::Confirm(user, DestructiveAction::ForgetMe) => format!("{PREFIX}:forget:{user}"),
            Self::Confirm(user, DestructiveAction::Reset) => format!("{PREFIX}:reset:{user}"),
            Self::Cancel(user) => format!("{PREFIX}:no:{user}"),
        }
    }

    /// Reads an id; none for a button of another version.
    pub fn from_id(id: &str) -> Option<Self> {
        let (what, numbers) = id
            .strip_prefix(PREFIX)?
            .strip_prefix(':')?
            .split_once(':')?;
        let numbers: Option<Vec<u64>> = numbers
            .split(':')
            .map(|number| number.parse().ok())
            .collect();
        Some(match (what, numbers?.as_slice()) {
            ("why", &[turn]) => Self::Why(TurnId(turn)),
            ("raw", &[turn]) => Self::Raw(TurnId(turn)),
            ("pause", &[channel, turn]) => Self::Pause(ChannelId(channel), TurnId(turn)),
            ("stop", &[channel, turn, call]) => {
                Self::Stop(ChannelId(channel), TurnId(turn), u32::try_from(call).ok()?)
            }
            ("back", &[turn]) => Self::TakeBack(TurnId(turn)),
            ("approve", &[id]) => Self::Approve(ProposalId(id)),
            ("deny", &[id]) => Self::Deny(ProposalId(id)),
            ("forget", &[user]) => Self::Confirm(UserId(user), DestructiveAction::ForgetMe),
            ("reset", &[user]) => Self::Confirm(UserId(user), DestructiveAction::Reset),
            ("no", &[user]) => Self::Cancel(UserId(user)),
            _ => return None,
        })
    }

    /// What the command service is asked when it is pressed; none where that is settled between the button and its
    /// owner.
    pub fn request(self) -> Option<CommandRequest> {
        match self {
            Self::Why(turn) => Some(CommandRequest::WhyTurn(turn)),
            Self::Raw(turn) => Some(CommandRequest::Raw(turn)),
            Self::Pause(channel, _) => Some(CommandRequest::Pause(BUTTON_PAUSE, Some(channel))),
            Self::Stop(channel, turn, call) => Some(CommandRequest::StopCall {
                channel,
                turn,
                call,
            }),
            Self::TakeBack(turn) => Some(CommandRequest::TakeBackTurn(turn)),
            Self::Approve(id) => Some(CommandRequest::Decide(id, true)),
            Self::Deny(id) => Some(CommandRequest::Decide(id, false)),
            Self::Confirm(_, what) => Some(what.request()),
            Self::Cancel(_) => None,
        }
    }

    /// The number of the turn or the proposal it is about, if it is about one.
    pub fn number(self) -> Option<u64> {
        match self {
            Self::Why(turn)
            | Self::Raw(turn)
            | Self::Pause(_, turn)
            | Self::Stop(_, turn, _)
            | Self::TakeBack(turn) => Some(turn.0),
            Self::Approve(id) | Self::Deny(id) => Some(id.0),
            Self::Confirm(..) | Self::Cancel(_) => None,
        }
    }

    /// The only one who may press it, where it is not for everybody who sees it.
    pub fn owner(self) -> Option<UserId> {
        match self {
            Self::Confirm(user, _) | Self::Cancel(user) => Some(user),
            Self::Why(_)
            | Self::Raw(_)
            | Self::Pause(..)
            | Self::Stop(..)
            | Self::TakeBack(_)
            | Self::Approve(_)
            | Self::Deny(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_is_read_back_from_its_id_and_no_id_is_too_long() {
        let (turn, channel, user) = (TurnId(u64::MAX), ChannelId(u64::MAX), UserId(u64::MAX));
        for button in [
            EmbedButton::Why(turn),
            EmbedButton::Raw(turn),
            EmbedButton::Pause(channel, turn),
            EmbedButton::Stop(channel, turn, u32::MAX),
            EmbedButton::TakeBack(turn),
            EmbedButton::Approve(ProposalId(u64::MAX)),
            EmbedButton::Deny(ProposalId(1)),
            EmbedButton::Confirm(user, DestructiveAction::ForgetMe),
            EmbedButton::Confirm(user, DestructiveAction::Reset),
            EmbedButton::Cancel(user),
        ] {
            assert!(button.id().len() <= 100, "{}", button.id());
            assert_eq!(EmbedButton::from_id(&button.id()), Some(button));
        }
    }

    #[test]
    fn a_strange_id_is_no_button() {
        for id in [
            "",
            "kith",
            "kith:why",
            "kith:why:x",
            "kith:why:1:1",
            "kith:pause:1",
            "kith:stop:1:1:4294967296",
            "other:why:1",
            "kith:dance:1",
            "kith:no:-1",
        ] {
            assert_eq!(EmbedButton::from_id(id), None, "{id}");
        }
    }
}
