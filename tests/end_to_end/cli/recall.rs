//! `kith recall`: which lines of a recorded chat answer a question.

use std::fs;

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

/// Asks questions of one chat, and answers with the text of the best lines of each.
fn best(lines: &[(u32, &str, &str)], questions: &[&str], most: usize) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("den.jsonl"), chat(lines)).unwrap();
    let asked = |(id, text): (usize, &&str)| {
        format!(
            "{}\n",
            serde_json::json!({"id": id.to_string(), "text": text, "f": "den.jsonl"})
        )
    };
    fs::write(
        folder.path().join("q.jsonl"),
        questions.iter().enumerate().map(asked).collect::<String>(),
    )
    .unwrap();
    let ran = kith(
        folder.path(),
        &[
            "recall",
            "den.jsonl",
            "--questions",
            "q.jsonl",
            "--out",
            "hits.jsonl",
        ],
        b"",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let hits = fs::read_to_string(folder.path().join("hits.jsonl")).unwrap();
    let text = |id: &Value| {
        lines[id.as_str().unwrap()[1..].parse::<usize>().unwrap()]
            .2
            .to_owned()
    };
    let answer = |line: &str| -> Vec<String> {
        let hits: Value = serde_json::from_str(line).unwrap();
        hits["hits"]
            .as_array()
            .unwrap()
            .iter()
            .take(most)
            .map(text)
            .collect()
    };
    hits.lines().map(answer).collect()
}

const DEN: &[(u32, &str, &str)] = &[
    (1, "Anna", "i'm so tired of this rain"),
    (1, "Tom", "same, the bike lane is a river"),
    (2, "Anna", "both my exams are in june, physics and latin"),
    (2, "Tom", "good luck"),
    (
        3,
        "Mia",
        "what are you allergic to again? i'm cooking on friday",
    ),
    (3, "Tom", "peanuts, and only those"),
    (4, "Mia", "anna have you seen my umbrella"),
    (4, "Anna", "no sorry"),
    (5, "Tom", "i might sell the bike"),
    (6, "Mia", "we're moving to lisbon"),
    (6, "Anna", "when??"),
    (6, "Mia", "next october if the flat works out"),
    (7, "Tom", "does anybody know a good plumber"),
];

#[test]
fn a_question_finds_its_answer_whatever_form_its_words_have() {
    let found = best(
        DEN,
        &[
            "when is Anna's exam?",
            "which peanut thing did Tom have?",
            "is he selling his bikes",
        ],
        1,
    );
    assert_eq!(found, [[DEN[2].2], [DEN[5].2], [DEN[8].2]]);
}

#[test]
fn an_answer_is_found_beside_the_question_it_was_given_to() {
    let found = best(
        DEN,
        &["what is Tom allergic to?", "when does Mia move to Lisbon?"],
        2,
    );
    assert!(found[0].contains(&DEN[5].2.to_owned()), "{found:?}");
    assert!(found[1].contains(&DEN[11].2.to_owned()), "{found:?}");
}

#[test]
fn in_chinese_pairs_of_characters_do() {
    let den: &[(u32, &str, &str)] = &[
        (1, "小雨", "今天又下雨了"),
        (1, "老周", "是啊，骑车全湿了"),
        (2, "小雨", "我六月要考两门，物理和日语"),
        (2, "阿豪", "加油"),
        (3, "小丹", "你对什么过敏来着，周五我做饭"),
        (3, "老周", "花生，别的都行"),
        (4, "阿豪", "谁看见我的伞了"),
        (5, "小丹", "我们要搬去成都了"),
        (5, "小雨", "什么时候？"),
        (5, "小丹", "十月，房子定了就走"),
    ];
    let found = best(
        den,
        &[
            "小雨什么时候考日语",
            "老周对什么过敏",
            "小丹什么时候搬去成都",
        ],
        3,
    );
    assert_eq!(found[0][0], den[2].2);
    assert!(found[1].contains(&den[5].2.to_owned()), "{found:?}");
    assert!(found[2].contains(&den[9].2.to_owned()), "{found:?}");
}

#[test]
fn only_what_was_said_before_counts_and_a_log_is_asked_for_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("den.jsonl"), chat(DEN)).unwrap();
    fs::write(
        folder.path().join("other.jsonl"),
        chat(&[(1, "Leo", "my exam went fine")]),
    )
    .unwrap();
    let questions = "{\"id\":\"a\",\"text\":\"exams\",\"f\":\"den.jsonl\",\"at\":\"2026-03-02T00:00:00Z\"}\n\
                     {\"id\":\"b\",\"text\":\"exams\",\"f\":\"den.jsonl\"}\n\
                     {\"id\":\"c\",\"text\":\"exams\",\"f\":\"gone.jsonl\"}\n";
    fs::write(folder.path().join("q.jsonl"), questions).unwrap();
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
        (Some(0), "14 lines, 2 questions"),
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
    assert!(
        again.err.contains("is there already: name an empty folder"),
        "{}",
        again.err
    );
}

#[test]
fn a_broken_question_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("den.jsonl"), chat(DEN)).unwrap();
    let error = |questions: &str| {
        fs::write(folder.path().join("q.jsonl"), questions).unwrap();
        let ran = kith(
            folder.path(),
            &[
                "recall",
                "den.jsonl",
                "--questions",
                "q.jsonl",
                "--out",
                "hits.jsonl",
            ],
            b"",
        );
        assert_eq!(ran.code, Some(1));
        ran.err
    };
    assert!(error("{\"id\":\"a\"}\n").contains("q.jsonl:1: expected {\"id\": …"));
    let late = "{\"id\":\"a\",\"text\":\"x\",\"f\":\"den.jsonl\",\"at\":\"soon\"}\n";
    assert!(error(late).contains("q.jsonl:1: `at` is \"soon\"; expected a time like"));
}
