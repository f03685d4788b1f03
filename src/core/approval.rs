//! Something the companion wants done that waits until a person has approved or dropped it by a click. Plain data: what
//! is approved is exactly what was proposed, and it is settled once.

use serde::{Deserialize, Serialize};

use super::chat::{ChannelId, GuildId, MINUTE, MessageId, Millis, ProposalId, TurnId, UserId};
use super::context::{ContextNote, DisplayNames};
use super::moderation::{DenialReason, ModerationAction, ModerationKind};
use super::persona::Language;
use super::proposed_call::ProposedCall;

/// How many wait in a guild at the most.
pub const MOST_WAITING: usize = 10;
/// The most characters that are kept of what a tool answered.
pub const ANSWERED: usize = 600;

/// Something to be decided on.
#[derive(Clone, Debug, PartialEq)]
pub struct ApprovalRequest {
    /// Its id. The store gives it.
    pub id: ProposalId,
    /// The turn that asked for it, and the number of the call in that turn.
    pub source_call: (TurnId, u32),
    /// What is to be done.
    pub wanted: ApprovalSubject,
    /// When it was asked for.
    pub made: Millis,
    /// Until when it can be approved.
    pub expires: Millis,
    /// How far it is.
    pub state: ApprovalState,
    /// Who decided, and what they were called then; none where nobody did, or who did wanted to be forgotten.
    pub decided_by: Option<(UserId, String)>,
    /// When it was decided on.
    pub decided: Option<Millis>,
    /// What the tool answered, shortened; empty before it ran, and of a deed.
    pub tool_answer: String,
    /// The card that asks for it: its log channel and its message.
    pub log_message: Option<(ChannelId, MessageId)>,
}

/// What a person decides on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalSubject {
    /// A deed about a member.
    Deed(ModerationAction),
    /// A call of a tool.
    Call(Box<ProposedCall>),
}

/// How far a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// Nobody has decided.
    Waiting,
    /// It is to be done; of a deed also that it is being done.
    Approved,
    /// The tool runs: if the process ends now, nobody knows how far it came.
    Running,
    /// It is not done.
    Denied,
    /// Nobody decided in time.
    Expired,
    /// It is done.
    Done,
    /// It was to be done, and could not be.
    Failed(DenialReason),
}

impl ApprovalState {
    /// Whether nothing more comes of it.
    pub const fn is_settled(self) -> bool {
        !matches!(self, Self::Waiting | Self::Approved | Self::Running)
    }
}

impl ApprovalSubject {
    /// In which guild.
    pub const fn guild(&self) -> GuildId {
        match self {
            Self::Deed(action) => action.guild,
            Self::Call(proposed) => proposed.guild,
        }
    }

    /// In which channel it was asked for.
    pub const fn channel(&self) -> ChannelId {
        match self {
            Self::Deed(action) => action.channel,
            Self::Call(proposed) => proposed.channel,
        }
    }

    /// What the model calls it.
    pub fn name(&self) -> &str {
        match self {
            Self::Deed(action) => action.deed.name(),
            Self::Call(proposed) => &proposed.call.name,
        }
    }

    /// Whether another one comes to the same.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Deed(one), Self::Deed(other)) => one.is_like(other),
            (Self::Call(one), Self::Call(other)) => one.is_like(other),
            (Self::Deed(_), Self::Call(_)) | (Self::Call(_), Self::Deed(_)) => false,
        }
    }

    /// Whether it is about somebody, or they asked for it.
    pub fn is_related_to(&self, user: UserId) -> bool {
        match self {
            Self::Deed(action) => action.user == user,
            Self::Call(proposed) => proposed.is_related_to(user),
        }
    }

    /// What it does, where people stand under these names.
    pub fn describe_with_names(&self, names: &DisplayNames, language: Language) -> String {
        match self {
            Self::Deed(action) => describe_action(
                &ModerationAction {
                    name: names.shown(action.user, &action.name),
                    ..action.clone()
                },
                language,
            ),
            Self::Call(_) => self.describe(language),
        }
    }

    /// What it does, to go on with: `ban Ben from the server`, `call roll_dice (2d6)`.
    pub fn describe(&self, language: Language) -> String {
        match self {
            Self::Deed(action) => describe_action(action, language),
            Self::Call(proposed) => {
                let (name, given) = (&proposed.call.name, proposed.parameter_summary());
                match given.is_empty() {
                    true => language.pick(format!("call {name}"), format!("调用 {name}")),
                    false => language.pick(
                        format!("call {name} ({given})"),
                        format!("调用 {name}（{given}）"),
                    ),
                }
            }
        }
    }
}

impl ApprovalRequest {
    /// Something that waits for a decision from now on, for so many minutes.
    pub fn new(
        source_call: (TurnId, u32),
        subject: ApprovalSubject,
        made: Millis,
        minutes: u32,
    ) -> Self {
        Self {
            id: ProposalId::default(),
            source_call,
            wanted: subject,
            made,
            expires: made + Millis::from(minutes) * MINUTE,
            state: ApprovalState::Waiting,
            decided_by: None,
            decided: None,
            tool_answer: String::new(),
            log_message: None,
        }
    }

