//! A companion in simulated time with a scripted model: what happens is written down line by line and compared.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;

use kith_core::call::{ToolKind, ToolResult, ToolSpec};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, IntentionId, Message, MessageId, Millis,
    TurnId, UserId,
};
use kith_core::effect::Effect;
use kith_core::event::{Event, TurnEvent};
use kith_core::intent::ScheduledIntent;
use kith_core::persona::Persona;
use kith_core::policy::{ChannelPolicy, PacingSettings};
use kith_core::protocol::ToolDelta;
use kith_core::report::{MessageDecision, ModelFailure, TokenUsage, TurnReport};
use kith_core::schema::{Param, ParamType, Schema};
use kith_core::willingness::Weights;
use kith_core::{Core, CoreSetup, RenderInputs};

pub const ME: UserId = UserId(1);
/// 2026-01-05 12:00:00 UTC.
pub const START: Millis = 1_767_614_400_000;

/// What the scripted model does when it is asked.
pub enum Answer {
    /// Writes this in pieces of a few bytes, then ends.
    Says(&'static str),
    /// Writes this, and calls these tools with these arguments, as a provider hands them over.
    Calls(&'static str, &'static [(&'static str, &'static str)]),
    /// Fails.
    Fails(&'static str),
    /// Writes this, and its answer is cut off there at its length limit.
    Cut(&'static str),
    /// Writes this and fails.
    Breaks(&'static str, &'static str),
    /// Writes this and is not done yet; `Sim::model_ends` ends it.
    Starts(&'static str),
}

/// A simulated daemon around one core.
pub struct Sim {
    pub core: Core,
    pub now: Millis,
    pub answers: VecDeque<Answer>,
    /// What it says when nothing else is scripted.
    pub always: Option<&'static str>,
    pub log: String,
    pub reports: Vec<TurnReport>,
    pub asked: Vec<(ChannelId, String)>,
    pub decisions: Vec<MessageDecision>,
    /// Why nothing can be delivered.
    pub undeliverable: Option<&'static str>,
    /// How many more models can be asked.
    pub spares: usize,
    /// Nobody knows whether messages were delivered.
    pub unconfirmed: bool,
    /// What becomes of deeds about members; none where nobody knows yet.
    pub judged: Option<ToolResult>,
    /// What tools answer, by name; "12:00" where they are not named.
    pub results: BTreeMap<&'static str, ToolResult>,
    /// The tools whose results are held back until [`Sim::comes`].
    pub slow: Vec<&'static str>,
    /// The calls that run, by the tool's name.
    pub running: BTreeMap<String, (TurnId, u32)>,
    /// What the store keeps of what the companion waits for.
    pub intentions: BTreeMap<(ChannelId, IntentionId), ScheduledIntent>,
    next_id: u64,
    arrival: u64,
    open: Option<(TurnId, u32)>,
}

pub fn channel(id: u64) -> Channel {
    Channel {
        id: ChannelId(id),
        guild: None,
        name: "den".into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    }
}

pub fn policy() -> ChannelPolicy {
    let persona = Persona {
        name: "Juno".into(),
        ..Persona::default()
    };
    ChannelPolicy {
        persona: Arc::new(persona),
        names: vec!["Juno".into()],
        pacing: PacingSettings {
            characters_per_second: 0.0,
            ..PacingSettings::default()
        },
        tools: Arc::from(tools()),
        ..ChannelPolicy::default()
    }
}

/// Somebody, with an id made of the name.
pub fn author(who: &str, kind: AuthorKind) -> Author {
    let id = who.bytes().fold(7u64, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    Author {
        id: UserId(id),
        name: who.into(),
        kind,
    }
}

fn param(name: &str, kind: ParamType, required: bool) -> Param {
    Param {
        name: name.into(),
        kind,
        required,
        ..Param::default()
    }
}

fn tools() -> Vec<ToolSpec> {
    let spec = |name: &str, kind, params: Vec<Param>, primary: Option<&str>| ToolSpec {
        name: name.into(),
        kind,
        description: String::new(),
        schema: Schema { params },
        primary: primary.map(str::to_owned),
        ..ToolSpec::default()
    };
    use ParamType::{Integer, String as Text};
    vec![
        spec(
            "send_message",
            ToolKind::Visible,
            vec![param("text", Text, true), param("reply_to", Integer, false)],
            Some("text"),
        ),
        spec(
            "react",
            ToolKind::Visible,
            vec![param("to", Integer, true), param("emoji", Text, true)],
            Some("emoji"),
        ),
        spec(
            "stay_silent",
            ToolKind::Visible,
            vec![param("reason", Text, false)],
            Some("reason"),
        ),
        spec("get_time", ToolKind::Tool, vec![], None),
        spec(
            "core_memory_append",
            ToolKind::Quiet,
            vec![param("text", Text, true)],
            Some("text"),
        ),
        spec(
            "wait_for",
            ToolKind::Quiet,
            vec![
                param("note", Text, true),
                param("person", Text, false),
                param("word", Text, false),
                param("minutes", Integer, false),
                param("time", Text, false),
                param("hours", Integer, false),
            ],
            Some("note"),
        ),
    ]
}

impl Sim {
    pub fn new(policy: ChannelPolicy) -> Self {
        Self::with_places(policy, 4)
    }

    pub fn with_places(policy: ChannelPolicy, turns_in_flight: usize) -> Self {
        let weights = Arc::new(Weights::load_embedded());
        let core = Core::new(CoreSetup {
            me: ME,
            weights,
            turns_in_flight,
            first_turn: TurnId(1),
        });
        let mut sim = Self {
            core,
            now: START,
            answers: VecDeque::new(),
            always: None,
            log: String::new(),
            reports: Vec::new(),
            asked: Vec::new(),
            decisions: Vec::new(),
            undeliverable: None,
            spares: 0,
            judged: Some(ToolResult::ok("done")),
            results: BTreeMap::new(),
            slow: Vec::new(),
            running: BTreeMap::new(),
            unconfirmed: false,
            intentions: BTreeMap::new(),
            next_id: 100,
            arrival: 0,
            open: None,
        };
        let policy = Arc::new(policy);
        for id in 1..=3 {
            sim.event(Event::ChannelSeen {
                channel: channel(id),
                policy: policy.clone(),
            });
        }
        sim
    }

    pub fn answer(mut self, answer: Answer) -> Self {
        self.answers.push_back(answer);
        self
    }

    /// A person writes in channel 1.
    pub fn says(&mut self, who: &str, text: &str) -> MessageId {
        self.says_in(1, who, text)
    }

    pub fn says_in(&mut self, channel: u64, who: &str, text: &str) -> MessageId {
        self.hear(channel, author(who, AuthorKind::Person), text, None)
    }

    pub fn hear(
        &mut self,
        channel: u64,
        author: Author,
        text: &str,
        reply_to: Option<MessageId>,
    ) -> MessageId {
        self.next_id += 1;
        let id = MessageId(self.next_id);
        self.hear_late(channel, id, self.now, author, text, reply_to);
        id
    }

    /// A message that was written at `at` comes in only now.
    pub fn hear_late(
        &mut self,
        channel: u64,
        id: MessageId,
        at: Millis,
        author: Author,
        text: &str,
        reply_to: Option<MessageId>,
    ) {
        self.arrival += 1;
        let mentions = if text.contains("@Juno") {
            vec![ME]
        } else {
            Vec::new()
        };
        let (channel, arrival) = (ChannelId(channel), self.arrival);
        self.event(Event::Message(Message {
            id,
            channel,
            arrival,
            at,
            author,
            text: text.into(),
            reply_to,
            mentions,
        }));
    }

    /// A person puts a reaction on a message in channel 1.
    pub fn reacts(&mut self, who: &str, message: MessageId, emoji: &str) {
        let by = author(who, AuthorKind::Person);
        self.event(Event::Reaction {
            channel: ChannelId(1),
            message,
            by,
            emoji: emoji.into(),
            added: true,
            at: self.now,
        });
    }

    /// The settings of channel 1 change.
    pub fn settle(&mut self, policy: ChannelPolicy) {
        self.event(Event::ChannelSeen {
            channel: channel(1),
            policy: Arc::new(policy),
        });
    }

    /// The newest of its own lines in channel 1.
    pub fn own_line(&self) -> MessageId {
        let lane = self.core.channel_state(ChannelId(1)).expect("there");
        lane.timeline()
            .own()
            .next()
            .expect("it has spoken")
            .message
            .id
    }

    /// The daemon dies after the last save, and comes back with what is stored of channel 1.
    pub fn restarts(&mut self, policy: ChannelPolicy) {
        let lane = self.core.channel_state(ChannelId(1)).expect("there");
        let saved = serde_json::to_string(lane.state()).expect("numbers");
        let tail = lane
            .timeline()
            .messages()
            .map(|said| said.message.clone())
            .collect();
        let setup = CoreSetup {
            me: ME,
            weights: Arc::new(Weights::load_embedded()),
            turns_in_flight: 4,
            first_turn: TurnId(900),
        };
        self.core = Core::new(setup);
        let state = serde_json::from_str(&saved).expect("what was saved can be read");
        let effects = self.core.restore_channel(
            self.now,
            channel(1),
            Arc::new(policy),
            state,
            self.stored_intentions(ChannelId(1)),
            tail,
        );
        self.execute(effects);
    }

    fn stored_intentions(&self, of: ChannelId) -> Vec<ScheduledIntent> {
        self.intentions
            .iter()
            .filter(|((channel, _), _)| *channel == of)
            .map(|(_, kept)| kept.clone())
            .collect()
    }

    pub fn event(&mut self, event: Event) {
        let effects = self.core.handle_event(self.now, event);
        self.execute(effects);
    }

    /// Lets the time pass, with a look whenever the core wants one.
    pub fn wait(&mut self, milliseconds: Millis) {
        let end = self.now + milliseconds;
        while let Some(deadline) = self
            .core
            .next_deadline()
            .filter(|deadline| *deadline <= end)
        {
            self.now = self.now.max(deadline);
            self.event(Event::Tick);
        }
        self.now = end;
    }

    /// Goes on with the answer an [`Answer::Starts`] began.
    pub fn model_writes(&mut self, text: &str) {
        if let Some((turn, ask)) = self.open {
            self.turn(
                turn,
                TurnEvent::Delta {
                    ask,
                    text: text.to_owned(),
                },
            );
        }
    }

    /// The same with a piece of a call that the provider hands over; its first has the tool's name.
    pub fn model_calls(&mut self, index: u32, name: Option<&str>, arguments: &str) {
        if let Some((turn, ask)) = self.open {
            let delta = ToolDelta {
                index,
                id: None,
                name: name.map(str::to_owned),
                arguments: arguments.to_owned(),
            };
            self.turn(turn, TurnEvent::ToolDelta { ask, delta });
        }
    }

    /// The result of a tool that runs is there.
    pub fn comes(&mut self, tool: &str) {
        if let Some((turn, call)) = self.running.remove(tool) {
            let result = self
                .results
                .get(tool)
                .cloned()
                .unwrap_or_else(|| ToolResult::ok("12:00"));
            self.turn(turn, TurnEvent::CallDone { call, result });
        }
    }

    /// Ends the answer an [`Answer::Starts`] began.
    pub fn model_ends(&mut self, rest: &str) {
        if let Some((turn, ask)) = self.open.take() {
            self.turn(
                turn,
                TurnEvent::Delta {
                    ask,
                    text: rest.to_owned(),
                },
            );
            self.turn(
                turn,
                TurnEvent::AnswerEnded {
                    ask,
                    end: Ok(TokenUsage::default()),
                },
            );
        }
    }

    fn turn(&mut self, turn: TurnId, event: TurnEvent) {
        self.event(Event::Turn { turn, event });
    }

    fn note(&mut self, line: std::fmt::Arguments<'_>) {
        let seconds = (self.now - START) as f64 / 1_000.0;
        let _ = writeln!(self.log, "{seconds:>5.1} {line}");
    }

    fn execute(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::ReportMessageDecision(decision) => self.decisions.push(*decision),
                Effect::ReportDecision(beat) => {
                    let outcome = format!("{:?}", beat.outcome).to_lowercase();
                    self.note(format_args!("beat #{}: {outcome}", beat.channel));
                }
                Effect::AskModel { turn, channel, ask } => self.ask(turn, channel, ask),
                Effect::Run {
                    turn, call, what, ..
                } => {
                    self.note(format_args!("run {}", what.name));
                    self.running.insert(what.name.clone(), (turn, call));
                    if !self.slow.contains(&what.name.as_str()) {
                        self.comes(&what.name);
                    }
                }
                Effect::Moderate {
                    turn,
                    call,
                    action: act,
                    causes,
                } => {
                    self.note(format_args!(
                        "{} {} for {causes:?}",
                        act.deed.name(),
                        act.name
                    ));
                    if let Some(result) = self.judged.clone() {
                        self.turn(turn, TurnEvent::CallDone { call, result });
                    }
                }
                Effect::Send {
                    turn,
                    channel,
                    part,
                    text,
                    reply_to,
                    ..
                } => {
                    let reply = reply_to.map(|id| format!(" (to {id})")).unwrap_or_default();
                    self.note(format_args!("say #{channel}{reply}: {text}"));
                    if let Some(why) = self.undeliverable {
                        self.turn(
                            turn,
                            TurnEvent::Delivered {
                                part,
                                result: Err(why.into()),
                            },
                        );
                        continue;
                    }
                    if self.unconfirmed {
                        self.turn(turn, TurnEvent::DeliveryUnconfirmed { part });
                        continue;
                    }
                    let me = Author {
                        id: ME,
                        name: "Juno".into(),
                        kind: AuthorKind::Companion,
                    };
                    let id = self.hear(channel.0, me, &text, reply_to);
                    self.turn(
                        turn,
                        TurnEvent::Delivered {
                            part,
                            result: Ok(id),
                        },
                    );
                }
                Effect::React {
                    turn,
                    part,
                    message,
                    emoji,
                    ..
                } => {
                    self.note(format_args!("react {emoji} on {message}"));
                    if let Some(turn) = turn {
                        self.turn(
                            turn,
                            TurnEvent::Delivered {
                                part,
                                result: Ok(message),
                            },
                        );
                    }
                }
                Effect::ShowTyping { channel } => self.note(format_args!("typing #{channel}")),
                Effect::SaveIntent { channel, intention } => {
                    self.intentions.insert((channel, intention.id), *intention);
                }
                Effect::SaveFiredIntent {
                    channel,
                    id,
                    fired: came,
                } => {
                    if let Some(kept) = self.intentions.get_mut(&(channel, id)) {
                        kept.came = Some(came);
                    }
                }
                Effect::EndIntent {
                    channel,
                    id,
                    end: over,
                } => {
                    self.note(format_args!("over: {over:?}"));
                    self.intentions.remove(&(channel, id));
                }
                Effect::NextModel { .. } => {
                    self.spares -= 1;
                    self.note(format_args!("next model"));
                }
                Effect::ReportHeldBack { .. } => {}
                Effect::StopAnswer { turn, ask } => {
                    self.note(format_args!("hang up"));
                    self.turn(
                        turn,
                        TurnEvent::AnswerEnded {
                            ask,
                            end: Ok(TokenUsage::default()),
                        },
                    );
                }
                Effect::CancelTurn { .. } => self.note(format_args!("cut")),
                Effect::Finish(report) => {
                    self.note(format_args!(
                        "end #{}: {:?}",
                        report.channel, report.outcome
                    ));
                    self.reports.push(*report);
                }
            }
        }
    }

    fn ask(&mut self, turn: TurnId, channel: ChannelId, ask: u32) {
        let inputs = RenderInputs {
            intentions: self.stored_intentions(channel),
            ..RenderInputs::default()
        };
        let Some(round) = self.core.build_round_prompt(self.now, turn, inputs) else {
            return;
        };
        self.note(format_args!("ask #{channel} {:?}", round.kind));
        if self.always.is_none() {
            self.asked.push((channel, format!("{:?}", round.sections)));
        }
        if self.spares > 0 {
            self.turn(
                turn,
                TurnEvent::PromptRendered {
                    prompt_tokens: 0,
                    has_fallback: true,
                },
            );
        }
        let Some(answer) = self.answers.pop_front().or(self.always.map(Answer::Says)) else {
            let end = Err(ModelFailure {
                message: "the script is over".into(),
                budget: false,
                spent: None,
            });
            return self.turn(turn, TurnEvent::AnswerEnded { ask, end });
        };
        match answer {
            Answer::Fails(why) => {
                let end = Err(ModelFailure {
                    message: why.into(),
                    budget: false,
                    spent: None,
                });
                self.turn(turn, TurnEvent::AnswerEnded { ask, end });
            }
            Answer::Calls(text, calls) => {
                self.turn(
                    turn,
                    TurnEvent::Delta {
                        ask,
                        text: text.into(),
                    },
                );
                for (index, (name, arguments)) in (0..).zip(calls) {
                    let named = ToolDelta {
                        index,
                        name: Some((*name).to_owned()),
                        ..ToolDelta::default()
                    };
                    self.turn(turn, TurnEvent::ToolDelta { ask, delta: named });
                    let delta = ToolDelta {
                        index,
                        arguments: (*arguments).to_owned(),
                        ..ToolDelta::default()
                    };
                    self.turn(turn, TurnEvent::ToolDelta { ask, delta });
                }
                self.turn(
                    turn,
                    TurnEvent::AnswerEnded {
                        ask,
                        end: Ok(TokenUsage::default()),
                    },
                );
            }
            Answer::Breaks(text, why) => {
                self.turn(
                    turn,
                    TurnEvent::Delta {
                        ask,
                        text: text.into(),
                    },
                );
                let end = Err(ModelFailure {
                    message: why.into(),
                    budget: false,
                    spent: None,
                });
                self.turn(turn, TurnEvent::AnswerEnded { ask, end });
            }
            Answer::Cut(text) => {
                self.turn(
                    turn,
                    TurnEvent::Delta {
                        ask,
                        text: text.into(),
                    },
                );
                let usage = TokenUsage {
                    truncated: true,
                    ..TokenUsage::default()
                };
                self.turn(
                    turn,
                    TurnEvent::AnswerEnded {
                        ask,
                        end: Ok(usage),
                    },
                );
            }
            Answer::Starts(text) => {
                self.open = Some((turn, ask));
                self.turn(
                    turn,
                    TurnEvent::Delta {
                        ask,
                        text: text.into(),
                    },
                );
            }
            Answer::Says(text) => {
                let mut rest = text;
                while !rest.is_empty() {
                    let cut = (7..=rest.len())
                        .find(|at| rest.is_char_boundary(*at))
                        .unwrap_or(rest.len());
                    let (piece, tail) = rest.split_at(cut);
                    rest = tail;
                    self.turn(
                        turn,
                        TurnEvent::Delta {
                            ask,
                            text: piece.to_owned(),
                        },
                    );
                }
                self.turn(
                    turn,
                    TurnEvent::AnswerEnded {
                        ask,
                        end: Ok(TokenUsage::default()),
                    },
                );
            }
        }
    }

    /// Compares what happened with what was expected, line by line, space at both ends ignored.
    #[track_caller]
    pub fn expect(&mut self, expected: &str) {
        let log = std::mem::take(&mut self.log);
        let lines = |text: &str| {
            text.lines()
                .map(|line| line.trim().to_owned())
                .collect::<Vec<_>>()
        };
        let want: Vec<String> = lines(expected.trim());
        let have: Vec<String> = lines(log.trim());
        assert_eq!(have, want, "\nwhat happened:\n{log}");
    }
}
