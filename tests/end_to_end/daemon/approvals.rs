//! Calls that wait for a person's approval in the room: approved, dropped, expired, and cut short by a crash; each is
//! told to the companion once.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};

use crate::daemon::kith_process::{KithProcess, build_kith_command, model_server, settings};
use crate::daemon::newest_line;

const NOTES: &str = "[tool.core_memory_append]\napproval = true\n";
const ASKED: &str = "@Juno note it";
const NOTE: &str = "tea at five";

/// A `kith` whose model notes something when it is asked to, and what it was shown.
struct ApprovalTest {
    kith: KithProcess,
    prompts: Arc<Mutex<Vec<String>>>,
}

impl ApprovalTest {
    async fn open() -> Self {
        let prompts = Arc::<Mutex<Vec<String>>>::default();
        let kept = prompts.clone();
        let url = model_server(move |system, user| {
            kept.lock().unwrap().push(format!("{system}\n{user}"));
            let asks = newest_line(user).contains("note it") && !user.contains("has to approve");
            Some(match asks {
                true => format!(
                    "<turn><core_memory_append label=\"people\">{NOTE}</core_memory_append></turn>"
                ),
                false => "<turn><send_message>as you like</send_message></turn>".into(),
            })
        })
        .await;
        Self {
            kith: KithProcess::open(&settings(&url, NOTES)).await,
            prompts,
        }
    }

    /// Anna asks, and the model knows that it waits; answers with what waits.
    async fn asked(&self) -> Value {
        let prompt = self.prompt_after(ASKED).await;
        let told =
            format!("a person has to approve that you call core_memory_append (people · {NOTE})");
        assert_has(&prompt, [&told]);
        let pending = self.pending().await;
        assert_eq!(pending.len(), 1, "{pending:?}");
        pending[0].clone()
    }

    /// What the model was shown last before it said something to this.
    async fn prompt_after(&self, text: &str) -> String {
        let said = self.kith.says(text).await;
        let is_answer = |line: &Value| line["author"]["kind"] == "companion";
        self.kith
            .until("an answer", |history| {
                let at = history.iter().position(|line| line["id"] == said["id"])?;
                history[at..].iter().any(is_answer).then_some(())
            })
            .await;
        self.prompts.lock().unwrap().last().cloned().unwrap()
    }

    async fn pending(&self) -> Vec<Value> {
        let answer = self
            .kith
            .ask(json!({"ask": "pending", "channel": "10"}))
            .await;
        answer["pending"].as_array().unwrap().clone()
    }

    async fn decides(&self, pending: &Value, approve: bool) -> Result<Value, String> {
        let id = pending["id"].clone();
        self.kith
            .try_ask(json!({"ask": "decide", "id": id, "approve": approve, "person": "2"}))
            .await
    }

