//! Tools of the host's own that are programs: what they are given, what becomes of what they print, and that nothing of
//! them is left when they are over.

mod hooks;
mod logs;
mod results;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith::settings::{LoadOptions, Settings, load};
use kith_core::call::{ToolCall, ToolResult};
use kith_core::chat::{Author, AuthorKind, ChannelId, GuildId, UserId};
use kith_core::persona::{Language, Persona, PersonaSchedule};
use kith_core::secret::Secret;
use kith_tools::{ToolContext, ToolHost, ToolNewsItem, ToolNewsSender};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::Instant;

struct NoHost;

impl ToolHost for NoHost {}

fn context() -> ToolContext {
    let store = kith_store::Store::open_in_memory().unwrap();
    let schedule = Some(PersonaSchedule {
        timezone: chrono_tz::Europe::Berlin,
        day: Vec::new(),
    });
    let persona = Arc::new(Persona {
        language: Language::EN,
        schedule,
        ..Persona::default()
    });
    let now = 1_772_368_205_000;
    ToolContext {
        guild: Some(GuildId(2)),
        ..ToolContext::new(ChannelId(1), persona, store, Arc::new(NoHost), now)
    }
}

fn call(name: &str, params: Value) -> ToolCall {
    ToolCall {
        name: name.into(),
        params: params.as_object().cloned().unwrap_or_default(),
    }
}

/// A folder with settings, definitions and programs.
pub struct Bench {
    pub folder: TempDir,
    settings: Settings,
    news: Arc<Mutex<Vec<ToolNewsItem>>>,
}

impl Bench {
    /// A tool `own` that runs this shell script; `more` stands in its definition.
    pub fn of(script: &str, more: &str) -> Self {
        Self::with(
            &format!(
                "[own]\ndescription = \"own\"\n{more}\n[own.command]\nargv = [\"./own.sh\"]\n"
            ),
            script,
        )
    }

    /// Tools that are defined so, with `own.sh` beside them.
    pub fn with(definitions: &str, script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("own.sh");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(folder.path().join("own.toml"), definitions).unwrap();
        let config = folder.path().join("kith.toml");
        std::fs::write(folder.path().join("news.key"), "k-123456").unwrap();
        std::fs::write(&config, "tool_paths = [\"own.toml\"]\n[secrets]\nnews_key = { file = \"news.key\" }\n[model]\napi_key = \"sk-of/the+model\"\n")
            .unwrap();
        let environment = [("LANG", "zh_CN.UTF-8"), ("HIDDEN", "seen")]
            .map(|(name, value)| (name.into(), value.into()));
        let options = LoadOptions {
            config: Some(config),
            environment: environment.into(),
            flags: Vec::new(),
        };
        let settings = load(&options).unwrap_or_else(|problems| panic!("{problems:?}"));
        Self {
            folder,
            settings,
            news: Arc::default(),
        }
    }

    pub fn context(&self) -> ToolContext {
        let news = self.news.clone();
        ToolContext {
            workspace: self.workspace().into(),
            secrets: self.settings.known_secrets.clone(),
            redactor: self.settings.redactor(),
            news: ToolNewsSender::from_listener(move |item| news.lock().unwrap().push(item)),
            model: "tiny".into(),
            tokens_left: 7,
            ..context()
        }
    }

    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("data/tools")
    }

    pub async fn run(&self, params: Value) -> ToolResult {
        self.run_in(params, self.context()).await
    }

    pub async fn run_in(&self, params: Value, context: ToolContext) -> ToolResult {
        self.settings
            .build_registry(Vec::new())
            .run(call("own", params), context)
            .await
    }

    /// What it printed, told for people only.
    pub fn news(&self) -> Vec<ToolNewsItem> {
        self.news.lock().unwrap().clone()
    }
}

