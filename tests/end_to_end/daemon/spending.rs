//! What is written down of model calls that do not end well: never less than they may have taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::daemon::kith_process::{KithProcess, build_kith_command, model, moody_model, settings};
use crate::daemon::own;

/// A model that is silent at its first so many calls and then says hello; and how often it was asked.
async fn silent_at_first(calls: u32) -> (String, Arc<AtomicU32>) {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = asked.clone();
    let answer = move |_: &str| {
        let call = counted.fetch_add(1, Ordering::SeqCst);
        (call >= calls).then(|| "<turn><send_message>hello</send_message></turn>".to_owned())
    };
    (moody_model(answer).await, asked)
}

async fn until_asked(asked: &AtomicU32, times: u32) {
    while asked.load(Ordering::SeqCst) < times {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn tokens_today(kith: &KithProcess) -> u64 {
    kith.ask(json!({"ask": "model"})).await["tokens_today"]
        .as_u64()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_cut_by_a_stop_leaves_its_report_and_its_account() {
    let (url, asked) = silent_at_first(1).await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno one").await;
    until_asked(&asked, 1).await;
    kith.stop();
    kith.start();
    let turns = kith.ask(json!({"ask": "turns", "channel": "10"})).await["turns"].clone();
    let stopped =
        |turn: &Value| turn["outcome"]["failed"] == "stopped: the daemon was stopped while it ran";
    assert!(turns.as_array().unwrap().iter().any(stopped), "{turns:#}");
    let tokens = tokens_today(&kith).await;
    assert!(tokens > 1_020, "{tokens}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_keeps_the_model_it_started_with() {
    let (first, asked) = silent_at_first(1).await;
    let second =
        model(|_| "<turn><send_message>from the second</send_message></turn>".into()).await;
    let kith = KithProcess::open(&settings(&first, "")).await;
    kith.says("@Juno one").await;
    until_asked(&asked, 1).await;
    kith.ask(json!({"ask": "use_model", "url": second, "model": "second"}))
        .await;
    kith.says("@Juno two").await;
    let turn = kith.until_answers(1).await;
    assert_eq!(turn["text"], "hello");
    kith.says("@Juno three").await;
    let second = |line: &Value| line["text"] == "from the second";
    kith.until_true("the second model", |history| history.iter().any(second))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_direct_address_whose_turn_was_cut_by_a_kill_or_a_stop_is_answered_after_the_restart() {
    tokio::join!(
        cut_and_answered(KithProcess::kill),
        cut_and_answered(KithProcess::stop)
    );
}

async fn cut_and_answered(end: fn(&mut KithProcess)) {
    let (url, asked) = silent_at_first(1).await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno are you there?").await;
    until_asked(&asked, 1).await;
    // Lanes are saved once a second.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    end(&mut kith);
    kith.start();
    kith.until_answers(1).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(
        kith.history().await.iter().filter(|line| own(line)).count(),
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_spent_is_printed_beside_the_running_kith_with_the_month_projected() {
    let url = model(|_| "<turn><send_message>hello</send_message></turn>".into()).await;
    let price = "[model.price]\nprompt = 100.0\ncompletion = 500.0\n";
    let kith = KithProcess::open(&(settings(&url, "") + price)).await;
    kith.says("@Juno one").await;
    kith.until_answers(1).await;
    // 1,000 tokens of prompt and 20 of the answer.
    let printed = || {
        let output = build_kith_command(kith.dir.path())
            .arg("usage")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let mut lines = printed();
    while lines.starts_with("Nothing was spent") {
        tokio::time::sleep(Duration::from_millis(20)).await;
        lines = printed();
    }
    let words: Vec<Vec<&str>> = lines
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    for name in ["scripted", "#lounge", "turn", "all"] {
        let wanted = [name, "1", "1,000", "0", "%", "20", "0.1100"];
        assert!(words.iter().any(|line| *line == wanted), "{name}: {lines}");
    }
    let last = lines.lines().last().unwrap();
    assert!(
        last.starts_with("A month at this pace: about ") && last.ends_with(" in money."),
        "{last}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_used_up_their_own_budget_sees_a_small_reaction_and_it_is_told_once() {
    let (url, asked) = silent_at_first(0).await;
    let mut kith =
        KithProcess::open(&(settings(&url, "") + "[budget]\nperson_tokens = 4000\n")).await;
    kith.says("@Juno one").await;
    kith.until_answers(1).await;
    let mut spoken = 1;
    let asleep = |line: &Value| {
        line["reactions"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["emoji"] == "💤"))
    };
    while !kith.history().await.iter().any(asleep) {
        spoken += 1;
        assert!(spoken < 10, "the budget has no end");
        kith.says("@Juno and again").await;
        let answers = |history: &[Value]| history.iter().filter(|line| own(line)).count();
        kith.until_true("an answer or none", |history| {
            answers(history) >= spoken || history.iter().any(asleep)
        })
        .await;
    }
    assert!((asked.load(Ordering::SeqCst) as usize) < spoken);
    kith.stop();
    let log = kith.log();
    assert_eq!(
        log.matches("Today's budget of one person").count(),
        1,
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_has_used_up_its_share_begins_no_more_turns_and_answers_again_where_the_limit_is_raised()
 {
    let (url, asked) = silent_at_first(0).await;
    let toml = settings(&url, "") + "[budget]\n";
    let kith = KithProcess::open(&(toml.clone() + "channel_tokens = 1000\n")).await;
    kith.says("@Juno one").await;
    let asleep = |line: &Value| {
        line["reactions"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["emoji"] == "💤"))
    };
    kith.until_true("no answer", |history| history.iter().any(asleep))
        .await;
    kith.says("@Juno two").await;
    let turns = || async {
        kith.ask(json!({"ask": "turns", "channel": "10"})).await["turns"]
            .as_array()
            .unwrap()
            .len()
    };
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(
        (turns().await, asked.load(Ordering::SeqCst)),
        (1, 0),
        "the second was not even begun"
    );
    std::fs::write(
        kith.dir.path().join("kith.toml"),
        toml + "channel_tokens = 100000\n",
    )
    .unwrap();
    kith.until_answers(1).await;
    let log = kith.log();
    assert_eq!(
        log.matches("Today's budget of #lounge is spent").count(),
        1,
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channels_own_model_costs_what_its_own_table_says() {
    let url = model(|_| "<turn><send_message>hello</send_message></turn>".into()).await;
    let own_price = format!(
        "[model.price]\nprompt = 100.0\ncompletion = 500.0\n[channel.10]\nmodel = \"large\"\n[models.large]\nprovider = \
         \"openai\"\nbase_url = \"{url}\"\nname = \"large-one\"\n[models.large.price]\nprompt = 1000.0\ncompletion = 5000.0\n"
    );
    let kith = KithProcess::open(&(settings(&url, "") + &own_price)).await;
    kith.says("@Juno one").await;
    kith.until_answers(1).await;
    let printed = || {
        String::from_utf8(
            build_kith_command(kith.dir.path())
                .arg("usage")
                .output()
                .unwrap()
                .stdout,
        )
        .unwrap()
    };
    let mut lines = printed();
    while lines.starts_with("Nothing was spent") {
        tokio::time::sleep(Duration::from_millis(20)).await;
        lines = printed();
    }
    let line = lines
        .lines()
        .find(|line| line.starts_with("large-one"))
        .unwrap();
    assert!(line.ends_with("1.10"), "{line}");
}
