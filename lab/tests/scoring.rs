//! Measures on points whose numbers can be counted by hand, and all of them held against the reference scorer.

use std::fs;
use std::process::Command;

use kith_lab::score::{
    GoldPart, GoldPoint, PointAddressee, rank_scores, read_decided_points, score_parts,
};
use kith_testkit::find_shared;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::invented_corpus;

/// A point at so many seconds, with a score; it speaks from 50 % on.
fn point(time: f64, y: i8, trig: bool, turn: Option<i64>, score: f64) -> GoldPoint {
    let speak = score >= 0.5;
    let (addressed, partner, at_arrival, burst) = (PointAddressee::None, false, score, None);
    GoldPoint {
        time,
        y,
        trig,
        turn,
        addressed,
        partner,
        score,
        speak,
        at_arrival,
        burst,
    }
}

#[test]
fn ranking_counts_ties_as_half_a_pair_and_as_one_group() {
    let ranked = rank_scores(&[(0.9, true), (0.5, false), (0.5, true), (0.1, false)]);
    // Pairs in order: 2 of the first, and for the tied one 1 and a half.
    assert_eq!(ranked.auc, Some(3.5 / 4.0));
    // Half of the right ones at a precision of 1, half at 2 of 3.
    assert_eq!(ranked.precision, Some(0.5 + 0.5 * 2.0 / 3.0));
    assert_eq!(rank_scores(&[(0.3, true)]).auc, None);
}

#[test]
fn decisions_close_together_are_one_turn_and_a_gold_turn_is_hit_once() {
    let points = vec![
        point(0.0, 1, true, Some(7), 0.9),
        point(10.0, 1, false, Some(7), 0.9), // the same turn of the policy
        point(35.0, 1, false, Some(7), 0.9), // a new one, for what is hit already
        point(100.0, 0, false, None, 0.9),   // a wrong one
        point(200.0, -1, false, None, 0.9),  // the person spoke there, too: counts as nothing
        point(300.0, 1, true, Some(9), 0.1), // missed
    ];
    let turn = score_parts(&[GoldPart {
        points,
        own: vec![40.0],
    }])
    .turn;
    assert_eq!((turn.gold, turn.policy), (2, 3));
    assert_eq!((turn.hits.precision, turn.hits.recall), (1.0 / 3.0, 0.5));
}

#[test]
fn a_burst_is_one_decision_that_is_right_where_any_of_its_lines_is_answered() {
    let mut points = vec![
        point(0.0, 1, true, Some(7), 0.0), // answered, and its author wrote on
        point(5.0, 0, false, None, 0.9),   // the last line of that burst
        point(100.0, 0, false, None, 0.4), // nobody's burst
        point(200.0, 0, false, None, 0.0), // wrote on …
        point(204.0, -1, false, None, 0.3), // … and left alone in the end
    ];
    for (place, burst) in [(0, 0), (1, 0), (3, 1), (4, 1)] {
        points[place].burst = Some(burst);
    }
    points[0].at_arrival = 0.8;
    let table = score_parts(&[GoldPart {
        points,
        own: vec![],
    }]);
    assert_eq!(
        (
            table.bursts.points,
            table.bursts.ranking.right,
            table.bursts.ranking.auc
        ),
        (2, 1, Some(1.0))
    );
    assert_eq!(
        table.trig.ranking.auc,
        Some(0.5 / 3.0),
        "a line that was written past has score 0"
    );
    assert!(table.at_arrival.ranking.auc > table.trig.ranking.auc);
}

#[test]
fn a_message_of_the_person_between_ends_the_policys_turn() {
    let points = vec![
        point(0.0, 1, true, Some(7), 0.9),
        point(20.0, 1, true, Some(8), 0.9),
    ];
    let turns = |own: Vec<f64>| {
        score_parts(&[GoldPart {
            points: points.clone(),
            own,
        }])
        .turn
    };
    assert_eq!(turns(vec![]).policy, 1);
    assert_eq!(turns(vec![10.0]).policy, 2);
}

#[test]
fn butting_in_is_speaking_where_nobody_is_mentioned_and_the_person_kept_quiet() {
    let mut points: Vec<GoldPoint> = (0..4)
        .map(|n| point(f64::from(n) * 60.0, 0, false, None, 0.2))
        .collect();
    points[0].speak = true;
    points[1].addressed = PointAddressee::Other;
    points[1].speak = true;
    points[2].addressed = PointAddressee::Persona;
    let rates = score_parts(&[GoldPart {
        points,
        own: vec![],
    }])
    .rates;
    assert_eq!((rates.butt_in.points, rates.butt_in.share), (2, 0.5));
    assert_eq!((rates.interrupt.points, rates.interrupt.share), (1, 1.0));
    assert_eq!((rates.addressed.share, rates.human), (0.0, 0.0));
}

#[test]
fn scores_that_mean_what_they_say_are_calibrated() {
    let points = |claims: f64| {
        let each = |n| point(f64::from(n), i8::from(n % 4 == 0), n % 4 == 0, None, claims);
        let part = GoldPart {
            points: (0..400).map(each).collect(),
            own: vec![],
        };
        score_parts(&[part]).calibration.unwrap()
    };
    assert!(points(0.25) < 1e-9);
    assert!((points(0.75) - 0.5).abs() < 1e-9);
}

