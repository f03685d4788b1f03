//! People who talk through an evening: bursts, turn-taking, several conversations at once, questions, calls, lulls.
//! Everything is drawn from one seed.

use kith_core::chat::{MINUTE, MessageId, Millis, SECOND};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A kind of room.
#[derive(Clone, Copy)]
pub struct Room {
    pub name: &'static str,
    pub people: usize,
    /// Messages an hour while they talk.
    pub pace: f64,
    /// How many conversations run beside each other.
    pub talks: usize,
    /// The share of messages after which the room falls silent for some minutes.
    pub lulls: f64,
    pub hours: i64,
}

pub const FRIENDS: Room = Room {
    name: "four friends",
    people: 4,
    pace: 130.0,
    talks: 1,
    lulls: 0.02,
    hours: 4,
};
pub const BUSY: Room = Room {
    name: "busy channel",
    people: 24,
    pace: 450.0,
    talks: 3,
    lulls: 0.002,
    hours: 4,
};

pub const NAMES: [&str; 24] = [
    "Anna", "Ben", "Cleo", "Dave", "Edith", "Finn", "Greta", "Hugo", "Iris", "Jonas", "Klara",
    "Leo", "Mona", "Nils", "Olga", "Paul", "Quinn", "Rosa", "Sam", "Tara", "Udo", "Vera", "Will",
    "Xenia",
];
const TOPICS: [&[&str]; 6] = [
    &[
        "sourdough",
        "oven",
        "crust",
        "flour",
        "starter",
        "hydration",
        "loaf",
        "rye",
        "bake",
    ],
    &[
        "bouldering",
        "chalk",
        "gym",
        "finger",
        "slab",
        "overhang",
        "grade",
        "rope",
        "harness",
    ],
    &[
        "kernel", "laptop", "driver", "suspend", "battery", "firmware", "patch", "boot", "wifi",
    ],
    &[
        "season", "episode", "finale", "actor", "plot", "villain", "spoiler", "casting", "trailer",
    ],
    &[
        "train",
        "delay",
        "platform",
        "ticket",
        "conductor",
        "station",
        "strike",
        "seat",
        "refund",
    ],
    &[
        "guitar",
        "chorus",
        "rehearsal",
        "drummer",
        "amp",
        "gig",
        "setlist",
        "encore",
        "strings",
    ],
];
const FILLER: [&str; 24] = [
    "i", "think", "the", "is", "really", "so", "but", "then", "we", "it", "was", "not", "that",
    "much", "with", "my", "again", "today", "just", "they", "said", "good", "bad", "maybe",
];
const SHORT: [&str; 10] = [
    "lol", "true", "yes", "no way", "haha", "oh well", "same", "nice", "hm", "i see",
];

/// What somebody writes next.
pub struct SpokenLine {
    /// After the line before.
    pub after: Millis,
    pub who: &'static str,
    pub text: String,
    pub reply_to: Option<MessageId>,
}

struct SimulatedTalk {
    with: Vec<usize>,
    topic: usize,
    last: Option<(usize, MessageId)>,
    left: u32,
}

pub struct People {
    room: Room,
    chance: ChaCha8Rng,
    talks: Vec<SimulatedTalk>,
    speaker: (usize, usize),
    /// The companion's newest line nobody has reacted to.
    own: Option<MessageId>,
}

impl People {
    pub fn new(room: Room, seed: u64) -> People {
        let mut people = People {
            room,
            chance: ChaCha8Rng::seed_from_u64(seed),
            talks: Vec::new(),
            speaker: (0, 0),
            own: None,
        };
        for _ in 0..room.talks {
            let talk = people.talk();
            people.talks.push(talk);
        }
        people
    }

    /// The companion said something.
    pub fn heard(&mut self, own: MessageId) {
        self.own = Some(own);
    }

    /// The line that was handed out last has got this id.
    pub fn said(&mut self, id: MessageId) {
        let (talk, who) = self.speaker;
        self.talks[talk].last = Some((who, id));
    }

    pub fn next(&mut self) -> SpokenLine {
        let goes_on = self.chance.random_bool(0.25) && self.talks[self.speaker.0].last.is_some();
        if goes_on {
            let text = self.words(self.speaker.0);
            let after = self.chance.random_range(1_500..7_000);
            return SpokenLine {
                after,
                who: NAMES[self.speaker.1],
                text,
                reply_to: None,
            };
        }
        let talk = self.chance.random_range(0..self.talks.len());
        self.talks[talk].left = self.talks[talk].left.saturating_sub(1);
        if self.talks[talk].left == 0 {
            self.talks[talk] = self.talk();
        }
        let last = self.talks[talk].last;
        let others: Vec<usize> = self.talks[talk]
            .with
            .iter()
            .copied()
            .filter(|who| last.is_none_or(|(before, _)| before != *who))
            .collect();
        let who = others[self.chance.random_range(0..others.len())];
        self.speaker = (talk, who);
        let (text, reply_to) = self.write(talk, who, last);
        SpokenLine {
            after: self.pause(),
            who: NAMES[who],
            text,
            reply_to,
        }
    }

    fn write(
        &mut self,
        talk: usize,
        who: usize,
        last: Option<(usize, MessageId)>,
    ) -> (String, Option<MessageId>) {
        let text = self.words(talk);
        if let Some(own) = self.own.take()
            && self.chance.random_bool(0.3)
        {
            // Somebody goes into what it said: half of them by a typed reply.
            return (text, Some(own).filter(|_| self.chance.random_bool(0.5)));
        }
        if self.chance.random_bool(0.02) {
            return (format!("@Juno {text}"), None);
        }
        let Some((before, id)) = last else {
            return (format!("{text}?"), None);
        };
        match self.chance.random_range(0..100) {
            0..10 => (text, Some(id)),
            10..20 if before != who => (format!("{}, {text}", NAMES[before]), None),
            20..26 => (format!("does anybody know if {text}?"), None),
            26..45 => (format!("{text}?"), None),
            45..60 => (SHORT[self.chance.random_range(0..SHORT.len())].into(), None),
            _ => (text, None),
        }
    }

    fn words(&mut self, talk: usize) -> String {
        let topic = TOPICS[self.talks[talk].topic];
        let count = self.chance.random_range(2..14);
        let word = |chance: &mut ChaCha8Rng| {
            let from: &[&str] = if chance.random_bool(0.25) {
                topic
            } else {
                &FILLER
            };
            from[chance.random_range(0..from.len())]
        };
        (0..count)
            .map(|_| word(&mut self.chance))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn pause(&mut self) -> Millis {
        if self.chance.random_bool(self.room.lulls) {
            return self.chance.random_range(4 * MINUTE..25 * MINUTE);
        }
        // The bursts take a quarter of the lines and almost no time.
        let mean = 3_600_000.0 / self.room.pace / 0.75;
        let pause = -mean * (1.0 - self.chance.random::<f64>()).ln();
        (pause as Millis).max(SECOND)
    }

    fn talk(&mut self) -> SimulatedTalk {
        let size = self.chance.random_range(2..=self.room.people.min(4));
        let mut with = Vec::new();
        while with.len() < size {
            let who = self.chance.random_range(0..self.room.people);
            if !with.contains(&who) {
                with.push(who);
            }
        }
        let (topic, left) = (
            self.chance.random_range(0..TOPICS.len()),
            self.chance.random_range(8..40),
        );
        SimulatedTalk {
            with,
            topic,
            last: None,
            left,
        }
    }
}
