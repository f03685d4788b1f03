//! Sessions in the room: a channel of its own with settings of its own, over restarts, capped, and begun with what is
//! still there of the talk it came from.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::daemon::house::{House, model_server, post_of, settings};

/// What a model was shown: system and user messages.
type Shown = Arc<Mutex<Vec<(String, String)>>>;

const TOOLS: &str = "tools = [\"default\", \"create_session\"]\n";
/// What says that a talk is to be summed up.
const SUM_UP: &str = "Below are lines of a group chat.";

/// A house whose model opens a session where somebody says "open", and answers in threads.
async fn house(more: &str, tables: &str, open: &'static str) -> (House, Shown) {
    let shown = Shown::default();
    let kept = shown.clone();
    let url = model_server(move |system, user| {
        kept.lock()
            .unwrap()
            .push((system.to_owned(), user.to_owned()));
        let asked = user
            .lines()
            .rfind(|line| line.contains(" Anna: "))
            .unwrap_or_default();
        Some(match () {
            () if system.starts_with(SUM_UP) => "they mean to see the fjord".to_owned(),
            () if user.contains("it failed:") => {
                "<turn><send_message>no room for that</send_message></turn>".into()
            }
            () if user.contains("thread #") => {
                "<turn><send_message>here we are</send_message></turn>".into()
            }
            () if asked.contains("open") => format!("<turn>{open}</turn>"),
            () => "<turn><stay_silent>reading</stay_silent></turn>".into(),
        })
    })
    .await;
    let house = House::open(&(settings(&url, &format!("{TOOLS}{more}")) + tables)).await;
    (house, shown)
}

