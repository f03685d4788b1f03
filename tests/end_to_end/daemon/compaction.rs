//! A channel's history in short: made in the background once enough has left the prompts, or by the companion itself; gone
//! with what it was made of; never made where a limit of the budget is reached.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};

use crate::daemon::kith_process::{KithProcess, build_kith_command, settings, whole_server};

/// What says that a talk is to be summed up.
const SUM_UP: &str = "Below is a group chat, oldest first.";
/// Nobody is answered who did not ask.
const SHY: &str = "talkativeness = 0.0\n";
/// A history that a few dozen lines fill.
const SHORT: &str = "[context]\nhistory_tokens = 400\n";

/// What models were asked: who, the system message, the user message.
type RequestLog = Arc<Mutex<Vec<(String, String, String)>>>;

/// A model that answers what Anna says to Juno with its last word, sums up, tidies up where it is told to, and fails under
/// the name "broken".
async fn scripted() -> (String, RequestLog) {
    scripted_behind(Arc::new(AtomicBool::new(true))).await
}

/// The same, which sums up once the gate is open.
async fn scripted_behind(gate: Arc<AtomicBool>) -> (String, RequestLog) {
    let asked = RequestLog::default();
    let kept = asked.clone();
    let url = whole_server(move |body| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (model, system) = (text(&body["model"]), text(&body["messages"][0]["content"]));
        let user = text(&body["messages"][1]["content"]);
        kept.lock()
            .unwrap()
            .push((model.clone(), system.clone(), user.clone()));
        let line = user
            .lines()
            .rfind(|line| line.contains(" Anna: @Juno "))
            .unwrap_or_default();
        let last = line.split(' ').next_back().unwrap_or_default();
        match () {
            () if model == "broken" => Err(503),
            () if system.starts_with(SUM_UP) => {
                // What else this thread was about to do goes on elsewhere.
                tokio::task::block_in_place(|| {
                    while !gate.load(Ordering::Relaxed) {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                });
                Ok("Ben told of his boats.".into())
            }
            () if ["early", "tidy"].contains(&last) => Ok(format!(
                "<turn><send_message>{last}</send_message><compact/></turn>"
            )),
            () if line.is_empty() => Ok("<turn><stay_silent>reading</stay_silent></turn>".into()),
            () => Ok(format!("<turn><send_message>{last}</send_message></turn>")),
        }
    })
    .await;
    (url, asked)
}

/// The questions for a summary so far.
fn sums(asked: &RequestLog) -> Vec<(String, String)> {
    let asked = asked.lock().unwrap();
    let sums = asked
        .iter()
        .filter(|(_, system, _)| system.starts_with(SUM_UP));
    sums.map(|(model, _, user)| (model.clone(), user.clone()))
        .collect()
}

/// Anna says hello, which gets its silence, so that Ben is not alone with the companion.
async fn opens(kith: &KithProcess) {
    kith.says("hello").await;
    kith.until_logged("kept silent").await;
}

async fn tells(kith: &KithProcess, boats: std::ops::RangeInclusive<u32>) -> Vec<Value> {
    let mut said = Vec::new();
    for boat in boats {
        let text = format!("boat {boat} lies in the old harbour behind the mill.");
        let nonce = format!("boat {boat}");
        let post = json!({"ask": "post", "channel": "10", "person": "3", "text": text, "client_nonce": nonce});
        said.push(kith.ask(post).await);
    }
    said
}

/// Anna asks and is answered; answers with the prompt.
async fn answered(kith: &KithProcess, asked: &RequestLog, word: &str) -> String {
    kith.says(&format!("@Juno {word}")).await;
    let is_answer = |line: &Value| crate::daemon::own(line) && crate::daemon::text(line) == word;
    kith.until_true(word, |history| history.iter().any(is_answer))
        .await;
    let asked = asked.lock().unwrap();
    let prompt = asked
        .iter()
        .rfind(|(_, system, user)| !system.starts_with(SUM_UP) && user.contains(word));
    prompt.unwrap().2.clone()
}

/// The summary on record.
fn kept(kith: &KithProcess) -> Option<String> {
    let kept = "SELECT text FROM summaries WHERE channel = 10";
    kith.database().first(kept)
}

