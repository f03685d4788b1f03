//! What the core tells people about itself: decisions and turns. Plain data, stored and shown as it is.

use kith_language::{LocalizedMessage, failures};
use serde::{Deserialize, Serialize};

use super::call::{ToolCall, ToolKind, ToolResult};
use super::chat::{ChannelId, IntentionId, MessageId, Millis, TurnId, UserId};
pub use super::model_outcome::{ModelFailure, TokenUsage};
use super::persona::Language;

/// One named addend of a willingness, in log-odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreTerm {
    /// The signal's name in `data/weights.json`.
    pub name: String,
    /// What was seen, which is never 0; left out where a decision was kept by its reasons only.
    #[serde(default, skip_serializing_if = "is_left_out")]
    pub value: f32,
    /// What it adds: value times weight.
    pub adds: f32,
}

fn is_left_out(value: &f32) -> bool {
    *value == 0.0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectAddress {
    Direct,
    Mention,
    Reply,
    /// Its name used as a vocative.
    Name,
    Alone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentTrigger {
    Person,
    Word,
    /// Nobody wrote for a while: in reports of earlier versions.
    Silence,
    Time,
}

/// Why direct address is not answered, or why it may not speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    Off,
    Observe,
    Asleep,
    Budget,
    /// The address is older than it obliges.
    Stale,
    /// The author is a bot or a webhook.
    NotAPerson,
    Paused,
    /// Quiet hours, or a member asked for quiet: nothing unasked.
    Quiet,
    NoPermission,
    BotLimit,
    /// It has woken by itself often enough for today.
    Quota,
    /// Nobody has answered since it spoke first.
    Unanswered,
    /// The author wrote on: what comes after it is decided on instead.
    WroteOn,
    /// A turn that began for another reason was shown it, before its author had been quiet for long enough.
    SeenInTurn,
}

/// What of its own wakes it, with nobody speaking to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SelfTrigger {
    Waited {
        id: IntentionId,
        cause: IntentTrigger,
    },
    /// A lively channel has been silent for long.
    Lull { minutes: u32 },
    /// A part of its day began in which it may speak first.
    Opening,
}

/// What moved a threshold from where the room's scores and its talkativeness put it, in log-odds; more than 0 is higher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThresholdShift {
    /// It spoke a moment ago.
    pub restraint: f32,
    /// It has said more, or less, than its talkativeness allows it beside what the others write.
    pub allowance: f32,
    /// Nobody took up its last remarks.
    pub unheeded: f32,
    /// How many of them there are: a count, no part of the sum.
    pub unheeded_remarks: u8,
    /// It meant to answer this message when it came in.
    pub meant: f32,
}

impl ThresholdShift {
    pub fn sum(&self) -> f32 {
        self.restraint + self.allowance + self.unheeded + self.meant
    }

    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The decision on one message: when it arrived, and once more when its author was quiet for long enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageDecision {
    pub channel: ChannelId,
    pub message: MessageId,
    pub author: UserId,
    pub at: Millis,
    /// The willingness as a probability, 0 … 1.
    pub score: f32,
    /// What it had to reach unasked, 0 … 1.
    #[serde(alias = "bar")]
    pub threshold: f32,
    #[serde(
        alias = "moved",
        default,
        skip_serializing_if = "ThresholdShift::is_none"
    )]
    pub shift: ThresholdShift,
    /// Direct address, and of which kind.
    pub address: Option<DirectAddress>,
    /// What stands in the way whatever the score.
    pub refusal: Option<Refusal>,
    /// Whether the companion speaks. While the author may write on, not yet.
    pub speak: bool,
    /// Until when it waits whether the author writes on; none once it is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_until: Option<Millis>,
    /// Whether it goes on in the companion's own conversation: no rate counts that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
    /// Energy after earlier speech, 0 … 1.
    pub energy: f32,
    /// How long before it the companion spoke last; none if it has not, as far as it remembers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent_for: Option<Millis>,
    /// The addends of the score, log-odds; their sum with `bias` is the logit of `score`.
    pub terms: Vec<ScoreTerm>,
    /// The constant addend, log-odds.
    pub bias: f32,
}

