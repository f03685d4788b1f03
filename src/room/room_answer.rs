//! What the daemon answers to a front end. Plain data, shaped as the page shows it; nothing here decides.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::memory_answer::QuotedLine;
use kith_core::chat::{
    Author, Channel, ChannelId, Message, MessageId, Millis, ProposalId, SessionId, TurnId,
};
use kith_core::intent::ScheduledIntent;
use kith_core::memory_entry::MemoryEntry;
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::report::{
    DecisionReport, MessageDecision, PromptPart, Refusal, ScoreTerm, ThresholdShift, TurnReport,
};
use kith_core::session::SessionStart;
use kith_core::willingness::ReceptionSummary;
use kith_language::{LocalizedMessage, room_refusals};

/// What the daemon answers. In JSON each is the bare value; the request says which to expect.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum RoomAnswer {
    /// It is done and will stay so. `{}` in JSON.
    Done {},
    State(RoomState),
    /// A page of messages, oldest first.
    History(HistoryPage),
    Unread(UnreadCounts),
    /// What was found, newest first.
    Found {
        messages: Vec<QuotedLine>,
    },
    Message(Box<RoomMessage>),
    Person(Author),
    Channel(RoomChannel),
    Decision(Box<MessageExplanation>),
    Turn(Box<FullTurn>),
    /// Turns without their prompts, newest first.
    Turns {
        turns: Vec<TurnReport>,
    },
    Mind(WillingnessState),
    Intentions {
        /// Oldest first.
        intentions: Vec<ScheduledIntent>,
        /// What forbids it to wake for what has come, if that is so.
        held: Option<Refusal>,
    },
    /// The sessions there are, oldest first.
    Sessions {
        sessions: Vec<RoomSession>,
    },
    Session {
        session: RoomSession,
    },
    Pending {
        /// Oldest first.
        pending: Vec<PendingAction>,
    },
    /// What is remembered of somebody, newest first.
    Memories {
        memories: Vec<MemoryEntry>,
    },
    Model(ModelState),
    Models {
        models: Vec<String>,
    },
    ModelUsed {
        /// The settings file it was written to, where that was asked for.
        kept: Option<String>,
    },
    ImportedCard {
        name: String,
        /// The persona's file.
        file: String,
        /// What could not be kept, a sentence each.
        notes: Vec<LocalizedText>,
    },
    /// A model that works.
    Tested {
        /// How long its answer took.
        milliseconds: Millis,
        said: String,
    },
}

/// Why a request was not carried out, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRefusal {
    pub why: RefusalKind,
    /// One sentence: what, where, how to mend it. Holds no secret.
    pub message: String,
    /// The same in every language of the page; empty where it is only known in English.
    pub told: LocalizedText,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The request makes no sense: status 400.
    BadRequest,
    /// What it names is not there: status 404.
    NotFound,
    /// It made sense, but could not be done: status 503.
    Unavailable,
}

impl RequestRefusal {
    /// A refusal that every language of the page has.
    pub fn new(why: RefusalKind, message: &LocalizedMessage) -> Self {
        Self {
            why,
            message: message.in_language(Language::EN),
            told: localize(|language| message.in_language(language)),
        }
    }

    /// The daemon goes.
    pub fn stopping() -> Self {
        Self::new(RefusalKind::Unavailable, &room_refusals::stopping())
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self {
            why: RefusalKind::BadRequest,
            message: message.into(),
            told: LocalizedText::new(),
        }
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self {
            why: RefusalKind::NotFound,
            message: message.into(),
            told: LocalizedText::new(),
        }
    }

    pub fn unavailable(message: impl Into<String>) -> Self {
        Self {
            why: RefusalKind::Unavailable,
            message: message.into(),
            told: LocalizedText::new(),
        }
    }
}