    /// What came of it, for the companion's next prompt.
    pub fn note(&self, language: Language) -> ContextNote {
        let ApprovalSubject::Deed(action) = &self.wanted else {
            return self.describe_outcome(language).into();
        };
        let unnamed = ModerationAction {
            name: ContextNote::NAME.to_owned(),
            ..action.clone()
        };
        let text = Self {
            wanted: ApprovalSubject::Deed(unnamed),
            ..self.clone()
        }
        .describe_outcome(language);
        ContextNote::with_user(action.user, &action.name, text)
    }

    /// What came of it, as one line; empty while it is open.
    pub fn describe_outcome(&self, language: Language) -> String {
        let (what, answered) = (
            self.wanted.describe(language),
            self.describe_answer(language),
        );
        let (english, chinese) = match self.wanted {
            ApprovalSubject::Deed(_) => ("a moderator", "管理成员"),
            ApprovalSubject::Call(_) => ("somebody", "有人"),
        };
        // A turn that a stop ended was never told.
        let was_asked = self.decided != Some(self.made);
        match self.state {
            ApprovalState::Waiting | ApprovalState::Approved | ApprovalState::Running => {
                String::new()
            }
            ApprovalState::Done if !was_asked => {
                language.pick(format!("done: {what}"), format!("已执行：{what}"))
            }
            ApprovalState::Failed(obstacle) if !was_asked => {
                let why = obstacle.describe(language);
                language.pick(
                    format!("not done: {what}: {why}"),
                    format!("没有执行：{what}：{why}"),
                )
            }
            ApprovalState::Denied => language.pick(
                format!("{english} said no: you may not {what}"),
                format!("{chinese}拒绝了：不能{what}"),
            ),
            ApprovalState::Expired => {
                let (english, chinese) = match self.wanted {
                    ApprovalSubject::Deed(_) => ("no moderator", "没有管理成员"),
                    ApprovalSubject::Call(_) => ("nobody", "没有人"),
                };
                language.pick(
                    format!("{english} answered in time whether you may {what}: it was not done"),
                    format!("{chinese}及时回答能否{what}：没有执行"),
                )
            }
            ApprovalState::Done => language.pick(
                format!("{english} approved that you {what}: it is done{answered}"),
                format!("{chinese}批准了{what}：已执行{answered}"),
            ),
            ApprovalState::Failed(obstacle) => {
                let why = obstacle.describe(language);
                language.pick(
                    format!("{english} approved that you {what}, but it could not be done: {why}{answered}"),
                    format!("{chinese}批准了{what}，但没能执行：{why}{answered}"),
                )
            }
        }
    }

    fn describe_answer(&self, language: Language) -> String {
        match self.tool_answer.as_str() {
            "" => String::new(),
            answered => language.pick(format!(": {answered}"), format!("：{answered}")),
        }
    }
}

/// What a deed does, to go on with: `ban Ben`, `time Ben out for 10 min`.
pub fn describe_action(action: &ModerationAction, language: Language) -> String {
    let name = &action.name;
    match action.deed {
        ModerationKind::TimeoutMember => {
            let duration = format_duration(action.minutes.unwrap_or(0), language);
            language.pick(
                format!("time {name} out for {duration}"),
                format!("禁言 {name} {duration}"),
            )
        }
        ModerationKind::KickMember => language.pick(
            format!("kick {name} out of the server"),
            format!("把 {name} 踢出服务器"),
        ),
        ModerationKind::BanMember => language.pick(
            format!("ban {name} from the server"),
            format!("封禁 {name}"),
        ),
        ModerationKind::DeleteMessage => language.pick(
            format!("delete a message of {name}"),
            format!("删除 {name} 的一条消息"),
        ),
    }
}

/// A length of time exactly as it was asked for, in days, hours and minutes.
fn format_duration(minutes: u32, language: Language) -> String {
    let units = [
        (minutes / 1_440, "d", "天"),
        (minutes / 60 % 24, "h", "小时"),
        (minutes % 60, "min", "分钟"),
    ];
    let parts = units.into_iter().filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, english, chinese)| {
        language.pick(format!("{count} {english}"), format!("{count} {chinese}"))
    });
    parts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::GuildId;

    #[test]
    fn a_time_out_is_told_to_the_minute() {
        let act = |minutes| ModerationAction {
            deed: ModerationKind::TimeoutMember,
            guild: GuildId(1),
            channel: ChannelId(2),
            user: UserId(3),
            name: "Ben".into(),
            message: MessageId(4),
            minutes: Some(minutes),
            reason: "spam".into(),
        };
        let told = |minutes| describe_action(&act(minutes), Language::EN);
        assert_eq!(told(10), "time Ben out for 10 min");
        assert_eq!(told(1_501), "time Ben out for 1 d 1 h 1 min");
        assert_eq!(describe_action(&act(120), Language::ZH), "禁言 Ben 2 小时");
    }
}
