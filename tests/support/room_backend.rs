//! A small daemon for the room's tests: keeps everything in memory and answers by fixed rules, with made-up numbers.

use std::sync::Arc;
use std::time::Duration;

use kith::clock::now;
use kith::core::call::{Call, CallResult, ToolKind};
use kith::core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, Message, MessageId, TurnId, UserId,
};
use kith::core::policy::Mode;
use kith::core::report::{
    Address, BeatOutcome, BeatReport, CallReport, Decision, RoundReport, Term, TurnOutcome, TurnReport, Usage, Wake,
};
use kith::platform::room::{
    Answer, Asked, Doors, Explained, History, Live, Mind, ModelState, Prompt, Reactions, Refused, Request, RoomChannel,
    RoomMessage, State, WholeTurn, mentions,
};
use serde_json::json;
use tokio::sync::{broadcast, mpsc};

/// The first id: past 2^53, where numbers in JavaScript lose their last digits.
const FIRST_ID: u64 = 1 << 60;

pub struct Backend {
    people: Vec<Author>,
    channels: Vec<RoomChannel>,
    messages: Vec<RoomMessage>,
    nonces: Vec<(String, MessageId)>,
    beats: Vec<(MessageId, BeatReport, Option<TurnId>)>,
    turns: Vec<WholeTurn>,
    next: u64,
    live: broadcast::Sender<Arc<Live>>,
}

/// Starts a backend and gives the doors to it.
pub fn start() -> Doors {
    let (requests, mut asked) = mpsc::channel::<Asked>(64);
    let (live, _) = broadcast::channel(1024);
    let mut backend = Backend::new(live.clone());
    tokio::spawn(async move {
        while let Some(Asked { request, answer }) = asked.recv().await {
            let wakes = backend.answer(request, answer);
            if let Some(message) = wakes {
                backend.turn(message).await;
            }
        }
    });
    Doors { requests, live }
}

fn author(id: u64, name: &str, kind: AuthorKind) -> Author {
    Author { id: UserId(id), name: name.into(), kind }
}

impl Backend {
    fn new(live: broadcast::Sender<Arc<Live>>) -> Self {
        let mut backend = Self {
            people: vec![author(11, "Anna", AuthorKind::Person), author(12, "Ben", AuthorKind::Person)],
            channels: Vec::new(),
            messages: Vec::new(),
            nonces: Vec::new(),
            beats: Vec::new(),
            turns: Vec::new(),
            next: FIRST_ID,
            live,
        };
        backend.add_channel("lounge", "tea, trains, whatever comes");
        backend
    }

    fn id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn tell(&self, live: Live) {
        // Nobody may be listening.
        let _ = self.live.send(Arc::new(live));
    }

    fn companion(&self) -> Author {
        author(1, "Mira", AuthorKind::Companion)
    }

    fn add_channel(&mut self, name: &str, topic: &str) -> RoomChannel {
        let id = ChannelId(self.id());
        let channel =
            Channel { id, guild: Some(GuildId(1)), name: name.into(), topic: topic.into(), kind: ChannelKind::Group };
        let channel = RoomChannel { channel, mode: Mode::On, companion: self.companion() };
        self.channels.push(channel.clone());
        channel
    }

    /// Carries a request out and answers it; the message that wakes a turn, if one does.
    fn answer(
        &mut self,
        request: Request,
        way: tokio::sync::oneshot::Sender<Result<Answer, Refused>>,
    ) -> Option<RoomMessage> {
        let answer = self.carry_out(request);
        let wakes = match &answer {
            Ok(Answer::Message(message)) => message.decision.as_ref().is_some_and(|decision| decision.speak),
            _ => false,
        };
        let message = match &answer {
            Ok(Answer::Message(message)) if wakes => Some((**message).clone()),
            _ => None,
        };
        let _ = way.send(answer);
        message
    }