#[test]
fn a_broken_line_is_named_and_a_point_without_decision_is_silence() {
    let root = invented_corpus::corpus(1);
    fs::create_dir(root.path().join("eval")).unwrap();
    let gold = json!({"f": "train/00.jsonl", "p": "mia", "id": "0", "y": 0, "trig": 0, "turn": null, "addr": "P"});
    invented_corpus::write_lines(&root.path().join("eval/train.points.jsonl"), &[gold]);
    let decisions = root.path().join("decisions.jsonl");
    fs::write(&decisions, "").unwrap();
    let parts = read_decided_points(root.path(), "train", &decisions, false).unwrap();
    assert_eq!(
        (parts[0].points[0].score, parts[0].points[0].speak),
        (0.0, false)
    );
    fs::write(&decisions, "\n{\"f\": 3}\n").unwrap();
    let error = format!(
        "{:#}",
        read_decided_points(root.path(), "train", &decisions, false).unwrap_err()
    );
    assert!(
        error.contains("decisions.jsonl:2: not a decision: expected f, p, id, score and speak"),
        "{error}"
    );
    fs::write(&decisions, "").unwrap();
    let error = format!(
        "{:#}",
        read_decided_points(root.path(), "none", &decisions, false).unwrap_err()
    );
    assert!(
        error.contains("none.points.jsonl: cannot be read"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn no_order_of_points_breaks_a_measure(
        raw in prop::collection::vec((-1i8..2, any::<bool>(), prop::option::of(0i64..5), 0u8..5), 0..60),
        own in prop::collection::vec(0u16..3_000, 0..10),
    ) {
        let each = |(place, (y, trig, turn, score)): (usize, (i8, bool, Option<i64>, u8))| {
            point(place as f64 * 13.0, y, trig, turn, f64::from(score) / 4.0)
        };
        let mut own: Vec<f64> = own.into_iter().map(f64::from).collect();
        own.sort_by(f64::total_cmp);
        let table = score_parts(&[GoldPart { points: raw.into_iter().enumerate().map(each).collect(), own }]);
        for share in [table.turn.hits.precision, table.turn.hits.recall, table.trig.hits.f1] {
            prop_assert!((0.0..=1.0).contains(&share));
        }
        if let Some(volume) = table.volume {
            prop_assert!((volume.turn.overtalk().unwrap() - 1.0).abs() <= 0.1 + 1e-9);
        }
    }
}

#[test]
fn all_measures_are_those_of_the_reference_scorer() {
    let Some(root) = find_shared("groupchat") else {
        return;
    };
    let dir = tempfile::TempDir::new().unwrap();
    let decisions = dir.path().join("decisions.jsonl");
    for (split, more) in [
        ("dev", &[][..]),
        ("dev", &["--rank1"][..]),
        ("casual3", &[][..]),
    ] {
        let text = fs::read_to_string(root.join(format!("eval/{split}.points.jsonl"))).unwrap();
        let decide = |(number, line): (usize, &str)| {
            let point: Value = serde_json::from_str(line).unwrap();
            // Mostly right, with ties, and every 50th left out.
            let noise = (number * 7919 % 101) as f64 / 101.0;
            let flag = |yes: bool| f64::from(u8::from(yes));
            let score =
                0.3 * noise + 0.4 * flag(point["trig"] == 1) + 0.2 * flag(point["addr"] == "P");
            let score = (score * 50.0).round() / 50.0;
            let speak = score > 0.35;
            let key = ["f", "p", "id"].map(|name| point[name].clone());
            (number % 50 != 0).then(
                || json!({"f": key[0], "p": key[1], "id": key[2], "score": score, "speak": speak}),
            )
        };
        invented_corpus::write_lines(
            &decisions,
            &text
                .lines()
                .enumerate()
                .filter_map(decide)
                .collect::<Vec<_>>(),
        );
        let python = Command::new("python3")
            .arg(root.join("tools/score.py"))
            .args([root.as_path(), split.as_ref(), decisions.as_path()])
            .arg("--json")
            .args(more)
            .output();
        let Ok(python) = python else {
            kith_testkit::say_skipped("there is no python3 to run the reference");
            return;
        };
        let expected: Value = serde_json::from_slice(&python.stdout).unwrap_or_else(|_| {
            panic!(
                "the reference failed: {}",
                String::from_utf8_lossy(&python.stderr)
            )
        });
        let ours =
            score_parts(&read_decided_points(&root, split, &decisions, !more.is_empty()).unwrap())
                .to_json();
        for (group, measures) in expected.as_object().unwrap() {
            for (name, value) in measures.as_object().unwrap() {
                let close = match (value.as_f64(), ours[group][name].as_f64()) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                    _ => *value == ours[group][name],
                };
                assert!(
                    close,
                    "{split} {more:?} {group}.{name}: {} is {value} there",
                    ours[group][name]
                );
            }
        }
    }
}
