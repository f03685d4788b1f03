//! What a channel's companion remembers of the room to judge the next message: who spoke when and with whom, its own
//! last words as hashes, its energy, its bar. Bounded, saved with the lane, and never holds text. All fading is closed
//! form from timestamps.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::words::{Heard, Topic, Words, hash};
use super::{Bar, Listener, SIGNALS, Score, Signal, Weights, logistic};
use crate::core::address::{Called, addressed_name};
use crate::core::chat::{AuthorKind, MINUTE, Message, MessageId, Millis, SECOND, UserId};
use crate::core::links::{Arrival, Guess, Links};
use crate::core::report::Address;

/// How many people are remembered.
const PEOPLE: usize = 32;
/// How many own messages a typed reply is recognised on.
const OWN_MESSAGES: usize = 64;
/// How many own lines the topic is compared with.
const OWN_TOPICS: usize = 8;
/// How many last lines make up the picture of the room.
const WINDOW: usize = 20;
/// How long a line may be ago for the author to be continuing it.
const CONTINUES: Millis = MINUTE;
/// What one own message leaves of the energy.
const SPEAKING_LEAVES: f32 = 0.85;
/// How fast energy comes back.
const ENERGY_RETURNS: Millis = 10 * MINUTE;

/// One channel's memory of who speaks how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sense {
    links: Links,
    people: Vec<Person>,
    heard: Heard,
    bar: Bar,
    /// Own messages, newest last.
    own: VecDeque<MessageId>,
    own_topics: VecDeque<(Millis, Topic)>,
    spoke_at: Option<Millis>,
    /// Messages of others since it spoke.
    since: u32,
    /// An unanswered call to the companion, and whose.
    pending: Option<(UserId, Millis)>,
    /// Lines in a row by the newest author, beyond the first.
    run: u32,
    last_at: Option<Millis>,
    /// Energy when it last spoke.
    energy: f32,
}

/// What is remembered of one person; times are none where it never happened.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Person {
    id: UserId,
    /// The hash of the name shown.
    name: u32,
    heard: Millis,
    /// When the companion last talked to them.
    partner: Option<Millis>,
    /// When they last addressed the companion.
    called: Option<Millis>,
    /// Whom their newest line was meant for.
    to: Option<UserId>,
}

impl Sense {
    /// A companion that has heard nothing yet.
    pub fn new(weights: &Weights) -> Sense {
        Sense {
            links: Links::default(),
            people: Vec::new(),
            heard: Heard::default(),
            bar: Bar::new(weights.prior),
            own: VecDeque::new(),
            own_topics: VecDeque::new(),
            spoke_at: None,
            since: 0,
            pending: None,
            run: 0,
            last_at: None,
            energy: 1.0,
        }
    }

    /// Scores somebody else's message and remembers it.
    pub fn hear(&mut self, message: &Message, listener: &Listener, weights: &Weights) -> Score {
        let words = Words::read(&message.text);
        let address = self.address(message, listener);
        let named = self.named(message, listener, &address);
        let arrival = Arrival {
            id: message.id,
            author: message.author.id,
            at: message.at,
            reply_to: message.reply_to,
            named: named.get(),
            question: words.question,
            topic: &words.topic,
        };
        let guess = self.links.guess(&arrival, listener.me, &self.heard, weights);
        let scene = Scene { message, words: &words, address: &address, named: named.get(), guess: &guess };
        let values = self.values(&scene, listener);
        let logit =
            weights.bias + values.iter().zip(weights.signals()).map(|(value, weight)| value * weight).sum::<f32>();

        self.remember(&scene, &arrival);
        if address.call.is_none() && message.author.kind == AuthorKind::Person {
            self.bar.hear(logit);
        }
        Score {
            message: message.id,
            author: message.author.id,
            at: message.at,
            address: address.call,
            probability: logistic(logit),
            logit,
            bias: weights.bias,
            values,
        }
    }

