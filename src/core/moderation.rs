//! What the companion may do about members and their messages where the host switched that on: the deeds, one of them as
//! it is asked for, who may cause it, and what stands in its way. Plain data; a platform carries it out.

use serde::{Deserialize, Serialize};

use super::chat::{ChannelId, GuildId, MINUTE, MessageId, Millis, UserId};
use super::permission_set::PermissionSet;
use super::persona::Language;
use super::report::FailureKind;

/// The longest time-out, in minutes: 28 days.
pub const LONGEST_TIME_OUT: u32 = 28 * 24 * 60;
/// The longest reason, in characters.
pub const REASON_CHARACTERS: usize = 300;

/// Something that can be done about a member or a message of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModerationKind {
    /// Keep a member from writing for a while.
    TimeoutMember,
    /// Throw a member out; they may come back.
    KickMember,
    /// Throw a member out for good.
    BanMember,
    /// Delete a message.
    DeleteMessage,
}

impl ModerationKind {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::TimeoutMember,
        Self::KickMember,
        Self::BanMember,
        Self::DeleteMessage,
    ];

    /// What the model and the settings call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimeoutMember => "timeout_member",
            Self::KickMember => "kick_member",
            Self::BanMember => "ban_member",
            Self::DeleteMessage => "delete_message",
        }
    }

    /// The deed of this name.
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
    pub const fn permission_name(self) -> (&'static str, &'static str) {
        match self {
            Self::TimeoutMember => ("Timeout Members", "禁言成员"),
            Self::KickMember => ("Kick Members", "踢出成员"),
            Self::BanMember => ("Ban Members", "封禁成员"),
            Self::DeleteMessage => ("Manage Messages", "管理消息"),
        }
    }
}

/// One deed as it was asked for: what is approved is exactly this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModerationAction {
    pub deed: ModerationKind,
    /// In which guild.
    pub guild: GuildId,
    /// In which channel it was asked for.
    pub channel: ChannelId,
    /// About whom.
    pub user: UserId,
    /// What they were called then.
    pub name: String,
    /// The message of theirs that it is about.
    pub message: MessageId,
    /// How long, of a time-out.
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

    /// Whether another one comes to the same.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.deed, self.guild, self.user) == (other.deed, other.guild, other.user)
            && (self.deed.is_about_member() || self.message == other.message)
    }
}

/// Who may cause a deed by speaking to the companion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModerationRequesters {
    /// Anybody who spoke to it.
    Anyone,
    /// Who could do it by hand: has the permission, and stands above the member.
    #[default]
    Moderators,
    /// Who runs the daemon.
    Host,
}

/// `[guild.ID.moderation]` and `[channel.ID.moderation]`: what it may do about members there. Nothing by default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModerationSettings {
    /// What the model can ask for.
    pub actions: Vec<ModerationKind>,
    /// Who may cause it.
    pub caused_by: ModerationRequesters,
    /// Which of them are done without a moderator's click.
    pub without_approval: Vec<ModerationKind>,
    /// How long a click is waited for, in minutes.
    pub approval_minutes: u32,
}

impl Default for ModerationSettings {
    fn default() -> Self {
        Self {
            actions: Vec::new(),
            caused_by: ModerationRequesters::default(),
            without_approval: Vec::new(),
            approval_minutes: 60,
        }
    }
}

impl ModerationSettings {
    /// Whether this deed waits for somebody to approve it.
    pub fn is_approval_needed(&self, kind: ModerationKind) -> bool {
        !self.without_approval.contains(&kind)
    }
}

/// What stands in the way of a deed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DenialReason {
    /// It is not switched on there.
    SwitchedOff,
    /// Not everybody who spoke to it may have it done, or nobody did.
    NoAuthority,
    /// Nobody could be asked.
    NobodyToAsk,
    /// It is too long to be shown whole to who decides.
    TooLong,
    /// The same is waiting already.
    Waiting,
    /// Too much is waiting already.
    TooMany,
    /// Somebody it may be about wants to be forgotten.
    Forgotten,
    /// The guild cannot be seen.
    NoGuild,
    /// They are no member, or no more.
    NoMember,
    /// It would be about whoever does it.
    Oneself,
    /// They own the guild.
    Owner,
    /// They are an administrator.
    Administrator,
    /// The permission is missing.
    NoPermission(ModerationKind),
    /// They do not stand below.
    NotAbove,
    /// Too much time went by.
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
            let (english, chinese) = kind.permission_name();
            return language.pick(
                format!("the permission {english} is missing"),
                format!("缺少“{chinese}”权限"),
            );
        }
        let words = match self {
            Self::SwitchedOff => ("it is not switched on here", "这里没有开启这个操作"),
            Self::NoAuthority => (
                "who asked for it may not have it done",
                "要求这样做的人没有这个权力",
            ),
            Self::NobodyToAsk => (
                "there is no log channel in which somebody could approve it",
                "没有可以请人批准的日志频道",
            ),
            Self::TooLong => (
                "it is too long to be shown whole to who would approve it; say it in fewer words",
                "太长了，没法完整地给批准的人看；请写短一些",
            ),
            Self::Waiting => (
                "the same waits for approval already",
                "同样的请求已经在等待批准",
            ),
            Self::TooMany => (
                "too much waits for approval already",
                "等待批准的请求太多了",
            ),
            Self::Forgotten => ("somebody in it wants to be forgotten", "其中有人要求被忘记"),
            Self::NoGuild => ("the server cannot be seen now", "现在看不到这个服务器"),
            Self::NoMember => (
                "they are not a member of this server",
                "对方不是这个服务器的成员",
            ),
            Self::Oneself => ("nobody does that to themselves", "不能对自己这样做"),
            Self::Owner => ("they own this server", "对方是服务器的所有者"),
            Self::Administrator => ("they are an administrator", "对方是管理员"),
            Self::NotAbove => (
                "their highest role is not below",
                "对方最高的身份组并不更低",
            ),
            Self::TooLate => ("it came too late", "太晚了"),
            Self::Private => (
                "nobody else may read what is said in a direct message",
                "私信里说的事不能让别人来批准",
            ),
            Self::Changed => ("the tool was changed meanwhile", "这个工具中途改过了"),
            Self::WentWrong => ("it went wrong", "出错了"),
            Self::CutShort => (
                "the program was stopped meanwhile, so it is not known whether it ran",
                "程序中途停了，不知道有没有执行",
            ),
            Self::Failed(FailureKind::Gone) => ("what it was about is gone", "对象已经不在了"),
            Self::Failed(FailureKind::NoAnswer) => ("the platform did not answer", "平台没有回应"),
            Self::NoPermission(_) | Self::Failed(_) => ("the platform refused it", "平台拒绝了"),
        };
        language.pick(words.0, words.1).to_owned()
    }
}
