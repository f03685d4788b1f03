//! A database as a year leaves it: channels, what was said in them, what was thought of it, turns, and what they took.

use std::path::Path;

use kith_core::call::{ToolCall, ToolKind, ToolResult};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, DAY, GuildId, Message, MessageId, Millis,
    TurnId, UserId,
};
use kith_core::event::ChatEvent;
use kith_core::memory_entry::{MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin};
use kith_core::report::{
    CallReport, MessageDecision, ModelFailure, RoundReport, ScoreTerm, ThresholdShift, TokenUsage,
    TurnOutcome, TurnReport, TurnTrigger,
};
use kith_store::{
    MemoryBatch, ModelSpend, OutgoingAction, Store, StoreReply, StoredPrompt, VisibleAction,
};
use kith_testkit::fake_discord::World;

/// The channel in which most is said, by its number.
pub const BUSY: u64 = 1;
/// How many servers there are.
const GUILDS: usize = 40;
/// Every so many turns something fails.
const FAULT_EVERY: u64 = 500;
/// How many prompts the store keeps.
const PROMPTS: u64 = 1_000;
/// What is written before it is waited for.
const TOGETHER: usize = 5_000;

/// What there is.
#[derive(Clone)]
pub struct Seed {
    /// Each with its server, by their numbers from 1.
    pub channels: Vec<(GuildId, ChannelId)>,
    pub turns: u64,
    /// Messages of the last day in the busy channel.
    pub messages_today: u64,
    /// Facts of people.
    pub facts: u64,
    pub now: Millis,
}

/// Servers with so many channels, and the channels. What a companion has on record of servers that it is not in any more,
/// it erases.
pub fn build_world(channels: u64) -> (World, Vec<(GuildId, ChannelId)>) {
    let mut world = World::empty();
    let owner = world.add_user("Olga");
    let guilds = (1..=GUILDS).map(|number| world.add_guild(&format!("server {number}"), owner));
    let guilds: Vec<u64> = guilds.collect();
    let places = (1..=channels as usize).map(|number| {
        let guild = guilds[number % GUILDS];
        let channel = world.add_channel(guild, &format!("room {number}"));
        (GuildId(guild), ChannelId(channel))
    });
    let places = places.collect();
    (world, places)
}

impl Seed {
    /// The channel of a number from 1.
    pub fn channel(&self, number: u64) -> ChannelId {
        self.channels[number as usize - 1].1
    }

    /// Writes it into a new database.
    pub fn write(&self, file: &Path) {
        let store = Store::open(file).expect("opened");
        let mut replies = Vec::new();
        let channels = self.channels.iter().zip(1..);
        let channels = channels.map(|(place, number)| ChatEvent::Channel(channel(*place, number)));
        store.append(channels.collect()).wait().expect("stored");
        for turn in 1..=self.turns {
            self.write_turn(&store, turn, &mut replies);
            if replies.len() >= TOGETHER {
                wait_for(&mut replies);
            }
        }
        for number in 0..self.messages_today {
            let at = self.now - DAY + DAY * number as Millis / self.messages_today as Millis;
            let id = MessageId(id_at(at) + number % 4_000_000);
            let busy = self.channel(BUSY);
            drop(store.append(vec![message(busy, id, at)]));
            replies.push(store.save_decisions(vec![decision(busy, id, at, number)]));
        }
        for (number, (_, channel)) in (1..).zip(&self.channels) {
            let (nonce, at) = (format!("{}.9", self.turns + number), self.now - DAY);
            drop(store.journal(outgoing(*channel, &nonce, at)));
            let own = MessageId(id_at(at) + 3_000_000);
            drop(store.settle(nonce, message(*channel, own, at)));
        }
        let facts: Vec<MemoryDraft> = (1..=self.facts)
            .map(|number| self.build_fact(number))
            .collect();
        for drafts in facts.chunks(1_000) {
            drop(store.put_memories(MemoryBatch {
                drafts: drafts.to_vec(),
                begun: i64::MAX,
                consolidated: None,
            }));
        }
        replies.push(store.wait_for_writes());
        wait_for(&mut replies);
    }

    fn write_turn(&self, store: &Store, turn: u64, replies: &mut Vec<StoreReply<()>>) {
        let year = 365 * DAY;
        let at = self.now - year + year * turn as Millis / (self.turns as Millis + 1);
        // One in twenty in the busy channel.
        let channel = match turn % 20 {
            0 => self.channel(BUSY),
            _ => self.channel(turn * 7_919 % self.channels.len() as u64 + 1),
        };
        let id = MessageId(id_at(at));
        let events =
            (0..3).map(|line| message(channel, MessageId(id.0 + line), at + line as Millis));
        drop(store.append(events.collect()));
        replies.push(store.save_decisions(vec![decision(channel, id, at, turn)]));
        let prompts = match turn + PROMPTS > self.turns {
            true => vec![prompt(turn)],
            false => Vec::new(),
        };
        replies.push(store.save_turn(report(turn, channel, id, at), prompts));
        replies.push(store.save_spend(ModelSpend {
            at,
            model: "scripted".into(),
            channel,
            function: ["turn", "summary", "judge"][turn as usize % 3].into(),
            usage: usage(),
            cost: 0.001,
        }));
    }
}

