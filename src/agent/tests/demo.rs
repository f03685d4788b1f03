//! The demo model through the real prompt and the real parser: a short talk shows all it can do. Fails when templates,
//! parser or tools change in a way it does not understand.

use std::sync::Arc;

use kith_agent::prompt::PromptTemplates;
use kith_core::call::ToolCall;
use kith_core::call::ToolResult;
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, Message, MessageId, SECOND, UserId,
};
use kith_core::context::{
    HistoryWindow, PromptSources, TokenEstimator, WorkingItem, render_sections,
};
use kith_core::persona::{Language, Persona};
use kith_core::policy::{ChannelPolicy, OutputProtocol};
use kith_core::protocol::AnswerParser;
use kith_core::report::{DirectAddress, ThresholdShift, TurnTrigger};
use kith_core::session::SessionBackground;
use kith_core::timeline::Timeline;
use kith_core::turn::RoundKind;
use kith_tools::ToolRegistry;

use kith_model::{
    BudgetSettings, CallLedger, CostAttribution, Model, ModelCaller, ModelEvent, ModelRequest,
    ModelSettings, Provider, resolve_model,
};
use serde_json::Value;

const ANNA: UserId = UserId(1);
const JUNO: UserId = UserId(2);

/// A room of two: Anna and the stand-in.
struct DemoRoom {
    policy: ChannelPolicy,
    prompts: PromptTemplates,
    timeline: Timeline,
    window: HistoryWindow,
    model: Model,
    next: u64,
}

impl DemoRoom {
    async fn new(protocol: OutputProtocol, language: Language) -> Self {
        let persona = Persona {
            name: "Juno".into(),
            language,
            ..Persona::default()
        };
        let settings = ModelSettings {
            provider: Provider::None,
            protocol,
            ..ModelSettings::default()
        };
        let tools = ToolRegistry::load_builtin().specs(language);
        let policy = ChannelPolicy {
            is_demo: true,
            protocol,
            tools,
            persona: Arc::new(persona),
            ..ChannelPolicy::default()
        };
        Self {
            policy,
            prompts: PromptTemplates::load(None).unwrap(),
            timeline: Timeline::default(),
            window: HistoryWindow::default(),
            model: resolve_model(&settings).await.model,
            next: 0,
        }
    }

    fn line(&mut self, id: UserId, name: &str, text: &str) -> MessageId {
        self.next += 1;
        let kind = if id == JUNO {
            AuthorKind::Companion
        } else {
            AuthorKind::Person
        };
        self.timeline.say(Message {
            id: MessageId(self.next),
            channel: ChannelId(1),
            arrival: self.next,
            at: SECOND * self.next as i64,
            author: Author {
                id,
                name: name.into(),
                kind,
            },
            text: text.into(),
            reply_to: None,
            mentions: Vec::new(),
        });
        MessageId(self.next)
    }

    /// Anna writes; answers with the calls of each round.
    async fn says(&mut self, text: &str, address: Option<DirectAddress>) -> Vec<Vec<ToolCall>> {
        let message = Some(self.line(ANNA, "Anna", text));
        let addressed = message.into_iter().filter(|_| address.is_some()).collect();
        let wake = TurnTrigger {
            message,
            author: Some(ANNA),
            address,
            addressed,
            score: 0.5,
            threshold: 0.5,
            shift: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        };
        let mut working = Vec::new();
        let mut rounds = Vec::new();
        loop {
            let calls = self.round(&wake, &working).await;
            for call in &calls {
                match (
                    call.name.as_str(),
                    call.params.get("text").and_then(Value::as_str),
                ) {
                    ("get_time", _) => {
                        let result = ToolResult::ok("Monday 3 March, 14:07");
                        working.push(WorkingItem::Called {
                            call: call.clone(),
                            result,
                        });
                    }
                    (_, Some(text)) => {
                        self.line(JUNO, "Juno", text);
                    }
                    _ => {}
                }
            }
            let goes_on = calls.iter().any(|call| call.name == "get_time");
            rounds.push(calls);
            if !goes_on || rounds.len() > 3 {
                return rounds;
            }
        }
    }

