//! What the companion may do about members and their messages where the host switched that on: the deeds, one of them as
//! it is asked for, who may cause it, and what stands in its way. Plain data; a platform carries it out.

use kith_language::{LocalizedMessage, moderation};
use serde::{Deserialize, Serialize};

use super::chat::{ChannelId, GuildId, MINUTE, MessageId, Millis, UserId};
use super::permission_set::PermissionSet;
use super::persona::Language;
use super::report::FailureKind;

/// The longest time-out, in minutes: 28 days.
pub const LONGEST_TIME_OUT: u32 = 28 * 24 * 60;
/// The longest reason, in characters.
pub const REASON_CHARACTERS: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModerationKind {
    /// Keep a member from writing for a while.
    TimeoutMember,
    /// Throw a member out; they may come back.
    KickMember,
    BanMember,
    DeleteMessage,
}

impl ModerationKind {
    pub const ALL: [Self; 4] = [
        Self::TimeoutMember,
        Self::KickMember,
        Self::BanMember,
        Self::DeleteMessage,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::TimeoutMember => "timeout_member",
            Self::KickMember => "kick_member",
            Self::BanMember => "ban_member",
            Self::DeleteMessage => "delete_message",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is about the member, and not about one message alone.
    pub const fn is_about_member(self) -> bool {
        !matches!(self, Self::DeleteMessage)
    }

    /// What it takes to do it by hand.
    pub const fn permission(self) -> PermissionSet {
        match self {
            Self::TimeoutMember => PermissionSet::MODERATE_MEMBERS,
            Self::KickMember => PermissionSet::KICK_MEMBERS,
            Self::BanMember => PermissionSet::BAN_MEMBERS,
            Self::DeleteMessage => PermissionSet::MANAGE_MESSAGES,
        }
    }

    /// What that permission is called, as Discord's settings write it.
    pub fn permission_name(self) -> LocalizedMessage {
        match self {
            Self::TimeoutMember => moderation::permission_timeout_member(),
            Self::KickMember => moderation::permission_kick_member(),
            Self::BanMember => moderation::permission_ban_member(),
            Self::DeleteMessage => moderation::permission_delete_message(),
        }
    }
}

/// One deed as it was asked for: what is approved is exactly this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModerationAction {
    pub deed: ModerationKind,
    pub guild: GuildId,
    pub channel: ChannelId,
    pub user: UserId,
    /// What they were called then.
    pub name: String,
    pub message: MessageId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
    /// Why, in the model's own words.
    pub reason: String,
}

impl ModerationAction {
    /// Until when a time-out that was decided on then lasts.
    pub fn until(&self, decided: Millis) -> Millis {
        decided + Millis::from(self.minutes.unwrap_or(0)) * MINUTE
    }

    pub fn is_like(&self, other: &Self) -> bool {
        (self.deed, self.guild, self.user) == (other.deed, other.guild, other.user)
            && (self.deed.is_about_member() || self.message == other.message)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModerationRequesters {
    Anyone,
    /// Who could do it by hand: has the permission, and stands above the member.
    #[default]
    Moderators,
    Host,
}

crate::setting_table! {
    /// What the model can ask to have done about members there. Nothing is done before somebody who could do it by hand
    /// presses Approve in the log channel, except what `without_approval` names. The bot needs the permissions, and the
    /// invite link asks for them. A channel's table stands in the place of its guild's, whole; with nothing in it, off.
    #[derive(Eq)]
    pub struct ModerationSettings {
        /// What it can ask for: `"timeout_member"`, `"kick_member"`, `"ban_member"`, `"delete_message"`.
        #[setting(Example("[\"timeout_member\", \"delete_message\"]"))]
        pub actions: Vec<ModerationKind>,
        /// Who may cause it by speaking to the companion; moderators are who could do it by hand.
        pub caused_by: ModerationRequesters,
        /// Which of them are done without a moderator's click.
        pub without_approval: Vec<ModerationKind>,
        /// How long a click is waited for.
        #[setting(Range(1.0, 10_080.0), Unit("minutes"))]
        pub approval_minutes: u32 = 60,
    }
}

crate::setting_values!(ModerationKind, ModerationRequesters);
impl ModerationSettings {
    pub fn is_approval_needed(&self, kind: ModerationKind) -> bool {
        !self.without_approval.contains(&kind)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DenialReason {
    SwitchedOff,
    /// Not everybody who spoke to it may have it done, or nobody did.
    NoAuthority,
    NobodyToAsk,
    /// It is too long to be shown whole to who decides.
    TooLong,
    /// The same is waiting already.
    Waiting,
    /// Too much is waiting already.
    TooMany,
    Forgotten,
    /// The guild cannot be seen.
    NoGuild,
    NoMember,
    Oneself,
    Owner,
    Administrator,
    NoPermission(ModerationKind),
    /// They do not stand below.
    NotAbove,
    TooLate,
    /// Nobody else may read what it is about.
    Private,
    /// The tool is another one by now, or does not take it like this any more.
    Changed,
    /// The tool answered with an error.
    WentWrong,
    /// It ran when the program ended, and nobody knows how far it came.
    CutShort,
    /// The platform did not do it.
    Failed(FailureKind),
}

impl DenialReason {
    /// In words, to go on with: "… because they are an administrator".
    pub fn describe(self, language: Language) -> String {
        if let Self::NoPermission(kind) = self {
            let permission = kind.permission_name();
            return moderation::no_permission(permission).in_language(language);
        }
        let words = match self {
            Self::SwitchedOff => moderation::switched_off(),
            Self::NoAuthority => moderation::no_authority(),
            Self::NobodyToAsk => moderation::nobody_to_ask(),
            Self::TooLong => moderation::too_long(),
            Self::Waiting => moderation::waiting(),
            Self::TooMany => moderation::too_many(),
            Self::Forgotten => moderation::forgotten(),
            Self::NoGuild => moderation::no_guild(),
            Self::NoMember => moderation::no_member(),
            Self::Oneself => moderation::oneself(),
            Self::Owner => moderation::owner(),
            Self::Administrator => moderation::administrator(),
            Self::NotAbove => moderation::not_above(),
            Self::TooLate => moderation::too_late(),
            Self::Private => moderation::private(),
            Self::Changed => moderation::changed(),
            Self::WentWrong => moderation::went_wrong(),
            Self::CutShort => moderation::cut_short(),
            Self::Failed(FailureKind::Gone) => moderation::gone(),
            Self::Failed(FailureKind::NoAnswer) => moderation::no_answer(),
            Self::NoPermission(_) | Self::Failed(_) => moderation::failed(),
        };
        words.in_language(language)
    }
}
