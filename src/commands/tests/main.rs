//! The command service through its public face, over a real store: who may ask what, what is answered, and what never
//! leaves the place it was said in.

mod cards;
mod deciding;
mod erasure;
mod manual_overrides;
mod memory_me;
mod rights;
mod status;
mod stickers;
mod take_back;
mod wording;

use std::collections::HashMap;
use std::sync::Arc;

use kith_commands::{
    Caller, CommandAnswer, CommandRequest, CommandService, DaemonChange, DaemonFacts, RequestScope,
};
use kith_core::call::{ToolCall, ToolKind, ToolResult};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, HOUR, MINUTE, Message, MessageId,
    MessagePicture, Millis, SessionId, TurnId, UserId,
};
use kith_core::event::ChatEvent;
use kith_core::partition::Partition;
use kith_core::persona::{Language, Persona};
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_core::report::{
    CallReport, DecisionOutcome, DecisionReport, DirectAddress, MessageDecision, Refusal,
    RoundReport, ScoreTerm, ThresholdShift, TokenUsage, TurnOutcome, TurnReport, TurnTrigger,
};
use kith_core::session::{Session, SessionConfig};
use kith_memory::Memory;
use kith_observe::LogEmbed;
use kith_store::{ModelSpend, OutgoingAction, Store, StoredPrompt};

/// 12:00 UTC of a day.
const NOW: Millis = 1_770_120_000_000;
const GUILD: GuildId = GuildId(1);
const ELSEWHERE: GuildId = GuildId(2);
const TALK: ChannelId = ChannelId(10);
const LOG: ChannelId = ChannelId(11);
const FAR: ChannelId = ChannelId(20);
const LETTER: ChannelId = ChannelId(30);
const ANNA: UserId = UserId(101);
const BEN: UserId = UserId(102);
const JUNO: UserId = UserId(99);

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CallerRole {
    Member,
    Moderator,
    Host,
}

/// Somebody who asks in a channel of [`GUILD`] or, if it is [`LETTER`], in their direct message.
fn caller(who: CallerRole, channel: ChannelId) -> Caller {
    Caller {
        user: ANNA,
        name: "Anna".into(),
        guild: (channel != LETTER).then_some(if channel == FAR { ELSEWHERE } else { GUILD }),
        channel,
        roles: Vec::new(),
        moderator: who == CallerRole::Moderator,
        is_operator: who == CallerRole::Host,
        language: Language::EN,
    }
}

fn channel(id: ChannelId) -> Channel {
    let (guild, name, kind) = match id {
        TALK => (Some(GUILD), "general", ChannelKind::Group),
        LOG => (Some(GUILD), "log", ChannelKind::Group),
        FAR => (Some(ELSEWHERE), "far", ChannelKind::Group),
        _ => (None, "Anna", ChannelKind::Direct),
    };
    Channel {
        id,
        guild,
        name: name.into(),
        topic: "".into(),
        kind,
        parent: None,
    }
}

fn facts(id: ChannelId) -> DaemonFacts {
    let persona = Persona {
        name: "Juno".into(),
        ..Persona::default()
    };
    DaemonFacts {
        now: NOW,
        channel: channel(id),
        hidden: false,
        nsfw: false,
        forum: false,
        nick: None,
        policy: Arc::new(ChannelPolicy {
            persona: Arc::new(persona),
            ..ChannelPolicy::default()
        }),
        snapshot: None,
        model: ("small-model".into(), "models.example".into()),
        is_demo: false,
        partition: Partition::WHOLE,
        budget: (120_000, 500_000),
        keep_days: 90,
        personas: vec!["juno".into(), "Kai".into()],
        max_mode: ChannelMode::On,
        max_talkativeness: 0.6,
        overrides: Vec::new(),
        names: HashMap::new(),
        quiet_until: None,
        guild_channels: vec![],
        readable_channels: match id {
            TALK | LOG => vec![TALK, LOG],
            other => vec![other],
        },
        sessions: vec![(session(), true)],
        running_calls: vec![(turn_of(id), 1, "search_files".into())],
        denial_status: None,
        wait_minutes: None,
    }
}

fn session() -> Session {
    Session {
        id: SessionId(1),
        guild: GUILD,
        channel: Some(ChannelId(12)),
        from: TALK,
        parent_channel: TALK,
        parent: None,
        turn: TurnId(1),
        cursor: 0,
        made: NOW,
        label: String::new(),
        opening: None,
        config: SessionConfig::default(),
        sources: Vec::new(),
        summary: None,
    }
}

