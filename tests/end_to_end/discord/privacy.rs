//! What people may ask of it about themselves: to be forgotten to the byte and for good, to be told everything, not to
//! be remembered, and to be ignored.

mod answers_under_way;
mod forgotten_while_killed;
mod opt_outs;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};

use crate::discord::prelude::*;

const HOBBY: &str = "xylophonequartz";

const SHY: &str = "talkativeness = \"about 0 an hour\"\n";

/// A world with somebody whose name is like no other word.
fn world() -> (World, Id) {
    let mut world = World::small();
    let mira = world.add_user("Mirabelle");
    world.join(GUILD, mira);
    (world, mira)
}

/// On in one channel, with everything shown in the host's log channel.
fn tables() -> String {
    format!("[discord.log]\nchannel = \"{LOG}\"\ntext = true\n") + &on(GENERAL)
}

/// A model that repeats everything it can of her: in thoughts, in what it keeps in mind, and aloud.
fn gossip(user: &str) -> String {
    if !user.contains(HOBBY) && !user.contains("Mirabelle") {
        return say("nothing new");
    }
    format!(
        "<turn><thoughts>Mirabelle collects {HOBBY}</thoughts><core_memory_append label=\"people\">Mirabelle: {HOBBY}\
         </core_memory_append><send_message>Mirabelle, {HOBBY} is lovely</send_message></turn>"
    )
}

impl DiscordTest {
    /// Where anything of a person is still found: her name, her words, her id in every form.
    fn left_of(&self, person: Id) -> Vec<(String, PathBuf)> {
        let texts = [
            "Mirabelle",
            "mirabelle",
            HOBBY,
            "brambleknocker",
            &person.to_string(),
        ];
        let found = texts.iter().flat_map(|text| {
            self.kith
                .files_with(text)
                .into_iter()
                .map(|path| ((*text).to_owned(), path))
                .collect::<Vec<_>>()
        });
        let bytes = self.kith.files_holding(&person.to_be_bytes());
        found
            .chain(
                bytes
                    .into_iter()
                    .map(|path| ("id in 8 bytes".to_owned(), path)),
            )
            .collect()
    }

    /// Waits until nothing is: what another connection reads just then is scrubbed within seconds.
    async fn nothing_left_of(&self, person: Id) {
        kith_testkit::until(
            || self.left_of(person).is_empty(),
            || format!("{:?}", self.left_of(person)),
        )
        .await;
    }

