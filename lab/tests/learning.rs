//! What is learnt from made-up chats, and that gold points are those of the reference.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use kith_agent::prompt::PromptTemplates;
use kith_core::willingness::{RoomMix, Signal, Weights};
use kith_lab::corpus::Corpus;
use kith_lab::dataset::{Dataset, learn_model};
use kith_lab::score::{PointAddressee, PointDecision};
use kith_lab::{LearnOptions, gold_points, log_features, run};
use kith_replay::{ReplayOptions, ReplaySource};
use kith_testkit::find_shared;
use serde_json::Value;

use super::invented_corpus;

/// A room that is nothing but a crowd, as the made-up logs are.
fn crowd() -> RoomMix {
    RoomMix::new(1.0, 0.0)
}

fn lessons(root: &Path) -> Vec<Dataset> {
    Corpus::open(root)
        .unwrap()
        .read_split("train")
        .unwrap()
        .into_iter()
        .map(Dataset::new)
        .collect()
}

#[test]
fn it_learns_that_who_is_mentioned_answers_and_who_overhears_does_not() {
    let root = invented_corpus::corpus(4);
    let learnt = learn_model(lessons(root.path()).iter(), &[], &[])
        .unwrap()
        .to_weights()
        .unwrap();
    let pulls = |signal| learnt.of(signal, crowd());
    assert!(
        pulls(Signal::Mention) + pulls(Signal::Vocative) > 1.0,
        "{learnt:?}"
    );
    assert!(
        pulls(Signal::OtherAddressed) + pulls(Signal::NamesOther) < -0.5,
        "{learnt:?}"
    );
}

#[test]
fn what_the_logs_never_show_keeps_the_weight_it_is_drawn_to() {
    let root = invented_corpus::corpus(2);
    let learnt = learn_model(lessons(root.path()).iter(), &[], &[])
        .unwrap()
        .to_weights()
        .unwrap();
    assert_eq!(
        (
            learnt.of(Signal::Direct, crowd()),
            learnt.of(Signal::Interest, crowd())
        ),
        (3.0, 1.2)
    );
}

#[test]
fn the_same_logs_give_the_same_file_and_a_report_on_logs_it_did_not_learn_from() {
    let root = invented_corpus::corpus(3);
    let out = |name: &str| root.path().join(name);
    let learn = |name: &str| {
        let options = LearnOptions {
            root: root.path().into(),
            out: Some(out(name)),
            extra_split: None,
            friends: None,
            people: None,
            run_ablation: false,
        };
        let report = run(&options).unwrap().to_string();
        report.split("\ntime").next().unwrap().to_owned()
    };
    let report = learn("one.json");
    assert_eq!(report, learn("two.json"));
    let file = fs::read_to_string(out("one.json")).unwrap();
    assert_eq!(file, fs::read_to_string(out("two.json")).unwrap());
    Weights::parse(&file).unwrap();
    assert!(
        report.starts_with("cross-validated by log, 3 logs in 3 parts"),
        "{report}"
    );
    let precision: f64 = report
        .lines()
        .nth(2)
        .unwrap()
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    assert!(precision > 0.95, "what is this regular is learnt: {report}");
}

#[test]
fn what_is_learnt_from_is_what_a_replay_decides() {
    let root = invented_corpus::corpus(1);
    let log = &Corpus::open(root.path())
        .unwrap()
        .read_split("train")
        .unwrap()[0];
    let persona = &gold_points::select_personas(log)[0];
    let weights = Weights::load_embedded();
    let mut heard = Vec::new();
    log_features::play_log(log, persona, &weights, |_, score, _| {
        heard.push(f64::from(score.probability))
    });

    kith_lab::point_files::write_points(root.path(), "train").unwrap();
    let points = root.path().join("points.jsonl");
    let id = log.person_id(persona.id);
    let others = log.lines.iter().filter(|line| line.author() != persona.id);
    let wanted = others.map(
        |line| serde_json::json!({"f": "train/00.jsonl", "p": id, "id": line.number.to_string()}),
    );
    invented_corpus::write_lines(&points, &wanted.collect::<Vec<_>>());
    let out = root.path().join("out.jsonl");
    let options = ReplayOptions {
        source: ReplaySource::Points {
            points,
            root: root.path().into(),
        },
        out: Some(out.clone()),
        prompts: None,
        reply_links: false,
        weights: Arc::new(weights),
        templates: PromptTemplates::load(None).unwrap(),
        turns: None,
    };
    kith_replay::run(&options).unwrap();
    let text = fs::read_to_string(out).unwrap();
    let decided: Vec<f64> = text
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["why"]["at_arrival"]
                .as_f64()
                .unwrap()
        })
        .collect();
    assert_eq!(heard.len(), decided.len());
    for (heard, decided) in heard.iter().zip(decided) {
        assert!(
            (heard - decided).abs() < 1e-6,
            "{heard} is learnt from where a replay says {decided}"
        );
    }
}