    async fn round(&mut self, wake: &TurnTrigger, working: &[WorkingItem]) -> Vec<ToolCall> {
        let channel = Channel {
            id: ChannelId(1),
            guild: None,
            name: "general".into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        };
        let view = PromptSources {
            channel: &channel,
            policy: &self.policy,
            timeline: &self.timeline,
            me: JUNO,
            now: SECOND * (self.next as i64 + 2),
            wake,
            line_for_other: None,
            conversation: &[],
            working,
            seen_item_count: 0,
            recalled: &[],
            people: &[],
            core_memory: &[],
            session_background: &SessionBackground::default(),
            intentions: &[],
            unsent: &[],
            lines_on_their_way: &[],
            notes: &[],
            rapport: &kith_core::context::ChannelRapport::default(),
            plan: &kith_core::plan::Plan::default(),
            is_reminded: false,
            summary: None,
            pictures: &[],
            fixed_tokens: 1_000,
        };
        let sections = render_sections(&view, &mut self.window, &TokenEstimator::default());
        let prompt = self
            .prompts
            .render_round(
                &self.policy,
                &self.policy.tools,
                RoundKind::Normal,
                &sections,
            )
            .unwrap();
        let request = ModelRequest {
            system: prompt.system,
            messages: prompt.messages,
            ..ModelRequest::default()
        };
        let mut parser = AnswerParser::new(self.policy.protocol, self.policy.tools.clone());
        let mut calls = Vec::new();
        let caller = ModelCaller {
            ledger: CallLedger::in_memory(BudgetSettings::default()),
            attribution: CostAttribution::TEST,
            turn: None,
            estimator: TokenEstimator::default(),
        };
        let mut call = caller.ask(&self.model, request).unwrap();
        loop {
            match call.next_event().await {
                ModelEvent::Delta(text) => calls.extend(parser.feed(text.as_bytes())),
                ModelEvent::ToolDelta(delta) => calls.extend(parser.feed_tool(delta)),
                ModelEvent::End(_) => break,
                _ => {}
            }
        }
        let (last, answer) = parser.finish();
        assert_eq!(
            (answer.repairs.as_slice(), answer.plain_text.as_str()),
            (&[][..], "")
        );
        assert!(!answer.thoughts.is_empty());
        calls.extend(last);
        calls
    }
}

fn names(rounds: &[Vec<ToolCall>]) -> Vec<Vec<&str>> {
    rounds
        .iter()
        .map(|calls| calls.iter().map(|call| call.name.as_str()).collect())
        .collect()
}

/// In five lines: a message, a reply, a tool and its result, a reaction, silence.
async fn walk(protocol: OutputProtocol, language: Language, lines: [&str; 5]) {
    let mut talk = DemoRoom::new(protocol, language).await;
    let mut shown = Vec::new();
    for line in lines {
        shown.push(talk.says(line, Some(DirectAddress::Mention)).await);
    }
    assert_eq!(names(&shown[0]), [["send_message"]]);
    assert_eq!(names(&shown[1]), [["send_message"]]);
    assert_eq!(
        shown[1][0][0].params["reply_to"]
            .to_string()
            .trim_matches('"'),
        "3"
    );
    assert_eq!(names(&shown[2]), [["get_time"], ["send_message"]]);
    assert!(
        shown[2][1][0].params["text"]
            .as_str()
            .unwrap()
            .contains("Monday 3 March, 14:07")
    );
    assert_eq!(names(&shown[3]), [["react"]]);
    assert_eq!(names(&shown[4]), [["stay_silent"]]);
}

const ENGLISH: [&str; 5] = [
    "the soup is on",
    "it has leeks",
    "and potatoes",
    "nearly done",
    "come over",
];

#[tokio::test]
async fn a_short_talk_shows_all_it_can_do() {
    walk(OutputProtocol::Xml, Language::EN, ENGLISH).await;
}

#[tokio::test]
async fn a_short_talk_shows_the_same_in_json() {
    walk(OutputProtocol::Json, Language::EN, ENGLISH).await;
}

#[tokio::test]
async fn a_short_talk_shows_the_same_in_calls_handed_over() {
    walk(OutputProtocol::Native, Language::EN, ENGLISH).await;
}

#[tokio::test]
async fn a_short_talk_shows_the_same_in_chinese() {
    walk(
        OutputProtocol::Xml,
        Language::ZH,
        ["汤在煮了", "放了韭葱", "还有土豆", "快好了", "过来吃吧"],
    )
    .await;
}

#[tokio::test]
async fn it_knows_what_it_answers_however_it_was_spoken_to() {
    for address in [
        DirectAddress::Direct,
        DirectAddress::Mention,
        DirectAddress::Reply,
        DirectAddress::Name,
        DirectAddress::Alone,
    ] {
        for (language, line) in [(Language::EN, "the soup is on"), (Language::ZH, "汤在煮了")] {
            let mut talk = DemoRoom::new(OutputProtocol::Xml, language).await;
            let said = talk.says(line, Some(address)).await.concat();
            let quotes = |call: &ToolCall| call.params["text"].as_str().unwrap().contains(line);
            assert!(said.iter().any(quotes), "{address:?} {said:?}");
        }
    }
}

#[tokio::test]
async fn unasked_it_does_not_chatter() {
    for (language, line) in [
        (Language::EN, "the bus is late again"),
        (Language::ZH, "公交又晚了"),
    ] {
        let mut talk = DemoRoom::new(OutputProtocol::Xml, language).await;
        assert_eq!(names(&talk.says(line, None).await), [["stay_silent"]]);
    }
}
