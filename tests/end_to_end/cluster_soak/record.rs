//! What happened while several processes shared a companion.

use std::collections::{BTreeMap, BTreeSet};

use crate::discord::fake_discord::{Id, Millis};

/// Everything that the laws speak of.
#[derive(Debug, Default)]
pub struct ClusterRecord {
    pub partitions: BTreeMap<Id, u16>,
    /// What people said, by channel and message.
    pub said: BTreeSet<(Id, Id)>,
    /// What stands in the tables of which partition, by channel and message.
    pub stored: Vec<(u16, (Id, Id))>,
    pub questions: Vec<Question>,
    pub answers: Vec<Answer>,
    /// Messages that bear a mark of the companion's: it says so that it gave them up.
    pub marked: BTreeSet<Id>,
    pub kills: Vec<Kill>,
    /// What is kept of somebody who wanted to be forgotten while processes died.
    pub traces: Vec<String>,
    /// How often they had to ask, and whether they were told that it is done.
    pub asked_to_be_forgotten: u32,
    pub is_forgotten: bool,
    /// When a session of which shard was started.
    pub starts: Vec<(Millis, u64)>,
    /// Seconds from the beginning to the last message of people.
    pub talked: f64,
    /// Seconds from there until everything was stored and answered.
    pub calmed: f64,
}

/// What somebody asked the companion.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub number: u32,
    pub channel: Id,
    pub message: Id,
    pub at: Millis,
}

/// What the companion said, and the questions it answers by it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub channel: Id,
    pub at: Millis,
    pub numbers: Vec<u32>,
}

/// The end of a process that ran these shards.
#[derive(Clone, Debug)]
pub struct Kill {
    pub at: Millis,
    pub shards: Vec<u64>,
}

impl ClusterRecord {
    /// Milliseconds from each kill to the next session of each shard that was run there; none where there was no more.
    pub fn takeovers(&self) -> Vec<(&Kill, u64, Option<Millis>)> {
        let of_kill = |kill: &Kill, shard: u64| {
            let mut starts = self.starts.iter();
            let next = starts.find(|(at, of)| *of == shard && *at >= kill.at)?;
            Some(next.0 - kill.at)
        };
        let kills = self.kills.iter();
        kills
            .flat_map(|kill| kill.shards.iter().map(move |shard| (kill, *shard)))
            .map(|(kill, shard)| (kill, shard, of_kill(kill, shard)))
            .collect()
    }

    /// Numbers for a reader.
    pub fn summarise(&self) -> String {
        let first_answer: BTreeMap<u32, Millis> = self
            .answers
            .iter()
            .rev()
            .flat_map(|answer| answer.numbers.iter().map(|number| (*number, answer.at)))
            .collect();
        let waits = self
            .questions
            .iter()
            .filter_map(|asked| Some(first_answer.get(&asked.number)? - asked.at));
        let takeovers = self.takeovers().into_iter().filter_map(|(_, _, took)| took);
        format!(
            "{} messages in {:.0} s, {:.0} a second; {} questions, answered after {}, {} marked as given up; one was forgotten, who \
             asked {} times; {} kills, shards taken over after {}; \
             {} sessions started; all was done {:.0} s after the last message",
            self.said.len(),
            self.talked,
            self.said.len() as f64 / self.talked,
            self.questions.len(),
            spread(waits.collect()),
            self.marked.len(),
            self.asked_to_be_forgotten,
            self.kills.len(),
            spread(takeovers.collect()),
            self.starts.len(),
            self.calmed,
        )
    }
}

/// The numbers of the questions that these answer.
pub fn list_answered(answers: &[Answer]) -> BTreeSet<u32> {
    let answers = answers.iter();
    answers
        .flat_map(|answer| answer.numbers.iter().copied())
        .collect()
}

/// The median, the 99th of a hundred and the greatest of milliseconds, in seconds.
fn spread(mut values: Vec<Millis>) -> String {
    values.sort_unstable();
    let at = |share: usize| {
        let place = (values.len() * share / 100).min(values.len().saturating_sub(1));
        values
            .get(place)
            .map_or(f64::NAN, |value| *value as f64 / 1_000.0)
    };
    format!(
        "{:.1} s (median), {:.1} s (99 %), {:.1} s (most)",
        at(50),
        at(99),
        at(100)
    )
}
