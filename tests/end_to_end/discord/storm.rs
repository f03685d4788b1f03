//! People talk while everything between them and the companion fails: the gateway, REST, the companion itself. All of it
//! is drawn from a seed, and what was said, changed and taken back is kept, to be held against what became of it.

pub mod faults;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::discord::discord_test::{DiscordTest, settings};
use crate::discord::fake_discord::{
    ANNA, BEN, BOT, Chaos, ConnectionPolicy, FakeDiscord, Fault, GENERAL, GUILD, Id, LinkFault, MO,
    Message, Millis, World,
};

#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub messages: u32,
    pub channels: usize,
    pub kills: u32,
}

/// Somebody spoke to the companion, with a number nobody else has.
#[derive(Debug)]
pub struct AddressedMessage {
    pub number: u32,
    pub channel: Id,
    pub message: Id,
    step: u32,
}

/// What was done to a message after it was said.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Edited,
    Deleted,
    Reacted { by: Id, added: bool },
}

/// A change that Discord told of; whether the companion heard it is not always to be known.
#[derive(Debug)]
pub struct ToldChange {
    pub channel: Id,
    pub message: Id,
    pub change: Change,
    /// It answered something in the same channel that was told it after this, in the same session.
    pub surely_heard: bool,
    step: u32,
    sessions: usize,
    at: Millis,
}

/// Changes and addresses that are fewer steps apart than this may be told in another order.
const APART: u32 = 12;
/// The gateway breaks in gusts of so many steps, and holds for as many in between.
const GUST: u32 = 80;
/// What Discord asks to wait once in a storm: more than a request waits for in its line.
const LONGER_THAN_ANYBODY_WAITS: Duration = Duration::from_secs(50);
/// The most threads that are opened while it is away.
const MOST_OPENED: u32 = 3;
pub const EMOJI: &str = "👍";

pub struct Storm {
    pub test: DiscordTest,
    pub channels: Vec<Id>,
    pub asked: Vec<AddressedMessage>,
    pub told: Vec<ToldChange>,
    /// All texts every message of a person ever had, oldest first.
    pub texts: BTreeMap<(Id, Id), Vec<String>>,
    /// What was asked and not answered when all was well again, before anybody asked once more.
    pub unanswered: Vec<u32>,
    pub kills: u32,
    pub faults: u32,
    /// Threads that were opened while it was away.
    pub opened: u32,
    size: Size,
    chance: ChaCha8Rng,
    step: u32,
    reordered: u32,
    /// How many requests were looked at, and when each path was fetched last.
    requests: usize,
    fetched: HashMap<String, Millis>,
    opens: Option<u32>,
    /// When REST is to be reached again, and when no minute is left that Discord asked to wait.
    reached: Option<u32>,
    is_made_to_wait: bool,
}

impl Storm {
    /// A guild with a thread, a direct message, and a companion that reads all of it and answers every number once.
    pub async fn gathers(seed: u64, size: Size) -> Self {
        let mut world = World::small();
        let mut channels: Vec<Id> = (3..size.channels)
            .map(|index| world.add_channel(GUILD, &format!("room-{index}")))
            .collect();
        channels.extend([
            GENERAL,
            world.add_thread(GENERAL, "plans", ANNA),
            world.dm(ANNA),
        ]);
        let fake = FakeDiscord::start(world);
        fake.heartbeat_every(2_000);
        let url = crate::discord::kith_process::model(answer).await;
        let tables = format!(
            "direct_messages = \"on\"\n[guild.{GUILD}]\nmode = \"on\"\n[budget]\ndaily_tokens = 1000000000\n"
        );
        // Slow enough for people to speak between the two messages of an answer.
        let settings = settings(&fake, &url, "", &tables).replace(
            "characters_per_second = 400.0",
            "characters_per_second = 60.0",
        );
        let test = DiscordTest::with(fake, &settings, &[]).await;
        let chance = ChaCha8Rng::seed_from_u64(seed);
        let (asked, told, texts) = (Vec::new(), Vec::new(), BTreeMap::new());
        let (kills, faults, step, opens) = (0, 0, 0, None);
        let mut storm = Self {
            test,
            channels,
            asked,
            told,
            texts,
            unanswered: Vec::new(),
            kills,
            faults,
            opened: 0,
            size,
            chance,
            step,
            reordered: 0,
            opens,
            reached: None,
            is_made_to_wait: false,
            requests: 0,
            fetched: HashMap::new(),
        };
        // Where nothing was ever heard nothing can be missed.
        for channel in storm.channels.clone() {
            storm.asks(channel);
        }
        storm.until_answered().await;
        storm.test.fake.chaos(Some(Chaos::storm(seed)));
        storm
    }

