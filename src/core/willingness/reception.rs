//! The effect of what the companion says: whether its messages get replies, reactions or silence, and whether people
//! take them back or ask for quiet. Plain numbers, closed form in time, bounded, no text, no model.
//!
//! A message has a *sign* when a person who did not write it types a reply to it or puts a reaction on it. How often
//! that happens differs from room to room, so the companion's messages are held against those of the others: silence
//! tells something only where people's own lines do not meet it as well. With `s` signed ones of `n` own messages, `S`
//! of `N` by others, and `u` times that it was taken back or hushed, all fading over weeks,
//!
//! ```text
//! e = n · S / (N + 10)          the signs that as many lines of anybody would have got
//! welcome = (s − e − 3u) / (s + e + 3u + 12), −1 … 1
//! ```
//!
//! and 0 before eight of its messages were seen. The 12 is the prior: one laugh or one silence changes little.
//!
//! Mentions, names and guessed links are no signs. They do not say which message they answer; in the public logs nearly
//! every answer names somebody, so the learnt signals of address and conversation hold them already, and counting them
//! again would move scores those were calibrated on. Typed replies, reactions and deletions do not occur there (a
//! replay ignores annotated reply links unless asked), so the value is exactly 0 in them, and its weight is judgement.

use kith_language::{LocalizedMessage, reasons};
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::exponential_decay;
use crate::chat::{DAY, MINUTE, Message, MessageId, Millis, UserId};
use crate::persona::Language;

/// How many of the newest messages can still get a sign, and for how long.
const OPEN: usize = 32;
const OPEN_FOR: Millis = 30 * MINUTE;
/// How fast what was counted fades.
const LASTS: Millis = 20 * DAY;
/// Before so many own messages it has no opinion.
const ENOUGH: f32 = 8.0;
/// What being taken back or hushed weighs beside a sign.
const UNWELCOME: f32 = 3.0;
/// How many signs, and messages of others, stand against what was counted.
const PRIOR: f32 = 12.0;
const PRIOR_OTHERS: f32 = 10.0;
/// From here on people are told that it is liked, or that it is not.
const CLEAR: f32 = 0.15;

/// What came after the companion's messages, and after those of others, in one channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReceptionStats {
    /// Messages that can still get a sign, newest last.
    open: VecDeque<Line>,
    /// When the counts were true.
    at: Millis,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    id: MessageId,
    by: UserId,
    at: Millis,
    own: bool,
    replied: bool,
    reacted: bool,
}

/// Numbers of messages, older ones counting less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Counts {
    own: f32,
    replied: f32,
    reacted: f32,
    /// Own messages with a reply or a reaction.
    signed: f32,
    others: f32,
    others_signed: f32,
    taken_back: f32,
    hushed: f32,
}

/// How what it says is received in a channel: about so many messages of the last weeks, older ones counting less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ReceptionSummary {
    pub messages: u32,
    /// Of these, how many got a typed reply.
    pub replied: u32,
    pub reacted: u32,
    /// How many got neither.
    pub silence: u32,
    /// How often one was deleted, alone.
    pub taken_back: u32,
    pub hushed: u32,
    /// Whether there are enough of them to tell.
    pub enough: bool,
    /// −1 they would rather it kept quiet … 1 people like it here; 0 while nothing tells.
    pub welcome: f32,
}

impl ReceptionStats {
    /// A person's message, or its own if `own`: it may answer an open one, and is open itself.
    pub fn said(&mut self, message: &Message, own: bool) {
        let (by, at) = (message.author.id, message.at);
        self.close_lines(at);
        if let Some(answered) = message.reply_to.filter(|_| !own) {
            self.mark_line(answered, by, |line| &mut line.replied);
        }
        self.open.push_back(Line {
            id: message.id,
            by,
            at,
            own,
            replied: false,
            reacted: false,
        });
        self.close_lines(at);
    }

    pub fn record_reaction(&mut self, message: MessageId, by: UserId, at: Millis) {
        self.close_lines(at);
        self.mark_line(message, by, |line| &mut line.reacted);
    }

    /// One of its messages was deleted, and nothing with it.
    pub fn record_deletion(&mut self, at: Millis) {
        self.fade_to(at);
        self.counts.taken_back += 1.0;
    }