fn with_mode(mut facts: DaemonFacts, mode: ChannelMode) -> DaemonFacts {
    facts.policy = Arc::new(ChannelPolicy {
        mode,
        ..(*facts.policy).clone()
    });
    facts
}

/// A command service over a store that knows four channels, each with something said in it that nobody elsewhere may
/// read: in each Anna wrote message 1 and Juno answered with message 2 in a turn of the channel's own number.
struct CommandTest {
    store: Store,
    command_service: CommandService,
}

fn secret_of(channel: ChannelId) -> String {
    format!("xylophone-{channel}")
}

fn turn_of(channel: ChannelId) -> TurnId {
    TurnId(channel.0)
}

fn command_test() -> CommandTest {
    let store = Store::open_in_memory().unwrap();
    let command_service = CommandService::new(store.clone(), Memory::new(store.clone()));
    let command_test = CommandTest {
        store,
        command_service,
    };
    for id in [TALK, LOG, FAR, LETTER] {
        command_test.append(ChatEvent::Channel(channel(id)));
        command_test.says(id, 1, ANNA, &format!("my secret is {}", secret_of(id)));
        command_test
            .store
            .save_decisions(vec![decision(id, 1)])
            .wait()
            .unwrap();
        command_test
            .store
            .save_decision_report(decision_report(id, 1, DecisionOutcome::Addressed))
            .wait()
            .unwrap();
        command_test.acts(id, 2, &format!("oh, {}", secret_of(id)));
    }
    command_test
}

impl CommandTest {
    fn append(&self, event: ChatEvent) {
        self.store.append(vec![event]).wait().unwrap();
    }

    fn says(&self, channel: ChannelId, id: u64, who: UserId, text: &str) {
        let (name, kind) = match who {
            JUNO => ("Juno", AuthorKind::Companion),
            ANNA => ("Anna", AuthorKind::Person),
            _ => ("Ben", AuthorKind::Person),
        };
        self.append(ChatEvent::Message(message(
            channel,
            id,
            Author {
                id: who,
                name: name.into(),
                kind,
            },
            text,
        )));
    }

    /// A turn of the channel that said one line.
    fn acts(&self, channel: ChannelId, id: u64, text: &str) {
        let turn = turn_of(channel);
        let nonce = format!("{turn}.1");
        let outgoing = OutgoingAction {
            nonce: nonce.clone(),
            turn: Some(turn),
            part: 1,
            channel,
            action: kith_store::VisibleAction::Send {
                text: text.into(),
                reply_to: None,
                with: None,
            },
            cursor: 0,
            at: NOW - HOUR,
            answers: Vec::new(),
        };
        self.store.journal(outgoing).wait().unwrap();
        let juno = Author {
            id: JUNO,
            name: "Juno".into(),
            kind: AuthorKind::Companion,
        };
        self.store
            .settle(nonce, ChatEvent::Message(message(channel, id, juno, text)))
            .wait()
            .unwrap();
        let prompt = StoredPrompt {
            ask: 1,
            model: "small-model".into(),
            system: "You are Juno.".into(),
            user: format!("1 Anna: my secret is {}", secret_of(channel)),
            parts: Vec::new(),
        };
        self.store
            .save_turn(report(channel, id, text), vec![prompt])
            .wait()
            .unwrap();
        let day = "2026-02-03".parse().unwrap();
        let usage = TokenUsage {
            prompt: 900,
            completion: 100,
            ..TokenUsage::default()
        };
        self.store
            .save_spend(spent(day, "small-model", channel, "turn", usage))
            .wait()
            .unwrap();
    }

