//! What is remembered of one person: how their name is spelt, how they pause, and what they have to do with the
//! companion.

use serde::{Deserialize, Serialize};

use crate::chat::{DAY, MINUTE, Message, Millis, SECOND, UserId};
use crate::message_shape::hash_phrase;
use crate::willingness::exponential_decay;
use crate::word::hash_word;

/// How fast having spoken to somebody stops to count.
const SPOKEN_FADES: Millis = 10 * MINUTE;
/// How fast talks with somebody stop to make them a friend.
const ACQUAINTANCE_FADES: Millis = 20 * DAY;
/// What somebody's habitual pause is taken for at first, by how much a pause moves it, and which share of pauses it is
/// to be longer than; a longer pause than the longest is no pause within one thought.
const PAUSE: f32 = 8_000.0;
const PAUSE_STEP: f32 = 0.3;
const PAUSE_QUANTILE: f32 = 0.8;
const PAUSE_LONGEST: Millis = MINUTE;
/// For how many of their habitual pauses somebody is waited for, and at least and at most.
const PAUSES: f32 = 2.5;
const WAIT_LEAST: f32 = 8_000.0;
const WAIT_MOST: f32 = 40_000.0;
/// How long somebody is waited for whom nobody has watched yet.
pub(super) const WAIT_UNKNOWN: Millis = (PAUSE * PAUSES) as Millis;

/// A line within this room time, with nobody between, goes on with the one before.
const FOLLOWS_WITHIN: Millis = 30 * SECOND;
/// How many lines are followed by another, of people nobody watched yet; and how much each line counts.
pub(super) const FOLLOWED: f32 = 0.25;
const FOLLOWED_STEP: f32 = 0.125;

/// What is remembered of one person; times are none where it never happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PersonFeatures {
    pub id: UserId,
    /// The hash of the name shown.
    pub name: u32,
    /// The first words of that name as [`MessageShape::all`] has them; 0 where it has no more.
    #[serde(default)]
    pub spelt: [u32; 3],
    /// About the longest pause they make within one thought: four fifths of their pauses are shorter. Milliseconds.
    #[serde(default = "unknown_pause")]
    pub pause: f32,
    /// The share of their recent lines that they followed with another.
    #[serde(default = "unknown_followed")]
    pub followed: f32,
    pub heard: Millis,
    /// When the companion last talked to them, in room time.
    pub partner: Option<Millis>,
    /// The same in real time.
    #[serde(default)]
    pub talked_at: Option<Millis>,
    /// When they last addressed the companion, in room time.
    pub called: Option<Millis>,
    /// Whom their newest line was meant for.
    pub to: Option<UserId>,
    /// How many lines the companion had spoken to them when it last did, older ones counting less.
    #[serde(default)]
    pub spoken: f32,
    /// How many lines they wrote here, older ones counting less.
    #[serde(default)]
    pub lines: f32,
    /// When they were first heard; none where that was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Millis>,
    /// How many lines the companion had said to them when it last did, as [`PersonFeatures::talks`] counts.
    #[serde(default)]
    pub said_to: f32,
}

/// The habit of somebody nobody has watched yet, in milliseconds.
fn unknown_pause() -> f32 {
    PAUSE
}

/// The share of lines that somebody follows whom nobody has watched yet.
fn unknown_followed() -> f32 {
    FOLLOWED
}

impl PersonFeatures {
    pub fn new(message: &Message) -> PersonFeatures {
        let name = &message.author.name;
        PersonFeatures {
            id: message.author.id,
            name: hash_word(name),
            spelt: hash_spelling(name),
            pause: PAUSE,
            followed: FOLLOWED,
            heard: message.at,
            partner: None,
            talked_at: None,
            called: None,
            to: None,
            spoken: 0.0,
            lines: 0.0,
            since: Some(message.at),
            said_to: 0.0,
        }
    }

    /// They wrote again, perhaps under a new name, after a `pause` in room time.
    pub fn record_message(&mut self, message: &Message, pause: Millis, in_a_row: bool) {
        let name = hash_word(&message.author.name);
        // Reading a name takes longer than hashing it, and it hardly ever changes.
        if name != self.name || self.spelt[0] == 0 {
            (self.name, self.spelt) = (name, hash_spelling(&message.author.name));
        }
        self.record_pause(message.at - self.heard, pause, in_a_row);
        self.heard = message.at;
    }

    /// For how long they are waited for, in room time.
    pub fn wait_time(&self) -> Millis {
        (self.pause * PAUSES).clamp(WAIT_LEAST, WAIT_MOST) as Millis
    }

    /// Whether these words spell the name from a place on.
    pub fn is_spelt_at(&self, all: &[u32], at: usize) -> bool {
        let spelt = self.spelt.iter().take_while(|word| **word != 0);
        spelt
            .enumerate()
            .all(|(place, word)| all.get(at + place) == Some(word))
    }

    fn record_pause(&mut self, real: Millis, pause: Millis, in_a_row: bool) {
        if in_a_row && pause <= PAUSE_LONGEST {
            let step = if pause as f32 > self.pause {
                PAUSE_STEP * PAUSE_QUANTILE
            } else {
                PAUSE_STEP * (PAUSE_QUANTILE - 1.0)
            };
            self.pause *= step.exp();
        }
        // A line that comes in late tells nothing.
        if real >= 0 {
            let follows = if in_a_row && pause <= FOLLOWS_WITHIN {
                1.0
            } else {
                0.0
            };
            self.followed += (follows - self.followed) * FOLLOWED_STEP;
        }
    }

    pub fn record_spoken_line(&mut self, room_time: Millis, at: Millis) {
        let spoken = self.spoken_line_count(room_time) + 1.0;
        (self.spoken, self.said_to) = (spoken, self.talk_count(at) + 1.0);
        (self.partner, self.talked_at) = (Some(room_time), Some(at));
    }

    /// How many lines the companion has said to them in the last weeks, older ones counting less.
    pub fn talk_count(&self, now: Millis) -> f32 {
        self.talked_at.map_or(0.0, |at| {
            self.said_to * exponential_decay(now - at, ACQUAINTANCE_FADES)
        })
    }

    /// How many lines the companion has spoken to them, older ones counting less.
    pub fn spoken_line_count(&self, room_time: Millis) -> f32 {
        self.partner.map_or(0.0, |at| {
            self.spoken * exponential_decay(room_time - at, SPOKEN_FADES)
        })
    }
}

/// The first words of a name, as hashes.
fn hash_spelling(name: &str) -> [u32; 3] {
    let mut spelt = [0; 3];
    for (place, word) in spelt.iter_mut().zip(hash_phrase(name)) {
        *place = word;
    }
    spelt
}
