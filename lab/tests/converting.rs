//! The script that makes the replay format of the public corpora, on samples in their raw form.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Runs the script; none where there is no python3.
fn convert(kind: &str, from: &Path, to: &Path) -> Option<()> {
    let script =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("scripts/convert_corpus.py");
    let Ok(run) = Command::new("python3")
        .arg(script)
        .arg(kind)
        .args([from, to])
        .output()
    else {
        kith_testkit::say_skipped("there is no python3 to run the script");
        return None;
    };
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    Some(())
}

fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn an_irc_log_becomes_replay_lines_with_seconds_people_mentions_and_gold_links() {
    let dir = TempDir::new().unwrap();
    let dev = dir.path().join("data/dev");
    fs::create_dir_all(&dev).unwrap();
    let raw = b"[12:59] <Anna> hi all\n\
        [12:59] <tom_> Anna: hello\n\
        === tom_ is now known as tommy\n\
        [01:00]  * Anna waves\n\
        === zoe [n=zoe@example.org] has joined #ubuntu\n\
        [01:01] <tommy> caf\xe9, Anna: coming?\n\
        [01:01] <ubotu> tommy: see the wiki\n";
    fs::write(dev.join("2005-01-02_12.raw.txt"), raw).unwrap();
    fs::write(
        dev.join("2005-01-02_12.annotation.txt"),
        "0 0 -\n0 1 -\n1 3 -\n3 5 -\n1 5 -\n6 5 -\n",
    )
    .unwrap();
    let out = dir.path().join("out");
    let Some(()) = convert("irc", &dir.path().join("data"), &out) else {
        return;
    };
    let lines = lines(&out.join("dev/2005-01-02_12.jsonl"));
    let told: Vec<String> = lines
        .iter()
        .map(|line| {
            let (author, time) = (
                line["author"]["id"].as_str().unwrap(),
                &line["ts"].as_str().unwrap()[10..],
            );
            format!(
                "{time} {author} {} {} {}",
                line["content"], line["reply_to"], line["mentions"]
            )
        })
        .collect();
    let expected = [
        "T12:59:00.000Z anna \"hi all\" null []",
        "T12:59:20.000Z tom \"Anna: hello\" \"0\" [\"anna\"]",
        "T12:59:40.000Z system \"tom_ is now known as tommy\" null []",
        // A clock of twelve hours went round, and nobody is somebody else for a new nick.
        "T13:00:00.000Z anna \"_waves_\" \"1\" []",
        "T13:00:30.000Z system \"zoe  has joined #ubuntu\" null []",
        "T13:01:00.000Z tom \"café, Anna: coming?\" \"3\" [\"anna\"]",
        "T13:01:30.000Z ubotu \"tommy: see the wiki\" \"5\" [\"tom\"]",
    ];
    assert_eq!(told, expected);
    assert_eq!(
        (&lines[6]["author"]["bot"], &lines[4]["system"]),
        (&Value::Bool(true), &Value::Bool(true))
    );
    let more: Value =
        serde_json::from_str(&fs::read_to_string(out.join("gold_extra.json")).unwrap()).unwrap();
    assert_eq!(
        more["dev/2005-01-02_12.jsonl"]["5"],
        serde_json::json!(["1", "3"])
    );
}

#[test]
fn a_dialogue_becomes_replay_lines_a_quarter_of_a_minute_apart() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().join("dialogues/A_first_time");
    fs::create_dir_all(&folder).unwrap();
    let dialogue = r#"{"utterances": [
        {"utterance_id": 0, "interlocutor_id": "うどん", "text": "こんにちは ", "mention_to": []},
        {"utterance_id": 1, "interlocutor_id": "たらこ", "text": "@うどん はい", "mention_to": ["うどん"]}]}"#;
    fs::write(folder.join("A00101.json"), dialogue).unwrap();
    fs::write(folder.join("A00102.json"), dialogue).unwrap();
    let out = dir.path().join("out");
    let Some(()) = convert("chat", &dir.path().join("dialogues"), &out) else {
        return;
    };
    let lines = lines(&out.join("casual3-train/A00101.jsonl"));
    assert_eq!(
        (&lines[0]["content"], &lines[1]["ts"]),
        (&"こんにちは".into(), &"2024-01-01T00:00:15.000Z".into())
    );
    assert_eq!(lines[1]["mentions"], serde_json::json!(["うどん"]));
    assert!(
        !out.join("casual3-train/A00102.jsonl").exists(),
        "it is not one of the sixty"
    );
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["casual3-train/A00101.jsonl"]["links"], false);
}
