//! Several processes that share a companion on Discord: each message is answered once, whichever of them dies.

use std::process::Command;
use std::time::Duration;

use kith_testkit::monitoring::{MONITORED, probe};
use kith_testkit::postgres::{PostgresSchema, PostgresServer};
use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::prelude::*;
use crate::room_browser::free_neighbours;

/// Processes on one fake Discord and one database.
struct ClusterTest {
    fake: FakeDiscord,
    settings: String,
    schema: PostgresSchema,
}

impl ClusterTest {
    /// None where PostgreSQL is not installed. `tables` stand at the end of the settings.
    async fn new(world: World, tables: &str) -> Option<Self> {
        let schema = PostgresServer::shared()?.make_schema();
        let fake = FakeDiscord::start(world);
        let url = model(|user: &str| say(&format!("answer to {}", newest_question(user)))).await;
        let settings = settings(&fake, &url, "", &format!("{}{tables}", on(GENERAL)));
        Some(Self {
            fake,
            settings,
            schema,
        })
    }

    async fn start_process(&self) -> KithProcess {
        start_process(&self.settings, &self.schema).await
    }

    /// One process for all of it, and people who use its commands.
    async fn into_discord_test(self) -> (DiscordTest, PostgresSchema) {
        let kith = self.start_process().await;
        self.until_connected(2, &[&kith]).await;
        let fake = self.fake;
        (DiscordTest { fake, kith }, self.schema)
    }

    async fn until_connected(&self, sessions: usize, processes: &[&KithProcess]) {
        until_connected(&self.fake, sessions, processes).await;
    }

    fn ask(&self, channel: Id, question: &str) {
        self.fake
            .says(channel, ANNA, &format!("<@{BOT}> {question}?"));
    }

    /// Waits for the answer to a question, and tells how often it was given.
    async fn count_answers(&self, channel: Id, question: &str) -> usize {
        let answer = format!("answer to {question}");
        let count = |world: &World| {
            let posts = world.posts(channel);
            posts
                .iter()
                .filter(|post| post.text.contains(&answer))
                .count()
        };
        self.fake
            .until_true(&answer, |world| count(world) > 0)
            .await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        let posts = self.fake.posts(channel);
        posts
            .iter()
            .filter(|post| post.text.contains(&answer))
            .count()
    }
}

/// A process whose database is this one.
pub async fn start_process(settings: &str, schema: &PostgresSchema) -> KithProcess {
    let files = [("kith.toml", settings), ("store.url", &*schema.url)];
    KithProcess::furnished(&files, &[("DISCORD_TOKEN", TOKEN)]).await
}

pub async fn until_connected(fake: &FakeDiscord, sessions: usize, processes: &[&KithProcess]) {
    kith_testkit::until(
        || fake.connected() == sessions,
        || {
            format!(
                "{} of {sessions} sessions\n{}",
                fake.connected(),
                join_logs(processes.iter().copied())
            )
        },
    )
    .await;
}

pub fn join_logs<'a>(processes: impl IntoIterator<Item = &'a KithProcess>) -> String {
    let logs: Vec<String> = processes.into_iter().map(KithProcess::log).collect();
    logs.join("\n---\n")
}

/// The last word before a question mark that the model was shown.
fn newest_question(user: &str) -> String {
    let asked = user.rsplit_once('?').map_or("", |(before, _)| before);
    asked
        .split_whitespace()
        .next_back()
        .unwrap_or_default()
        .to_owned()
}

pub const ON_SERVER: &str = "[store]\nurl_file = \"store.url\"\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_process_waits_and_goes_on_where_the_first_one_is_killed() {
    let Some(test) = ClusterTest::new(World::small(), ON_SERVER).await else {
        return;
    };
    let mut first = test.start_process().await;
    test.until_connected(1, &[&first]).await;
    let second = test.start_process().await;
    test.ask(GENERAL, "one");
    assert_eq!(test.count_answers(GENERAL, "one").await, 1);
    assert_eq!(test.fake.connected(), 1, "the second process waits");

    first.kill();
    test.ask(GENERAL, "two");
    assert_eq!(
        test.count_answers(GENERAL, "two").await,
        1,
        "{}",
        second.log()
    );
    assert_eq!(
        test.count_answers(GENERAL, "one").await,
        1,
        "{}",
        second.log()
    );
}

