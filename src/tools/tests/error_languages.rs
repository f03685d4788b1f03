//! In which language the model reads of failures: in the prompt's, whatever fails.

use kith_language::{LocalizedMessage, failures};
use std::path::Path;
use std::sync::Arc;

use futures_util::FutureExt;
use kith_core::chat::{Author, AuthorKind, MessageId, UserId};
use kith_core::persona::Language;
use kith_core::session::SessionRequest;
use kith_store::{QueryError, ToolDataError};
use kith_tools::{
    NumberedLine, NumberedLines, PermittedCallers, SessionOpener, SessionOpening, ToolContext,
    ToolPermission, ToolRegistry,
};
use serde_json::{Value, json};

use crate::registry::{call, context};

/// Names, units and code stand in every language; three words of Latin letters in a row are a sentence.
fn has_english(text: &str) -> bool {
    let outside_code: String = text.split('`').step_by(2).collect();
    let is_word = |word: &&str| word.chars().filter(char::is_ascii_alphabetic).count() > 1;
    let words: Vec<bool> = outside_code
        .split_whitespace()
        .map(|word| is_word(&word) && word.is_ascii())
        .collect();
    words
        .windows(3)
        .any(|three| three.iter().all(|is_word| *is_word))
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)) && !has_english(text)
}

/// A channel where nothing works, its lines and who spoke.
fn in_chinese() -> ToolContext {
    let author = |id, name: &str, kind| Author {
        id: UserId(id),
        name: name.into(),
        kind,
    };
    let anna = author(5, "Anna", AuthorKind::Person);
    let own = author(1, "Juno", AuthorKind::Companion);
    let lines = [(1, &anna), (2, &own)].map(|(number, author)| NumberedLine {
        number,
        message: MessageId(100 + u64::from(number)),
        author: author.clone(),
    });
    ToolContext {
        lines: NumberedLines::new(lines),
        ..context(Language::ZH)
    }
}

/// Calls that fail, by tool: every way its parameters can be wrong, and everything that nobody here can do.
fn failures() -> Vec<(&'static str, Value)> {
    let long = "很".repeat(5_000);
    let mut failures: Vec<(&'static str, Value)> =
        vec![("calculate", json!({ "expression": "1+".repeat(400) }))];
    failures.extend([
        ("no_such_tool", json!({})),
        ("send_message", json!({"text": "hi"})),
        ("get_time", json!({"zone": "Atlantis"})),
        ("get_time", json!({"format": "loud"})),
        ("recall", json!({})),
        ("recall", json!({"query": "a", "since": "long ago"})),
        ("channel_history", json!({"before": "long ago"})),
        ("roll_dice", json!({"dice": "many"})),
        ("roll_dice", json!({"dice": "900d1"})),
        ("random_choice", json!({"options": []})),
        ("server_info", json!({})),
        ("member_info", json!({})),
        ("member_info", json!({"name": "Zed"})),
        ("member_info", json!({"line": 1})),
        ("member_info", json!({"line": 9})),
        ("edit_message", json!({"text": " "})),
        ("edit_message", json!({"text": "a", "line": 1})),
        ("edit_message", json!({"text": "a"})),
        ("delete_own_message", json!({"line": 77})),
        ("delete_own_message", json!({})),
        ("create_thread", json!({"name": " "})),
        ("create_thread", json!({"name": "a", "text": long})),
        ("create_thread", json!({"name": "a", "line": 9})),
        ("create_thread", json!({"name": "a"})),
        (
            "create_poll",
            json!({"question": " ", "answers": ["a", "b"]}),
        ),
        ("create_poll", json!({"question": "a", "answers": ["a"]})),
        (
            "create_poll",
            json!({"question": "a", "answers": ["a", long]}),
        ),
        (
            "create_poll",
            json!({"question": "a", "answers": ["a", "b"], "hours": 100_000}),
        ),
        (
            "create_poll",
            json!({"question": "a", "answers": ["a", "b"]}),
        ),
    ]);
    failures.extend(list_more_failures(&long));
    failures
}

fn list_more_failures(long: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("send_sticker", json!({"name": "cat"})),
        ("set_status", json!({"text": long})),
        ("set_status", json!({"text": "a"})),
        ("remind", json!({"text": "a", "when": "soon"})),
        ("remind", json!({"text": "a", "when": "2001-01-01 10:00"})),
        ("remind", json!({"text": " ", "when": "5"})),
        ("remind", json!({"text": "a", "when": "5", "line": 9})),
        ("remind", json!({"text": "a", "when": "5"})),
        ("compact", json!({})),
        ("create_session", json!({"label": " "})),
        ("create_session", json!({"label": "a", "prompt": long})),
        ("create_session", json!({"label": "a"})),
        ("task", json!({"task": " "})),
        ("task", json!({"task": "a"})),
        ("todo", json!({"list": "做\n".repeat(40)})),
        ("todo", json!({"list": long})),
        ("todo", json!({"list": "[>] a\n[>] b"})),
        (
            "core_memory_append",
            json!({"label": "nowhere", "text": "a"}),
        ),
        ("core_memory_append", json!({"label": "notes", "text": " "})),
        (
            "core_memory_replace",
            json!({"label": "notes", "old": " ", "new": "a"}),
        ),
        (
            "core_memory_replace",
            json!({"label": "notes", "old": "not there at all", "new": "a"}),
        ),
        (
            "core_memory_append",
            json!({"label": "notes", "text": "很".repeat(50_000)}),
        ),
        ("update_person", json!({"name": "Zed", "text": "a"})),
        ("update_person", json!({"name": "Anna", "text": " "})),
        (
            "update_person",
            json!({"name": "Anna", "text": "a", "kind": "loud"}),
        ),
        (
            "update_person",
            json!({"name": "Anna", "text": "a", "due": "soon"}),
        ),
        (
            "update_person",
            json!({"name": "Anna", "text": "a", "line": 2}),
        ),
        ("update_person", json!({"name": "Anna", "text": "a"})),
        ("remember", json!({"text": "a", "line": 9})),
        ("remember", json!({"text": long})),
        ("activate_skill", json!({"name": "nothing"})),
        (
            "read_skill_resource",
            json!({"name": "nothing", "path": "a"}),
        ),
        (
            "run_skill_script",
            json!({"skill": "nothing", "script": "a"}),
        ),
        ("web_search", json!({"query": "a"})),
        ("web_fetch", json!({"url": "http://"})),
        ("web_fetch", json!({"url": "ftp://example.org/"})),
        ("web_fetch", json!({"url": "http://anna@example.org/"})),
        ("web_fetch", json!({"url": "http://10.0.0.1/"})),
        ("read_file", json!({"path": "none.txt"})),
        ("delete_file", json!({"path": "none.txt"})),
        ("write_file", json!({"path": "../a", "text": "a"})),
        ("write_file", json!({"path": "a", "text": long})),
    ]
}

