//! The daemon as people meet it: a real process with a real database, spoken to over its JSON API, killed and started
//! again.

mod approvals;
mod approved_calls;
mod backups;
mod certificates;
mod compaction;
mod consolidation;
mod embeddings;
use kith_testkit::{assert_has, assert_lacks};
mod half_messages;
mod hooks;
mod robustness;
use kith_testkit::kith_process;
mod crash_recovery;
mod fallback_models;
mod imported_personas;
mod judge;
mod memory_page;
mod migration;
mod monitoring;
mod native;
mod on_postgres;
mod own_tools;
mod plans;
mod privacy;
mod scenarios;
mod secrets;
mod sessions;
mod spending;
mod stopping;
mod upkeep;
use kith_testkit::wakeups;

use std::collections::HashMap;
use std::time::Duration;

use kith_process::{KithProcess, model, post_of, run_to_the_end, settings};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// How often the process is killed; the long form is `KITH_KILLS=50`.
const KILLS: u32 = 7;

fn text(message: &Value) -> &str {
    message["text"].as_str().unwrap_or_default()
}

fn own(message: &Value) -> bool {
    message["author"]["kind"] == "companion"
}

/// The newest line of a person in a prompt: `12 Anna: text`.
fn newest_line(user: &str) -> String {
    let line = user.lines().rev().find(|line| line.contains(" Anna: "));
    line.and_then(|line| line.split(" Anna: ").nth(1))
        .unwrap_or("nothing")
        .to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_is_answered_and_the_turn_can_be_looked_into() {
    let url = model(|_| {
        "<turn><thoughts>she waves</thoughts><send_message>hi Anna</send_message><react to=\"1\" emoji=\"👋\"/></turn>"
            .into()
    })
    .await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    let posted = kith.says("@Juno hello").await;
    let answer = kith.until_answers(1).await;
    assert_eq!(text(&answer), "hi Anna");
    kith.until_true("the reaction", |history| {
        history[0]["reactions"][0]["emoji"] == "👋"
    })
    .await;
    let why = kith
        .ask(json!({"ask": "decision", "channel": "10", "message": posted["id"]}))
        .await;
    assert_eq!(why["decision"]["address"], "mention");
    assert_eq!(why["decision_point"]["outcome"], "addressed");
    let turn = kith.ended_turn(1).await;
    assert_eq!(turn["report"]["rounds"][0]["thoughts"], "she waves");
    assert!(
        turn["prompts"][0]["user"]
            .as_str()
            .is_some_and(|user| user.contains("Anna: @Juno hello")),
        "{turn:#}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_random_moments_it_loses_nothing_acknowledged_and_says_nothing_twice() {
    let kills = kith_testkit::read_asked("KITH_KILLS").unwrap_or(KILLS);
    let url = model(|user| {
        let line = newest_line(user);
        format!("<turn><send_message>a {line}</send_message><send_message>b {line}</send_message></turn>")
    })
    .await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    let mut chance = ChaCha8Rng::seed_from_u64(7);
    let mut acknowledged = Vec::new();
    let mut number = 0;
    for life_number in 0..kills {
        // Most die young; some live long enough for the channels to be saved while a turn runs.
        let (lives, pauses) = if life_number % 4 == 3 {
            (1_000..2_500, 0..400)
        } else {
            (20..400, 0..60)
        };
        let life = Duration::from_millis(chance.random_range(lives));
        // A life begins with what is acknowledged: on a slow machine a short one would see nothing else.
        number += 1;
        let first = format!("@Juno m{number}.");
        kith.ask(post_of(&first, &first)).await;
        acknowledged.push(first);
        let mut posts = Vec::new();
        for _ in 0..5 {
            number += 1;
            posts.push((
                chance.random_range(pauses.clone()),
                format!("@Juno m{number}."),
            ));
        }
        let talk = async {
            for (pause, text) in &posts {
                tokio::time::sleep(Duration::from_millis(*pause)).await;
                if kith.try_ask(post_of(text, text)).await.is_ok() {
                    acknowledged.push(text.clone());
                }
            }
        };
        let _ = tokio::time::timeout(life, talk).await;
        kith.kill();
        kith.start();
    }
    kith.says("@Juno last.").await;
    kith.until_true("the last answer", |history| {
        history
            .iter()
            .any(|line| own(line) && text(line).contains("last"))
    })
    .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let history = kith.history().await;
    let mut times: HashMap<&str, u32> = HashMap::new();
    for line in &history {
        *times.entry(text(line)).or_default() += 1;
    }
    for message in &acknowledged {
        assert_eq!(
            times.get(message.as_str()),
            Some(&1),
            "{message} was acknowledged\n{history:#?}"
        );
    }
    let twice: Vec<_> = times.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "said twice: {twice:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_sent_again_with_its_nonce_is_said_once_even_after_a_restart() {
    let url = model(|_| "<turn><stay_silent>nothing to say</stay_silent></turn>".into()).await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    let first = kith.ask(post_of("did that arrive?", "nonce-1")).await;
    kith.kill();
    kith.start();
    let again = kith.ask(post_of("did that arrive?", "nonce-1")).await;
    assert_eq!(again["id"], first["id"]);
    assert_eq!(kith.history().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_and_an_edited_text_are_in_no_file_afterwards() {
    let url = model(|_| "<turn><stay_silent>nothing to say</stay_silent></turn>".into()).await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    let deleted = kith.says("@Juno my secret is xylophonist").await;
    let edited = kith.says("@Juno i live in ouagadougou").await;
    kith.until_logged("kept silent").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    kith.ask(json!({"ask": "delete", "channel": "10", "message": deleted["id"]}))
        .await;
    kith.ask(
        json!({"ask": "edit", "channel": "10", "message": edited["id"], "text": "i live here"}),
    )
    .await;
    let mut left = Vec::new();
    for _ in 0..100 {
        left = [
            kith.files_with("xylophonist"),
            kith.files_with("ouagadougou"),
        ]
        .concat();
        if left.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(left, Vec::<std::path::PathBuf>::new());
    assert_lacks(kith.log(), ["xylophonist"]);
    let texts: Vec<String> = kith
        .history()
        .await
        .iter()
        .map(|line| text(line).to_owned())
        .collect();
    assert_eq!(texts, ["i live here"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_daily_budget_ends_the_talk_with_a_small_reaction_and_outlives_a_restart() {
    let url = model(|_| "<turn><send_message>sure</send_message></turn>".into()).await;
    let cap = "[budget]\ndaily_tokens = 4000\n";
    let mut kith = KithProcess::open(&(settings(&url, "") + cap)).await;
    kith.says("@Juno one").await;
    kith.until_answers(1).await;
    for word in ["two", "three", "four"] {
        kith.says(&format!("@Juno {word}")).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let asleep = |history: &[Value]| {
        history
            .iter()
            .any(|line| line["reactions"][0]["emoji"] == "💤")
            .then_some(())
    };
    kith.until("a small reaction", asleep).await;
    kith.kill();
    kith.start();
    let model = kith.ask(json!({"ask": "model"})).await;
    assert!(
        model["tokens_today"]
            .as_u64()
            .is_some_and(|tokens| tokens >= 1_000),
        "{model}"
    );
    kith.says("@Juno five").await;
    let both = |history: &[Value]| {
        (history
            .iter()
            .filter(|line| line["text"] == "@Juno five" && line["reactions"][0]["emoji"] == "💤")
            .count()
            == 1)
            .then_some(())
    };
    // One small reaction in ten minutes: the address after the restart only has to find the day over.
    let _ = tokio::time::timeout(Duration::from_secs(1), kith.until("still asleep", both)).await;
    kith.stop();
    let log = kith.log();
    assert_eq!(
        log.matches("is spent: nobody is answered until midnight UTC")
            .count(),
        1,
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_model_leaves_a_mark_and_the_daemon_goes_on() {
    let kith = KithProcess::open(&settings("http://127.0.0.1:9/v1", "")).await;
    kith.says("@Juno hello?").await;
    let failed = |history: &[Value]| (history[0]["reactions"][0]["emoji"] == "⚠️").then_some(());
    kith.until("a small reaction", failed).await;
    let failure = kith.ended_turns(1).await[0]["rounds"][0]["failure"]["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert_has(&failure, ["127.0.0.1:9"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edited_persona_is_picked_up_and_a_broken_one_changes_nothing() {
    let url = model(|_| "<turn><stay_silent>x</stay_silent></turn>".into()).await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    let companion = async || {
        kith.ask(json!({"ask": "state"})).await["channels"][0]["companion"]["name"].clone()
    };
    assert_eq!(companion().await, "Juno");
    let write = |file: &str, text: &str| std::fs::write(kith.dir.path().join(file), text).unwrap();
    write("me.toml", "name = \"Robin\"\n");
    write("kith.toml", &settings(&url, "persona = \"me.toml\""));
    for _ in 0..100 {
        if companion().await == "Robin" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(companion().await, "Robin");
    write("me.toml", "name = \"Robin\"\nage = 7\n");
    kith.until_logged("me.toml:2").await;
    assert_eq!(companion().await, "Robin");
}

#[test]
fn what_keeps_it_from_starting_is_said_in_one_sentence() {
    let dir = tempfile::TempDir::new().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let write = |listen: &str| {
        std::fs::write(
            dir.path().join("kith.toml"),
            format!("[room]\nlisten = \"{listen}\"\n"),
        )
    };
    write(&address.to_string()).unwrap();
    let (code, said) = run_to_the_end(dir.path());
    assert_eq!(code, Some(1));
    assert_has(
        &said,
        [format!(
            "the page cannot open on {address}: the port is in use"
        )],
    );

    write("127.0.0.1:0").unwrap();
    std::fs::create_dir_all(dir.path().join("data")).unwrap();
    std::fs::write(
        dir.path().join("data/kith.db"),
        "this is not a database, it is a shopping list",
    )
    .unwrap();
    let (code, said) = run_to_the_end(dir.path());
    assert_eq!(code, Some(1));
    assert_has(&said, ["kith.db"]);
    let kept = std::fs::read_to_string(dir.path().join("data/kith.db")).unwrap();
    assert!(
        kept.ends_with("shopping list"),
        "what is no database is not touched"
    );
}