    /// Goes on until everything was said and everything was broken, then lets it be.
    pub async fn rages(&mut self) {
        let mut kills: BTreeSet<u32> = BTreeSet::new();
        while kills.len() < self.size.kills as usize {
            kills.insert(self.chance.random_range(1..self.size.messages));
        }
        let mut back_at = None;
        while self.texts.len() < self.size.messages as usize {
            self.step += 1;
            let said = u32::try_from(self.texts.len()).unwrap();
            if back_at.is_some_and(|at| at <= said) {
                back_at = None;
                self.comes_back();
            }
            if kills.first().is_some_and(|kill| *kill <= said) && back_at.is_none() {
                kills.pop_first();
                self.kills();
                // People go on talking while it is away.
                back_at = Some(said + self.chance.random_range(0..15));
                if self.opened < MOST_OPENED {
                    self.opens_a_thread();
                }
            }
            self.somebody_does_something();
            self.break_something();
            self.notes_what_was_heard();
            let pause = if self.chance.random_bool(0.05) {
                300..900
            } else {
                0..60
            };
            tokio::time::sleep(Duration::from_millis(self.chance.random_range(pause))).await;
        }
        if back_at.is_some() {
            self.comes_back();
        }
        let fake = &self.test.fake;
        fake.chaos(None);
        fake.link_chaos(None);
        fake.door(ConnectionPolicy::Open);
        fake.rest_door(ConnectionPolicy::Open);
    }

    /// It is started again, when Discord is there to tell it where to go.
    fn comes_back(&mut self) {
        self.reached = None;
        self.test.fake.rest_door(ConnectionPolicy::Open);
        self.test.kith.start();
    }

    /// In peace: everybody asks once more, and is answered.
    pub async fn calms_down(&mut self) {
        self.answers_what_is_left().await;
        self.quiet().await;
        for channel in self.channels.clone() {
            let by = self.author(channel);
            [
                Change::Edited,
                Change::Deleted,
                Change::Reacted { by, added: true },
            ]
            .into_iter()
            .for_each(|change| self.changes(channel, change));
        }
        self.step += APART;
        for channel in self.channels.clone() {
            self.asks(channel);
        }
        self.until_answered().await;
        self.notes_what_was_heard();
        self.quiet().await;
    }

    /// Nobody hears of it before it is told of the guild: whatever is said in it was missed.
    fn opens_a_thread(&mut self) {
        self.opened += 1;
        let thread = self
            .test
            .fake
            .opens_thread(GENERAL, BEN, &format!("aside-{}", self.opened));
        self.channels.push(thread);
        self.says(thread, Message::by(BEN, "a new place"));
        self.asks(thread);
    }

    fn somebody_does_something(&mut self) {
        let channel = self.channels[self.chance.random_range(0..self.channels.len())];
        match self.chance.random_range(0..100) {
            0..25 => self.asks(channel),
            25..80 => {
                let (author, number) = (self.author(channel), self.texts.len());
                self.says(channel, Message::by(author, format!("talk {number}")));
            }
            80..88 => self.changes(channel, Change::Edited),
            88..93 => self.changes(channel, Change::Deleted),
            93..98 => {
                let by = self.author(channel);
                self.changes(channel, Change::Reacted { by, added: true });
            }
            _ => {
                let by = self.author(channel);
                self.changes(channel, Change::Reacted { by, added: false });
            }
        }
    }

    fn asks(&mut self, channel: Id) {
        let number = u32::try_from(self.asked.len()).unwrap();
        let author = self.author(channel);
        let message = self.says(channel, Message::by(author, format!("<@{BOT}> q{number}?")));
        self.asked.push(AddressedMessage {
            number,
            channel,
            message,
            step: self.step,
        });
    }

    fn says(&mut self, channel: Id, message: Message) -> Id {
        let text = message.text.clone();
        let id = self.test.fake.post(channel, message);
        self.texts.insert((channel, id), vec![text]);
        id
    }

    fn author(&mut self, channel: Id) -> Id {
        let is_direct = self
            .test
            .fake
            .world(|world| world.channel(channel).recipient.is_some());
        if is_direct {
            ANNA
        } else {
            [ANNA, BEN, MO][self.chance.random_range(0..3)]
        }
    }

    /// Changes one of the channel's newest messages.
    fn changes(&mut self, channel: Id, change: Change) {
        let fake = &self.test.fake;
        // Edits and deletions can be as fast as bots are, reactions are people's.
        let skipped = if matches!(change, Change::Reacted { .. }) {
            APART as usize
        } else {
            0
        };
        let newest: Vec<Id> = fake.world(|world| {
            let messages = world
                .channel(channel)
                .messages
                .values()
                .filter(|message| message.author != BOT);
            messages
                .map(|message| message.id)
                .rev()
                .skip(skipped)
                .take(12)
                .collect()
        });
        if newest.is_empty() {
            return;
        }
        let message = newest[self.chance.random_range(0..newest.len())];
        if let Change::Reacted { by, added } = change {
            let has = fake.world(|world| {
                let reactions = &world.message(channel, message).unwrap().reactions;
                reactions
                    .iter()
                    .any(|reaction| reaction.users.contains(&by))
            });
            if has == added {
                return;
            }
        }
        match &change {
            Change::Edited => {
                let texts = self.texts.get_mut(&(channel, message)).unwrap();
                let text = format!("{} no{}", texts[0], texts.len());
                fake.edits(channel, message, &text);
                texts.push(text);
            }
            Change::Deleted => fake.deletes(channel, &[message]),
            Change::Reacted { by, added: true } => fake.reacts(*by, channel, message, EMOJI),
            Change::Reacted { by, added: false } => fake.unreacts(*by, channel, message, EMOJI),
        }
        let sessions = self.sessions();
        self.told.push(ToldChange {
            channel,
            message,
            change,
            surely_heard: false,
            step: self.step,
            sessions,
            at: self.test.fake.now(),
        });
    }

