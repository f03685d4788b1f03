//! Scores a message, and keeps what a channel's companion remembers of the room for it: who spoke when and with whom,
//! its own last words as hashes, its energy, its threshold. Bounded, saved with the channel's state, and never holds
//! text. All fading is closed form from timestamps.

mod addressee;
mod company;
mod energy;
mod named_people;
mod person;
mod rapport;
mod recent_activity;
mod room_pace;
mod score_decay;
mod settled;
mod signal_values;
mod talk;
mod turn_transitions;
mod values;

use std::collections::VecDeque;

use addressee::{AddressFacts, MessageFacts};
use company::{Company, Turning};
use named_people::NamedPeople;
use serde::{Deserialize, Serialize};

use super::{AddressMatcher, ReceptionStats, Weights, WillingnessScore, logistic, push};
use crate::address::{NameUse, is_calling_stranger};
use crate::chat::{AuthorKind, DAY, HOUR, MINUTE, Message, MessageId, Millis, UserId};
use crate::links::{CLUES, LinkArrival, LinkGuess, ReplyLinks};
use crate::message_shape::{CueSet, DialogueCue, MessageShape};
use crate::topic::{TopicHashes, WordSketch};
use person::PersonFeatures;
pub use rapport::Acquaintance;
use room_pace::RoomPace;
use signal_values::SignalValues;
use talk::{CONTINUES, is_one_of_two};
use turn_transitions::{TurnTransition, TurnTransitions};

/// How many people are remembered.
const PEOPLE: usize = 32;
/// How many own messages a typed reply is recognised on.
const OWN_MESSAGES: usize = 64;
/// How many own lines the topic is compared with.
const OWN_TOPICS: usize = 8;
/// How many words are remembered of what it said and answered.
const CARES: usize = 320;
/// Who has not spoken for so long, and for so many usual gaps between lines here, is not around, where nobody reads along
/// without speaking.
const GONE: Millis = HOUR;
const GONE_GAPS: Millis = 8;
const SURELY_GONE: Millis = DAY;
/// From which share of the link guess on a line is taken to answer it: of who it answered with its last turn, in the line
/// right after that, and of anybody else.
const PARTNER_TURNS: f32 = 0.03;
const OTHER_TURNS: f32 = 0.65;
/// Nobody is waited for longer, however slow the room is.
const WAIT_LONGEST: Millis = 10 * MINUTE;
/// One channel's memory of who speaks how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelFeatures {
    /// What is short and long here. All times below are room time, but for `spoke_at` and those of people.
    #[serde(default)]
    pace: RoomPace,
    #[serde(default)]
    company: Company,
    links: ReplyLinks,
    people: Vec<PersonFeatures>,
    heard: WordSketch,
    own: VecDeque<MessageId>,
    own_topics: VecDeque<(Millis, TopicHashes)>,
    spoke_at: Option<Millis>,
    /// The same in room time.
    #[serde(default)]
    spoke_room_at: Option<Millis>,
    /// Messages of others since it spoke.
    since: u32,
    /// Who wrote right before its last turn.
    #[serde(default)]
    own_partner: Option<UserId>,
    /// An unanswered call to the companion, and whose.
    pending: Option<(UserId, Millis)>,
    /// Lines in a row by the newest author, beyond the first.
    run: u32,
    last_at: Option<Millis>,
    /// Energy when it last spoke.
    energy: f32,
    /// The topic words of what it said and of what it answered, newest last.
    #[serde(default)]
    cares: VecDeque<u32>,
    #[serde(default)]
    steps: TurnTransitions,
    /// What came after what it said; the channel adds what is no message.
    #[serde(default)]
    pub welcome: ReceptionStats,
}

