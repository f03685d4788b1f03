//! A made-up corpus in the replay data's form: Mia answers whoever mentions her, and nobody else does.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A log's line; `minute` says when.
pub fn line(id: u32, seconds: u32, author: &str, text: &str, answers: Option<u32>) -> Value {
    let mentions: Vec<&str> = ["mia", "tom", "ann", "joe"]
        .into_iter()
        .filter(|name| text.contains(name))
        .collect();
    let time = format!(
        "2020-01-01T{:02}:{:02}:{:02}Z",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    json!({"id": id.to_string(), "ts": time, "channel": "#den", "author": {"id": author, "name": author, "bot": false},
           "content": text, "reply_to": answers.map(|id| id.to_string()), "mentions": mentions, "system": false})
}

/// A hundred lines of four people.
pub fn chat(seed: u32) -> Vec<Value> {
    let mut lines = Vec::new();
    let mut id = 0;
    for round in 0..25 {
        let at = round * 50;
        let asker = ["tom", "ann", "joe"][((round + seed) * 7 % 3) as usize];
        let other = ["ann", "joe", "tom"][((round + seed) * 7 % 3) as usize];
        let to_mia = (round * 5 + seed).is_multiple_of(3);
        let whom = if to_mia { "mia" } else { other };
        lines.push(line(
            id,
            at,
            asker,
            &format!("{whom}: which kernel is number {round}?"),
            None,
        ));
        lines.push(line(
            id + 1,
            at + 8,
            whom,
            &format!("it is the {round}th one"),
            Some(id),
        ));
        lines.push(line(id + 2, at + 20, other, "i had lunch already", None));
        lines.push(line(id + 3, at + 31, asker, "oh good", Some(id + 1)));
        id += 4;
    }
    lines
}

/// A folder with `logs` chats of the split train.
pub fn corpus(logs: u32) -> TempDir {
    let root = TempDir::new().unwrap();
    fs::create_dir(root.path().join("train")).unwrap();
    let mut manifest = json!({});
    for number in 0..logs {
        let name = format!("train/{number:02}.jsonl");
        write_lines(&root.path().join(&name), &chat(number));
        manifest[name] = json!({"gold_from_id": "8", "gold_to_id": "400"});
    }
    fs::write(root.path().join("manifest.json"), manifest.to_string()).unwrap();
    fs::write(root.path().join("gold_extra.json"), "{}").unwrap();
    root
}

pub fn write_lines(path: &Path, lines: &[Value]) {
    fs::write(
        path,
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
    .unwrap();
}
