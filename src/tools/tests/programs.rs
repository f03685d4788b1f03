//! Programs and hooks of the host's own: what they may ask, and what becomes of a call and of its result.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kith_core::call::{ToolCall, ToolResult};
use kith_core::chat::ProposalId;
use kith_core::persona::Language;
use kith_tools::custom::{DefinedTool, Hooks, ToolDefinition, registry};
use kith_tools::{PermittedCallers, ToolContext, ToolPermission, ToolRegistry};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::registry::{call, context};
use crate::sql::room;

/// The tools and hooks of a definition file, and a place where they run.
struct Bench {
    registry: ToolRegistry,
    context: ToolContext,
    _folder: TempDir,
}

impl Bench {
    fn new(toml: &str, file: &str, context: ToolContext) -> Self {
        let all: BTreeMap<String, ToolDefinition> = toml::from_str(toml).expect("read");
        let defined: Vec<DefinedTool> = all
            .into_iter()
            .map(|(name, definition)| DefinedTool {
                name,
                file: Path::new(file).into(),
                line: 1,
                skill: None,
                definition,
            })
            .collect();
        let names: Vec<String> = defined.iter().map(|one| one.name.clone()).collect();
        let folder = TempDir::new().expect("a folder");
        let context = ToolContext {
            hooks: Hooks::from_definitions(&names, &defined),
            workspace: folder.path().into(),
            ..context
        };
        let (registry, _) = registry(&defined, Vec::new());
        Self {
            registry,
            context,
            _folder: folder,
        }
    }

    async fn run(&self, call: ToolCall) -> ToolResult {
        self.registry.run(call, self.context.clone()).await
    }
}

