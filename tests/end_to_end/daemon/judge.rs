//! Where the score leaves it in doubt, a cheap model says whether a friend would speak now.

use std::sync::{Arc, Mutex};

use kith_testkit::assert_has;
use serde_json::{Value, json};

use crate::daemon::kith_process::{KithProcess, model, settings, whole_server};
use crate::daemon::{own, text};

/// A line to the room that lies near the threshold, between two who talk.
const IN_DOUBT: &str = "has anybody seen the new space film";
const ANSWER: &str = "<turn><send_message>not yet, is it good</send_message></turn>";
const SILENCE: &str = "<turn><stay_silent>nothing to add</stay_silent></turn>";

/// A room with a judge, and what the judge was asked.
struct Room {
    kith: KithProcess,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Room {
    /// The judge says `word`, or never answers.
    async fn with(word: Option<&'static str>, more: &str) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let keep = asked.clone();
        let judge = whole_server(move |body| {
            keep.lock().unwrap().push(body.clone());
            word.map(str::to_owned).ok_or(0)
        });
        let chat = model(|prompt| {
            if prompt.contains(IN_DOUBT) {
                ANSWER
            } else {
                SILENCE
            }
            .into()
        })
        .await;
        let roles = format!(
            "[roles]\njudge = [\"small\"]\n[models.small]\nbase_url = \"{}\"\nname = \"the-judge\"\n{more}",
            judge.await
        );
        let kith = KithProcess::open(&(settings(&chat, "") + &roles)).await;
        Self { kith, asked }
    }

    async fn say(&self, person: &str, line: &str) {
        let nonce = format!("{person}{}", line.len());
        let post = json!({"ask": "post", "channel": "10", "person": person, "text": line, "client_nonce": nonce});
        self.kith.ask(post).await;
    }

    /// Two people talk; the last line is in doubt.
    async fn talk(&self) {
        let added = self
            .kith
            .ask(json!({"ask": "add_person", "name": "Tom"}))
            .await;
        let tom = added["id"]
            .as_str()
            .or(added["person"]["id"].as_str())
            .expect("an id")
            .to_owned();
        // Who speaks alone in a room speaks to the companion; that is over before the others talk.
        self.say(&tom, "evening").await;
        self.kith.ended_turns(1).await;
        self.say("2", "hi Tom").await;
        self.say(&tom, IN_DOUBT).await;
    }

    /// The report of the turn that was in doubt.
    async fn report(&self) -> Value {
        let report = self.kith.ended_turn(2).await["report"].clone();
        assert_eq!(report["wake"]["is_doubtful"], true, "{report}");
        report
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_judge_that_says_yes_lets_it_speak_and_is_shown_the_last_lines_only() {
    let room = Room::with(Some("Yes."), "").await;
    room.talk().await;
    let answer = room.kith.until_answers(1).await;
    assert_eq!(text(&answer), "not yet, is it good");
    let report = room.report().await;
    assert_has(
        report["notes"].to_string(),
        ["asked the-judge, who would speak now"],
    );
    let asked = room.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 1, "{asked:?}");
    let messages = asked[0]["messages"].to_string();
    assert_has(&messages, [IN_DOUBT]);
    assert_has(&messages, ["one word: yes or no"]);
    assert_eq!(
        asked[0]["max_tokens"]
            .as_u64()
            .or(asked[0]["max_completion_tokens"].as_u64()),
        Some(8),
        "{}",
        asked[0]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_judge_that_says_no_keeps_it_silent_and_why_tells_so() {
    let room = Room::with(Some("no"), "").await;
    room.talk().await;
    let report = room.report().await;
    assert_has(
        report["outcome"].to_string(),
        ["asked the-judge, who would keep silent now"],
    );
    assert!(!room.kith.history().await.iter().any(own));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_answer_in_time_or_without_a_budget_the_score_decides() {
    for (word, more, why) in [
        (None, "", "did not answer within 2 s"),
        (
            Some("yes"),
            "[budget]\njudge_tokens = 10\n",
            "budget for asking whether to speak",
        ),
        (Some("perhaps"), "", "neither yes nor no"),
    ] {
        let room = Room::with(word, more).await;
        room.talk().await;
        let report = room.report().await;
        let by_score = report["wake"]["score"].as_f64() >= report["wake"]["threshold"].as_f64();
        let told = format!("{} {}", report["notes"], report["outcome"]);
        assert_has(&told, [why]);
        assert_eq!(report["outcome"] == "acted", by_score, "{report}");
    }
}
