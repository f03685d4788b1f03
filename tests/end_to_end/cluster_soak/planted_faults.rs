//! The checker finds what is wrong: a sound record with one fault planted in it gives one violation, which names it.

use std::collections::{BTreeMap, BTreeSet};

use super::checker::find_violations;
use super::record::{Answer, ClusterRecord, Kill, Question};
use crate::discord::fake_discord::Id;

const HERE: Id = 1;
const THERE: Id = 2;

/// Two channels in two partitions, a question in one of them, and a process that was killed.
fn sound() -> ClusterRecord {
    ClusterRecord {
        partitions: BTreeMap::from([(HERE, 0), (THERE, 1)]),
        said: BTreeSet::from([(HERE, 10), (HERE, 11), (THERE, 20)]),
        stored: vec![(0, (HERE, 10)), (0, (HERE, 11)), (1, (THERE, 20))],
        questions: vec![Question {
            number: 7,
            channel: HERE,
            message: 10,
            at: 1_000,
        }],
        answers: vec![Answer {
            channel: HERE,
            at: 3_000,
            numbers: vec![7],
        }],
        marked: BTreeSet::new(),
        kills: vec![Kill {
            at: 10_000,
            shards: vec![1],
        }],
        traces: Vec::new(),
        asked_to_be_forgotten: 2,
        is_forgotten: true,
        starts: vec![(0, 0), (0, 1), (22_000, 1)],
        talked: 30.0,
        calmed: 5.0,
    }
}

fn assert_finds(name: &str, plant: impl FnOnce(&mut ClusterRecord)) {
    let mut record = sound();
    plant(&mut record);
    let found = find_violations(&record);
    assert!(
        found.len() == 1 && found[0].starts_with(name),
        "{name}: {found:?}"
    );
}

#[test]
fn a_sound_cluster_violates_no_law() {
    assert_eq!(find_violations(&sound()), Vec::<String>::new());
}

#[test]
fn a_question_that_was_given_up_with_a_mark_is_accounted_for() {
    let mut record = sound();
    record.answers.clear();
    record.marked.insert(10);
    assert_eq!(find_violations(&record), Vec::<String>::new());
}

#[test]
fn each_fault_that_is_planted_into_a_cluster_is_named() {
    assert_finds("lost", |record| {
        record.stored.remove(1);
    });
    assert_finds("misplaced", |record| {
        record.stored.push((1, (HERE, 10)));
    });
    assert_finds("unanswered", |record| record.answers.clear());
    assert_finds("given up", |record| {
        let asked = record.questions[0];
        for number in 20..22 {
            let message = Id::from(number);
            record.questions.push(Question {
                number,
                message,
                ..asked
            });
            record.marked.insert(message);
        }
    });
    assert_finds("remembered", |record| record.is_forgotten = false);
    assert_finds("remembered", |record| {
        record.traces.push("kith_3.messages: 2".into());
    });
    assert_finds("said twice", |record| {
        let again = record.answers[0].clone();
        record.answers.push(again);
    });
    assert_finds("leaked", |record| record.answers[0].channel = THERE);
    assert_finds("taken over late", |record| record.starts[2].0 = 41_000);
    assert_finds("taken over late", |record| {
        record.starts.pop();
    });
    assert_finds("started in haste", |record| {
        record.starts.push((24_000, 1));
    });
}