/// Everything a front end starts from.
#[derive(Clone, Debug, Serialize)]
pub struct RoomState {
    /// The people one can post as, oldest first. The companion is not among them.
    pub people: Vec<Author>,
    /// The channels, oldest first.
    pub channels: Vec<RoomChannel>,
    pub model: ModelState,
}

/// A channel and who the companion is there.
#[derive(Clone, Debug, Serialize)]
pub struct RoomChannel {
    #[serde(flatten)]
    pub channel: Channel,
    pub mode: ChannelMode,
    /// The companion as its members see it.
    pub companion: Author,
}

/// A session: a channel's own settings.
#[derive(Clone, Debug, Serialize)]
pub struct RoomSession {
    pub id: SessionId,
    /// What it is called; empty where its words were erased.
    pub label: String,
    /// Its channel; none while that is being opened.
    pub channel: Option<ChannelId>,
    pub from: ChannelId,
    pub parent: Option<SessionId>,
    pub profile: Option<String>,
    /// What the companion keeps in mind there, in the words of who opened it; not in live events.
    pub about: String,
    pub start: SessionStart,
    /// When it was opened.
    pub made: Millis,
}

#[derive(Clone, Debug, Serialize)]
pub struct HistoryPage {
    /// Oldest first.
    pub messages: Vec<RoomMessage>,
    /// Whether there are older ones; after `after`, whether there are newer ones.
    pub more: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct UnreadCounts {
    /// How many messages came since, by channel; at most 100 are counted.
    pub counts: BTreeMap<ChannelId, usize>,
    /// The newest message of every channel that has one.
    pub newest: BTreeMap<ChannelId, MessageId>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RoomMessage {
    /// The message, its text as it is now.
    #[serde(flatten)]
    pub message: Message,
    pub edited: bool,
    /// The reactions on it, in the order they came.
    pub reactions: Vec<ReactionGroup>,
    pub decision: Option<MessageDecision>,
    /// The turn that wrote it, for the companion's own.
    pub turn: Option<TurnId>,
}

/// A sentence for people in every language, by the language's code.
pub type LocalizedText = BTreeMap<&'static str, String>;

pub fn localize(say: impl Fn(Language) -> String) -> LocalizedText {
    Language::ALL
        .into_iter()
        .map(|language| (language.code(), say(language)))
        .collect()
}

/// All reactions with one emoji on one message.
#[derive(Clone, Debug, Serialize)]
pub struct ReactionGroup {
    pub emoji: String,
    pub by: Vec<Author>,
}

/// A decision in words: what it does, and the few things that weigh most. `bias`, the reasons and `rest` add up to the
/// log-odds of the score.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionSummary {
    pub verdict: DecisionVerdict,
    /// What weighs most for that, in a few words; empty where a refusal says why, or nothing weighs anything.
    pub reason: LocalizedText,
    /// The weightiest, at most five, no two with the same text.
    pub reasons: Vec<SummaryReason>,
    /// What all others add, log-odds.
    pub rest: f32,
    /// What moved the threshold, in a few words; empty where nothing did, or where it does not matter.
    pub movers: LocalizedText,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionVerdict {
    /// It was spoken to, and answers.
    Answers,
    Speaks,
    /// It waits whether the author writes on.
    Waits,
    /// Its author wrote on, so that the next line was looked at; its score means nothing.
    NotWeighed,
    KeepsSilent,
}

#[derive(Clone, Debug, Serialize)]
pub struct SummaryReason {
    pub text: LocalizedText,
    /// What it adds, log-odds.
    pub adds: f32,
}

/// Why it spoke or kept silent at a message.
#[derive(Clone, Debug, Serialize)]
pub struct MessageExplanation {
    /// What was thought when the message arrived.
    pub decision: Option<MessageDecision>,
    /// The same in words.
    pub summary: Option<DecisionSummary>,
    /// The decision on it, if there was one.
    pub decision_point: Option<DecisionReport>,
    /// The turn it woke, if it woke one.
    pub turn: Option<TurnId>,
}

/// A turn with the exact prompts its rounds were asked with.
#[derive(Clone, Debug, Serialize)]
pub struct FullTurn {
    pub report: TurnReport,
    /// The prompts, by [`ShownPrompt::ask`].
    pub prompts: Vec<ShownPrompt>,
    pub running: bool,
    /// What its tools told last while they ran, oldest first; nothing once it is over.
    pub news: Vec<ToolNews>,
    /// What its tools are doing now; nothing once it is over.
    pub calls: Vec<RunningToolCall>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RunningToolCall {
    /// Its number in the turn: what it is stopped by.
    pub call: u32,
    pub tool: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct ToolNews {
    /// Which of its turn's, from 1.
    pub number: u32,
    pub tool: String,
    #[serde(flatten)]
    pub told: ToolNewsKind,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ToolNewsKind {
    Progress {
        /// In a line.
        text: String,
    },
    /// Data for whoever watches.
    Published { name: String, data: Value },
    Logged {
        /// What its program wrote to standard error, the beginning of it.
        log: String,
    },
}

/// What the model was shown in one round.
#[derive(Clone, Debug, Serialize)]
pub struct ShownPrompt {
    /// The round's number, as in its report.
    pub ask: u32,
    pub model: String,
    /// The system message, whole.
    pub system: String,
    /// What stands below the system message, whole; each of several messages under a line that says whose it is.
    pub user: String,
    /// How large its parts are, in estimated tokens, and what did not fit.
    pub parts: Vec<PromptPart>,
}

/// How much the companion would like to speak in a channel now.
#[derive(Clone, Debug, Serialize)]
pub struct WillingnessState {
    pub channel: ChannelId,
    /// The moment this was true.
    pub at: Millis,
    /// The message it thinks about: the last one it scored.
    pub message: Option<MessageId>,
    /// The willingness, 0 … 1, decayed to now.
    pub score: f32,
    /// What it must reach unasked, 0 … 1.
    pub threshold: f32,
    /// Energy, 0 … 1.
    pub energy: f32,
    /// The constant addend, log-odds.
    pub bias: f32,
    /// The addends, log-odds.
    pub terms: Vec<ScoreTerm>,
    /// What stands in the way whatever the score.
    pub refusal: Option<Refusal>,
    /// All that in words; none before it has scored anything.
    pub summary: Option<DecisionSummary>,
    pub shift: ThresholdShift,
    /// How what it says is received here, as numbers.
    pub reception: ReceptionSummary,
    /// The same as a sentence, empty while there is nothing to tell.
    pub reception_told: LocalizedText,
    /// When it looks at the channel next, if anything makes it.
    pub next_decision_point: Option<Millis>,
    /// The turn that runs now.
    pub turn: Option<TurnId>,
}

/// A call of a tool that runs once somebody approves it.
#[derive(Clone, Debug, Serialize)]
pub struct PendingAction {
    pub id: ProposalId,
    pub channel: ChannelId,
    pub turn: TurnId,
    pub tool: String,
    /// What the tool itself says it would do; empty where the parameters say enough.
    pub preview: String,
    pub params: Map<String, Value>,
    /// The message that its parameter `line` means; none where it has none.
    pub message: Option<MessageId>,
    /// Everybody who spoke to the companion in the turn.
    pub causes: Vec<Author>,
    /// When it was asked for.
    pub made: Millis,
    pub expires: Millis,
}

/// Which model answers, and what is left of the budget. Holds no key.
#[derive(Clone, Debug, Serialize)]
pub struct ModelState {
    /// The model's name, or the stand-in's.
    pub name: String,
    /// The base URL it is reached at; empty for the stand-in.
    pub url: String,
    /// Whether the stand-in answers because no model is configured.
    pub stand_in: bool,
    pub tokens_today: u64,
    /// The most tokens a day; none means no limit.
    pub daily_cap: Option<u64>,
    /// What is wrong with it, in words for people.
    pub trouble: Option<String>,
}
