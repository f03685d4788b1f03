//! What a click runs in the room is what was shown: with the turn over, over a restart, on the lines that were meant.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};

use super::{newest_line, own, text};
use crate::daemon::kith_process::{KithProcess, model_server, settings};

/// What it says when it has nothing to call.
const SAYS: &str = "as you like";

/// A `kith` whose model makes one call of what Anna says, and says something once it knows that it waits.
struct ApprovedCallTest {
    kith: KithProcess,
}

impl ApprovedCallTest {
    async fn open(
        tool: &str,
        call: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let url = model_server(move |_, user| {
            let told = user.contains("has to approve") || user.contains("is not yours");
            let call = call(&newest_line(user)).filter(|_| !told);
            let does = call.unwrap_or_else(|| format!("<send_message>{SAYS}</send_message>"));
            Some(format!("<turn>{does}</turn>"))
        })
        .await;
        let more = format!(
            "tools = [\"default\", \"{tool}\"]\ntool_paths = [\"own.toml\"]\n[tool.{tool}]\napproval = true"
        );
        let files = [
            ("kith.toml", settings(&url, &more)),
            ("own.toml", own_tool("one")),
        ];
        Self {
            kith: KithProcess::furnished(
                &files.each_ref().map(|(name, text)| (*name, text.as_str())),
                &[],
            )
            .await,
        }
    }

    /// Anna says something, and it answers: its turn is over.
    async fn says(&self, what: &str) -> Value {
        let said = self.kith.says(what).await;
        let answer = |history: &[Value]| {
            let at = history.iter().position(|line| line["id"] == said["id"])?;
            history[at..]
                .iter()
                .find(|line| own(line) && line["turn"].is_string())
                .cloned()
        };
        self.kith.until("an answer", answer).await
    }

    async fn waits(&self) -> Value {
        let answer = self
            .kith
            .ask(json!({"ask": "pending", "channel": "10"}))
            .await;
        let pending = answer["pending"].as_array().unwrap().clone();
        assert_eq!(pending.len(), 1, "{pending:?}\n{}", self.kith.log());
        pending[0].clone()
    }

