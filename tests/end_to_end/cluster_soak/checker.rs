//! Whether the laws held while processes died. Pure: a record of what happened goes in, sentences about what is wrong come
//! out.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Answer, ClusterRecord, Question, list_answered};
use crate::discord::fake_discord::{Id, Millis};

/// The longest that a partition of a dead process may rest.
const TAKEN_WITHIN: Millis = 30_000;
/// Discord's pause between two sessions of one group of shards; a little less, for the way to the fake takes its time.
const APART: Millis = 4_500;

pub fn find_violations(record: &ClusterRecord) -> Vec<String> {
    let laws: [fn(&ClusterRecord) -> Vec<String>; 9] = [
        find_lost,
        find_misplaced,
        find_unanswered,
        find_given_up,
        find_remembered,
        find_repeated,
        find_leaked,
        find_slow_takeovers,
        find_hasty_starts,
    ];
    laws.iter().flat_map(|law| law(record)).collect()
}

/// What was said and stands in no table.
fn find_lost(record: &ClusterRecord) -> Vec<String> {
    let stored: BTreeSet<&(Id, Id)> = record.stored.iter().map(|(_, message)| message).collect();
    let lost = record.said.iter().filter(|said| !stored.contains(said));
    lost.map(|(channel, message)| {
        format!("lost: message {message} of channel {channel} is in no partition")
    })
    .collect()
}

/// What stands in the tables of a partition that its channel is not of.
fn find_misplaced(record: &ClusterRecord) -> Vec<String> {
    let misplaced = record
        .stored
        .iter()
        .filter(|(partition, (channel, _))| record.partitions.get(channel) != Some(partition));
    misplaced
        .map(|(partition, (channel, message))| {
            format!(
                "misplaced: message {message} of channel {channel} is in partition {partition}, not in {:?}",
                record.partitions.get(channel)
            )
        })
        .collect()
}

fn find_unanswered(record: &ClusterRecord) -> Vec<String> {
    let answered = list_answered(&record.answers);
    let questions = record.questions.iter();
    questions
        .filter(|asked| {
            !answered.contains(&asked.number) && !record.marked.contains(&asked.message)
        })
        .map(|asked| format!("unanswered: {asked:?}"))
        .collect()
}

/// A question may be given up, with a mark, where its process dies again and again. More than one in fifty is an excuse.
fn find_given_up(record: &ClusterRecord) -> Vec<String> {
    let answered = list_answered(&record.answers);
    let is_given_up = |asked: &&Question| {
        record.marked.contains(&asked.message) && !answered.contains(&asked.number)
    };
    let count = record.questions.iter().filter(is_given_up).count();
    let most = record.questions.len() / 50 + 1;
    (count > most)
        .then(|| format!("given up: {count} questions, where {most} may be"))
        .into_iter()
        .collect()
}

/// What is left of who wanted to be forgotten.
fn find_remembered(record: &ClusterRecord) -> Vec<String> {
    let untold = (!record.is_forgotten).then(|| {
        let times = record.asked_to_be_forgotten;
        format!("remembered: nobody was told that they are forgotten, who asked {times} times")
    });
    let traces = record.traces.iter();
    traces
        .map(|trace| format!("remembered: who wanted to be forgotten stands in {trace}"))
        .chain(untold)
        .collect()
}

fn find_repeated(record: &ClusterRecord) -> Vec<String> {
    let mut answers: BTreeMap<u32, Vec<&Answer>> = BTreeMap::new();
    for answer in &record.answers {
        for number in &answer.numbers {
            answers.entry(*number).or_default().push(answer);
        }
    }
    let repeated = answers.iter().filter(|(_, answers)| answers.len() > 1);
    repeated
        .map(|(number, answers)| format!("said twice: the answer to q{number}: {answers:?}"))
        .collect()
}

/// Answers in a channel where nobody asked for them.
fn find_leaked(record: &ClusterRecord) -> Vec<String> {
    let asked: BTreeMap<u32, Id> = record
        .questions
        .iter()
        .map(|asked| (asked.number, asked.channel))
        .collect();
    let is_foreign = |answer: &&Answer| {
        let mut numbers = answer.numbers.iter();
        numbers.any(|number| asked.get(number) != Some(&answer.channel))
    };
    let leaked = record.answers.iter().filter(is_foreign);
    leaked
        .map(|answer| format!("leaked: nobody asked for it there: {answer:?}"))
        .collect()
}

fn find_slow_takeovers(record: &ClusterRecord) -> Vec<String> {
    let takeovers = record.takeovers().into_iter();
    let slow = takeovers.filter(|(_, _, took)| took.is_none_or(|took| took > TAKEN_WITHIN));
    slow.map(|(kill, shard, took)| {
        let took = took.map_or("never".into(), |took| format!("after {took} ms"));
        format!(
            "taken over late: shard {shard} of the process that was killed at {}: {took}",
            kill.at
        )
    })
    .collect()
}

fn find_hasty_starts(record: &ClusterRecord) -> Vec<String> {
    let mut last: BTreeMap<u64, Millis> = BTreeMap::new();
    let mut hasty = Vec::new();
    for (at, shard) in &record.starts {
        let before = last.insert(*shard, *at);
        if let Some(before) = before.filter(|before| at - before < APART) {
            hasty.push(format!(
                "started in haste: shard {shard} at {before} and {} ms later",
                at - before
            ));
        }
    }
    hasty
}