impl Default for ChannelFeatures {
    fn default() -> ChannelFeatures {
        ChannelFeatures {
            pace: RoomPace::default(),
            company: Company::default(),
            links: ReplyLinks::default(),
            people: Vec::new(),
            heard: WordSketch::default(),
            own: VecDeque::new(),
            own_topics: VecDeque::new(),
            spoke_at: None,
            spoke_room_at: None,
            since: 0,
            own_partner: None,
            pending: None,
            run: 0,
            last_at: None,
            energy: 1.0,
            cares: VecDeque::new(),
            steps: TurnTransitions::default(),
            welcome: ReceptionStats::default(),
        }
    }
}

impl ChannelFeatures {
    /// Scores somebody else's message and remembers it.
    pub fn score_message(
        &mut self,
        message: &Message,
        matcher: &AddressMatcher,
        weights: &Weights,
    ) -> WillingnessScore {
        let mut words = MessageShape::from_text(&message.text);
        let length = words.length;
        words.length = self.pace.scale_length(length);
        let at = self.pace.room_time(message.at);
        let address = self.find_address(message, matcher);
        let named = self.find_named_people(message, matcher, &address);
        let mentioned = self.find_mentioned_person(&words, message);
        let names_me = address.call.is_some() || address.called != NameUse::Absent;
        let names_other = mentioned.is_some() || named.get().iter().any(|id| *id != matcher.me);
        let is_of_two = is_one_of_two(&self.links, message.author.id, matcher.me, at);
        let cues = words.cues.with_names(names_me, names_other, is_of_two);
        let arrival = LinkArrival {
            id: message.id,
            author: message.author.id,
            at,
            reply_to: message.reply_to,
            named: named.get(),
            words: &words,
            cues,
        };
        let guess = self
            .links
            .guess_link(&arrival, matcher.me, &self.heard, weights);
        let turning = Turning {
            to_companion: self.is_turned_to_it(message.author.id, &address, cues, &guess),
            elsewhere: cues.has(DialogueCue::NamesOther) || guess.others_talk >= 0.5,
        };
        let facts = MessageFacts {
            hold: self.company.hold(turning.to_companion),
            message,
            at,
            words: &words,
            cues,
            address: &address,
            named: named.get(),
            mentioned,
            guess: &guess,
        };
        let SignalValues { values: seen, mix } = self.compute_values(&facts, matcher);
        let restraint = weights.restraint(&seen, mix);
        let logit = weights.logit(&seen, mix) + restraint;

        self.remember_message(&facts, &arrival);
        let is_person = message.author.kind == AuthorKind::Person;
        self.pace
            .record_line(message.at, is_person.then_some(length));
        if is_person {
            self.count_company(message.author.id);
            let median_share = self.median_share();
            self.company.record_line(&turning, median_share);
        }
        let score = WillingnessScore {
            message: message.id,
            author: message.author.id,
            at: message.at,
            address: address.call,
            probability: logistic(logit),
            logit,
            restraint,
            bias: weights.bias(mix),
            values: seen,
            mix,
        };
        if is_person {
            self.welcome.said(message, false);
        }
        score
    }

    /// Computes the clues of a message not heard yet, for every remembered line: what links are learnt from.
    pub fn for_each_clues(
        &self,
        message: &Message,
        matcher: &AddressMatcher,
        mut each: impl FnMut(MessageId, &[f32; CLUES]),
    ) {
        let mut words = MessageShape::from_text(&message.text);
        words.length = self.pace.scale_length(words.length);
        let named = self.find_named_people(message, matcher, &self.find_address(message, matcher));
        let arrival = LinkArrival {
            id: message.id,
            author: message.author.id,
            at: self.pace.room_time(message.at),
            reply_to: None,
            named: named.get(),
            words: &words,
            cues: words.cues,
        };
        self.links
            .for_each_clues(&arrival, &self.heard, |place, clues| {
                if let Some(line) = self.links.lines().get(place) {
                    each(line.id, clues);
                }
            });
    }