#[test]
fn a_folder_without_annotated_logs_says_what_is_missing_and_what_makes_it() {
    let empty = tempfile::TempDir::new().unwrap();
    let options = LearnOptions {
        root: empty.path().into(),
        out: None,
        extra_split: None,
        friends: None,
        people: None,
        run_ablation: false,
    };
    let Err(error) = run(&options) else {
        panic!("there is nothing to learn from")
    };
    let error = format!("{error:#}");
    assert!(
        error.contains("scripts/fetch-corpus.sh")
            && error.contains("manifest.json: cannot be read"),
        "{error}"
    );
    fs::write(empty.path().join("manifest.json"), "{}").unwrap();
    fs::write(empty.path().join("gold_extra.json"), "{}").unwrap();
    let Err(error) = run(&options) else {
        panic!("there is nothing to learn from")
    };
    assert!(
        error
            .to_string()
            .contains("there are no logs of the split train"),
        "{error}"
    );
}

#[test]
fn gold_points_are_those_of_the_reference() {
    let Some(root) = find_shared("groupchat") else {
        return;
    };
    let corpus = Corpus::open(&root).unwrap();
    for split in ["dev", "casual3"] {
        let text = fs::read_to_string(root.join(format!("eval/{split}.points.jsonl"))).unwrap();
        let mut expected: HashMap<(String, String), Vec<String>> = HashMap::new();
        for line in text.lines() {
            let point: Value = serde_json::from_str(line).unwrap();
            let key = ["f", "p"].map(|name| point[name].as_str().unwrap().to_owned());
            let told = format!(
                "{} {} {} {} {}",
                point["id"], point["y"], point["trig"], point["turn"], point["addr"]
            );
            expected
                .entry((key[0].clone(), key[1].clone()))
                .or_default()
                .push(told.replace('"', ""));
        }
        for log in corpus.read_split(split).unwrap() {
            for persona in gold_points::select_personas(&log) {
                let told: Vec<String> = persona
                    .points
                    .iter()
                    .map(|(place, point)| {
                        let turn = point
                            .turn
                            .map_or("null".to_owned(), |turn| turn.to_string());
                        let addressed = match point.addressed {
                            PointAddressee::Persona => "P",
                            PointAddressee::Other => "other",
                            PointAddressee::None => "none",
                        };
                        let (id, trig) = (log.lines[*place].number, u8::from(point.trig));
                        format!("{id} {} {trig} {turn} {addressed}", point.y)
                    })
                    .collect();
                let key = (log.name.clone(), log.person_id(persona.id).to_owned());
                assert_eq!(Some(told), expected.remove(&key), "{key:?}");
            }
        }
        assert!(expected.is_empty(), "nobody plays {:?}", expected.keys());
    }
}

#[test]
fn gold_points_as_files_are_what_scoring_reads() {
    let root = invented_corpus::corpus(2);
    let count = kith_lab::point_files::write_points(root.path(), "train").unwrap();
    assert_eq!(
        count,
        kith_lab::point_files::write_points(root.path(), "train").unwrap()
    );
    let nothing = root.path().join("nothing.jsonl");
    fs::write(&nothing, "").unwrap();
    let read = kith_lab::score::read_decided_points(root.path(), "train", &nothing, false).unwrap();
    assert_eq!(
        read.iter().map(|part| part.points.len()).sum::<usize>(),
        count
    );
    let logs = Corpus::open(root.path())
        .unwrap()
        .read_split("train")
        .unwrap();
    let gold = logs.iter().flat_map(|log| {
        gold_points::select_personas(log)
            .into_iter()
            .map(|persona| persona.apply_decisions(log, |_| PointDecision::default()))
            .collect::<Vec<_>>()
    });
    assert_eq!(read, gold.collect::<Vec<_>>());
    let first = kith_lab::score::read_decided_points(root.path(), "train", &nothing, true).unwrap();
    assert_eq!(first.len(), 2, "one person of each log answers most");
}