    /// Remembers the companion's own message.
    pub fn spoke(&mut self, message: &Message, weights: &Weights) {
        let words = Words::read(&message.text);
        let me = message.author.id;
        let named: Named = message.mentions.iter().copied().chain(self.called_by_name(&message.text)).collect();
        let arrival = Arrival {
            id: message.id,
            author: me,
            at: message.at,
            reply_to: message.reply_to,
            named: named.get(),
            question: words.question,
            topic: &words.topic,
        };
        let guess = self.links.guess(&arrival, me, &self.heard, weights);
        let to = named.get().first().copied().or(guess.author.filter(|author| *author != me));
        let before = self.links.lines().back().map(|line| line.author).filter(|author| *author != me);
        for partner in named.get().iter().copied().chain(to).chain(before.filter(|_| to.is_none())) {
            if let Some(person) = self.people.iter_mut().find(|person| person.id == partner) {
                person.partner = Some(message.at);
            }
        }
        self.links.add(&arrival, &guess, to, true);
        self.energy = self.energy(message.at) * SPEAKING_LEAVES;
        self.spoke_at = Some(message.at);
        self.since = 0;
        self.pending = None;
        self.last_at = Some(message.at);
        push(&mut self.own, message.id, OWN_MESSAGES);
        push(&mut self.own_topics, (message.at, words.topic), OWN_TOPICS);
    }

    /// The score's probability looked at again: older, perhaps answered by somebody else, perhaps after own speech.
    pub fn at(&self, score: &Score, now: Millis, weights: &Weights) -> f32 {
        let mut logit = score.logit + weights.of(Signal::Age) * logarithmic(now - score.at, HOUR_SECONDS);
        let later = || self.links.lines().iter().rev().take_while(|line| line.id != score.message);
        if later().any(|line| line.to == Some(score.author) && Some(line.at) > self.spoke_at) {
            logit += weights.of(Signal::Answered);
        }
        if self.spoke_at.is_some_and(|at| at > score.at) {
            logit += weights.of(Signal::SpokeSince);
        }
        logistic(logit)
    }

    /// The energy after earlier speech, 0 … 1.
    pub fn energy(&self, now: Millis) -> f32 {
        self.spoke_at.map_or(1.0, |at| 1.0 - (1.0 - self.energy) * fade(now - at, ENERGY_RETURNS))
    }

    /// What unasked speech must reach at a talkativeness of 0 … 1, as a probability.
    pub fn bar(&self, talkativeness: f32) -> f32 {
        self.bar.at(talkativeness)
    }

    /// The links between the newest lines: which conversation a message belongs to.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// Forgets what a deleted message was about.
    pub fn forget(&mut self, message: MessageId) {
        self.links.forget(message);
    }

    fn address(&self, message: &Message, listener: &Listener) -> Addressed {
        let mention = message.mentions.contains(&listener.me);
        let reply = message.reply_to.is_some_and(|id| self.own.contains(&id));
        let called = listener.names.called(&message.text);
        let call = if mention {
            Some(Address::Mention)
        } else if reply {
            Some(Address::Reply)
        } else if called == Called::Vocative {
            Some(Address::Name)
        } else {
            listener.direct.then_some(Address::Direct)
        };
        Addressed { mention, reply, called, call }
    }

    /// Everybody a message is openly meant for.
    fn named(&self, message: &Message, listener: &Listener, address: &Addressed) -> Named {
        let me = address.call.map(|_| listener.me);
        let reply = message.reply_to.and_then(|id| self.links.lines().iter().find(|line| line.id == id));
        let others = message.mentions.iter().copied().chain(reply.map(|line| line.author));
        let others = others.chain(self.called_by_name(&message.text));
        me.into_iter().chain(others.filter(|id| Some(*id) != me && *id != message.author.id)).collect()
    }

    /// Somebody whose name the message opens or ends with as a call.
    fn called_by_name(&self, text: &str) -> Option<UserId> {
        let name = hash(addressed_name(text)?);
        self.people.iter().find(|person| person.name == name).map(|person| person.id)
    }