    pub fn record_own_message(&mut self, message: &Message, weights: &Weights) {
        let mut words = MessageShape::from_text(&message.text);
        words.length = self.pace.scale_length(words.length);
        let at = self.pace.room_time(message.at);
        let me = message.author.id;
        let named: NamedPeople = message
            .mentions
            .iter()
            .copied()
            .chain(self.find_called_person(&message.text))
            .collect();
        let arrival = LinkArrival {
            id: message.id,
            author: me,
            at,
            reply_to: message.reply_to,
            named: named.get(),
            words: &words,
            cues: words.cues,
        };
        let guess = self.links.guess_link(&arrival, me, &self.heard, weights);
        let to = named
            .get()
            .first()
            .copied()
            .or(guess.author.filter(|author| *author != me));
        let newest = self.links.lines().back().map(|line| line.author);
        if newest != Some(me) {
            self.steps.count_turn(self.classify_turn(to));
            self.company.record_own_turn(self.pending.is_some());
            self.own_partner = newest;
        }
        let before = newest.filter(|author| *author != me);
        for partner in named
            .get()
            .iter()
            .copied()
            .chain(to)
            .chain(before.filter(|_| to.is_none()))
        {
            if let Some(person) = self.people.iter_mut().find(|person| person.id == partner) {
                person.record_spoken_line(at, message.at);
            }
        }
        let answered = self
            .links
            .find_answered_topic(&guess, me)
            .copied()
            .unwrap_or_default();
        for word in answered.words().iter().chain(words.topic.words()) {
            push(&mut self.cares, *word, CARES);
        }
        self.links.add_line(&arrival, &guess, to, true);
        self.welcome.said(message, true);
        self.spend_energy(at);
        self.pace.record_line(message.at, None);
        self.spoke_room_at = self.spoke_room_at.max(Some(at));
        self.spoke_at = self.spoke_at.max(Some(message.at));
        self.since = 0;
        self.pending = None;
        self.last_at = self.last_at.max(Some(at));
        push(&mut self.own, message.id, OWN_MESSAGES);
        push(&mut self.own_topics, (at, words.topic), OWN_TOPICS);
    }

    /// Whether a line turns to the companion: it calls or names it, laughs right after it, or answers it. Who it answered
    /// with its last turn probably goes on with it; of others that has to be plain.
    fn is_turned_to_it(
        &self,
        author: UserId,
        address: &AddressFacts,
        cues: CueSet,
        guess: &LinkGuess,
    ) -> bool {
        let is_next = self.since == 0 && self.spoke_at.is_some();
        let laughs = cues.has(DialogueCue::Slight) && !cues.has(DialogueCue::NamesOther);
        let least = if is_next && self.own_partner == Some(author) {
            PARTNER_TURNS
        } else {
            OTHER_TURNS
        };
        cues.has(DialogueCue::NamesMe)
            || address.call.is_some()
            || is_next && laughs
            || guess.answers_companion >= least
    }

    pub fn record_reaction(&mut self, message: MessageId, by: UserId, at: Millis) {
        self.welcome.record_reaction(message, by, at);
        if self.own.back() == Some(&message) {
            self.company.take_up();
        }
    }

    fn classify_turn(&self, to: Option<UserId>) -> TurnTransition {
        let Some(to) = to else {
            return TurnTransition::Starts;
        };
        let person = self.people.iter().find(|person| person.id == to);
        let known = person.is_none_or(|person| person.partner.is_some() || person.called.is_some());
        if known {
            TurnTransition::GoesOn
        } else {
            TurnTransition::StepsIn
        }
    }

    /// Whether nobody but the author of a message has spoken for a while, and it is not meant for anybody else.
    pub fn is_alone(&self, message: &Message) -> bool {
        let (author, now) = (message.author.id, message.at);
        let others = message
            .mentions
            .iter()
            .copied()
            .chain(self.find_called_person(&message.text));
        let gone = (GONE_GAPS * self.pace.usual_gap()).clamp(GONE, SURELY_GONE);
        self.people
            .iter()
            .all(|person| person.id == author || now - person.heard >= gone)
            && others.into_iter().all(|other| other == author)
            && !is_calling_stranger(&message.text)
    }