#[tokio::test]
async fn every_failure_of_a_tool_is_told_in_the_language_of_the_prompt() {
    let registry = ToolRegistry::load_builtin();
    let (mut failed, mut wrong) = (Vec::new(), Vec::new());
    for (name, params) in failures() {
        let result = registry.run(call(name, params.clone()), in_chinese()).await;
        if !result.is_error || !is_chinese(&result.content) {
            wrong.push(format!(
                "{name} {}: {}",
                params.to_string().chars().take(80).collect::<String>(),
                result.content
            ));
        }
        failed.push(name.to_owned());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // A new tool gets its line above.
    let cannot_fail = ["find_tools", "list_emoji", "list_files"];
    for spec in registry
        .specs(Language::ZH)
        .iter()
        .filter(|spec| registry.can_run(&spec.name))
    {
        let is_there = failed.contains(&spec.name) || cannot_fail.contains(&spec.name.as_str());
        assert!(is_there, "no failure of {} is tried", spec.name);
    }
}

#[tokio::test]
async fn what_a_driver_denies_is_told_in_it_as_well() {
    let registry = ToolRegistry::load_builtin();
    let denied = ToolPermission {
        caused_by: PermittedCallers::Moderators,
        ..ToolPermission::default()
    };
    let permissions = Arc::new([("get_time".to_owned(), denied)].into());
    let result = registry
        .run(
            call("get_time", json!({})),
            ToolContext {
                permissions,
                ..in_chinese()
            },
        )
        .await;
    assert!(
        result.is_error && is_chinese(&result.content),
        "{}",
        result.content
    );
    let opener = |_: SessionRequest| -> SessionOpening {
        std::future::ready(Err(failures::no_answer())).boxed()
    };
    let sessions = ToolContext {
        sessions: SessionOpener::from_opener(opener),
        ..in_chinese()
    };
    let result = registry
        .run(call("create_session", json!({"label": "a"})), sessions)
        .await;
    assert_eq!(
        (result.is_error, result.content.as_str()),
        (true, "Discord 没有回应")
    );
}

#[test]
fn what_the_store_refuses_has_a_sentence_in_both() {
    let refused: [LocalizedMessage; 5] = [
        ToolDataError::Key("a".into()).into(),
        ToolDataError::Value("a".into()).into(),
        ToolDataError::Keys.into(),
        ToolDataError::Scope.into(),
        QueryError::TooLarge.into(),
    ];
    for refused in refused {
        let english = refused.to_string();
        assert!(has_english(&english), "{english}");
        let chinese = refused.in_language(Language::ZH);
        assert!(is_chinese(&chinese), "{chinese}");
    }
}

/// A sentence that stands alone would be read in one language only.
#[test]
fn no_tool_writes_a_failure_in_one_language() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut folders = vec![root.join("src/tools"), root.join("src/agent")];
    let mut alone = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if entry.is_dir() {
                folders.extend(Some(entry).filter(|entry| !entry.ends_with("tests")));
                continue;
            }
            let source: String = std::fs::read_to_string(&entry)
                .unwrap()
                .split_whitespace()
                .collect();
            for wrong in [
                "ToolResult::error(\"",
                "ToolResult::error(format!(",
                "ToolResult::denied(\"",
            ] {
                alone.extend(
                    source
                        .contains(wrong)
                        .then(|| format!("{}: {wrong}", entry.display())),
                );
            }
        }
    }
    assert!(
        alone.is_empty(),
        "write it as a message of a catalog: {alone:#?}"
    );
}