    fn values(&self, scene: &Scene, listener: &Listener) -> [f32; SIGNALS] {
        let Scene { message, words, address, named, guess } = *scene;
        let (now, me) = (message.at, listener.me);
        let mut values = [0.0; SIGNALS];
        let mut set = |signal: Signal, value: f32| values[signal as usize] = value;
        let flag = |yes: bool| f32::from(u8::from(yes));

        set(Signal::Mention, flag(address.mention));
        set(Signal::Reply, flag(address.reply));
        set(Signal::Vocative, flag(address.called == Called::Vocative));
        set(Signal::Named, flag(address.called == Called::Named));
        set(Signal::Direct, flag(listener.direct));
        let other_addressed = address.call.is_none() && !named.is_empty();
        set(Signal::OtherAddressed, flag(other_addressed));

        let author = self.people.iter().find(|person| person.id == message.author.id);
        let since = |at: Option<Millis>, lasts: Millis| at.map_or(0.0, |at| fade(now - at, lasts));
        let partner = author.and_then(|person| person.partner);
        set(Signal::Partner, since(partner, 2 * MINUTE));
        set(Signal::Acquainted, since(partner, 15 * MINUTE));
        set(Signal::CalledBefore, since(author.and_then(|person| person.called), 4 * MINUTE));
        set(Signal::AnswersMe, guess.mine);
        set(Signal::MyConversation, guess.joined);
        set(Signal::OthersTalk, guess.others);
        let previous = self.links.lines().iter().rev().find(|line| line.author == message.author.id);
        if named.is_empty()
            && let Some(line) = previous.filter(|line| now - line.at <= CONTINUES)
        {
            let unanswered = self.spoke_at.is_none_or(|at| at <= line.at);
            set(Signal::ContinuesToMe, flag(line.to == Some(me) && unanswered));
            set(Signal::ContinuesToOther, flag(line.to.is_some_and(|to| to != me)));
        }
        let pending = self.pending.filter(|(by, _)| *by != message.author.id && address.call.is_none());
        set(Signal::Pending, since(pending.map(|(_, at)| at), 2 * MINUTE));

        let room = self.room(now, message.author.id, me);
        let recent = self.spoke_at.map_or(0.0, |at| 1.0 - logarithmic(now - at, HOUR_SECONDS));
        set(Signal::Recent, recent);
        if self.spoke_at.is_some() {
            set(Signal::Lately, 1.0 - ((1.0 + self.since as f32).ln() / 101f32.ln()).min(1.0));
        }
        set(Signal::Stranger, flag(self.spoke_at.is_none()));
        set(Signal::FirstCall, flag(self.spoke_at.is_none() && address.call.is_some()));
        set(Signal::Share, room.own_share);
        set(Signal::NextLine, flag(self.since == 0 && self.spoke_at.is_some()));
        set(Signal::Lull, self.last_at.map_or(1.0, |at| logarithmic(now - at, HOUR_SECONDS)));
        set(Signal::Crowd, ((room.speakers - 2.0) / 10.0).clamp(0.0, 1.0));
        set(Signal::Pace, ((1.0 + room.per_minute).ln() / 61f32.ln()).min(1.0));
        let run = if self.links.lines().back().is_some_and(|line| line.author == message.author.id) {
            (self.run + 1).min(4) as f32 / 4.0
        } else {
            0.0
        };
        set(Signal::SmallTurn, room.small * (self.since as f32 / (2.0 * (room.speakers - 1.0).max(1.0))).min(2.0));
        set(Signal::SmallRecent, room.small * recent);
        set(Signal::SmallRun, room.small * run);

        set(Signal::Question, flag(words.question));
        set(Signal::OpenQuestion, flag(words.question && named.is_empty()) * guess.opens);
        set(Signal::Greeting, flag(words.greeting));
        set(Signal::Length, ((1.0 + words.length as f32).ln() / 2_001f32.ln()).min(1.0));
        set(Signal::Run, run);
        set(Signal::Newcomer, flag(author.is_none()));

        let sought = self.heard.sought(&words.topic);
        let shared = |(at, topic): &(Millis, Topic)| sought.shared(topic) * fade(now - at, 20 * MINUTE);
        let topic = self.own_topics.iter().map(shared).fold(0.0, f32::max);
        set(Signal::Topic, topic.min(3.0));
        set(Signal::Interest, listener.interests.touched(words, &message.text));
        set(Signal::Dislike, listener.dislikes.touched(words, &message.text));
        set(Signal::Tired, 1.0 - self.energy(now));
        values
    }