    /// How long somebody has to be quiet before what they wrote is taken for the whole of it, by their own habit.
    pub fn find_author_wait(&self, author: UserId) -> Millis {
        let known = self.people.iter().find(|person| person.id == author);
        let wait = known.map_or(person::WAIT_UNKNOWN, PersonFeatures::wait_time);
        self.pace.real_duration(wait).min(WAIT_LONGEST)
    }

    /// What share of their recent lines somebody followed with another.
    pub fn follow_up_share(&self, author: UserId) -> f32 {
        let known = self.people.iter().find(|person| person.id == author);
        known.map_or(person::FOLLOWED, |person| person.followed)
    }

    /// When it spoke last, as far as it remembers.
    pub fn spoke_at(&self) -> Option<Millis> {
        self.spoke_at
    }

    /// The links between the newest lines: which conversation a message belongs to.
    pub fn links(&self) -> &ReplyLinks {
        &self.links
    }

    pub fn forget_message(&mut self, message: MessageId) {
        self.welcome.forget_message(message);
        if let Some(line) = self.links.lines().iter().find(|line| line.id == message) {
            self.cares.retain(|word| !line.topic.words().contains(word));
        }
        self.links.forget_message(message);
    }

    /// Forgets a person: that they are here, whom they talk with, what they wrote about.
    pub fn forget_person(&mut self, user: UserId) {
        if self
            .links
            .lines()
            .back()
            .is_some_and(|line| line.author == user)
        {
            self.run = 0;
        }
        self.links.forget_person(user);
        self.welcome.forget_person(user);
        // Whose line a word came from is not kept.
        self.cares.clear();
        self.people.retain(|person| person.id != user);
        for person in self
            .people
            .iter_mut()
            .filter(|person| person.to == Some(user))
        {
            person.to = None;
        }
        self.pending = self.pending.filter(|(by, _)| *by != user);
        self.own_partner = self.own_partner.filter(|partner| *partner != user);
    }

    fn remember_message(&mut self, facts: &MessageFacts, arrival: &LinkArrival) {
        let MessageFacts {
            message,
            words,
            address,
            named,
            mentioned,
            guess,
            ..
        } = *facts;
        let continued = || {
            let line = self
                .links
                .lines()
                .iter()
                .rev()
                .find(|line| line.author == arrival.author)?;
            if arrival.at - line.at <= CONTINUES {
                line.to
            } else {
                None
            }
        };
        let guessed = guess.author.filter(|author| *author != arrival.author);
        let to = named
            .first()
            .copied()
            .or(guessed)
            .or(mentioned)
            .or_else(continued);
        let last = self.links.lines().back().map(|line| line.author);
        self.run = if last == Some(arrival.author) {
            self.run + 1
        } else {
            0
        };
        self.links.add_line(arrival, guess, to, false);
        self.heard.count_words(&words.topic);
        self.since = self.since.saturating_add(1);
        // What was missed comes in after what is newer.
        self.last_at = self.last_at.max(Some(arrival.at));

        let called = address.call.is_some().then_some(arrival.at);
        if called.is_some() {
            self.pending = Some((arrival.author, arrival.at));
        }
        let person = self.renew_person(message);
        person.to = to;
        person.called = called.or(person.called);
    }

    /// The author's entry, renewed; the longest silent one makes room.
    fn renew_person(&mut self, message: &Message) -> &mut PersonFeatures {
        let known = self
            .people
            .iter()
            .position(|person| person.id == message.author.id);
        let place = match known {
            Some(place) => {
                let pause = self
                    .pace
                    .room_duration(message.at - self.people[place].heard);
                let in_a_row = self.run > 0;
                self.people[place].record_message(message, pause, in_a_row);
                place
            }
            None if self.people.len() < PEOPLE => {
                self.people.push(PersonFeatures::new(message));
                self.people.len() - 1
            }
            None => {
                let oldest = (0..self.people.len())
                    .min_by_key(|place| self.people[*place].heard)
                    .unwrap_or(0);
                self.people[oldest] = PersonFeatures::new(message);
                oldest
            }
        };
        &mut self.people[place]
    }
}
