//! What happened in a soak, as plain data: what people did, what Discord and the model saw, and what the companion keeps.
//! The checker judges nothing else.

use std::collections::{BTreeMap, BTreeSet};

use kith_core::report::TurnReport;

use crate::discord::fake_discord::{Id, Millis};

/// From a moment until before another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSpan {
    pub from: Millis,
    pub until: Millis,
}

impl TimeSpan {
    pub fn contains(self, at: Millis) -> bool {
        (self.from..self.until).contains(&at)
    }
}

/// How much of the simulated time was real: all of it but the leaps.
#[derive(Clone, Debug, Default)]
pub struct RealTime {
    /// After each leap, oldest first: when it was then, and how much was leapt over in all.
    leaps: Vec<(Millis, Millis)>,
}

impl RealTime {
    /// Time leapt by so much from this moment on.
    pub fn add_leap(&mut self, from: Millis, by: Millis) {
        self.leaps
            .push((from + by, self.leapt_until(Millis::MAX) + by));
    }

    /// How long the process had for what it had to do between two moments.
    pub fn between(&self, from: Millis, until: Millis) -> Millis {
        until - from - (self.leapt_until(until) - self.leapt_until(from))
    }

    fn leapt_until(&self, at: Millis) -> Millis {
        let count = self.leaps.partition_point(|(after, _)| *after <= at);
        count.checked_sub(1).map_or(0, |last| self.leaps[last].1)
    }
}

#[test]
fn what_was_leapt_over_was_no_time_to_do_anything_in() {
    let mut time = RealTime::default();
    assert_eq!(time.between(5, 25), 20);
    time.add_leap(1_000, 500);
    time.add_leap(1_600, 400);
    assert_eq!(time.between(0, 1_000), 1_000);
    assert_eq!(time.between(900, 1_550), 150);
    assert_eq!(time.between(900, 2_100), 300);
    assert_eq!(time.between(2_000, 2_100), 100);
}

/// A message of a person. Its text holds a word that no other message has: [`word_of`] its number.
#[derive(Clone, Debug)]
pub struct SaidMessage {
    pub number: u32,
    pub id: Id,
    pub channel: Id,
    pub author: Id,
    pub at: Millis,
    /// Whether it speaks to the companion.
    pub is_addressed: bool,
    pub deleted: Option<Millis>,
    pub edited: Option<String>,
    /// When its last edit or its deletion was told over a link with which nothing was wrong; none where it may not have
    /// been heard.
    pub change_told: Option<Millis>,
    /// Whether the companion put a reaction on it.
    pub is_marked: bool,
}

/// A message of the companion's, as Discord has it. Its text holds [`mark_of`] the answer it is part of.
#[derive(Clone, Debug)]
pub struct CompanionPost {
    pub id: Id,
    pub channel: Id,
    pub at: Millis,
    pub text: String,
    pub reply_to: Option<Id>,
}

/// A prompt, and the number of the answer that the model gave to it.
#[derive(Clone, Debug)]
pub struct AnsweredPrompt {
    pub answer: u32,
    pub at: Millis,
    /// The numbers of the messages whose words it holds.
    pub words: BTreeSet<u32>,
}

/// A message in the companion's database.
#[derive(Clone, Debug)]
pub struct StoredText {
    pub id: Id,
    pub channel: Id,
    pub text: String,
}

/// An action that is journaled, and neither settled nor given up.
#[derive(Clone, Debug)]
pub struct OpenAction {
    pub nonce: String,
    pub channel: Id,
    pub journaled_at: Millis,
}

/// Somebody who was forgotten everywhere, or wanted to be ignored.
#[derive(Clone, Debug)]
pub struct ForgottenPerson {
    pub user: Id,
    pub at: Millis,
    /// Nothing is kept of what they said up to then: when they were forgotten, or returned.
    pub until: Millis,
    /// What of them is still in which file.
    pub traces: Vec<String>,
}

/// Everything the checker is told.
#[derive(Clone, Debug, Default)]
pub struct SoakRecord {
    /// Who can read each channel.
    pub readers: BTreeMap<Id, BTreeSet<Id>>,
    pub direct: BTreeSet<Id>,
    pub said: Vec<SaidMessage>,
    pub posts: Vec<CompanionPost>,
    /// What the host's log channel tells.
    pub log_entries: Vec<String>,
    pub prompts: Vec<AnsweredPrompt>,
    pub turns: Vec<TurnReport>,
    pub stored: Vec<StoredText>,
    /// When each message was deleted, as the companion knows it.
    pub tombstones: BTreeMap<(Id, Id), Millis>,
    /// Messages of which it is on record why nobody answered them.
    pub refused: BTreeSet<Id>,
    pub open_actions: Vec<OpenAction>,
    pub pauses: Vec<(Id, TimeSpan)>,
    pub quiet_hours: Vec<TimeSpan>,
    pub wrong_clock: Vec<TimeSpan>,
    pub kills: Vec<Millis>,
    /// When something began to go wrong, kills among it.
    pub troubles: Vec<Millis>,
    pub forgotten: Vec<ForgottenPerson>,
    /// Tokens that the model counted, oldest first.
    pub spent: Vec<(Millis, u64)>,
    /// How many might be spent a day, and since when.
    pub budgets: Vec<(Millis, u64)>,
    /// The most tokens that calls may have taken of which a kill took the account.
    pub lost_with_a_kill: u64,
    pub ended: Millis,
    pub time: RealTime,
}

pub fn word_of(number: u32) -> String {
    format!("w{number:07}z")
}

/// The mark of one of an answer's messages.
pub fn mark_of(answer: u32, part: u32) -> String {
    format!("a{answer:07}p{part}")
}

/// The numbers of the messages whose words are in a text.
pub fn words_in(text: &str) -> BTreeSet<u32> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter_map(|word| word.strip_prefix('w')?.strip_suffix('z')?.parse().ok())
        .collect()
}

pub fn marks_in(text: &str) -> BTreeSet<(u32, u32)> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mark = |word: &str| {
        let (answer, part) = word.strip_prefix('a')?.split_once('p')?;
        Some((answer.parse().ok()?, part.parse().ok()?))
    };
    words.filter_map(mark).collect()
}