    fn carry_out(&mut self, request: Request) -> Result<Answer, Refused> {
        match request {
            Request::State {} => Ok(Answer::State(State {
                people: self.people.clone(),
                channels: self.channels.clone(),
                model: self.model(),
            })),
            Request::History { channel, before, limit } => {
                let fitting = self.messages.iter().filter(|message| {
                    message.message.channel == channel && before.is_none_or(|before| message.message.id < before)
                });
                let mut messages: Vec<_> = fitting.rev().take(limit as usize + 1).cloned().collect();
                let more = messages.len() > limit as usize;
                messages.truncate(limit as usize);
                messages.reverse();
                Ok(Answer::History(History { messages, more }))
            }
            Request::Post { channel, person, text, reply_to, client_nonce } => {
                if let Some((_, id)) = self.nonces.iter().find(|(nonce, _)| *nonce == client_nonce) {
                    let known = self.messages.iter().find(|message| message.message.id == *id);
                    return known.cloned().map(|known| Answer::Message(known.into())).ok_or_else(gone);
                }
                let author = self.people.iter().find(|known| known.id == person).cloned().ok_or_else(gone)?;
                let message = self.say(channel, author, &text, reply_to, None);
                self.nonces.push((client_nonce, message.message.id));
                Ok(Answer::Message(message.into()))
            }
            Request::Edit { channel, message, text } => {
                let found = self.find(message)?;
                found.message.text = text.as_str().into();
                found.edited = true;
                self.tell(Live::Edited { channel, message, text });
                Ok(Answer::Done {})
            }
            Request::Delete { channel, message } => {
                self.find(message)?;
                self.messages.retain(|known| known.message.id != message);
                self.tell(Live::Deleted { channel, messages: vec![message] });
                Ok(Answer::Done {})
            }
            Request::React { channel, message, person, emoji, added } => {
                let by = self.people.iter().find(|known| known.id == person).cloned().ok_or_else(gone)?;
                let found = self.find(message)?;
                for reaction in &mut found.reactions {
                    reaction.by.retain(|known| reaction.emoji != emoji || known.id != person);
                }
                match found.reactions.iter_mut().find(|known| known.emoji == emoji) {
                    Some(reaction) if added => reaction.by.push(by.clone()),
                    None if added => found.reactions.push(Reactions { emoji: emoji.clone(), by: vec![by.clone()] }),
                    _ => {}
                }
                found.reactions.retain(|reaction| !reaction.by.is_empty());
                self.tell(Live::Reaction { channel, message, by, emoji, added });
                Ok(Answer::Done {})
            }
            Request::Typing { channel, person } => {
                self.tell(Live::Typing { channel, user: person });
                Ok(Answer::Done {})
            }
            Request::AddPerson { name } => {
                if self.people.iter().any(|known| *known.name == *name) {
                    return Err(Refused::wrong(format!("there is a {name} already; choose another name")));
                }
                let person = author(self.id(), &name, AuthorKind::Person);
                self.people.push(person.clone());
                self.tell(Live::Person(person.clone()));
                Ok(Answer::Person(person))
            }
            Request::AddChannel { name, topic } => {
                let channel = self.add_channel(&name, &topic);
                self.tell(Live::Channel(channel.clone()));
                Ok(Answer::Channel(channel))
            }
            Request::Decision { message, .. } => {
                let decision = self.find(message)?.decision.clone();
                let beat = self.beats.iter().find(|(id, ..)| *id == message);
                Ok(Answer::Decision(Box::new(Explained {
                    decision,
                    beat: beat.map(|(_, beat, _)| beat.clone()),
                    turn: beat.and_then(|(.., turn)| *turn),
                })))
            }
            Request::Turn { id } => {
                let found = self.turns.iter().find(|turn| turn.report.turn == id).ok_or_else(gone)?;
                Ok(Answer::Turn(Box::new(found.clone())))
            }
            Request::Turns { channel, before } => Ok(Answer::Turns {
                turns: (self.turns.iter().rev().map(|turn| turn.report.clone()))
                    .filter(|turn| turn.channel == channel && before.is_none_or(|before| turn.turn < before))
                    .collect(),
            }),
            Request::Mind { channel } => Ok(Answer::Mind(self.mind(channel))),
            Request::Model {} | Request::UseModel(_) => Ok(Answer::Model(self.model())),
            Request::ListModels(_) => Ok(Answer::Models { models: vec!["small-talk".into(), "big-talk".into()] }),
            Request::TestModel(choice) if choice.model == "small-talk" => {
                Ok(Answer::Tested { milliseconds: 321, said: "Hello!".into() })
            }
            Request::TestModel(choice) => Err(Refused::failed(format!(
                "{} has no model {:?}; choose one from its list",
                choice.url, choice.model
            ))),
        }
    }

    fn find(&mut self, id: MessageId) -> Result<&mut RoomMessage, Refused> {
        self.messages.iter_mut().find(|message| message.message.id == id).ok_or_else(gone)
    }

    fn say(
        &mut self,
        channel: ChannelId,
        author: Author,
        text: &str,
        reply_to: Option<MessageId>,
        turn: Option<TurnId>,
    ) -> RoomMessage {
        let id = MessageId(self.id());
        let members: Vec<_> = self.people.iter().cloned().chain([self.companion()]).collect();
        let message = Message {
            id,
            channel,
            arrival: id.0 - FIRST_ID,
            at: now(),
            author,
            text: text.into(),
            reply_to,
            mentions: mentions(text, &members),
        };
        let decision = (message.author.kind == AuthorKind::Person).then(|| decide(&message, &self.companion()));
        let said = RoomMessage { message, edited: false, reactions: Vec::new(), decision: decision.clone(), turn };
        self.messages.push(said.clone());
        self.tell(Live::Message(said.clone().into()));
        if let Some(decision) = decision {
            self.tell(Live::Decision(decision));
        }
        said
    }