    pub fn record_quiet_request(&mut self, at: Millis) {
        self.fade_to(at);
        self.counts.hushed += 1.0;
    }

    pub fn forget_message(&mut self, message: MessageId) {
        self.open.retain(|line| line.id != message);
    }

    pub fn forget_person(&mut self, user: UserId) {
        self.open.retain(|line| line.by != user);
    }

    /// Whether people like it here, −1 … 1; 0 while nothing tells.
    pub fn value(&self, now: Millis) -> f32 {
        let Counts {
            own,
            signed,
            others,
            others_signed,
            taken_back,
            hushed,
            ..
        } = self.counts_at(now);
        if own < ENOUGH {
            return 0.0;
        }
        let expected = own * others_signed / (others + PRIOR_OTHERS);
        let unwelcome = UNWELCOME * (taken_back + hushed);
        (signed - expected - unwelcome) / (signed + expected + unwelcome + PRIOR)
    }

    pub fn summary(&self, now: Millis) -> ReceptionSummary {
        let counts = self.counts_at(now);
        let whole = |count: f32| count.round() as u32;
        ReceptionSummary {
            messages: whole(counts.own),
            replied: whole(counts.replied),
            reacted: whole(counts.reacted),
            silence: whole(counts.own - counts.signed),
            taken_back: whole(counts.taken_back),
            hushed: whole(counts.hushed),
            enough: counts.own >= ENOUGH,
            welcome: self.value(now),
        }
    }

    fn mark_line(&mut self, message: MessageId, by: UserId, mark: impl Fn(&mut Line) -> &mut bool) {
        if let Some(line) = self
            .open
            .iter_mut()
            .find(|line| line.id == message && line.by != by)
        {
            *mark(line) = true;
        }
    }

    fn close_lines(&mut self, now: Millis) {
        let over = |line: &Line| line.at + OPEN_FOR <= now;
        while self.open.len() > OPEN || self.open.front().is_some_and(over) {
            let Some(line) = self.open.pop_front() else {
                return;
            };
            self.fade_to(now);
            let one = |yes: bool| f32::from(u8::from(yes));
            let (counts, signed) = (&mut self.counts, one(line.replied || line.reacted));
            if line.own {
                counts.own += 1.0;
                counts.replied += one(line.replied);
                counts.reacted += one(line.reacted);
                counts.signed += signed;
            } else {
                counts.others += 1.0;
                counts.others_signed += signed;
            }
        }
    }

    fn fade_to(&mut self, now: Millis) {
        self.counts = self.counts_at(now);
        self.at = self.at.max(now);
    }

    fn counts_at(&self, now: Millis) -> Counts {
        let left = exponential_decay(now - self.at, LASTS);
        let Counts {
            own,
            replied,
            reacted,
            signed,
            others,
            others_signed,
            taken_back,
            hushed,
        } = self.counts;
        Counts {
            own: own * left,
            replied: replied * left,
            reacted: reacted * left,
            signed: signed * left,
            others: others * left,
            others_signed: others_signed * left,
            taken_back: taken_back * left,
            hushed: hushed * left,
        }
    }
}

impl ReceptionSummary {
    pub fn is_liked(&self) -> bool {
        self.enough && self.welcome >= CLEAR
    }

    pub fn is_unliked(&self) -> bool {
        self.enough && self.welcome <= -CLEAR
    }

    /// "People like it here: of its last 40 messages about 12 got a reply, 9 a reaction, 22 nothing; 1 was taken back".
    /// Empty before there is anything to tell.
    pub fn describe(&self, language: Language) -> String {
        let Self {
            messages,
            replied,
            reacted,
            silence,
            taken_back,
            hushed,
            ..
        } = *self;
        if messages + taken_back + hushed == 0 {
            return String::new();
        }
        let mut text = reasons::reception(messages, reacted, replied, silence, self.verdict())
            .in_language(language);
        if taken_back > 0 {
            text += &reasons::taken_back(taken_back).in_language(language);
        }
        if hushed > 0 {
            text += &reasons::asked_for_quiet(hushed).in_language(language);
        }
        text
    }

    fn verdict(&self) -> LocalizedMessage {
        match () {
            () if !self.enough => reasons::too_early(),
            () if self.is_liked() => reasons::people_like_it(),
            () if self.is_unliked() => reasons::people_want_quiet(),
            () => reasons::like_anybody(),
        }
    }
}