impl Seed {
    /// Something of somebody, told in one channel after the other.
    fn build_fact(&self, number: u64) -> MemoryDraft {
        let channel = self.channel(number % self.channels.len() as u64 + 1);
        let told = MessageId(id_at(self.now - DAY) + 3_000_000);
        let content = MemoryContent {
            person: Some(UserId(number % 500)),
            said_by: Some(UserId(told.0 % 500)),
            text: format!("keeps ladder {number} behind shed {}", number % 97),
            at: self.now - DAY,
            sources: vec![told],
            ..MemoryContent::new(MemoryKind::About, channel, MemoryOrigin::Companion)
        };
        MemoryDraft {
            content,
            supersedes: Vec::new(),
        }
    }
}

fn wait_for(replies: &mut Vec<StoreReply<()>>) {
    for reply in replies.drain(..) {
        reply.wait().expect("stored");
    }
}

/// An id of that moment, as Discord makes them.
fn id_at(at: Millis) -> u64 {
    ((at - 1_420_070_400_000) as u64) << 22
}

fn channel((guild, id): (GuildId, ChannelId), number: u64) -> Channel {
    Channel {
        id,
        guild: Some(guild),
        name: format!("room {number}").into(),
        topic: "made up".into(),
        kind: ChannelKind::Group,
        parent: None,
    }
}

fn message(channel: ChannelId, id: MessageId, at: Millis) -> ChatEvent {
    ChatEvent::Message(Message {
        id,
        channel,
        arrival: 0,
        at,
        author: Author {
            id: UserId(id.0 % 500),
            name: "Anna".into(),
            kind: AuthorKind::Person,
        },
        text: "did anybody see where the blue ladder went".into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

fn decision(channel: ChannelId, message: MessageId, at: Millis, number: u64) -> MessageDecision {
    let terms = ["named", "question", "topic", "energy", "rapport", "links"];
    MessageDecision {
        channel,
        message,
        author: UserId(1),
        at,
        score: (number % 97) as f32 / 100.0,
        threshold: 0.4,
        shift: ThresholdShift::default(),
        address: None,
        refusal: None,
        speak: false,
        waits_until: None,
        goes_on: false,
        energy: 1.0,
        silent_for: None,
        terms: terms
            .map(|name| ScoreTerm {
                name: name.into(),
                value: 0.5,
                adds: 0.25,
            })
            .into(),
        bias: -3.0,
    }
}

fn usage() -> TokenUsage {
    TokenUsage {
        prompt: 2_400,
        cached: 1_900,
        completion: 80,
        ..TokenUsage::default()
    }
}

fn report(turn: u64, channel: ChannelId, message: MessageId, at: Millis) -> TurnReport {
    let fails = turn.is_multiple_of(FAULT_EVERY);
    let call = ToolCall {
        name: "send_message".into(),
        params: serde_json::Map::from_iter([("text".into(), "behind the shed".into())]),
    };
    let round = RoundReport {
        ask: 1,
        asked_at: at + 40,
        first_delta_ms: Some(600),
        ended_ms: Some(1_900),
        prompt_tokens: 2_400,
        usage: Some(usage()),
        raw: "<turn><thoughts>They look for the ladder, and I know where it is.</thoughts></turn>"
            .repeat(6),
        thoughts: "They look for the ladder, and I know where it is. ".repeat(6),
        calls: vec![CallReport {
            call,
            kind: Some(ToolKind::Visible),
            result: Some(ToolResult::ok("delivered")),
            message: None,
            hindrance: None,
            at: at + 2_000,
        }],
        failure: fails.then(|| ModelFailure::new("the model does not answer; start it again")),
        ..RoundReport::default()
    };
    TurnReport {
        turn: TurnId(turn),
        channel,
        started: at,
        ended: at + 3_500,
        wake: TurnTrigger {
            message: Some(message),
            author: Some(UserId(1)),
            address: None,
            addressed: Vec::new(),
            score: 0.5,
            threshold: 0.4,
            shift: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        },
        rounds: vec![round],
        outcome: match fails {
            true => TurnOutcome::Failed("no answer".into()),
            false => TurnOutcome::Acted,
        },
        notes: Vec::new(),
        cost: Some(0.001),
    }
}

fn prompt(turn: u64) -> StoredPrompt {
    let line = |number| {
        format!("Anna: line {number} of what was said by then, about as long as they are\n")
    };
    StoredPrompt {
        ask: 1,
        model: "scripted".into(),
        system: "You are Juno, one of the friends in this chat.\n".repeat(80),
        user: (turn..turn + 60).map(line).collect(),
        parts: Vec::new(),
    }
}

fn outgoing(channel: ChannelId, nonce: &str, at: Millis) -> OutgoingAction {
    OutgoingAction {
        nonce: nonce.into(),
        turn: None,
        part: 9,
        channel,
        action: VisibleAction::Send {
            text: "behind the shed".into(),
            reply_to: None,
            with: None,
        },
        cursor: 1,
        at,
        answers: Vec::new(),
    }
}
