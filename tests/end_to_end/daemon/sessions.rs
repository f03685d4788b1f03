//! Sessions in the room: a channel of its own with settings of its own, over restarts, capped, and begun with what is
//! still there of the talk it came from.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};

use crate::daemon::kith_process::{KithProcess, model_server, post_of, settings};

/// What a model was shown: system and user messages.
type PromptLog = Arc<Mutex<Vec<(String, String)>>>;

const TOOLS: &str = "tools = [\"default\", \"create_session\"]\n";
/// What says that a talk is to be summed up.
const SUM_UP: &str = "Below are lines of a group chat.";

/// A `kith` whose model opens a session where somebody says "open", and answers in threads.
async fn start_kith(more: &str, tables: &str, open: &'static str) -> (KithProcess, PromptLog) {
    let shown = PromptLog::default();
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
    let kith = KithProcess::open(&(settings(&url, &format!("{TOOLS}{more}")) + tables)).await;
    (kith, shown)
}

async fn sessions(kith: &KithProcess, count: usize) -> Vec<Value> {
    for _ in 0..600 {
        let all = kith.ask(json!({"ask": "sessions"})).await["sessions"]
            .as_array()
            .unwrap()
            .clone();
        if all.len() == count && all.iter().all(|session| session["channel"].is_string()) {
            return all;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never {count} sessions\n{}", kith.log());
}

async fn texts(kith: &KithProcess, channel: &Value) -> Vec<String> {
    let history = kith
        .ask(json!({"ask": "history", "channel": channel}))
        .await;
    let lines = history["messages"].as_array().unwrap().iter();
    lines
        .map(|line| line["text"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Anna says something in a channel; waits for a line behind it.
async fn answered(kith: &KithProcess, channel: &Value, text: &str) {
    let nonce = format!("{channel}{}", texts(kith, channel).await.len());
    kith.ask(json!({"ask": "post", "channel": channel, "person": "2", "text": text, "client_nonce": nonce})).await;
    until_followed(kith, channel, |line| line == text, 1).await;
}

/// Waits until so many lines stand behind one.
async fn until_followed(
    kith: &KithProcess,
    channel: &Value,
    is_it: impl Fn(&str) -> bool,
    by: usize,
) {
    for _ in 0..600 {
        let lines = texts(kith, channel).await;
        if lines
            .iter()
            .rposition(|line| is_it(line))
            .is_some_and(|at| lines.len() > at + by)
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never in {channel}\n{}", kith.log());
}

fn last(shown: &PromptLog) -> (String, String) {
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
    let (mut kith, shown) = start_kith("", GUIDED, OPEN).await;
    kith.says("we want to go to Norway").await;
    let train = kith.says("with the night train").await;
    kith.says("@Juno open a thread").await;
    let session = sessions(&kith, 1).await[0].clone();
    assert_eq!(
        (&session["label"], &session["profile"], &session["start"]),
        (&json!("trip"), &json!("guide"), &json!("last:2"))
    );
    let thread = &session["channel"];
    until_followed(&kith, thread, |line| line == "where first?", 0).await;
    answered(&kith, thread, "@Juno hello").await;
    assert_eq!(
        texts(&kith, thread).await,
        ["where first?", "@Juno hello", "here we are"]
    );
    let (system, user) = last(&shown);
    assert_has(
        &system,
        ["# What this thread is for\nYou are a guide to Oslo.\n\n"],
    );
    assert!(
        system.contains("a note, not a rule:\n| plan it # Rules\n"),
        "what the model wrote is quoted\n{system}"
    );
    assert_lacks(&system, ["create_session", "recall"]);
    assert_has(
        &user,
        [
            "# What was said before this thread",
            "Anna: with the night train",
        ],
    );
    assert!(
        !user.contains("Norway"),
        "the last two lines are taken along\n{user}"
    );

    let edit = json!({"ask": "edit", "channel": "10", "message": train["id"], "text": "by bike"});
    kith.ask(edit).await;
    answered(&kith, thread, "@Juno and now?").await;
    let (_, user) = last(&shown);
    assert_has(&user, ["Anna: by bike"]);
    assert_lacks(&user, ["night train"]);
    kith.ask(json!({"ask": "delete", "channel": "10", "message": train["id"]}))
        .await;
    kith.kill();
    kith.start();
    answered(&kith, thread, "@Juno after a restart").await;
    let (system, user) = last(&shown);
    assert_has(&system, ["You are a guide to Oslo."]);
    assert_lacks(&user, ["by bike"]);

    kith.ask(json!({"ask": "close_session", "id": session["id"]}))
        .await;
    assert_eq!(sessions(&kith, 0).await, Vec::<Value>::new());
    answered(&kith, thread, "@Juno it is over").await;
    let (system, user) = last(&shown);
    assert_lacks(&system, ["guide to"]);
    assert_lacks(&user, ["before this thread"]);
    assert!(
        system.contains("create_session"),
        "it is a channel like its neighbours"
    );
    let gone = kith
        .try_ask(json!({"ask": "close_session", "id": "77"}))
        .await
        .unwrap_err();
    assert_has(&gone, ["there is no such session"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_summary_is_made_once_and_anew_when_part_of_it_is_deleted() {
    let profile = "[profiles.brief]\ncontext = \"summary\"\n";
    let open = "<create_session label=\"fjord\" profile=\"brief\" context=\"inherit\"/>";
    let (kith, shown) = start_kith("", profile, open).await;
    let pin = kith.says("the pin is rhododendron").await;
    kith.says("@Juno open a thread").await;
    let thread = sessions(&kith, 1).await[0]["channel"].clone();
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
        answered(&kith, &thread, "@Juno hello").await;
        let (_, user) = last(&shown);
        assert_has(&user, ["Summed up:\n| they mean to see the fjord"]);
        assert_lacks(&user, ["rhododendron"]);
    }
    assert_eq!(asked().len(), 1);
    assert_has(&asked()[0].1, ["| Anna: the pin is rhododendron"]);
    kith.ask(json!({"ask": "delete", "channel": "10", "message": pin["id"]}))
        .await;
    answered(&kith, &thread, "@Juno hello again").await;
    assert_eq!(asked().len(), 2);
    assert_lacks(&asked()[1].1, ["rhododendron"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_profiles_own_prompt_sums_up_and_its_program_says_what_a_session_begins_with() {
    let open = "<create_session label=\"fjord\" profile=\"brief\"/>";
    let own = "[profiles.brief]\ncontext = \"summary\"\nsummary_prompt = \"Name the pin.\"\n";
    let (kith, shown) = start_kith("", own, open).await;
    kith.says("@Juno open a thread").await;
    let thread = sessions(&kith, 1).await[0]["channel"].clone();
    answered(&kith, &thread, "@Juno hello").await;
    let is_asked = shown
        .lock()
        .unwrap()
        .iter()
        .any(|(system, _)| system == "Name the pin.");
    assert!(is_asked);

    let program = r#"[profiles.brief]
context = "none"
context_program = ["sed", 's/.*the pin is \([a-z]*\).*/PIN: \1/']
"#;
    let (kith, shown) = start_kith("", program, open).await;
    kith.says("the pin is rhododendron").await;
    kith.says("@Juno open a thread").await;
    let thread = sessions(&kith, 1).await[0]["channel"].clone();
    answered(&kith, &thread, "@Juno hello").await;
    let (_, user) = last(&shown);
    assert_has(&user, ["Summed up:\n| PIN: rhododendron"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn past_the_cap_and_below_the_deepest_level_the_model_is_told_to_go_on_here() {
    let open = "<create_session label=\"more\"/>";
    let (kith, shown) = start_kith("", "[sessions]\nmost = 1\n", open).await;
    kith.says("@Juno open one").await;
    sessions(&kith, 1).await;
    kith.says("@Juno open another").await;
    kith.until_true("the refusal", |history| {
        history
            .iter()
            .any(|line| line["text"] == "no room for that")
    })
    .await;
    let (_, user) = last(&shown);
    assert_has(
        &user,
        ["there are 1 sessions open, and no more may be; go on here"],
    );
    sessions(&kith, 1).await;
    let _ = kith.try_ask(post_of("bye", "end")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_open_a_session_change_what_it_is_for_and_tell_what_came_of_it() {
    let (kith, shown) = start_kith("", GUIDED, OPEN).await;
    let about = "keep it short # Rules";
    let request =
        json!({"ask": "open_session", "channel": "10", "label": " trip  to Oslo", "about": about});
    let session = kith.ask(request.clone()).await["session"].clone();
    assert_eq!(
        (&session["label"], &session["about"], &session["from"]),
        (&json!("trip to Oslo"), &json!(about), &json!("10"))
    );
    let refused = kith.try_ask(request).await.unwrap_err();
    assert_has(&refused, ["trip to Oslo"]);
    let thread = &session["channel"];
    answered(&kith, thread, "@Juno hello").await;
    let (system, _) = last(&shown);
    let title =
        "What people who look after this place want kept in mind here; a note, not a rule:\n";
    assert_has(&system, [format!("{title}| {about}\n")]);

    let change = |of: Value| {
        let mut request = json!({"ask": "change_session", "id": session["id"]});
        request
            .as_object_mut()
            .unwrap()
            .extend(of.as_object().unwrap().clone());
        request
    };
    kith.ask(change(json!({"label": "oslo", "about": "in French"})))
        .await;
    answered(&kith, thread, "@Juno and now").await;
    let (system, user) = last(&shown);
    assert_has(&system, [format!("{title}| in French\n")]);
    assert_lacks(&system, ["keep it short"]);
    assert_has(&user, ["thread #oslo"]);
    let listed = &sessions(&kith, 1).await[0];
    assert_eq!(
        (&listed["label"], &listed["about"]),
        (&json!("oslo"), &json!("in French"))
    );

    let close = json!({"ask": "close_session", "id": session["id"], "outcome": "we go in May"});
    kith.ask(close.clone()).await;
    let told = "\u{201c}oslo\u{201d} is over. What came of it: we go in May";
    until_followed(&kith, &json!("10"), |line| line == told, 0).await;
    let gone = kith.try_ask(close).await.unwrap_err();
    assert_has(&gone, ["there is no such session"]);
    kith.says("@Juno so?").await;
    while !last(&shown).1.contains("we go in May") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
