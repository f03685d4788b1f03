//! The written chats of friends (`tests/chats/README.md`): their gold points are what the rule makes of the links, and
//! the shipped weights know when to speak there, in Chinese as in English, no worse than this says.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kith_agent::prompt::PromptTemplates;
use kith_core::willingness::Weights;
use kith_lab::corpus::Corpus;
use kith_lab::gold_points;
use kith_lab::score::{PointAddressee, ScoreTable, read_decided_points, score_parts};
use kith_replay::{ReplayOptions, ReplaySource, run};
use serde_json::{Value, json};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/chats");

/// The same table as for any annotated log.
fn table(split: &str) -> ScoreTable {
    let root = Path::new(ROOT);
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("decisions.jsonl");
    let points = root.join(format!("eval/{split}.points.jsonl"));
    run(&ReplayOptions {
        source: ReplaySource::Points {
            points,
            root: root.to_owned(),
        },
        out: Some(out.clone()),
        prompts: None,
        reply_links: false,
        weights: Arc::new(Weights::load_embedded()),
        templates: PromptTemplates::load(None).unwrap(),
        turns: None,
    })
    .unwrap();
    let table = score_parts(&read_decided_points(root, split, &out, false).unwrap());
    println!("{split}\n{table}");
    table
}

/// Measured with the shipped weights, less some room: what falls below has rotted.
fn holds(split: &str, auc: f64, precision: f64) {
    let ranking = table(split).trig.ranking;
    let (measured_auc, measured_precision) = (ranking.auc.unwrap(), ranking.precision.unwrap());
    assert!(
        measured_auc >= auc,
        "{split}: trig AUC {measured_auc:.3}, at least {auc} expected"
    );
    assert!(
        measured_precision >= precision,
        "{split}: trig average precision {measured_precision:.3}, at least {precision} expected"
    );
}

#[test]
fn in_chinese_it_knows_when_a_good_friend_would_answer() {
    holds("zh", 0.57, 0.35);
}

#[test]
fn in_english_it_knows_when_a_good_friend_would_answer() {
    holds("en", 0.55, 0.33);
}

/// The points of a split as the rule makes them of the links.
fn points(split: &str) -> String {
    let root = Path::new(ROOT);
    let friends: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(root.join("eval/personas.json")).unwrap())
            .unwrap();
    let logs = Corpus::open(root).unwrap().read_split(split).unwrap();
    let mut points = String::new();
    for friend in friends {
        let Some(log) = logs.iter().find(|log| log.name == friend["file"]) else {
            continue;
        };
        let id = log
            .lines
            .iter()
            .map(|line| line.author())
            .find(|id| log.person_id(*id) == friend["persona"])
            .unwrap();
        for (place, point) in gold_points::find_persona(log, id).points {
            let addressed = match point.addressed {
                PointAddressee::Persona => "P",
                PointAddressee::Other => "other",
                PointAddressee::None => "none",
            };
            points += &format!(
                "{{\"f\":{},\"p\":{},\"id\":\"{}\",\"y\":{},\"trig\":{},\"turn\":{},\"addr\":\"{addressed}\"}}\n",
                friend["file"],
                friend["persona"],
                log.lines[place].number,
                point.y,
                u8::from(point.trig),
                json!(point.turn.map(|turn| turn.to_string())),
            );
        }
    }
    points
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "whether the file is to be written anew is told to the test from outside"
)]
fn the_gold_points_are_what_the_rule_makes_of_the_links() {
    for split in ["zh", "en"] {
        let file = Path::new(ROOT).join(format!("eval/{split}.points.jsonl"));
        let points = points(split);
        if std::env::var_os("KITH_BLESS").is_some() {
            fs::write(&file, &points).unwrap();
        }
        let written = fs::read_to_string(&file).unwrap();
        let differs = points
            .lines()
            .zip(written.lines())
            .find(|(made, written)| made != written);
        assert_eq!(
            differs,
            None,
            "{}: run `KITH_BLESS=1 cargo test -p kith-lab --test lab_tests chats`",
            file.display()
        );
        assert_eq!(points.lines().count(), written.lines().count());
    }
}