    /// Every session that was ever begun, and every life: none of them hears what was told to another.
    fn sessions(&self) -> usize {
        self.test.fake.world(|world| world.log.identifies.len()) + self.kills as usize
    }

    /// Who answers what was asked after a change, in the same session and without having fetched anything since, was told
    /// of the change.
    fn notes_what_was_heard(&mut self) {
        let sessions = self.sessions();
        let answered = self.answered();
        self.test.fake.world(|world| {
            for request in world.log.requests[self.requests..]
                .iter()
                .filter(|request| request.method == "GET")
            {
                self.fetched.insert(request.path.clone(), request.at);
            }
            self.requests = world.log.requests.len();
        });
        for told in self
            .told
            .iter_mut()
            .filter(|told| !told.surely_heard && told.sessions == sessions)
        {
            let fetched = self
                .fetched
                .get(&format!("/channels/{}/messages", told.channel));
            told.surely_heard = fetched.is_none_or(|at| *at < told.at)
                && self.asked.iter().any(|asked| {
                    asked.channel == told.channel
                        && asked.step >= told.step + APART
                        && answered.contains(&asked.number)
                });
        }
    }

    pub fn answered(&self) -> BTreeSet<u32> {
        let posts = self
            .channels
            .iter()
            .flat_map(|channel| self.test.fake.posts(*channel));
        posts
            .flat_map(|post| numbers(&post.text).collect::<Vec<_>>())
            .collect()
    }

    /// Waits until everything that still stands there was answered or has the small reaction, as long as that may take.
    async fn answers_what_is_left(&mut self) {
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        loop {
            let answered = self.answered();
            let open = self
                .asked
                .iter()
                .filter(|asked| !answered.contains(&asked.number) && self.is_open(asked));
            self.unanswered = open.map(|asked| asked.number).collect();
            if self.unanswered.is_empty() || kith_system::clock::monotonic() > end {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Whether what was asked is still there, and without a reaction of the companion's.
    fn is_open(&self, asked: &AddressedMessage) -> bool {
        self.test.fake.world(|world| {
            let message = world.message(asked.channel, asked.message);
            message.is_some_and(|it| {
                it.reactions
                    .iter()
                    .all(|reaction| !reaction.users.contains(&BOT))
            })
        })
    }

    async fn until_answered(&self) {
        let end = kith_system::clock::monotonic() + Duration::from_secs(120);
        loop {
            let answered = self.answered();
            let last = self.asked.iter().rev().take(self.channels.len());
            let waiting: Vec<&AddressedMessage> = last
                .filter(|asked| !answered.contains(&asked.number))
                .collect();
            if waiting.is_empty() {
                return;
            }
            assert!(
                kith_system::clock::monotonic() < end,
                "never answered: {waiting:?}\n{}",
                self.test.log()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until nothing has been asked of Discord for a while.
    async fn quiet(&self) {
        let requests = || self.test.fake.world(|world| world.log.requests.len());
        let (mut known, mut since) = (requests(), kith_system::clock::monotonic());
        while kith_system::clock::monotonic() < since + Duration::from_secs(3) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            if requests() != known {
                (known, since) = (requests(), kith_system::clock::monotonic());
            }
        }
    }
}

/// The numbers in a text: `q1 q2`.
pub fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|word| word.strip_prefix('q')?.parse().ok())
}

/// Answers, in two messages, every number in the chat that no line of the companion's own has answered yet.
fn answer(user: &str) -> String {
    let words = open_questions(user);
    if words.is_empty() {
        return SILENCE.into();
    }
    format!(
        "<turn><send_message>re {words}</send_message><send_message>ps {words}</send_message></turn>"
    )
}

pub const SILENCE: &str = "<turn><stay_silent>nothing was asked</stay_silent></turn>";

/// The numbers in the chat of a prompt that no line of the companion's own has answered yet: `q1 q2`.
pub fn open_questions(user: &str) -> String {
    let chat = user.split("# Chat\n").nth(1).unwrap_or_default();
    let chat = chat.split("\n\n").next().unwrap_or_default();
    let (mut open, mut own) = (BTreeSet::new(), BTreeSet::new());
    for line in chat.lines() {
        let Some((head, text)) = line.split_once(": ") else {
            continue;
        };
        let line = if head.ends_with(" Juno") {
            &mut own
        } else {
            &mut open
        };
        line.extend(numbers(text));
    }
    let words: Vec<String> = open
        .difference(&own)
        .map(|number| format!("q{number}"))
        .collect();
    words.join(" ")
}
