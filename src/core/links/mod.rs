//! Who is talking to whom: for each message a guess, as probabilities, of which earlier line it answers. A linear model
//! over named clues, weighed in `data/weights.json`; bounded memory, no text.

mod clues;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::chat::{MINUTE, MessageId, Millis, UserId};
use super::curve::exponential_decay;
pub use super::link_clue::{CLUES, LinkClue};
use super::message_shape::{CueSet, MessageShape};
use super::topic::{TopicHashes, WordSketch};
use super::weights::{Weights, weighted_sum};

/// How many lines of a channel are remembered as possible targets.
pub const LINES: usize = 40;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkLine {
    pub id: MessageId,
    pub author: UserId,
    pub at: Millis,
    /// Whom it was meant for, as far as that could be told.
    pub to: Option<UserId>,
    /// Which conversation it belongs to: a number that grows.
    pub conversation: u32,
    /// When the companion last spoke in that conversation before this line.
    pub joined: Option<Millis>,
    pub question: bool,
    /// Bytes of UTF-8, 255 at most.
    #[serde(default)]
    pub length: u8,
    pub topic: TopicHashes,
    #[serde(default)]
    pub cues: CueSet,
}

pub struct LinkArrival<'a> {
    pub id: MessageId,
    pub author: UserId,
    pub at: Millis,
    pub reply_to: Option<MessageId>,
    /// The people it mentions or calls.
    pub named: &'a [UserId],
    pub words: &'a MessageShape,
    /// What its words say about the talk, and whom it names.
    pub cues: CueSet,
}

/// What an arrival answers: a probability for each of some events that exclude each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkGuess {
    /// The likeliest line: its place among the remembered ones.
    likeliest: Option<usize>,
    pub answered_message: Option<MessageId>,
    pub author: Option<UserId>,
    /// How sure that is, 0 … 1.
    pub certainty: f32,
    pub answers_companion: f32,
    /// It answers the newest line of the companion.
    pub answers_last_line: f32,
    /// It answers what another of the authors said to the companion.
    pub answers_caller: f32,
    /// It answers somebody else's line in a conversation the companion took part in, counting less the longer ago.
    pub joined_talk: f32,
    /// It answers somebody else in a conversation the companion has no part in.
    pub others_talk: f32,
    /// It goes on from a line of its own author in such a conversation.
    pub own: f32,
    pub opens: f32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplyLinks {
    lines: VecDeque<LinkLine>,
    conversations: u32,
}

/// A line whose log-odds are so much below the best are passed over.
const NEGLIGIBLE: f32 = 9.0;
/// How fast having spoken in a conversation stops to count.
const JOINED_FADES: Millis = 10 * MINUTE;

impl ReplyLinks {
    pub fn guess_link(
        &self,
        arrival: &LinkArrival,
        me: UserId,
        heard: &WordSketch,
        weights: &Weights,
    ) -> LinkGuess {
        if let Some(target) = arrival.reply_to
            && let Some(place) = self.lines.iter().position(|line| line.id == target)
        {
            return self.build_certain_guess(place, arrival, me);
        }
        let mut sums = [f32::NEG_INFINITY; LINES];
        let mut best = (weights.opening, None);
        self.for_each_clues(arrival, heard, |place, clues| {
            let sum = weighted_sum(clues, weights.clues());
            if let Some(slot) = sums.get_mut(place) {
                *slot = sum;
            }
            if sum > best.0 {
                best = (sum, Some(place));
            }
        });
        let odds = sums.map(|sum| {
            if sum > best.0 - NEGLIGIBLE {
                (sum - best.0).exp()
            } else {
                0.0
            }
        });
        let opening = (weights.opening - best.0).exp();
        let all = opening + odds.iter().sum::<f32>();
        let mut guess = LinkGuess {
            opens: opening / all,
            ..LinkGuess::default()
        };
        let last = self.lines.iter().rposition(|line| line.author == me);
        guess.answers_last_line = last
            .and_then(|place| odds.get(place))
            .map_or(0.0, |odd| odd / all);
        for (line, odd) in self.lines.iter().zip(odds).filter(|(_, odd)| *odd > 0.0) {
            guess.add_share(line, odd / all, arrival, me);
        }
        if let Some(place) = best.1
            && let Some(line) = self.lines.get(place)
        {
            guess.likeliest = Some(place);
            guess.answered_message = Some(line.id);
            guess.author = Some(line.author);
            guess.certainty = 1.0 / all;
        }
        guess
    }