    async fn turn(&mut self, woken_by: RoomMessage) {
        let Some(decision) = woken_by.decision else { return };
        let (turn, channel, started) = (TurnId(self.id()), decision.channel, now());
        let wake = Wake {
            message: Some(decision.message),
            author: Some(decision.author),
            address: decision.address,
            addressed: vec![decision.message],
            score: decision.score,
            bar: decision.bar,
        };
        let beat = BeatReport {
            channel,
            at: started,
            message: Some(decision.message),
            score: decision.score,
            bar: decision.bar,
            outcome: BeatOutcome::Addressed,
        };
        self.beats.push((decision.message, beat.clone(), Some(turn)));
        self.tell(Live::Beat(beat));
        self.tell(Live::TurnStarted { turn, channel, at: started, wake: wake.clone() });
        self.tell(Live::Typing { channel, user: self.companion().id });
        let text = format!("I heard you, {}.", woken_by.message.author.name);
        let raw = format!(
            "<turn>\n  <thoughts>{} spoke to me.</thoughts>\n  <send_message reply_to=\"3\">{text}</send_message>\n</turn>",
            woken_by.message.author.name
        );
        for piece in raw.split_inclusive('\n') {
            self.tell(Live::TurnProgress { turn, channel, ask: 1, delta: piece.into() });
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        let said = self.say(channel, self.companion(), &text, Some(decision.message), Some(turn));
        let call = Call {
            name: "send_message".into(),
            params: json!({ "text": text, "reply_to": 3 }).as_object().unwrap().clone(),
        };
        let report = TurnReport {
            turn,
            channel,
            started,
            ended: now(),
            wake,
            rounds: vec![RoundReport {
                ask: 1,
                asked_at: started + 4,
                first_delta_ms: Some(30),
                ended_ms: Some(130),
                prompt_tokens: 40,
                usage: Some(Usage { prompt: 1040, cached: 900, completion: 31, estimated: true, truncated: false }),
                raw,
                thoughts: format!("{} spoke to me.", woken_by.message.author.name),
                calls: vec![CallReport {
                    call,
                    kind: Some(ToolKind::Visible),
                    result: Some(CallResult::ok("sent")),
                    message: Some(said.message.id),
                    at: now(),
                }],
                repairs: vec!["closed an open element: turn".into()],
                failure: None,
                cut: false,
            }],
            outcome: TurnOutcome::Acted,
            notes: Vec::new(),
        };
        let prompt = Prompt {
            ask: 1,
            model: "stand-in".into(),
            system: "You are Mira, one of the friends.".into(),
            user: format!("3 {}: {}", woken_by.message.author.name, woken_by.message.text),
        };
        self.turns.push(WholeTurn { report: report.clone(), prompts: vec![prompt], running: false });
        self.tell(Live::TurnFinished(report.into()));
        self.tell(Live::Model(self.model()));
    }

    fn mind(&self, channel: ChannelId) -> Mind {
        let last = self.messages.iter().rev().filter(|message| message.message.channel == channel);
        let last = last.filter_map(|message| message.decision.as_ref()).next();
        Mind {
            channel,
            at: now(),
            message: last.map(|decision| decision.message),
            score: last.map_or(0.05, |decision| decision.score),
            bar: 0.31,
            energy: 0.84,
            bias: last.map_or(0.0, |decision| decision.bias),
            terms: last.map_or_else(Vec::new, |decision| decision.terms.clone()),
            refusal: None,
            next_beat: None,
            turn: None,
        }
    }

    fn model(&self) -> ModelState {
        ModelState {
            name: "stand-in".into(),
            url: String::new(),
            stand_in: true,
            tokens_today: 1071 * self.turns.len() as u64,
            daily_cap: Some(500_000),
            trouble: None,
        }
    }
}

/// A decision with made-up terms that add up: the companion speaks when it is mentioned.
fn decide(message: &Message, companion: &Author) -> Decision {
    let address = message.mentions.contains(&companion.id).then_some(Address::Mention);
    let term = |name: &str, value: f32, weight: f32| Term { name: name.into(), value, adds: value * weight };
    let length = message.text.chars().count() as f32;
    let terms = vec![
        term("mention", if address.is_some() { 1.0 } else { 0.0 }, 3.4),
        term("question", if message.text.contains('?') { 1.0 } else { 0.0 }, 0.7),
        term("other_addressed", if message.mentions.is_empty() || address.is_some() { 0.0 } else { 1.0 }, -1.9),
        term("length", length.ln_1p(), -0.12),
        term("interest", (length / 40.0).fract(), 0.6),
    ];
    let bias = -2.2;
    let sum: f32 = bias + terms.iter().map(|term| term.adds).sum::<f32>();
    Decision {
        channel: message.channel,
        message: message.id,
        author: message.author.id,
        at: message.at,
        score: 1.0 / (1.0 + (-sum).exp()),
        bar: 0.31,
        address,
        refusal: None,
        speak: address.is_some(),
        energy: 0.84,
        terms,
        bias,
    }
}

fn gone() -> Refused {
    Refused::unknown("it is not there; perhaps it was deleted")
}
