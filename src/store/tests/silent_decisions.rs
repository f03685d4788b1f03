//! What is kept of decisions that came to silence.

use kith_core::persona::Language;
use kith_core::willingness::{Signal, explain_decision, list_reasons};

use super::*;

/// A decision on a message of [`said`] that came to silence, for as many reasons as there are in a lively room.
fn silent(message: u64) -> MessageDecision {
    let names = "others_talk opens recent of_late lately share lull crowd pace talk talk_held talk_direct answers_me hold
        long_talk burst_length burst_lines before_other around share_now since_own length run tired welcome age";
    let term = |(at, name): (usize, &str)| ScoreTerm {
        name: name.into(),
        value: 0.372_615_4,
        adds: (at as f32 - 11.0) * 0.123_456_7,
    };
    MessageDecision {
        at: 1_000 * message as i64,
        score: 0.147_182_61,
        threshold: 0.370_750_16,
        shift: ThresholdShift {
            allowance: 0.261_834_5,
            ..ThresholdShift::default()
        },
        address: None,
        speak: false,
        energy: 0.983_471_2,
        silent_for: Some(3_723_456),
        terms: names.split_whitespace().enumerate().map(term).collect(),
        bias: -1.874,
        ..decision(TALK, message, 0.0)
    }
}

fn refused(message: u64) -> MessageDecision {
    MessageDecision {
        shift: ThresholdShift {
            restraint: 0.41,
            allowance: -0.2,
            unheeded: 0.72,
            unheeded_remarks: 2,
            meant: -0.5,
        },
        address: Some(DirectAddress::Mention),
        refusal: Some(Refusal::SeenInTurn),
        goes_on: true,
        waits_until: Some(1_760_000_000_000),
        ..silent(message)
    }
}

fn below_threshold(message: u64) -> DecisionReport {
    let MessageDecision {
        channel,
        at,
        score,
        threshold,
        shift,
        ..
    } = silent(message);
    DecisionReport {
        channel,
        at: at + 12_345,
        message: Some(MessageId(message)),
        score,
        threshold,
        shift,
        outcome: DecisionOutcome::Unwilling,
        own: None,
    }
}

fn read(store: &Store, message: u64) -> DecisionReason {
    let why = store.find_decision_reason(TALK, MessageId(message)).wait();
    why.expect("read")
}

/// Everything people are told of a decision, as they are told it.
fn tell(decision: &MessageDecision) -> (String, Vec<(String, String)>, MessageDecision) {
    let reasons = list_reasons(decision, usize::MAX, Language::EN).into_iter();
    let with_digits = |(reason, adds): (String, f32)| (reason, format!("{adds:.1}"));
    let percent = |share: f32| (share * 100.0).round();
    let plain = MessageDecision {
        score: percent(decision.score),
        threshold: percent(decision.threshold),
        terms: Vec::new(),
        shift: ThresholdShift::default(),
        energy: percent(decision.energy),
        ..decision.clone()
    };
    let sentence = explain_decision(decision, Language::EN);
    (sentence, reasons.map(with_digits).collect(), plain)
}

#[test]
fn silence_is_kept_in_two_hundred_bytes_and_told_as_if_it_were_kept_whole() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, (1..=3).map(|id| said(TALK, id, "x")).collect());
    let decisions = vec![silent(1), refused(2), decision(TALK, 3, 0.5)];
    store
        .save_decisions(decisions.clone())
        .wait()
        .expect("saved");
    let report = below_threshold(1);
    store.save_decision_report(report).wait().expect("saved");
    for (id, whole) in (1..).zip(&decisions) {
        let kept = read(&store, id).decision.expect("kept");
        assert_eq!(tell(&kept), tell(whole), "message {id}");
    }
    let kept = read(&store, 2).decision.expect("kept");
    assert_eq!(kept.shift, refused(2).shift);
    let spoke = read(&store, 3).decision;
    assert_eq!(spoke.as_ref(), decisions.last(), "whole");
    let kept = read(&store, 1).report.expect("kept");
    let rounded = DecisionReport {
        score: 0.147_18,
        threshold: 0.370_75,
        shift: ThresholdShift {
            allowance: 0.262,
            ..ThresholdShift::default()
        },
        ..below_threshold(1)
    };
    assert_eq!(kept, rounded);
    drop(store);
    let measure = "UPDATE decisions SET turn = length(message_decision) + coalesce(length(report), 0)";
    change_tables(&path, measure, measure);
    let store = open(&path);
    let bytes = read(&store, 1).turn.expect("measured").0;
    assert!(bytes <= 200, "{bytes} bytes");
}

#[test]
fn silence_that_an_earlier_version_kept_whole_is_read_and_counted() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "x"), said(TALK, 2, "x")]);
    store.save_decisions(vec![silent(1), silent(2)]).wait().expect("saved");
    for id in [1, 2] {
        let report = DecisionReport {
            outcome: DecisionOutcome::Refused(Refusal::Observe),
            score: 0.9,
            ..below_threshold(id)
        };
        store.save_decision_report(report).wait().expect("saved");
    }
    drop(store);
    let (decision, report) = (
        serde_json::to_string(&silent(1)).expect("JSON"),
        serde_json::to_string(&below_threshold(1)).expect("JSON"),
    );
    let report = report.replace("\"unwilling\"", "{\"refused\":\"observe\"}").replace("0.14718261", "0.9");
    // Names of an earlier version.
    let rename = |kept: String| kept.replace("\"threshold\"", "\"bar\"").replace("\"shift\"", "\"moved\"");
    let (decision, report) = (rename(decision), rename(report));
    let earlier = format!(
        "UPDATE decisions SET message_decision = '{decision}', report = '{report}'
         WHERE arrival = (SELECT arrival FROM messages WHERE id = 1)"
    );
    change_tables(&path, &earlier, &earlier);
    let store = open(&path);
    assert_eq!(read(&store, 1).decision, Some(silent(1)));
    let activity = store.load_activity(TALK, 0).wait().expect("read");
    assert_eq!((activity.scored, activity.would_have_spoken), (2, 2));
    let day = store.load_channel_day(TALK, (0, 9_000), 9).wait().expect("read");
    let scores = day.messages.iter().map(|it| (it.score, it.threshold));
    for (score, threshold) in scores {
        assert!((score.expect("scored") - 0.147_18).abs() < 1e-5);
        assert!((threshold.expect("scored") - 0.370_75).abs() < 1e-5);
    }
}

#[test]
fn every_signal_has_a_number_of_its_own() {
    for signal in Signal::ALL {
        assert_eq!(Signal::from_number(signal.number()), Some(signal));
    }
}