/// A world of two partitions, with a channel of the second one, and the settings for it.
fn divided_world() -> (World, Id, String) {
    let mut world = World::small();
    world.shards = 2;
    let part = |guild: u64| (guild >> 22) % 2;
    let other = std::iter::repeat_with(|| world.add_guild("Elsewhere", OWNER))
        .find(|guild| part(*guild) != part(GUILD))
        .unwrap();
    let elsewhere = world.add_channel(other, "elsewhere");
    world.join(other, ANNA);
    let tables = format!("{}{ON_SERVER}partitions = 2\n", on(elsewhere));
    (world, elsewhere, tables)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_share_the_servers_and_one_of_them_takes_over_all() {
    let (world, elsewhere, tables) = divided_world();
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let (mut first, second) = tokio::join!(test.start_process(), test.start_process());
    test.until_connected(2, &[&first, &second]).await;
    for (place, question) in [(GENERAL, "one"), (elsewhere, "two")] {
        test.ask(place, question);
        assert_eq!(test.count_answers(place, question).await, 1);
    }
    first.kill();
    for (place, question) in [(GENERAL, "three"), (elsewhere, "four")] {
        test.ask(place, question);
    }
    for (place, question) in [(GENERAL, "three"), (elsewhere, "four")] {
        let count = test.count_answers(place, question).await;
        assert_eq!(count, 1, "{question}\n{}", second.log());
    }
    for (place, question) in [(GENERAL, "one"), (elsewhere, "two")] {
        assert_eq!(test.count_answers(place, question).await, 1, "{question}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_was_frozen_while_another_took_over_says_nothing_again() {
    let Some(test) = ClusterTest::new(World::small(), ON_SERVER).await else {
        return;
    };
    let first = test.start_process().await;
    test.until_connected(1, &[&first]).await;
    let second = test.start_process().await;
    let signal = |name: &str| {
        let process = first.process_id().to_string();
        let sent = Command::new("kill")
            .args([name, &process])
            .status()
            .unwrap();
        assert!(sent.success());
    };
    test.ask(GENERAL, "zero");
    assert_eq!(test.count_answers(GENERAL, "zero").await, 1);
    test.ask(GENERAL, "one");
    signal("-STOP");
    let answers = test.count_answers(GENERAL, "one").await;
    assert_eq!(answers, 1, "{}", second.log());
    signal("-CONT");
    test.ask(GENERAL, "two");
    for question in ["zero", "one", "two"] {
        let count = test.count_answers(GENERAL, question).await;
        assert_eq!(
            count,
            1,
            "{question}\n{}\n---\n{}",
            first.log(),
            second.log()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_wants_to_be_forgotten_in_one_partition_is_forgotten_in_all_of_them() {
    const HOBBY: &str = "xylophonequartz";
    let (world, elsewhere, tables) = divided_world();
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let server = PostgresServer::shared().expect("it was there before");
    let (mut test, schema) = test.into_discord_test().await;
    let other = schema.of_partition(1);
    for place in [GENERAL, elsewhere] {
        let line = format!("<@{BOT}> I collect {HOBBY} you know?");
        test.fake.says(place, ANNA, &line);
        test.post(place, 0).await;
    }
    let is_kept = |schema: &str| server.dump(schema).contains(HOBBY);
    assert!(is_kept(&schema.name) && is_kept(&other));
    let question = test
        .asks(GENERAL, ANNA, "kith forget me", json!({"where": "all"}))
        .await;
    let told = test.confirms(GENERAL, ANNA, &question, "forget").await;
    assert_has(&told, ["Forgotten everywhere"]);
    // Whatever is not done yet is done by whoever runs it next.
    test.kith.kill();
    test.kith.start();
    let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
    while is_kept(&schema.name) || is_kept(&other) {
        assert!(kith_system::clock::monotonic() < end, "{}", test.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let waiting = format!("SELECT count(*) FROM \"{}\".shared_wish", schema.name);
    while server.run_sql(&waiting).trim() != "0" {
        assert!(
            kith_system::clock::monotonic() < end,
            "who wished it stands there still"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_in_a_direct_message_what_is_kept_has_a_file_of_each_partition() {
    let (mut world, elsewhere, tables) = divided_world();
    let direct = world.dm(ANNA);
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let (test, _) = test.into_discord_test().await;
    for (place, word) in [(GENERAL, "aardvark"), (elsewhere, "brambleknocker")] {
        test.fake.says(place, ANNA, &format!("<@{BOT}> my {word}?"));
        test.post(place, 0).await;
    }
    let asked = test.fake.slash(direct, ANNA, "kith export me", json!({}));
    let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
    let names = ["kith-export.json", "kith-export-2.json"];
    let files = loop {
        let asked = test.fake.interaction(asked);
        let answers: Vec<_> = asked.answer.iter().chain(&asked.followups).collect();
        let find = |name: &str| answers.iter().find_map(|answer| answer.file_text(name));
        if let [Some(own), Some(other)] = names.map(find) {
            break [own, other];
        }
        assert!(kith_system::clock::monotonic() < end, "{}", test.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let told = files.map(|text| ["aardvark", "brambleknocker"].map(|word| text.contains(word)));
    // The small world's server is in the second partition.
    assert_eq!(told, [[false, true], [true, false]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_button_of_the_hosts_log_channel_is_answered_by_the_partition_of_the_turn() {
    let (world, elsewhere, tables) = divided_world();
    let tables = format!("[discord.log]\nchannel = \"{LOG}\"\n{tables}");
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let (test, _) = test.into_discord_test().await;
    for (place, name) in [(GENERAL, "#general"), (elsewhere, "#elsewhere")] {
        test.fake.says(place, ANNA, &format!("<@{BOT}> hello?"));
        test.post(place, 0).await;
        let entry = test.logged(LOG, name).await;
        let why = button(&entry, "why");
        // The entry may be there a moment before the turn can be read from the server.
        let press = async || said(&test.presses(LOG, HOST, entry.id, &why).await);
        test.until_told(name, press).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_reaches_every_partition() {
    let (world, elsewhere, tables) = divided_world();
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let (mut test, _) = test.into_discord_test().await;
    for (place, word) in [(GENERAL, "aardvark"), (elsewhere, "brambleknocker")] {
        test.fake.says(place, ANNA, &format!("<@{BOT}> {word}?"));
        test.post(place, 0).await;
    }
    let run = |test: &DiscordTest, arguments: &[&str]| {
        let ended = build_kith_command(test.kith.dir.path())
            .args(arguments)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{arguments:?}: {told}");
        String::from_utf8_lossy(&ended.stdout).into_owned()
    };
    let usage = run(&test, &["usage"]);
    assert_has(&usage, ["general", "elsewhere"]);
    test.kith.stop();
    let person = ANNA.to_string();
    let export = run(&test, &["export", "--person", &person]);
    assert_has(&export, ["aardvark", "brambleknocker"]);
    run(&test, &["forget", "--person", &person, "--yes"]);
    let left = run(&test, &["export", "--person", &person]);
    assert_lacks(&left, ["aardvark", "brambleknocker"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_console_and_the_metrics_show_who_runs_which_partition() {
    let (world, _, tables) = divided_world();
    // Each partition has the console's port after that of the one before.
    let console = free_neighbours(2);
    let tables = format!("[console]\nlisten = \"127.0.0.1:{console}\"\n{MONITORED}{tables}");
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let (mut test, _) = test.into_discord_test().await;
    for partition in 0..2 {
        test.reach_console(console + partition);
        let overview = test.kith.ask_console(json!({ "ask": "overview" })).await;
        let processes = overview["processes"].as_array().unwrap();
        assert_eq!(processes.len(), 1, "{overview:#}");
        assert_eq!(processes[0]["partitions"], json!([0, 1]));
        assert_eq!(processes[0]["is_own"], json!(true));
    }
    let (_, text) = probe(&test.kith, "/metrics").await;
    for number in 0..2 {
        let held = format!("kith_partition_held{{partition=\"{number}\"}} 1");
        let shard =
            format!("kith_gateway_connected{{partition=\"{number}\",shard=\"{number}\"}} 1");
        assert_has(&text, [&held]);
        assert_has(&text, [&shard]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partition_for_which_too_few_sessions_may_be_started_ends_none_that_runs() {
    let (world, elsewhere, tables) = divided_world();
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let (mut first, second) = tokio::join!(test.start_process(), test.start_process());
    test.until_connected(2, &[&first, &second]).await;
    test.fake.world(|world| world.starts_left = 3);
    first.kill();
    second
        .until_logged("the partition is not run for now")
        .await;
    second.until_logged("session starts").await;
    for place in [GENERAL, elsewhere] {
        test.ask(place, "one");
    }
    let is_answered = |world: &World, place: &Id| {
        let posts = world.posts(*place);
        posts.iter().any(|post| post.text.contains("answer to one"))
    };
    let find_answered = |world: &World| {
        let mut places = [GENERAL, elsewhere].into_iter();
        places.find(|place| is_answered(world, place))
    };
    let place = test.fake.until("an answer", find_answered).await;
    assert_eq!(test.count_answers(place, "one").await, 1);
    assert_eq!(test.fake.connected(), 1, "{}", second.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn that_most_of_the_shared_budget_is_spent_is_shown_once_whoever_spent_it() {
    let (world, _, tables) = divided_world();
    let budget = "[budget]\ndaily_tokens = 100000\nsoft_share = 0.01\n";
    let tables = format!("[discord.log]\nchannel = \"{LOG}\"\n{budget}{tables}");
    let Some(test) = ClusterTest::new(world, &tables).await else {
        return;
    };
    let (test, _) = test.into_discord_test().await;
    // The small world's server is in the second partition, and the first one shows it.
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> one?"));
    let told = "tokens of the day are spent";
    kith_testkit::until(|| test.log().matches(told).count() >= 2, || test.log()).await;
    let card = "Most of today's budget";
    test.logged(LOG, card).await;
    assert_eq!(count_cards(&test, card).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn that_no_model_answers_is_shown_once_by_each_process() {
    let away = "provider = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"";
    for model in ["provider = \"none\"", away] {
        let (world, _, tables) = divided_world();
        let tables = format!("[discord.log]\nchannel = \"{LOG}\"\n{tables}");
        let Some(mut test) = ClusterTest::new(world, &tables).await else {
            return;
        };
        test.settings = format!(
            "[model]\n{model}\n[discord]\napi_base = \"{}\"\n{tables}",
            test.fake.api()
        );
        let (test, _) = test.into_discord_test().await;
        test.logged(LOG, "observes").await;
        assert_eq!(count_cards(&test, "observes").await, 1, "{model}");
    }
}

/// How many entries of the log channel say this, once nothing more comes.
async fn count_cards(test: &DiscordTest, text: &str) -> usize {
    test.posts_in_peace(LOG).await;
    let entries = test.fake.posts(LOG);
    let with_text = entries.iter().filter(|entry| said(entry).contains(text));
    with_text.count()
}
