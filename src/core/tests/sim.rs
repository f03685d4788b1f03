//! A companion in simulated time with a scripted model: what happens is written down line by line and compared.

mod effects;
mod model;
mod setup;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use kith_core::call::ToolResult;
use kith_core::chat::{
    Author, AuthorKind, ChannelId, IntentionId, Message, MessageId, Millis, TurnId, UserId,
};
use kith_core::event::{ChatEvent, Event, TurnEvent};
use kith_core::intent::ScheduledIntent;
use kith_core::partition::Partition;
use kith_core::policy::ChannelPolicy;
use kith_core::quotes::ErasedMessage;
use kith_core::report::{MessageDecision, TurnReport};
use kith_core::willingness::Weights;
use kith_core::{Core, CoreSetup, RenderInputs};

pub use model::Answer;
pub use setup::{author, channel, policy};

pub const ME: UserId = UserId(1);
/// 2026-01-05 12:00:00 UTC.
pub const START: Millis = 1_767_614_400_000;

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
    /// What hooks say of the next messages, which they refuse.
    pub refusals: Vec<&'static str>,
    /// What it said and nobody can read yet.
    pub lines_on_their_way: Vec<String>,
    /// What prompts are given besides.
    pub inputs: RenderInputs,
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
            last_turn: TurnId(0),
            partition: Partition::WHOLE,
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
            refusals: Vec::new(),
            lines_on_their_way: Vec::new(),
            inputs: RenderInputs::default(),
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
        self.event(Event::Chat(ChatEvent::Message(Message {
            id,
            channel,
            arrival,
            at,
            author,
            text: text.into(),
            reply_to,
            mentions,
        })));
    }

    /// A person puts a reaction on a message in channel 1.
    pub fn reacts(&mut self, who: &str, message: MessageId, emoji: &str) {
        self.event(Event::Chat(ChatEvent::Reaction {
            channel: ChannelId(1),
            message,
            author: author(who, AuthorKind::Person),
            emoji: emoji.into(),
            added: true,
            at: self.now,
        }));
    }

    /// Messages are deleted.
    pub fn delete(&mut self, channel: ChannelId, ids: Vec<MessageId>) {
        let gone: Vec<Event> = ids
            .iter()
            .filter_map(|id| self.erased(channel, *id, ""))
            .collect();
        let at = self.now;
        self.event(Event::Chat(ChatEvent::Delete { channel, ids, at }));
        gone.into_iter().for_each(|gone| self.event(gone));
    }

    pub fn edit(&mut self, channel: ChannelId, id: MessageId, text: &str) {
        let gone = self.erased(channel, id, text);
        self.event(Event::Chat(ChatEvent::Edit {
            channel,
            id,
            author: AuthorKind::Person,
            text: text.into(),
            at: self.now,
        }));
        gone.into_iter().for_each(|gone| self.event(gone));
    }

    /// What the store tells of a message that is deleted or edited there, if its words change.
    fn erased(&self, channel: ChannelId, id: MessageId, remaining_text: &str) -> Option<Event> {
        let text = &self.core.channel_state(channel)?.timeline().find(id)?;
        let text = text.message.text.clone();
        (*text != *remaining_text).then(|| {
            Event::MessageErased(ErasedMessage {
                channel,
                text,
                remaining_text: remaining_text.into(),
            })
        })
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
        let state = self.core.channel_state(ChannelId(1)).expect("there");
        state
            .timeline()
            .own()
            .next()
            .expect("it has spoken")
            .message
            .id
    }

    /// The daemon dies after the last save, and comes back with what is stored of channel 1.
    pub fn restarts(&mut self, policy: ChannelPolicy) {
        let state = self.core.channel_state(ChannelId(1)).expect("there");
        let saved = serde_json::to_string(state.state()).expect("numbers");
        let tail = state
            .timeline()
            .messages()
            .map(|said| said.message.clone())
            .collect();
        let setup = CoreSetup {
            me: ME,
            weights: Arc::new(Weights::load_embedded()),
            turns_in_flight: 4,
            last_turn: TurnId(899),
            partition: Partition::WHOLE,
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

    fn turn(&mut self, turn: TurnId, event: TurnEvent) {
        self.event(Event::Turn { turn, event });
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