/// The processes whose environment or command line holds this text.
fn processes_with(text: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let read = |path: PathBuf| {
        String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
    };
    entries
        .map(|entry| entry.path())
        .filter(|path| path.join("cmdline").exists())
        .map(|path| read(path.join("environ")) + &read(path.join("cmdline")))
        .filter(|about| about.contains(text))
        .collect()
}

/// Waits until nothing that was started below a folder runs any more.
async fn all_is_over(folder: &Path) {
    let (place, began) = (folder.to_string_lossy().into_owned(), Instant::now());
    loop {
        let left = processes_with(&place);
        if left.is_empty() {
            return;
        }
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "still running: {left:?}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

const PLACE: &str = "[own.parameters.place]\nrequired = true\n[own.parameters.days]\ntype = \"integer\"\ndefault = 3\n";

#[tokio::test]
async fn a_program_is_given_the_call_the_session_and_the_model() {
    let bench = Bench::of("cat", PLACE);
    let anna = Author {
        id: UserId(1),
        name: "Anna".into(),
        kind: AuthorKind::Person,
    };
    let context = ToolContext {
        causes: vec![anna],
        ..bench.context()
    };
    let result = bench
        .run_in(json!({"place": "Berlin; rm -rf /"}), context)
        .await;
    assert!(!result.is_error, "{}", result.content);
    let given: Value = serde_json::from_str(&result.content).unwrap();
    assert_eq!(
        given["arguments"],
        json!({"place": "Berlin; rm -rf /", "days": 3})
    );
    assert_eq!(given["tool"], "own");
    assert_eq!(
        given["session"],
        json!({"channel": "1", "parent": null, "guild": "2", "server": null, "direct": false, "asked_by": ["Anna"], "companion": ""})
    );
    assert_eq!(given["model"], json!({"name": "tiny", "tokens_left": 7}));
    assert_eq!(
        (&given["language"], &given["now"]),
        (&json!("en"), &json!("2026-03-01T13:30:05+01:00"))
    );
}

#[tokio::test]
async fn a_program_sees_an_empty_environment_and_works_in_a_folder_of_its_own() {
    let more = "env = [\"LANG\", \"NOT_SET\"]\nsecrets = { TOKEN = \"news_key\" }\n";
    let bench = Bench::with(
        &format!("[own]\ndescription = \"own\"\n[own.command]\nargv = [\"./own.sh\"]\n{more}"),
        "env | grep -v -e ^KITH_RUN= -e ^_= -e ^PWD= | sort; pwd; [ \"$TOKEN\" = k-123456 ] && echo the key; echo 1 > kept",
    );
    let result = bench.run(json!({})).await;
    let place = bench.workspace().join("own");
    let place = place.display();
    let expected = format!(
        "HOME={place}\nLANG=zh_CN.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\nTOKEN=<redacted>\n{place}\nthe key"
    );
    assert_eq!(result.content, expected);
    assert_eq!(
        std::fs::read_to_string(bench.workspace().join("own/kept")).unwrap(),
        "1\n"
    );
}

#[tokio::test]
async fn what_a_program_prints_becomes_a_result() {
    for (prints, content, is_error) in [
        ("hello", "hello", false),
        ("", "done, and nothing was printed", false),
        (
            r#"{"success": true, "data": {"t": 3}}"#,
            r#"{"t":3}"#,
            false,
        ),
        (r#"{"data": "sunny"}"#, "sunny", false),
        (r#"{"content": "sunny", "data": [1]}"#, "sunny", false),
        (r#"{"error": "no such town"}"#, "no such town", true),
        (
            r#"{"success": false, "data": "no such town"}"#,
            "no such town",
            true,
        ),
        (r#"{"temperature": 3}"#, r#"{"temperature":3}"#, false),
        ("looking\n{\"data\": \"sunny\"}", "sunny", false),
        (
            "{not json",
            "own printed JSON that cannot be read: key must be a string at line 1 column 2",
            true,
        ),
        (
            r#"{"data": {"half": "#,
            "own printed JSON that cannot be read: EOF while parsing a value at line 1 column 17",
            true,
        ),
        (
            r#"{"success": "yes"}"#,
            "own printed JSON that cannot be read: invalid type: string \"yes\", expected a boolean",
            true,
        ),
        ("a \\0377 b", "a \u{fffd} b", false),
    ] {
        let script = format!("printf '%b' '{}'", prints.replace('\n', "\\n"));
        let result = Bench::of(&script, "").run(json!({})).await;
        assert_eq!(
            (result.content.as_str(), result.is_error),
            (content, is_error),
            "{prints}"
        );
    }
}

#[tokio::test]
async fn a_result_may_end_the_turn_wait_for_a_person_and_tell_people_more() {
    let bench = Bench::of(
        r#"echo '{"content": "ok", "details": {"n": 1}, "end_turn": true}'"#,
        "",
    );
    let result = bench.run(json!({})).await;
    assert_eq!(
        (result.ends_turn, result.details),
        (true, Some(json!({"n": 1})))
    );
    let bench = Bench::of(
        r#"echo '{"pending": {"preview": "buy 3 tickets", "params": {"n": 3}}}'"#,
        "render = \"x\"",
    );
    let preview = bench.run(json!({})).await.preview().unwrap().unwrap();
    assert_eq!(
        (preview.preview.as_str(), preview.params),
        ("buy 3 tickets", json!({"n": 3}).as_object().cloned())
    );
}

#[tokio::test]
async fn what_a_program_sets_is_there_for_the_next() {
    let bench = Bench::of(
        r#"read -r in; case $in in *'"shared":{}'*) echo '{"set": {"votes": 2, "k": "k-123456"}}';; *) echo "$in";; esac"#,
        "",
    );
    let context = bench.context();
    assert!(!bench.run_in(json!({}), context.clone()).await.is_error);
    let given: Value =
        serde_json::from_str(&bench.run_in(json!({}), context).await.content).unwrap();
    assert_eq!(given["shared"], json!({"votes": 2, "k": "<redacted>"}));
    let bench = Bench::of(r#"echo '{"set": {"": 1}}'"#, "");
    let refused = bench.run(json!({})).await;
    assert_eq!(
        refused.content,
        "not kept: the key `` is empty or longer than 64 characters"
    );
    assert!(refused.is_error);
}

#[tokio::test]
async fn progress_and_published_data_are_told_while_it_runs_and_never_show_a_secret() {
    let script = r#"echo '{"progress": "half  way k-123456"}'; echo '{"publish": {"name": "chart", "data": ["k-123456", 1]}}'; echo done"#;
    let bench = Bench::of(script, "");
    assert_eq!(bench.run(json!({})).await.content, "done");
    let data = json!(["<redacted>", 1]);
    assert_eq!(
        bench.news(),
        [
            ToolNewsItem::Progress("half way <redacted>".into()),
            ToolNewsItem::Published {
                channel: "chart".into(),
                data
            }
        ]
    );
}

#[tokio::test]
async fn a_program_that_fails_says_how() {
    for (script, content) in [
        (
            "echo oh >&2; echo 'no net' >&2; exit 3",
            "own failed (exit code 3): no net",
        ),
        ("exit 3", "own failed (exit code 3)"),
        ("kill -9 $$", "own failed (signal 9)"),
        (
            r#"echo '{"error": "no such town"}'; exit 1"#,
            "no such town",
        ),
        (
            "echo k-123456 >&2; exit 1",
            "own failed (exit code 1): <redacted>",
        ),
    ] {
        let result = Bench::of(script, "").run(json!({})).await;
        assert_eq!(
            (result.content.as_str(), result.is_error),
            (content, true),
            "{script}"
        );
    }
}

#[tokio::test]
async fn a_program_that_never_ends_is_ended_with_all_it_started() {
    for script in [
        "sleep 1000",
        "trap '' TERM; sleep 1000 & sleep 1000",
        "(sleep 1000 &) ; (setsid sleep 1000 &) ; exec sleep 1000",
        "setsid sh -c 'trap \"\" TERM; sleep 1000 & sleep 1000' & wait",
        "f() { f | f & }; i=0; while [ $i -lt 40 ]; do sleep 1000 & i=$((i+1)); done; wait",
    ] {
        let bench = Bench::of(script, "time_out_seconds = 0.5");
        let result = bench.run(json!({})).await;
        assert_eq!(
            (result.content.as_str(), result.is_error),
            ("own took longer than 0.5 s and was stopped", true)
        );
        all_is_over(bench.folder.path()).await;
    }
}

#[tokio::test]
async fn a_turn_that_is_cut_ends_its_program() {
    let bench = Bench::of(
        "trap 'echo bye > bye; exit' TERM; touch began; sleep 1000 & wait",
        "time_out_seconds = 60",
    );
    let running = tokio::spawn(
        bench
            .settings
            .build_registry(Vec::new())
            .run(call("own", json!({})), bench.context()),
    );
    let began = bench.workspace().join("own/began");
    while !began.exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.abort();
    assert!(running.await.is_err());
    tokio::time::sleep(Duration::from_millis(400)).await;
    all_is_over(bench.folder.path()).await;
    assert!(
        bench.workspace().join("own/bye").exists(),
        "it is asked first"
    );
}

#[test]
fn a_runtime_that_ends_leaves_nothing_running() {
    let bench = Bench::of(
        "trap '' TERM; touch began; setsid sleep 1000 & sleep 1000",
        "time_out_seconds = 60",
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.spawn(
        bench
            .settings
            .build_registry(Vec::new())
            .run(call("own", json!({})), bench.context()),
    );
    while !bench.workspace().join("own/began").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(runtime);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(all_is_over(bench.folder.path()));
}

#[tokio::test]
async fn what_a_program_leaves_behind_ends_with_it() {
    let bench = Bench::of("sleep 1000 & setsid sleep 1000 & echo done", "");
    let began = Instant::now();
    assert_eq!(bench.run(json!({})).await.content, "done");
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "its children hold its output open"
    );
    all_is_over(bench.folder.path()).await;
}

#[tokio::test]
async fn who_floods_is_stopped() {
    for script in [
        "yes",
        "yes >&2",
        "yes '{\"progress\": \"x\"}'",
        "head -c 100000000 /dev/zero",
    ] {
        let bench = Bench::of(script, "");
        let result = bench.run(json!({})).await;
        assert_eq!(
            (result.content.as_str(), result.is_error),
            ("own printed more than 1024 KiB and was stopped", true)
        );
        all_is_over(bench.folder.path()).await;
        assert!(bench.news().len() <= 100);
    }
}

#[tokio::test]
async fn a_program_need_not_read_what_it_is_given() {
    let bench = Bench::of("exec <&-; echo done", "[own.parameters.text]\n");
    let long = "x".repeat(3 << 20);
    assert_eq!(bench.run(json!({ "text": long })).await.content, "done");
}

#[tokio::test]
async fn a_program_that_cannot_be_started_is_an_error_result() {
    let bench = Bench::of("echo", "");
    std::fs::remove_file(bench.folder.path().join("own.sh")).unwrap();
    let result = bench.run(json!({})).await;
    assert!(
        result.is_error
            && result
                .content
                .starts_with("own cannot run: there is no program "),
        "{}",
        result.content
    );
}

#[tokio::test]
async fn a_link_in_the_place_of_its_folder_is_not_followed() {
    let bench = Bench::of("touch here", "");
    let elsewhere = bench.folder.path().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::create_dir_all(bench.workspace()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, bench.workspace().join("own")).unwrap();
    let result = bench.run(json!({})).await;
    assert!(
        result.is_error && result.content.ends_with("is no folder"),
        "{}",
        result.content
    );
    assert!(!elsewhere.join("here").exists());
}