    /// Waits until nothing more comes of it.
    async fn settled(&self) {
        let database = self.kith.database();
        let open = || database.number("SELECT count(*) FROM proposals WHERE is_open = 1");
        kith_testkit::until(
            || open() <= 0,
            || format!("never settled\n{}", self.kith.log()),
        )
        .await;
        // The loop hears of it, too.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    /// The next prompt tells this, and the one after it does not.
    async fn told_once(&self, outcome: &str) -> String {
        let told = self.prompt_after("@Juno and now?").await;
        assert_has(&told, [outcome]);
        let later = self.prompt_after("@Juno and again?").await;
        assert_lacks(&later, [outcome]);
        told
    }
}

fn noted(prompt: &str) -> usize {
    prompt
        .lines()
        .filter(|line| line.rsplit("| ").next() == Some(NOTE))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_is_listed_approved_and_denied_on_the_command_line() {
    let scene = ApprovalTest::open().await;
    let run = |args: &[&str]| {
        let address = scene.kith.url.trim_start_matches("http://").to_owned();
        let ran = build_kith_command(scene.kith.dir.path())
            .arg("approvals")
            .args(args)
            .args(["--listen", &address])
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (ran.status.code(), text(&ran.stdout) + &text(&ran.stderr))
    };
    assert_eq!(run(&[]).1.trim(), "Nothing waits for approval.");
    let pending = scene.asked().await;
    let id = pending["id"].as_str().unwrap().to_owned();
    let (code, listed) = run(&[]);
    assert_eq!(code, Some(0), "{listed}");
    let begins = format!("{id}  #");
    assert!(listed.starts_with(&begins) && listed.contains(NOTE) && listed.contains("for Anna"));
    assert_has(&run(&["approve", &id]).1, ["approved"]);
    scene.settled().await;
    assert_eq!(noted(&scene.prompt_after("@Juno and now?").await), 1);
    let (code, refused) = run(&["deny", &id]);
    assert_eq!(code, Some(1), "{refused}");
    assert_has(&refused, ["error: it was decided before"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_approved_by_a_click_runs_exactly_as_it_was_shown_and_once() {
    let scene = ApprovalTest::open().await;
    let pending = scene.asked().await;
    assert_eq!(pending["tool"], "core_memory_append");
    assert_eq!(pending["params"], json!({"label": "people", "text": NOTE}));
    assert_eq!(
        (&pending["causes"][0]["name"], &pending["channel"]),
        (&json!("Anna"), &json!("10"))
    );
    let turn = scene
        .kith
        .ask(json!({"ask": "turn", "id": pending["turn"]}))
        .await;
    assert_eq!(
        turn["report"]["rounds"][0]["calls"][0]["result"]["is_pending"], true,
        "{turn:#}"
    );
    let (first, second) = tokio::join!(
        scene.decides(&pending, true),
        scene.decides(&pending, false)
    );
    let refused = [first, second]
        .into_iter()
        .filter_map(Result::err)
        .collect::<Vec<_>>();
    assert!(
        refused.len() == 1 && refused[0].contains("decided before"),
        "{refused:?}"
    );
    let strangers = scene
        .kith
        .try_ask(json!({"ask": "decide", "id": "7", "approve": true, "person": "2"}))
        .await;
    assert_has(strangers.unwrap_err(), ["nothing is known of that"]);
    scene.settled().await;
    assert!(scene.pending().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_dropped_never_runs_and_the_companion_is_told() {
    let scene = ApprovalTest::open().await;
    let pending = scene.asked().await;
    scene.decides(&pending, false).await.unwrap();
    scene.settled().await;
    let told = scene
        .told_once("somebody said no: you may not call core_memory_append")
        .await;
    assert_eq!(noted(&told), 0, "{told}");
    assert!(scene.decides(&pending, true).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_outlives_a_crash_and_killed_at_the_click_it_runs_once_or_nobody_knows() {
    let mut scene = ApprovalTest::open().await;
    let pending = scene.asked().await;
    scene.kith.kill();
    scene.kith.start();
    assert_eq!(scene.pending().await, std::slice::from_ref(&pending));
    scene.decides(&pending, true).await.unwrap();
    scene.kith.kill();
    scene.kith.start();
    scene.settled().await;
    let told = scene
        .told_once("somebody approved that you call core_memory_append")
        .await;
    let is_known = told.contains("it is done");
    assert!(
        is_known || told.contains("it is not known whether it ran"),
        "{told}"
    );
    assert!(
        noted(&told) <= 1 && (!is_known || noted(&told) == 1),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ran_when_the_process_ended_never_runs_again_and_is_told_as_unknown() {
    let mut scene = ApprovalTest::open().await;
    scene.asked().await;
    scene.kith.kill();
    let begun = "UPDATE proposals SET state = '\"running\"', decided = made";
    scene.kith.database().change(begun);
    scene.kith.start();
    scene.settled().await;
    let told = scene.told_once("it is not known whether it ran").await;
    assert_eq!(noted(&told), 0, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_is_gone_by_then_is_told_and_not_run() {
    let mut scene = ApprovalTest::open().await;
    let pending = scene.asked().await;
    scene.kith.stop();
    let path = scene.kith.dir.path().join("kith.toml");
    let settings = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        format!("tools = [\"send_message\", \"stay_silent\"]\n{settings}"),
    )
    .unwrap();
    scene.kith.start();
    scene.decides(&pending, true).await.unwrap();
    scene.settled().await;
    let told = scene
        .told_once("it could not be done: it is not switched on here")
        .await;
    assert_eq!(noted(&told), 0, "{told}");
}