    fn build_certain_guess(&self, place: usize, arrival: &LinkArrival, me: UserId) -> LinkGuess {
        let mut guess = LinkGuess::default();
        if let Some(line) = self.lines.get(place) {
            guess.add_share(line, 1.0, arrival, me);
            let newer = self
                .lines
                .iter()
                .skip(place + 1)
                .any(|line| line.author == me);
            guess.answers_last_line = if line.author == me && !newer {
                1.0
            } else {
                0.0
            };
            guess.likeliest = Some(place);
            guess.answered_message = Some(line.id);
            guess.author = Some(line.author);
            guess.certainty = 1.0;
        }
        guess
    }

    /// Remembers a line and puts it into a conversation.
    pub fn add_line(
        &mut self,
        arrival: &LinkArrival,
        guess: &LinkGuess,
        to: Option<UserId>,
        own: bool,
    ) {
        let parent = guess.likeliest.and_then(|place| self.lines.get(place));
        let (conversation, joined) = match parent {
            Some(line) => (line.conversation, line.joined),
            None => {
                self.conversations = self.conversations.wrapping_add(1);
                (self.conversations, None)
            }
        };
        let joined = if own { Some(arrival.at) } else { joined };
        if own {
            for line in self
                .lines
                .iter_mut()
                .filter(|line| line.conversation == conversation)
            {
                line.joined = joined;
            }
        }
        while self.lines.len() >= LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(LinkLine {
            id: arrival.id,
            author: arrival.author,
            at: arrival.at,
            to,
            conversation,
            joined,
            question: arrival.words.question,
            length: arrival.words.length.min(255) as u8,
            topic: arrival.words.topic,
            cues: arrival.cues,
        });
    }

    /// The conversation a message seems to belong to: how many lines of it are remembered, and how many of `me`.
    pub fn count_conversation_lines(&self, guess: &LinkGuess, me: UserId) -> (f32, f32) {
        let Some(line) = guess.likeliest.and_then(|place| self.lines.get(place)) else {
            return (0.0, 0.0);
        };
        let (mut lines, mut own) = (0.0, 0.0);
        for other in self
            .lines
            .iter()
            .filter(|other| other.conversation == line.conversation)
        {
            lines += 1.0;
            own += f32::from(u8::from(other.author == me));
        }
        (lines, own)
    }

    /// The topic of the line a message seems to answer, unless it is by `me`.
    pub fn find_answered_topic(&self, guess: &LinkGuess, me: UserId) -> Option<&TopicHashes> {
        let line = guess.likeliest.and_then(|place| self.lines.get(place))?;
        (line.author != me).then_some(&line.topic)
    }

    /// The remembered lines, oldest first.
    pub fn lines(&self) -> &VecDeque<LinkLine> {
        &self.lines
    }

    /// Forgets a person: their lines, and that others' were meant for them.
    pub fn forget_person(&mut self, user: UserId) {
        self.lines.retain(|line| line.author != user);
        for line in self.lines.iter_mut().filter(|line| line.to == Some(user)) {
            line.to = None;
        }
    }

    /// Forgets what a deleted message was about; that somebody wrote there stays.
    pub fn forget_message(&mut self, id: MessageId) {
        for line in self.lines.iter_mut().filter(|line| line.id == id) {
            (line.topic, line.cues) = (TopicHashes::default(), CueSet::default());
        }
    }
}

impl LinkGuess {
    fn add_share(&mut self, line: &LinkLine, share: f32, arrival: &LinkArrival, me: UserId) {
        if line.author == me {
            self.answers_companion += share;
            return;
        }
        if line.to == Some(me) && line.author != arrival.author {
            self.answers_caller += share;
        }
        let joined = line
            .joined
            .map_or(0.0, |at| exponential_decay(arrival.at - at, JOINED_FADES));
        self.joined_talk += share * joined;
        if line.author == arrival.author {
            self.own += share * (1.0 - joined);
        } else {
            self.others_talk += share * (1.0 - joined);
        }
    }
}