async fn room_on_disk() -> ToolContext {
    let made = tokio::task::spawn_blocking(|| room(Language::EN));
    made.await.expect("made")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_that_ships_asks_for_counts_and_the_last_line_of_its_channel() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/tools/hour_chart.toml"
    );
    let toml = include_str!("../../../prompts/tools/hour_chart.toml");
    let bench = Bench::new(toml, file, room_on_disk().await);
    let result = bench.run(call("hour_chart", json!({}))).await;
    let bar = "#".repeat(20);
    let half = "#".repeat(10);
    assert_eq!(
        result.content,
        format!("12:00 {half} 1\n13:00 {bar} 2\nlast: Ben: me")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_program_asks_is_bound_bounded_and_of_its_own_place_and_a_wrong_question_is_answered()
 {
    let toml = r#"
[own]
description = "asks"
[own.command]
asks = true
argv = ["sh", "-c", '''
read -r input
ask() { echo "{\"ask\": $1}"; read -r answer; all="$all> $answer
"; }
ask 5
ask '{"sql": "DELETE FROM messages"}'
ask '{"sql": "SELECT count(*) AS n FROM messages WHERE channel = 9"}'
ask '{"sql": "SELECT :x AS x, :channel AS c", "params": {"x": "a'"'"'; --", "channel": 9}}'
for n in 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ask '{"lines": 1}'; done
ask '{"lines": 1}'
echo "$all"
''']
"#;
    let bench = Bench::new(toml, "tools/own.toml", room_on_disk().await);
    let result = bench.run(call("own", json!({}))).await;
    let lines: Vec<&str> = result.content.lines().collect();
    assert_eq!(lines.len(), 21, "{}", result.content);
    assert!(
        lines[0].starts_with(r#"> {"error":"what is asked must be"#),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("error"), "{}", lines[1]);
    assert_eq!(
        lines[2],
        r#"> {"columns":["n"],"rows":[[0]],"is_cut":false}"#
    );
    assert_eq!(
        lines[3],
        r#"> {"columns":["x","c"],"rows":[["a'; --",1]],"is_cut":false}"#
    );
    assert!(
        lines[19].contains(r#""Ben","person",null,"me"]]"#),
        "{}",
        lines[19]
    );
    assert!(lines[20].contains("20 times at the most"), "{}", lines[20]);
}

/// A tool `own` that shows what it is called with, and a hook that answers this.
fn hooked(on: &str, answer: &str, more: &str) -> Bench {
    let toml = format!(
        r#"
[own]
description = "shows"
[own.parameters.n]
type = "integer"
required = true
[own.command]
argv = ["sh", "-c", '''read -r input; input=${{input#*arguments}}; echo "ran${{input%%approved*}}"''']
[guard.hook]
on = ["{on}"]
{more}
[guard.command]
argv = ["sh", "-c", '''echo '{answer}' ''']
"#
    );
    Bench::new(&toml, "tools/own.toml", context(Language::EN))
}

async fn run_own(bench: &Bench) -> ToolResult {
    bench.run(call("own", json!({"n": 1}))).await
}

#[tokio::test]
async fn a_hook_changes_a_call_or_holds_it_back_and_its_arguments_are_checked_like_a_models() {
    let shown = |result: ToolResult| result.content.replace(char::is_whitespace, "");
    let changed = run_own(&hooked("call", r#"{"arguments": {"n": "2"}}"#, "")).await;
    assert!(shown(changed.clone()).contains(r#"{"n":2}"#), "{changed:?}");
    let refused = run_own(&hooked("call", r#"{"refuse": "not now"}"#, "")).await;
    assert!(
        refused.is_error && refused.content.contains("not now"),
        "{refused:?}"
    );
    for wrong in [
        r#"{"arguments": {"n": "many"}}"#,
        r#"{"text": "x"}"#,
        "nothing",
    ] {
        let held = run_own(&hooked("call", wrong, "")).await;
        assert!(held.is_error && !held.content.contains("ran"), "{held:?}");
        let passed = run_own(&hooked("call", wrong, "on_failure = \"pass\"")).await;
        assert!(shown(passed.clone()).contains(r#"{"n":1}"#), "{passed:?}");
    }
    let others = hooked(
        "call",
        r#"{"refuse": "not now"}"#,
        "tools = [\"web_fetch\"]",
    );
    assert!(!run_own(&others).await.is_error);
}

#[tokio::test]
async fn no_hook_runs_for_a_call_that_is_denied() {
    let bench = hooked("call", r#"{"refuse": "not now"}"#, "");
    let permission = ToolPermission {
        caused_by: PermittedCallers::Host,
        ..ToolPermission::default()
    };
    let context = ToolContext {
        permissions: Arc::new(BTreeMap::from([("own".to_owned(), permission)])),
        causes: Vec::new(),
        ..bench.context.clone()
    };
    let denied = bench
        .registry
        .run(call("own", json!({"n": 1})), context)
        .await;
    assert!(denied.content.starts_with("denied"), "{denied:?}");
}

#[tokio::test]
async fn what_a_hook_made_of_a_call_is_what_a_person_is_asked_about_and_what_they_approved_runs() {
    let bench = hooked("call", r#"{"arguments": {"n": 2}}"#, "");
    let permission = ToolPermission {
        approval: true,
        ..ToolPermission::default()
    };
    let permissions = Arc::new(BTreeMap::from([("own".to_owned(), permission)]));
    let context = ToolContext {
        permissions,
        ..bench.context.clone()
    };
    let asked = bench
        .registry
        .run(call("own", json!({"n": 1})), context.clone())
        .await;
    assert!(asked.is_pending);
    assert_eq!(asked.details.expect("shown")["params"], json!({"n": 2}));
    let approved = ToolContext {
        approved: Some(ProposalId(1)),
        ..context
    };
    let ran = bench
        .registry
        .run(call("own", json!({"n": 3})), approved)
        .await;
    let shown = ran.content.replace(char::is_whitespace, "");
    assert!(shown.contains(r#"{"n":3}"#), "{ran:?}");
}

#[tokio::test]
async fn a_hook_may_mark_a_result_as_an_error_say_its_details_and_end_the_turn() {
    let answer = r#"{"is_error": true, "details": {"why": "old"}}"#;
    let marked = run_own(&hooked("result", answer, "")).await;
    assert!(
        marked.is_error && marked.content.starts_with("ran"),
        "{marked:?}"
    );
    assert_eq!(marked.details, Some(json!({"why": "old"})));
    let ended = run_own(&hooked(
        "result",
        r#"{"text": "done", "end_turn": true}"#,
        "",
    ))
    .await;
    assert_eq!((ended.content.as_str(), ended.ends_turn), ("done", true));
    let dropped = run_own(&hooked("result", r#"{"details": null}"#, "")).await;
    assert_eq!((dropped.details, dropped.is_error), (None, false));
}

#[tokio::test]
async fn a_filter_may_end_the_turn() {
    let toml = r#"
[own]
description = "ends"
[own.filter]
end_turn = "'over' in content"
[own.command]
argv = ["echo", "it is over"]
"#;
    let bench = Bench::new(toml, "tools/own.toml", context(Language::EN));
    let result = bench.run(call("own", Value::Null)).await;
    assert!(result.ends_turn && !result.is_error, "{result:?}");
}