    fn room(&self, now: Millis, author: UserId, me: UserId) -> Room {
        let mut speakers = [author; WINDOW + 1];
        let (mut count, mut own, mut lines, mut oldest) = (1, 0, 0, now);
        for line in self.links.lines().iter().rev().take(WINDOW) {
            lines += 1;
            oldest = line.at;
            own += usize::from(line.author == me);
            if !speakers.get(..count).is_some_and(|known| known.contains(&line.author))
                && let Some(slot) = speakers.get_mut(count)
            {
                *slot = line.author;
                count += 1;
            }
        }
        let speakers = count as f32 + if own == 0 { 1.0 } else { 0.0 };
        let minutes = ((now - oldest).max(0) as f32 / MINUTE as f32).max(0.1);
        Room {
            speakers,
            own_share: own as f32 / WINDOW as f32,
            per_minute: if lines == 0 { 0.0 } else { lines as f32 / minutes },
            small: (1.0 - (speakers - 3.0) / 4.0).clamp(0.0, 1.0),
        }
    }

    fn remember(&mut self, scene: &Scene, arrival: &Arrival) {
        let Scene { message, words, address, named, guess } = *scene;
        let continued = || {
            let line = self.links.lines().iter().rev().find(|line| line.author == arrival.author)?;
            if arrival.at - line.at <= CONTINUES { line.to } else { None }
        };
        let guessed = guess.author.filter(|author| *author != arrival.author);
        let to = named.first().copied().or(guessed).or_else(continued);
        let last = self.links.lines().back().map(|line| line.author);
        self.run = if last == Some(arrival.author) { self.run + 1 } else { 0 };
        self.links.add(arrival, guess, to, false);
        self.heard.hear(&words.topic);
        self.since = self.since.saturating_add(1);
        self.last_at = Some(message.at);

        let called = address.call.is_some().then_some(message.at);
        if called.is_some() {
            self.pending = Some((arrival.author, message.at));
        }
        let person = self.person(message);
        person.to = to;
        person.called = called.or(person.called);
    }

    /// The author's entry, renewed; the longest silent one makes room.
    fn person(&mut self, message: &Message) -> &mut Person {
        let known = self.people.iter().position(|person| person.id == message.author.id);
        let fresh = Person {
            id: message.author.id,
            name: hash(&message.author.name),
            heard: message.at,
            partner: None,
            called: None,
            to: None,
        };
        let place = match known {
            Some(place) => {
                let old = self.people[place];
                self.people[place] = Person { partner: old.partner, called: old.called, to: old.to, ..fresh };
                place
            }
            None if self.people.len() < PEOPLE => {
                self.people.push(fresh);
                self.people.len() - 1
            }
            None => {
                let oldest = (0..self.people.len()).min_by_key(|place| self.people[*place].heard).unwrap_or(0);
                self.people[oldest] = fresh;
                oldest
            }
        };
        &mut self.people[place]
    }
}

/// What a message is to the companion.
struct Addressed {
    mention: bool,
    reply: bool,
    called: Called,
    call: Option<Address>,
}

/// A message with all that was found out about it.
#[derive(Clone, Copy)]
struct Scene<'a> {
    message: &'a Message,
    words: &'a Words,
    address: &'a Addressed,
    named: &'a [UserId],
    guess: &'a Guess,
}

/// The picture of the last lines.
struct Room {
    speakers: f32,
    own_share: f32,
    per_minute: f32,
    /// 1 for up to three people, 0 from seven on.
    small: f32,
}

/// The few people a message names, without allocating.
#[derive(Default)]
struct Named {
    ids: [UserId; 8],
    len: usize,
}

impl Named {
    fn get(&self) -> &[UserId] {
        self.ids.get(..self.len).unwrap_or(&self.ids)
    }
}

impl FromIterator<UserId> for Named {
    fn from_iter<I: IntoIterator<Item = UserId>>(ids: I) -> Named {
        let mut named = Named::default();
        for id in ids {
            if !named.get().contains(&id)
                && let Some(slot) = named.ids.get_mut(named.len)
            {
                *slot = id;
                named.len += 1;
            }
        }
        named
    }
}

const HOUR_SECONDS: f32 = 3_600.0;

/// 0 at no time, 1 at `full` seconds or more.
fn logarithmic(time: Millis, full: f32) -> f32 {
    let seconds = time.max(0) as f32 / SECOND as f32;
    ((1.0 + seconds).ln() / (1.0 + full).ln()).min(1.0)
}

/// e to the minus time over `lasts`.
fn fade(time: Millis, lasts: Millis) -> f32 {
    (-(time.max(0) as f32) / lasts as f32).exp()
}

fn push<T>(ring: &mut VecDeque<T>, item: T, most: usize) {
    while ring.len() >= most {
        ring.pop_front();
    }
    ring.push_back(item);
}
