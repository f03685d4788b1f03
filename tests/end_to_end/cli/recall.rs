//! `kith recall`: which lines of a recorded chat answer a question.

use std::fs;

use kith_testkit::assert_has;
use serde_json::Value;

use super::*;

/// A chat: `(day, who, what)`, a line a minute.
fn chat(lines: &[(u32, &str, &str)]) -> String {
    let line = |(number, (day, who, text)): (usize, &(u32, &str, &str))| {
        let id = format!("L{number}");
        let at = format!("2026-03-{day:02}T18:{:02}:00Z", number % 60);
        let author = serde_json::json!({"id": who.to_lowercase(), "name": who, "bot": false});
        serde_json::json!({"id": id, "ts": at, "channel": "#den", "author": author, "content": text}).to_string() + "\n"
    };
    lines.iter().enumerate().map(line).collect()
}

const DEN: &[(u32, &str, &str)] = &[
    (1, "Anna", "i'm so tired of this rain"),
    (1, "Tom", "same, the bike lane is a river"),
    (2, "Anna", "both my exams are in june, physics and latin"),
    (2, "Tom", "good luck"),
];

#[test]
fn only_what_was_said_before_counts_and_a_log_is_asked_for_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "den.jsonl", chat(DEN));
    put(
        &folder,
        "other.jsonl",
        chat(&[(1, "Leo", "my exam went fine")]),
    );
    let questions = "{\"id\":\"a\",\"text\":\"exams\",\"f\":\"den.jsonl\",\"at\":\"2026-03-02T00:00:00Z\"}\n\
                     {\"id\":\"b\",\"text\":\"exams\",\"f\":\"den.jsonl\"}\n\
                     {\"id\":\"c\",\"text\":\"exams\",\"f\":\"gone.jsonl\"}\n";
    put(&folder, "q.jsonl", questions);
    let args = [
        "recall",
        "den.jsonl",
        "other.jsonl",
        "--questions",
        "q.jsonl",
        "--out",
        "hits.jsonl",
        "--data",
        "kept",
    ];
    let ran = kith(folder.path(), &args, b"");
    assert_eq!(
        (ran.code, ran.out.trim()),
        (Some(0), "5 lines, 2 questions"),
        "{}",
        ran.err
    );
    let hits = fs::read_to_string(folder.path().join("hits.jsonl")).unwrap();
    let hits: Vec<Value> = hits
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (
            hits[0]["hits"].to_string().as_str(),
            hits[1]["hits"][0].as_str()
        ),
        ("[]", Some("L2")),
        "{hits:?}"
    );
    assert!(folder.path().join("kept/kith.db").exists());
    let again = kith(folder.path(), &args, b"");
    assert_eq!(again.code, Some(1));
    assert_has(&again.err, ["is there already: name an empty folder"]);
}

#[test]
fn a_broken_question_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "den.jsonl", chat(DEN));
    let error = |questions: &str| {
        put(&folder, "q.jsonl", questions);
        let ran = typed(
            &folder,
            "recall den.jsonl --questions q.jsonl --out hits.jsonl",
        );
        assert_eq!(ran.code, Some(1));
        ran.err
    };
    assert_has(
        error("{\"id\":\"a\"}\n"),
        ["q.jsonl:1: expected {\"id\": …"],
    );
    let late = "{\"id\":\"a\",\"text\":\"x\",\"f\":\"den.jsonl\",\"at\":\"soon\"}\n";
    assert_has(
        error(late),
        ["q.jsonl:1: `at` is \"soon\"; expected a time like"],
    );
}