impl MessageDecision {
    /// Whether its score means anything: a line that its author wrote past was never weighed by itself.
    pub fn is_weighed(&self) -> bool {
        self.refusal != Some(Refusal::WroteOn)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionReport {
    pub channel: ChannelId,
    pub at: Millis,
    /// The message it decided on: direct address, or the highest score among unseen messages.
    pub message: Option<MessageId>,
    /// That score, decayed to now.
    pub score: f32,
    #[serde(alias = "bar")]
    pub threshold: f32,
    #[serde(
        alias = "moved",
        default,
        skip_serializing_if = "ThresholdShift::is_none"
    )]
    pub shift: ThresholdShift,
    pub outcome: DecisionOutcome,
    /// What of its own made it look, if nobody's message did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<SelfTrigger>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionOutcome {
    Addressed,
    /// A turn starts because the score reached the threshold.
    Willing,
    /// The score is near the threshold: a turn starts that asks a model first whether to speak at all.
    Doubtful,
    Own,
    #[serde(alias = "below_bar")]
    Unwilling,
    Refused(Refusal),
    /// A turn wants to start but waits for a free place.
    Queued,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnTrigger {
    pub message: Option<MessageId>,
    pub author: Option<UserId>,
    /// Direct address, and of which kind; none when the willingness reached the threshold.
    pub address: Option<DirectAddress>,
    /// All fresh direct addresses the turn answers.
    pub addressed: Vec<MessageId>,
    /// The willingness, 0 … 1.
    pub score: f32,
    /// The threshold, 0 … 1.
    #[serde(alias = "bar")]
    pub threshold: f32,
    #[serde(
        alias = "moved",
        default,
        skip_serializing_if = "ThresholdShift::is_none"
    )]
    pub shift: ThresholdShift,
    /// Whether the message goes on in the companion's own conversation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
    /// Whether the score is so near the threshold that a model is asked first whether to speak.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_doubtful: bool,
    /// What of its own woke it, or what it waited for and came as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<SelfTrigger>,
}

impl TurnTrigger {
    /// Whether it woke for a reason of its own alone: no message reached the threshold.
    pub fn is_own(&self) -> bool {
        self.own.is_some() && self.address.is_none() && self.score < self.threshold
    }

    /// Whether nobody spoke to it and nothing of its own woke it.
    pub fn is_by_score_alone(&self) -> bool {
        self.own.is_none() && self.address.is_none() && self.addressed.is_empty()
    }
}

/// Why a visible action was not delivered: a kind, without a word that anybody wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The server's filter does not let the text pass.
    Filter,
    /// The companion may not do that there; perhaps it is timed out.
    NotAllowed,
    Gone,
    /// It would have to wait too long: slow mode, or too much was sent.
    TooFast,
    NoAnswer,
    /// A hook of the host's refused it, or failed.
    Hook,
    /// Anything else; the log says what.
    #[default]
    Other,
}

impl FailureKind {
    /// In words, for people and for the model.
    pub fn describe(self, language: Language) -> String {
        self.to_message().in_language(language)
    }

    fn to_message(self) -> LocalizedMessage {
        match self {
            Self::Filter => failures::auto_mod(),
            Self::NotAllowed => failures::no_permission(),
            Self::Gone => failures::target_gone(),
            Self::TooFast => failures::rate_limited(),
            Self::NoAnswer => failures::no_answer(),
            Self::Hook => failures::hook_refused(),
            Self::Other => failures::refused(),
        }
    }

