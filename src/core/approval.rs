//! Something the companion wants done that waits until a person has approved or dropped it by a click. Plain data: what
//! is approved is exactly what was proposed, and it is settled once.

use kith_language::{approvals, durations};
use serde::{Deserialize, Serialize};

use super::chat::{ChannelId, GuildId, MINUTE, MessageId, Millis, ProposalId, TurnId, UserId};
use super::context::{ContextNote, DisplayNames};
use super::moderation::{DenialReason, ModerationAction, ModerationKind};
use super::persona::Language;
use super::proposed_call::ProposedCall;

/// How long a person's approval of a tool's call is waited for, in minutes, where the settings do not say.
pub const APPROVAL_MINUTES: u32 = 60;
/// How many wait in a guild at the most.
pub const MOST_WAITING: usize = 10;
/// The most characters that are kept of what a tool answered.
pub const ANSWERED: usize = 600;

#[derive(Clone, Debug, PartialEq)]
pub struct ApprovalRequest {
    /// Its id. The store gives it.
    pub id: ProposalId,
    /// The turn that asked for it, and the number of the call in that turn.
    pub source_call: (TurnId, u32),
    pub wanted: ApprovalSubject,
    pub made: Millis,
    pub expires: Millis,
    pub state: ApprovalState,
    /// Who decided, and what they were called then; none where nobody did, or who did wanted to be forgotten.
    pub decided_by: Option<(UserId, String)>,
    pub decided: Option<Millis>,
    /// What the tool answered, shortened; empty before it ran, and of a deed.
    pub tool_answer: String,
    /// The card that asks for it: its log channel and its message.
    pub log_message: Option<(ChannelId, MessageId)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalSubject {
    Deed(ModerationAction),
    Call(Box<ProposedCall>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    Waiting,
    /// It is to be done; of a deed also that it is being done.
    Approved,
    /// The tool runs: if the process ends now, nobody knows how far it came.
    Running,
    Denied,
    Expired,
    Done,
    Failed(DenialReason),
}

impl ApprovalState {
    pub const fn is_settled(self) -> bool {
        !matches!(self, Self::Waiting | Self::Approved | Self::Running)
    }
}

impl ApprovalSubject {
    pub const fn guild(&self) -> GuildId {
        match self {
            Self::Deed(action) => action.guild,
            Self::Call(proposed) => proposed.guild,
        }
    }

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
                    true => approvals::call(name).in_language(language),
                    false => approvals::call_with_parameters(given, name).in_language(language),
                }
            }
        }
    }
}

impl ApprovalRequest {
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
        let (somebody, nobody) = match self.wanted {
            ApprovalSubject::Deed(_) => (approvals::a_moderator(), approvals::no_moderator()),
            ApprovalSubject::Call(_) => (approvals::somebody(), approvals::nobody()),
        };
        // A turn that a stop ended was never told.
        let was_asked = self.decided != Some(self.made);
        let outcome = match self.state {
            ApprovalState::Waiting | ApprovalState::Approved | ApprovalState::Running => {
                return String::new();
            }
            ApprovalState::Done if !was_asked => approvals::done(what),
            ApprovalState::Failed(obstacle) if !was_asked => {
                approvals::not_done(what, obstacle.describe(language))
            }
            ApprovalState::Denied => approvals::told_denied(what, somebody),
            ApprovalState::Expired => approvals::told_expired(what, nobody),
            ApprovalState::Done => approvals::told_done(answered, what, somebody),
            ApprovalState::Failed(obstacle) => {
                let why = obstacle.describe(language);
                approvals::told_failed(answered, what, somebody, why)
            }
        };
        outcome.in_language(language)
    }

    fn describe_answer(&self, language: Language) -> String {
        match self.tool_answer.as_str() {
            "" => String::new(),
            answered => approvals::answered(answered).in_language(language),
        }
    }
}

/// What a deed does, to go on with: `ban Ben`, `time Ben out for 10 min`.
pub fn describe_action(action: &ModerationAction, language: Language) -> String {
    let name = &action.name;
    match action.deed {
        ModerationKind::TimeoutMember => {
            let duration = format_duration(action.minutes.unwrap_or(0), language);
            approvals::time_out(duration, name).in_language(language)
        }
        ModerationKind::KickMember => approvals::kick(name).in_language(language),
        ModerationKind::BanMember => approvals::ban(name).in_language(language),
        ModerationKind::DeleteMessage => approvals::delete_message(name).in_language(language),
    }
}

/// A length of time exactly as it was asked for, in days, hours and minutes.
fn format_duration(minutes: u32, language: Language) -> String {
    let units = [
        (minutes / 1_440, durations::days(minutes / 1_440)),
        (minutes / 60 % 24, durations::hours(minutes / 60 % 24)),
        (minutes % 60, durations::minutes(minutes % 60)),
    ];
    let parts = units.into_iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(_, part)| part.in_language(language));
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