    /// Somebody approves it; answers with how it ended and what the tool said.
    async fn approved(&self, pending: &Value) -> (String, String) {
        let id = pending["id"].clone();
        self.kith
            .ask(json!({"ask": "decide", "id": id, "approve": true, "person": "2"}))
            .await;
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        let settled = |column: &str| {
            let ask = format!("SELECT {column} FROM proposals WHERE is_open = 0");
            self.kith.database().first(&ask)
        };
        loop {
            if let Some(came) = settled("state").zip(settled("answered")) {
                return came;
            }
            assert!(
                kith_system::clock::monotonic() < end,
                "never settled\n{}",
                self.kith.log()
            );
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    fn again(&mut self) {
        self.kith.kill();
        self.kith.start();
    }

    async fn text_of(&self, message: &Value) -> Option<String> {
        let history = self.kith.history().await;
        history
            .iter()
            .find(|line| line["id"] == message["id"])
            .map(|line| text(line).to_owned())
    }
}

/// A tool of the host's own that says this.
fn own_tool(says: &str) -> String {
    format!(
        "[own]\ndescription = \"what the host made\"\n[own.command]\nargv = [\"echo\", \"{says}\"]\n"
    )
}

const DONE: &str = "\"done\"";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poll_is_posted_once_though_the_turn_that_asked_for_it_is_over() {
    for restarts in [false, true] {
        let poll = "<create_poll question=\"which tea?\"><answers>[\"green\", \"black\"]</answers></create_poll>";
        let mut scene = ApprovedCallTest::open("create_poll", |said| {
            said.contains("a poll").then(|| poll.into())
        })
        .await;
        scene.says("@Juno a poll please").await;
        let pending = scene.waits().await;
        if restarts {
            scene.again();
        }
        let came = scene.approved(&pending).await;
        assert_eq!(came, (DONE.into(), "done".into()), "{}", scene.kith.log());
        let is_poll = |line: &&Value| text(line).starts_with("which tea?");
        let polls = |history: &[Value]| {
            Some(history.iter().filter(is_poll).count()).filter(|count| *count > 0)
        };
        assert_eq!(scene.kith.until("the poll", polls).await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reminder_is_kept_for_the_moment_that_was_shown_and_for_who_asked() {
    let remind = "<remind when=\"30\">the cake</remind>";
    let mut scene = ApprovedCallTest::open("remind", move |said| {
        said.contains("remind me").then(|| remind.into())
    })
    .await;
    scene.says("@Juno remind me of the cake").await;
    let pending = scene.waits().await;
    let when = pending["params"]["when"].as_str().unwrap().to_owned();
    assert_eq!(
        when.len(),
        "2026-03-01 18:30".len(),
        "a moment, and not a wait from the click on: {when}"
    );
    scene.again();
    let came = scene.approved(&pending).await;
    assert_eq!(
        came,
        (DONE.into(), format!("noted for {when}")),
        "{}",
        scene.kith.log()
    );
    let kept = "SELECT reminder FROM intents WHERE note = 'the cake'";
    let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
    let reminder: String = loop {
        if let Some(reminder) = scene.kith.database().first(kept) {
            break reminder;
        }
        assert!(
            kith_system::clock::monotonic() < end,
            "never kept\n{}",
            scene.kith.log()
        );
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_has(&reminder, ["\"asked_by\":"]);
    assert_lacks(&reminder, ["\"asked_by\":null"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_newest_line_is_the_one_that_was_the_newest_when_it_asked() {
    let call = |said: &str| {
        said.contains("take it back")
            .then(|| "<delete_own_message/>".into())
    };
    let scene = ApprovedCallTest::open("delete_own_message", call).await;
    let meant = scene.says("@Juno say something").await;
    let later = scene.says("@Juno take it back").await;
    let pending = scene.waits().await;
    assert!(
        pending["params"]["line"].is_u64(),
        "who decides is shown which: {pending}"
    );
    assert_eq!(pending["message"], meant["id"], "{pending}");
    let came = scene.approved(&pending).await;
    assert_eq!(came, (DONE.into(), "done".into()), "{}", scene.kith.log());
    assert_eq!(
        (scene.text_of(&meant).await, scene.text_of(&later).await),
        (None, Some(SAYS.into()))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_a_line_means_the_message_it_meant_though_numbers_are_given_anew() {
    let call = |said: &str| {
        said.contains("mend it")
            .then(|| "<edit_message line=\"3\">better</edit_message>".into())
    };
    let mut scene = ApprovedCallTest::open("edit_message", call).await;
    let gone = scene.kith.says("@Ben good morning").await;
    let meant = scene.says("@Juno say something").await;
    let later = scene.says("@Juno mend it").await;
    let pending = scene.waits().await;
    scene
        .kith
        .ask(json!({"ask": "delete", "channel": "10", "message": gone["id"]}))
        .await;
    // From now on 2 is the line that was 3.
    scene.again();
    let came = scene.approved(&pending).await;
    assert_eq!(came, (DONE.into(), "done".into()), "{}", scene.kith.log());
    assert_eq!(scene.text_of(&meant).await.as_deref(), Some("better"));
    assert_eq!(scene.text_of(&later).await.as_deref(), Some(SAYS));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_is_not_its_own_is_told_at_once_and_nobody_is_asked() {
    let call = |said: &str| {
        said.contains("mend mine")
            .then(|| "<edit_message line=\"1\">better</edit_message>".into())
    };
    let scene = ApprovedCallTest::open("edit_message", call).await;
    scene.kith.says("@Juno mend mine").await;
    let denied = |history: &[Value]| history.iter().any(own).then_some(());
    let _ = scene.kith.until("an answer", denied).await;
    let answer = scene
        .kith
        .ask(json!({"ask": "pending", "channel": "10"}))
        .await;
    assert_eq!(answer["pending"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_definition_under_the_same_name_is_not_what_was_approved() {
    for (says, came) in [
        ("one", (DONE.to_owned(), "one".to_owned())),
        ("two", (failed("changed"), String::new())),
    ] {
        let mut scene = ApprovedCallTest::open("own", |said| {
            said.contains("call it").then(|| "<own/>".into())
        })
        .await;
        scene.says("@Juno call it").await;
        let pending = scene.waits().await;
        scene.kith.stop();
        std::fs::write(scene.kith.dir.path().join("own.toml"), own_tool(says)).unwrap();
        scene.kith.start();
        assert_eq!(scene.approved(&pending).await, came, "{}", scene.kith.log());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_channel_is_off_by_then_nothing_runs() {
    let mut scene = ApprovedCallTest::open("own", |said| {
        said.contains("call it").then(|| "<own/>".into())
    })
    .await;
    scene.says("@Juno call it").await;
    let pending = scene.waits().await;
    scene.kith.stop();
    let path = scene.kith.dir.path().join("kith.toml");
    let off = std::fs::read_to_string(&path).unwrap() + "[channel.10]\nmode = \"off\"\n";
    std::fs::write(&path, off).unwrap();
    scene.kith.start();
    assert_eq!(
        scene.approved(&pending).await,
        (failed("switched_off"), String::new()),
        "{}",
        scene.kith.log()
    );
}

fn failed(why: &str) -> String {
    format!("{{\"failed\":\"{why}\"}}")
}