    /// She writes, is answered, reacts, is mentioned and is told of in the log channel.
    async fn lived_with(&self, mira: Id, shown: &PromptLog) -> Vec<Id> {
        let bens = self
            .fake
            .says(GENERAL, BEN, &format!("hi <@{mira}>, all well?"));
        let first = self.calls(GENERAL, mira, &format!("I collect {HOBBY}"));
        self.post(GENERAL, 0).await;
        self.fake.reacts(mira, GENERAL, bens, "🎉");
        let second = self.fake.says(GENERAL, mira, "and I met a brambleknocker");
        let third = self
            .fake
            .post(GENERAL, Message::by(BEN, "where?").reply_to(second));
        self.fake.reacts(BEN, GENERAL, second, "👀");
        assert!(shown.any_with(HOBBY));
        self.is_stored("brambleknocker").await;
        let entry = self.logged(LOG, HOBBY).await;
        assert_has(said(&entry), ["Mirabelle"]);
        assert!(
            self.left_of(mira)
                .iter()
                .any(|(form, _)| form == "id in 8 bytes"),
            "else this shows nothing"
        );
        vec![first, second, third]
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_forgotten_is_in_no_file_no_prompt_and_no_log_entry_and_does_not_come_back() {
    let (world, mira) = world();
    let (mut test, shown) = DiscordTest::watched(world, SHY, &tables(), gossip).await;
    let messages = test.lived_with(mira, &shown).await;
    let answer = test.asks(GENERAL, mira, "kith forget me", json!({})).await;
    assert_has(&answer.text, ["2 messages"]);
    test.nothing_left_of(mira).await;
    test.fake
        .until_true("no log entry tells of her", |world| {
            let told = world
                .posts(LOG)
                .iter()
                .any(|entry| said(entry).contains(HOBBY) || said(entry).contains("Mirabelle"));
            !told
        })
        .await;
    let before = shown.count();
    test.talk(GENERAL, ANNA, "who collects what here?").await;
    test.fake.edits(
        GENERAL,
        messages[0],
        &format!("I never collected {HOBBY}, says Mirabelle"),
    );
    test.fake.reacts(ANNA, GENERAL, messages[0], "👀");
    test.fake.says(GENERAL, ANNA, "all of that is heard by now");
    test.is_stored("all of that is heard by now").await;
    test.nothing_left_of(mira).await;
    test.restarts().await;
    test.talk(GENERAL, ANNA, "and now?").await;
    test.kith.kill();
    test.starts().await;
    test.talk(GENERAL, ANNA, "and after a crash?").await;
    for prompt in &shown.all()[before..] {
        assert_lacks(prompt, ["Mirabelle", HOBBY, "brambleknocker"]);
    }
    assert!(
        test.fake
            .world(|world| world.message(GENERAL, messages[1]).is_some()),
        "on Discord they are hers"
    );
    test.nothing_left_of(mira).await;
    test.kith.stop();
    test.nothing_left_of(mira).await;
    assert_lacks(test.log(), ["Mirabelle"]);
    assert_lacks(test.log(), [HOBBY]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgotten_here_is_not_forgotten_everywhere_until_that_is_asked() {
    let (mut world, mira) = world();
    let direct = world.dm(mira);
    let second = world.add_guild("Second", mira);
    let parlour = world.add_channel(second, "parlour");
    let tables = "direct_messages = \"on\"\n".to_owned() + &tables() + &on(parlour);
    let (mut test, shown) = DiscordTest::watched(world, SHY, &tables, gossip).await;
    test.lived_with(mira, &shown).await;
    test.fake.says(parlour, mira, "in the parlour: albatross");
    test.fake.says(direct, mira, "between us: cormorant");
    test.post(direct, 0).await;
    test.is_stored("albatross").await;
    test.asks(GENERAL, mira, "kith forget me", json!({"where": "here"}))
        .await;
    test.is_gone("brambleknocker").await;
    assert!(
        !test.kith.files_with("albatross").is_empty()
            && !test.kith.files_with("cormorant").is_empty()
    );
    let question = test
        .asks(GENERAL, mira, "kith forget me", json!({"where": "all"}))
        .await;
    assert_has(&question.text, ["everywhere"]);
    assert!(
        !test.kith.files_with("albatross").is_empty(),
        "it is asked back first"
    );
    assert_has(
        test.confirms(GENERAL, mira, &question, "forget").await,
        ["Forgotten everywhere"],
    );
    for word in ["albatross", "cormorant"] {
        test.is_gone(word).await;
    }
    test.nothing_left_of(mira).await;
    test.restarts().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    test.nothing_left_of(mira).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_speaks_of_somebody_who_is_just_forgotten_leaves_nothing() {
    let (world, mira) = world();
    let long = "a long story ".repeat(90);
    let answer = move |user: &str| {
        if !user.contains(HOBBY) {
            return say("nothing new");
        }
        format!(
            "<turn><thoughts>Mirabelle: {HOBBY}</thoughts><send_message>one</send_message><send_message>Mirabelle, {HOBBY}? {long}</send_message></turn>"
        )
    };
    let (test, _) = DiscordTest::watched(world, SHY, &tables(), answer).await;
    test.talk(GENERAL, mira, &format!("I collect {HOBBY}"))
        .await;
    test.asks(GENERAL, mira, "kith forget me", json!({})).await;
    tokio::time::sleep(Duration::from_millis(4_500)).await;
    test.nothing_left_of(mira).await;
    test.calls(GENERAL, ANNA, "hello");
    test.fake
        .until_true("an answer", |world| {
            world
                .posts(GENERAL)
                .iter()
                .any(|post| post.text == "nothing new")
        })
        .await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let told: Vec<String> = test
        .fake
        .posts(LOG)
        .iter()
        .map(said)
        .filter(|entry| entry.contains(HOBBY))
        .collect();
    assert_eq!(told, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_thought_of_somebody_is_not_said_once_they_ask_to_be_forgotten() {
    let (world, mira) = world();
    let (thinks, may_answer) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
    let (began, go_on) = (thinks.clone(), may_answer.clone());
    let answer = move |user: &str| {
        if !user.contains(HOBBY) {
            return say("nothing new");
        }
        began.store(true, Ordering::SeqCst);
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        tokio::task::block_in_place(|| {
            while !go_on.load(Ordering::SeqCst) && kith_system::clock::monotonic() < end {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        say(&format!("Mirabelle, {HOBBY} is lovely"))
    };
    let (test, _) = DiscordTest::watched(world, SHY, &tables(), answer).await;
    test.calls(GENERAL, mira, &format!("I collect {HOBBY}"));
    kith_testkit::until(
        || thinks.load(Ordering::SeqCst),
        || format!("it was never asked\n{}", test.log()),
    )
    .await;
    let lock = test.kith.database().lock();
    let asked = test.fake.slash(GENERAL, mira, "kith forget me", json!({}));
    test.fake
        .until("a first answer", |world| {
            world.interactions[&asked].callback
        })
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(
        !test.fake.interaction(asked).is_shown(),
        "nothing is erased yet"
    );
    may_answer.store(true, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(700)).await;
    drop(lock);
    test.answered(asked).await;
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        0,
        "{:?}",
        test.fake.posts(GENERAL)
    );
    test.nothing_left_of(mira).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_get_everything_that_is_kept_about_them_and_nothing_of_others() {
    let (world, mira) = world();
    let (test, shown) = DiscordTest::watched(world, SHY, &tables(), gossip).await;
    test.lived_with(mira, &shown).await;
    let export = async |user| {
        let answer = test.asks(GENERAL, user, "kith export me", json!({})).await;
        let file = answer
            .file_text("kith-export.json")
            .unwrap_or_else(|| panic!("no file: {answer:?}"));
        serde_json::from_str::<Value>(&file).unwrap()
    };
    let hers = export(mira).await;
    assert_eq!(hers["messages"].as_array().unwrap().len(), 2, "{hers:#}");
    assert_has(
        hers.to_string(),
        [HOBBY, "brambleknocker", "🎉", "Mirabelle"],
    );
    assert_lacks(hers.to_string(), ["all well?", "where?"]);
    assert_lacks(export(BEN).await.to_string(), ["brambleknocker"]);
    test.asks(GENERAL, mira, "kith forget me", json!({})).await;
    let after = export(mira).await;
    assert_eq!(after["messages"], json!([]), "{after:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_exports_and_forgets_somebody_from_the_command_line() {
    let (world, mira) = world();
    let (mut test, shown) = DiscordTest::watched(world, SHY, &tables(), gossip).await;
    test.lived_with(mira, &shown).await;
    test.kith.stop();
    let person = mira.to_string();
    let run = |arguments: &[&str]| {
        let output = build_kith_command(test.kith.dir.path())
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let export = run(&["export", "--person", &person]);
    assert_has(&export, [HOBBY]);
    assert_has(&export, ["brambleknocker"]);
    assert_lacks(&export, ["all well?"]);
    let told = run(&["forget", "--person", &person, "--yes"]);
    assert_has(&told, ["2 messages"]);
    assert_eq!(test.left_of(mira), Vec::new());
    test.starts().await;
    test.talk(GENERAL, ANNA, "who collects what?").await;
    assert_lacks(shown.last(), [HOBBY]);
    assert_lacks(shown.last(), ["Mirabelle"]);
    test.nothing_left_of(mira).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_is_nowhere_but_where_the_host_put_it() {
    let (world, mira) = world();
    let (mut test, shown) = DiscordTest::watched(
        world,
        "talkativeness = \"about 0 an hour\"\n[log]\nlevel = \"trace\"\n",
        &(tables() + &on(RANDOM)),
        gossip,
    )
    .await;
    test.lived_with(mira, &shown).await;
    test.fake
        .fault("POST /channels/*/messages", Fault::Status(500));
    test.fake.break_links(LinkFault::Close(Some(4000)));
    test.talk(RANDOM, ANNA, "hello").await;
    test.restarts().await;
    let token = TOKEN;
    let secret = token.rsplit('.').next().unwrap();
    assert_lacks(test.log(), [secret]);
    assert_eq!(test.kith.files_with(secret), Vec::<PathBuf>::new());
    assert!(!shown.any_with(secret));
    let posted = test.fake.posts(LOG).iter().map(said).collect::<String>();
    assert_lacks(&posted, [secret]);
}