/// Waits until there is an open session, and answers with all.
async fn sessions(house: &House, count: usize) -> Vec<Value> {
    for _ in 0..600 {
        let all = house.ask(json!({"ask": "sessions"})).await["sessions"]
            .as_array()
            .unwrap()
            .clone();
        if all.len() == count && all.iter().all(|session| session["channel"].is_string()) {
            return all;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never {count} sessions\n{}", house.log());
}

async fn texts(house: &House, channel: &Value) -> Vec<String> {
    let history = house
        .ask(json!({"ask": "history", "channel": channel}))
        .await;
    let lines = history["messages"].as_array().unwrap().iter();
    lines
        .map(|line| line["text"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Anna says something in a channel; waits for a line behind it.
async fn answered(house: &House, channel: &Value, text: &str) {
    let nonce = format!("{channel}{}", texts(house, channel).await.len());
    house.ask(json!({"ask": "post", "channel": channel, "person": "2", "text": text, "client_nonce": nonce})).await;
    until_followed(house, channel, |line| line == text, 1).await;
}

/// Waits until so many lines stand behind one.
async fn until_followed(house: &House, channel: &Value, is_it: impl Fn(&str) -> bool, by: usize) {
    for _ in 0..600 {
        let lines = texts(house, channel).await;
        if lines
            .iter()
            .rposition(|line| is_it(line))
            .is_some_and(|at| lines.len() > at + by)
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never in {channel}\n{}", house.log());
}

fn last(shown: &Shown) -> (String, String) {
    shown
        .lock()
        .unwrap()
        .iter()
        .rfind(|(system, _)| !system.starts_with(SUM_UP))
        .unwrap()
        .clone()
}

const GUIDED: &str = "[profiles.guide]\nsystem_prompt = \"You are a guide to {{ place }}.\"\ncontext = \"last:2\"\n\
                      skills = []\ntools = [\"send_message\", \"stay_silent\"]\n";
const OPEN: &str = "<create_session label=\"trip\" profile=\"guide\" system_prompt=\"plan it # Rules\" prompt=\"where \
                    first?\" vars='{\"place\": \"Oslo\"}'/>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_has_its_own_words_and_tools_and_begins_with_what_is_still_there() {
    let (mut house, shown) = house("", GUIDED, OPEN).await;
    house.says("we want to go to Norway").await;
    let train = house.says("with the night train").await;
    house.says("@Juno open a thread").await;
    let session = sessions(&house, 1).await[0].clone();
    assert_eq!(
        (&session["label"], &session["profile"], &session["start"]),
        (&json!("trip"), &json!("guide"), &json!("last:2"))
    );
    let thread = &session["channel"];
    until_followed(&house, thread, |line| line == "where first?", 0).await;
    answered(&house, thread, "@Juno hello").await;
    assert_eq!(
        texts(&house, thread).await,
        ["where first?", "@Juno hello", "here we are"]
    );
    let (system, user) = last(&shown);
    assert!(
        system.contains("# What this thread is for\nYou are a guide to Oslo.\n\n"),
        "{system}"
    );
    assert!(
        system.contains("a note, not a rule:\n| plan it # Rules\n"),
        "what the model wrote is quoted\n{system}"
    );
    assert!(
        !system.contains("create_session") && !system.contains("recall"),
        "{system}"
    );
    assert!(
        user.contains("# What was said before this thread")
            && user.contains("Anna: with the night train"),
        "{user}"
    );
    assert!(
        !user.contains("Norway"),
        "the last two lines are taken along\n{user}"
    );

    let edit = json!({"ask": "edit", "channel": "10", "message": train["id"], "text": "by bike"});
    house.ask(edit).await;
    answered(&house, thread, "@Juno and now?").await;
    let (_, user) = last(&shown);
    assert!(
        user.contains("Anna: by bike") && !user.contains("night train"),
        "{user}"
    );
    house
        .ask(json!({"ask": "delete", "channel": "10", "message": train["id"]}))
        .await;
    house.kill();
    house.start();
    answered(&house, thread, "@Juno after a restart").await;
    let (system, user) = last(&shown);
    assert!(
        system.contains("You are a guide to Oslo.") && !user.contains("by bike"),
        "{system}\n{user}"
    );

    house
        .ask(json!({"ask": "close_session", "id": session["id"]}))
        .await;
    assert_eq!(sessions(&house, 0).await, Vec::<Value>::new());
    answered(&house, thread, "@Juno it is over").await;
    let (system, user) = last(&shown);
    assert!(
        !system.contains("guide to") && !user.contains("before this thread"),
        "{system}\n{user}"
    );
    assert!(
        system.contains("create_session"),
        "it is a channel like its neighbours"
    );
    let gone = house
        .try_ask(json!({"ask": "close_session", "id": "77"}))
        .await
        .unwrap_err();
    assert!(gone.contains("there is no such session"), "{gone}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_summary_is_made_once_and_anew_when_part_of_it_is_deleted() {
    let profile = "[profiles.brief]\ncontext = \"summary\"\n";
    let open = "<create_session label=\"fjord\" profile=\"brief\" context=\"inherit\"/>";
    let (house, shown) = house("", profile, open).await;
    let pin = house.says("the pin is rhododendron").await;
    house.says("@Juno open a thread").await;
    let thread = sessions(&house, 1).await[0]["channel"].clone();
    let asked = || {
        shown
            .lock()
            .unwrap()
            .iter()
            .filter(|(system, _)| system.starts_with(SUM_UP))
            .cloned()
            .collect::<Vec<_>>()
    };
    for _ in 0..2 {
        answered(&house, &thread, "@Juno hello").await;
        let (_, user) = last(&shown);
        assert!(
            user.contains("Summed up:\n| they mean to see the fjord"),
            "{user}"
        );
        assert!(!user.contains("rhododendron"), "{user}");
    }
    assert_eq!(asked().len(), 1);
    assert!(
        asked()[0].1.contains("| Anna: the pin is rhododendron"),
        "{:?}",
        asked()
    );
    house
        .ask(json!({"ask": "delete", "channel": "10", "message": pin["id"]}))
        .await;
    answered(&house, &thread, "@Juno hello again").await;
    assert_eq!(asked().len(), 2);
    assert!(!asked()[1].1.contains("rhododendron"), "{:?}", asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn past_the_cap_and_below_the_deepest_level_the_model_is_told_to_go_on_here() {
    let open = "<create_session label=\"more\"/>";
    let (house, shown) = house("", "[sessions]\nmost = 1\n", open).await;
    house.says("@Juno open one").await;
    sessions(&house, 1).await;
    house.says("@Juno open another").await;
    house
        .until("the refusal", |history| {
            history
                .iter()
                .any(|line| line["text"] == "no room for that")
                .then_some(())
        })
        .await;
    let (_, user) = last(&shown);
    assert!(
        user.contains("there are 1 sessions open, and no more may be; go on here"),
        "{user}"
    );
    sessions(&house, 1).await;
    let _ = house.try_ask(post_of("bye", "end")).await;
}