    /// The same for the model, with what the platform said in its own words where those are in its language.
    pub fn explain(self, why: impl Into<String>) -> LocalizedMessage {
        // What a hook says is for the model.
        if self == Self::Hook {
            return why.into().into();
        }
        failures::in_own_words(self.to_message(), why.into())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryFailure {
    pub kind: FailureKind,
    /// In a sentence.
    pub why: String,
}

impl DeliveryFailure {
    pub fn describe(&self, language: Language) -> String {
        self.kind.explain(&*self.why).in_language(language)
    }
}

impl<T: Into<String>> From<T> for DeliveryFailure {
    fn from(why: T) -> Self {
        Self {
            kind: FailureKind::Other,
            why: why.into(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallReport {
    pub call: ToolCall,
    /// What kind it is; none for an unknown tool.
    pub kind: Option<ToolKind>,
    /// What came of it; none if it never ran.
    pub result: Option<ToolResult>,
    /// The delivered message, for visible actions.
    pub message: Option<MessageId>,
    /// Why there is none, where it was to be delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hindrance: Option<FailureKind>,
    pub at: Millis,
}

impl CallReport {
    pub fn is_failed(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.is_error)
    }
}

impl TurnReport {
    /// What failed in the last round, for no prompt of the turn has told of it. Of messages the next prompt is told apart.
    pub fn list_untold_failures(&self) -> impl Iterator<Item = &CallReport> {
        let calls = self
            .rounds
            .last()
            .into_iter()
            .flat_map(|round| &round.calls);
        calls.filter(|done| done.is_failed() && done.call.name != "send_message")
    }
}

/// One round: a model call and the execution of what it asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundReport {
    /// The number of the model call in its turn.
    pub ask: u32,
    pub asked_at: Millis,
    /// Until the first piece of the answer.
    pub first_delta_ms: Option<Millis>,
    /// Until the end of the answer.
    pub ended_ms: Option<Millis>,
    /// The prompt's size in estimated tokens.
    pub prompt_tokens: u32,
    pub usage: Option<TokenUsage>,
    /// What the model wrote, whole.
    pub raw: String,
    pub thoughts: String,
    pub calls: Vec<CallReport>,
    /// What had to be mended to read it, named.
    pub repairs: Vec<String>,
    pub failure: Option<ModelFailure>,
    /// Cut short by a new direct address.
    pub cut: bool,
}

impl RoundReport {
    /// Whether its question is put once more: somebody spoke into it, or the model failed before anything was done.
    pub fn is_retried(&self) -> bool {
        self.cut || self.failure.is_some() && self.calls.is_empty()
    }

    /// Takes out every word of it; what it cost and how long it took stays.
    pub fn forget(&mut self) {
        self.raw.clear();
        self.thoughts.clear();
        self.repairs.clear();
        for done in &mut self.calls {
            done.call.params.clear();
            if let Some(result) = &mut done.result {
                (result.content, result.details) = (String::new(), None);
            }
        }
    }
}

/// How large a part of a prompt is, and what of it did not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptPart {
    /// `fixed` for rules, persona and tools; else the section's name.
    pub name: String,
    pub tokens: u32,
    /// How many of its items are left out or shortened.
    pub left_out: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    /// It said or did something people see.
    Acted,
    /// It chose silence, with its reason.
    Silent(String),
    Failed(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnReport {
    pub turn: TurnId,
    pub channel: ChannelId,
    pub started: Millis,
    pub ended: Millis,
    pub wake: TurnTrigger,
    pub rounds: Vec<RoundReport>,
    pub outcome: TurnOutcome,
    /// What people should know besides: held-back repetitions, cut messages, late failures.
    pub notes: Vec<String>,
    /// What its model calls cost, each at its own model's price; none where no price is known. The driver fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl TurnReport {
    pub fn is_unasked(&self) -> bool {
        self.wake.address.is_none() && self.wake.addressed.is_empty()
    }

    pub fn has_sent_message(&self) -> bool {
        let mut calls = self.rounds.iter().flat_map(|round| &round.calls);
        calls.any(|done| done.call.name == "send_message" && done.message.is_some())
    }
}