    /// What is answered, with what is to be done.
    fn ask_with(
        &self,
        caller: &Caller,
        request: CommandRequest,
        mut facts: DaemonFacts,
    ) -> (CommandAnswer, Vec<DaemonChange>) {
        facts.guild_channels = match caller.guild {
            Some(GUILD) => vec![TALK, LOG],
            Some(_) => vec![FAR],
            None => vec![],
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(self.command_service.answer(caller, request, facts))
    }

    /// The same as the daemon asks it: with the facts of the channel that the request is about.
    fn ask(&self, caller: &Caller, request: CommandRequest) -> (CommandAnswer, Vec<DaemonChange>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let about = runtime.block_on(self.command_service.find_channel(caller, &request));
        self.ask_with(caller, request, facts(about))
    }
}

fn message(channel: ChannelId, id: u64, author: Author, text: &str) -> Message {
    Message {
        id: MessageId(id),
        channel,
        arrival: 0,
        at: NOW - HOUR,
        author,
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    }
}

fn decision(channel: ChannelId, message: u64) -> MessageDecision {
    let term = |name: &str, adds| ScoreTerm {
        name: name.into(),
        value: 1.0,
        adds,
    };
    MessageDecision {
        channel,
        message: MessageId(message),
        author: ANNA,
        at: NOW - HOUR,
        score: 0.62,
        threshold: 0.31,
        shift: ThresholdShift::default(),
        address: Some(DirectAddress::Mention),
        refusal: None,
        speak: true,
        energy: 0.8,
        silent_for: None,
        terms: vec![
            term("mention", 2.25),
            term("others_talk", -1.3),
            term("pace", 0.2),
            term("question", 0.7),
        ],
        bias: -1.4,
        waits_until: None,
        goes_on: false,
    }
}

fn decision_report(channel: ChannelId, message: u64, outcome: DecisionOutcome) -> DecisionReport {
    let message = Some(MessageId(message));
    DecisionReport {
        channel,
        at: NOW - HOUR + 2_000,
        message,
        score: 0.6,
        threshold: 0.31,
        shift: ThresholdShift::default(),
        outcome,
        own: None,
    }
}

fn call(name: &str, params: serde_json::Value, message: Option<u64>) -> CallReport {
    CallReport {
        call: ToolCall {
            name: name.into(),
            params: params.as_object().unwrap().clone(),
        },
        kind: Some(ToolKind::Visible),
        result: Some(ToolResult::ok("sent")),
        message: message.map(MessageId),
        hindrance: None,
        at: NOW - HOUR + 5_000,
    }
}

/// A turn that message 1 woke, and that said one line.
fn report(channel: ChannelId, said: u64, text: &str) -> TurnReport {
    TurnReport {
        turn: turn_of(channel),
        channel,
        started: NOW - HOUR + 1_500,
        ended: NOW - HOUR + 6_000,
        wake: TurnTrigger {
            message: Some(MessageId(1)),
            author: Some(ANNA),
            address: Some(DirectAddress::Mention),
            addressed: vec![MessageId(1)],
            score: 0.6,
            threshold: 0.31,
            shift: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        },
        rounds: vec![RoundReport {
            ask: 1,
            asked_at: NOW - HOUR + 1_600,
            first_delta_ms: Some(400),
            ended_ms: Some(1_900),
            usage: Some(TokenUsage {
                prompt: 1_234,
                cached: 900,
                completion: 56,
                ..TokenUsage::default()
            }),
            raw: format!("<turn><send_message>{text}</send_message></turn>"),
            thoughts: format!("she said {}", secret_of(channel)),
            calls: vec![call(
                "send_message",
                serde_json::json!({ "text": text }),
                Some(said),
            )],
            ..RoundReport::default()
        }],
        outcome: TurnOutcome::Acted,
        notes: Vec::new(),
        cost: Some(0.001_234),
    }
}

/// Everything an answer shows.
fn shown(answer: &CommandAnswer) -> String {
    match answer {
        CommandAnswer::Nothing => String::new(),
        CommandAnswer::Text(text) | CommandAnswer::Refused(text) => text.clone(),
        CommandAnswer::Card(card) => written(card),
        CommandAnswer::File { text, name, bytes } => {
            format!("{text}\n[{name}]\n{}", String::from_utf8_lossy(bytes))
        }
    }
}

fn written(card: &LogEmbed) -> String {
    let fields: Vec<String> = card
        .fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    format!(
        "{:?} {}\n{}\n{}\n({})",
        card.severity,
        card.title,
        card.text,
        fields.join("\n"),
        card.footer
    )
}

fn is_refused(answer: &CommandAnswer) -> bool {
    matches!(answer, CommandAnswer::Refused(_))
}

/// A model call at noon of a day.
pub fn spent(
    day: chrono::NaiveDate,
    model: &str,
    channel: ChannelId,
    function: &str,
    usage: TokenUsage,
) -> ModelSpend {
    let noon = day
        .and_hms_opt(12, 0, 0)
        .expect("a time")
        .and_utc()
        .timestamp_millis();
    ModelSpend {
        at: noon,
        model: model.into(),
        channel,
        function: function.into(),
        usage,
        cost: 0.25,
    }
}