async fn until_asked(asked: &RequestLog, count: usize) {
    for _ in 0..600 {
        if sums(asked).len() >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never asked {count} times for a summary");
}

async fn until_kept(kith: &KithProcess) {
    for _ in 0..600 {
        if kept(kith).is_some() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never summed up\n{}", kith.log());
}

const SHOWN: &str = "# Before that, in short\n| Ben told of his boats.\n\n# Chat\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_left_the_prompt_is_summed_up_once_it_is_enough_and_again_when_part_of_it_is_deleted()
{
    let gate = Arc::new(AtomicBool::new(true));
    let (url, asked) = scripted_behind(gate.clone()).await;
    let listener = "[own]\ndescription = \"what the host made\"\n[own.command]\nargv = [\"sh\", \"./own.sh\"]\n\
                    on_session = [\"auto_compaction_start\", \"auto_compaction_end\"]\n";
    let toml = settings(&url, &format!("{SHY}tool_paths = [\"own.toml\"]\n")) + SHORT;
    let files = [
        ("kith.toml", toml.as_str()),
        ("own.toml", listener),
        ("own.sh", "cat >> heard\n"),
    ];
    let mut kith = KithProcess::furnished(&files, &[]).await;
    opens(&kith).await;
    let told = tells(&kith, 1..=45).await;
    let first = answered(&kith, &asked, "first").await;
    assert_lacks(&first, ["# Before that", "boat 5 "]);
    until_kept(&kith).await;
    let question = sums(&asked)[0].1.clone();
    assert_has(&question, ["| Ben: boat 12 lies"]);
    assert_lacks(&question, ["boat 45 "]);

    let second = answered(&kith, &asked, "second").await;
    assert_has(&second, [SHOWN]);
    assert_lacks(&second, ["boat 12 "]);
    kith.stop();
    kith.start();
    let third = answered(&kith, &asked, "third").await;
    assert_has(&third, [SHOWN]);
    assert_lacks(&third, ["boat 12 "]);
    assert_eq!(
        sums(&asked).len(),
        1,
        "nothing that is worth it has left since"
    );

    gate.store(false, Ordering::Relaxed);
    kith.ask(json!({"ask": "delete", "channel": "10", "message": told[11]["id"]}))
        .await;
    assert_eq!(kept(&kith), None);
    let fourth = answered(&kith, &asked, "fourth").await;
    assert_lacks(&fourth, ["# Before that"]);
    gate.store(true, Ordering::Relaxed);
    until_kept(&kith).await;
    let again = sums(&asked)[1].1.clone();
    assert_has(&again, ["boat 13 "]);
    assert_lacks(&again, ["boat 12 ", "= "]);
    assert_has(answered(&kith, &asked, "fifth").await, [SHOWN]);

    tells(&kith, 46..=75).await;
    answered(&kith, &asked, "sixth").await;
    until_asked(&asked, 3).await;
    let more = sums(&asked)[2].1.clone();
    assert!(
        more.starts_with("= Ben told of his boats.\n| "),
        "what was summed up before is taken up\n{more}"
    );
    assert_lacks(&more, ["boat 13 "]);
    assert_has(&more, ["boat 46 "]);

    kith.stop();
    assert_summaries_on_record(kith.dir.path());
}

/// They are in the usage, and the host's own tool was told of each.
fn assert_summaries_on_record(dir: &std::path::Path) {
    let spent = build_kith_command(dir).arg("usage").output().unwrap();
    let spent = String::from_utf8_lossy(&spent.stdout).into_owned();
    assert_has(&spent, ["summary"]);
    let heard = std::fs::read_to_string(dir.join("data/tools/own/heard")).unwrap();
    let count = |event: &str| heard.matches(&format!("\"name\":\"{event}\"")).count();
    assert_eq!(count("auto_compaction_start"), 3, "{heard}");
    assert!(
        count("auto_compaction_end") >= 2 && heard.contains("\"success\":true"),
        "{heard}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn what_is_deleted_while_it_is_summed_up_is_in_no_summary() {
    let gate = Arc::new(AtomicBool::new(false));
    let (url, asked) = scripted_behind(gate.clone()).await;
    let kith = KithProcess::open(&(settings(&url, SHY) + SHORT)).await;
    opens(&kith).await;
    let told = tells(&kith, 1..=45).await;
    answered(&kith, &asked, "first").await;
    until_asked(&asked, 1).await;
    assert_has(&sums(&asked)[0].1, ["boat 21 "]);
    kith.ask(json!({"ask": "delete", "channel": "10", "message": told[20]["id"]}))
        .await;
    // A turn does not wait for it, and one is made at a time.
    answered(&kith, &asked, "second").await;
    assert_eq!(sums(&asked).len(), 1);
    gate.store(true, Ordering::Relaxed);
    for word in ["third", "fourth", "fifth"] {
        let prompt = answered(&kith, &asked, word).await;
        assert!(
            sums(&asked).len() > 1 || !prompt.contains("# Before that"),
            "{prompt}"
        );
    }
    until_kept(&kith).await;
    assert_lacks(&sums(&asked)[1].1, ["boat 21 "]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_companion_may_have_it_summed_up_and_sees_the_newest_lines_only() {
    let (url, asked) = scripted().await;
    let more = format!("{SHY}tools = [\"default\", \"compact\"]\n");
    let mut kith = KithProcess::open(&settings(&url, &more)).await;
    kith.says("hello").await;
    kith.says("@Juno early").await;
    let told = |history: &[Value]| {
        history
            .iter()
            .find(|line| crate::daemon::text(line) == "early" && line["turn"].is_string())
            .cloned()
    };
    let line = kith.until("the turn's report", told).await;
    let turn = kith.ask(json!({"ask": "turn", "id": line["turn"]})).await;
    let rounds = turn["report"]["rounds"].as_array().unwrap();
    assert_eq!(
        rounds.len(),
        1,
        "it failed behind a message, which costs no round: {turn}"
    );
    assert_has(
        rounds[0]["calls"][1]["result"]["content"].as_str().unwrap(),
        ["there is nothing to sum up yet"],
    );

    tells(&kith, 1..=40).await;
    answered(&kith, &asked, "tidy").await;
    until_kept(&kith).await;
    let question = sums(&asked)[0].1.clone();
    assert_has(&question, ["boat 20 "]);
    assert_lacks(&question, ["boat 23 "]);
    for word in ["after", "later"] {
        let prompt = answered(&kith, &asked, word).await;
        assert_has(&prompt, [SHOWN]);
        assert_lacks(&prompt, ["boat 20 "]);
        assert_has(&prompt, ["boat 23 ", "boat 40 "]);
        kith.kill();
        kith.start();
    }
    assert_eq!(sums(&asked).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_bar_of_the_budget_is_reached_nothing_is_summed_up() {
    let (url, asked) = scripted().await;
    let toml = settings(&url, SHY) + SHORT + "[budget]\ndaily_tokens = 20000\nsoft_share = 0.05\n";
    let kith = KithProcess::open(&toml).await;
    opens(&kith).await;
    tells(&kith, 1..=45).await;
    answered(&kith, &asked, "first").await;
    answered(&kith, &asked, "second").await;
    assert_eq!((sums(&asked), kept(&kith)), (Vec::new(), None));
}
