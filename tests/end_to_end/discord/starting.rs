//! Starting and stopping: what stands in the way is one sentence with its cure, what passes is waited out, and the end
//! is a good-bye.

use std::io::{BufRead, Read};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};

use crate::discord::prelude::*;

/// Runs `kith` until it ends by itself; answers with its exit code and standard error.
fn ends(settings: &str, token: &str) -> (Option<i32>, String) {
    let dir = tempfile::TempDir::new().unwrap();
    std::fs::write(dir.path().join("kith.toml"), settings).unwrap();
    let mut child = build_kith_command(dir.path())
        .env("DISCORD_TOKEN", token)
        .spawn()
        .unwrap();
    let code = code_of(&mut child);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_lacks(&stderr, [token]);
    (code, stderr)
}

fn code_of(child: &mut Child) -> Option<i32> {
    let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if kith_system::clock::monotonic() > end {
            child.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// It ends with exit code 1 and one sentence, which holds these words.
#[track_caller]
fn is_refused(settings: &str, token: &str, words: &[&str]) {
    let (code, stderr) = ends(settings, token);
    let errors: Vec<_> = stderr
        .lines()
        .filter(|line| line.starts_with("error: "))
        .collect();
    assert_eq!((code, errors.len()), (Some(1), 1), "{stderr}");
    for word in words {
        assert_has(errors[0], [word]);
    }
}

async fn lives_on(world: World) -> (FakeDiscord, String) {
    let fake = FakeDiscord::start(world);
    let url = model(|_| say("hello")).await;
    let settings = settings(&fake, &url, "", &on(GENERAL));
    (fake, settings)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_token_is_told_with_where_to_get_the_right_one() {
    let (fake, settings) = lives_on(World::small()).await;
    is_refused(
        &settings,
        "ODEx.wrong.token-of-somebody-else-0123456789",
        &["token", "DISCORD_TOKEN", "Reset Token"],
    );
    assert_eq!(
        fake.requests("* /users/@me").len(),
        1,
        "nothing is asked again with it"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn close_codes_that_no_new_link_mends_end_it_with_a_sentence() {
    for (code, words) in [
        (4004, ["token", "Reset Token"]),
        (4014, ["Message Content Intent", "developer portal"]),
    ] {
        let (fake, settings) = lives_on(World::small()).await;
        fake.refuse_identify(code);
        is_refused(&settings, TOKEN, &words);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_discord_is_away_at_the_start_it_says_so_and_keeps_trying_until_it_is_back() {
    let (fake, settings) = lives_on(World::small()).await;
    let away = "* /users/@me";
    fake.chaos(Some(Chaos::new(1, [(1.0, Fault::Drop)]).only(away)));
    let dir = tempfile::TempDir::new().unwrap();
    std::fs::write(dir.path().join("kith.toml"), settings).unwrap();
    let mut child = build_kith_command(dir.path())
        .env("DISCORD_TOKEN", TOKEN)
        .spawn()
        .unwrap();
    let mut told = std::io::BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let mut trying = told
        .by_ref()
        .filter(|line| line.contains("Trying again in"));
    let said = [trying.next().unwrap(), trying.next().unwrap()];
    assert!(
        said.iter()
            .all(|line| line.contains("broke") && line.contains("network")),
        "{said:?}"
    );
    fake.chaos(None);
    fake.until_true("a session", |world| !world.log.identifies.is_empty())
        .await;
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_stop_while_discord_is_away_at_the_start_it_ends() {
    let settings =
        "[discord]\napi_base = \"http://127.0.0.1:9/api/v10\"\n[model]\nprovider = \"none\"\n";
    let dir = tempfile::TempDir::new().unwrap();
    std::fs::write(dir.path().join("kith.toml"), settings).unwrap();
    let mut child = build_kith_command(dir.path())
        .env("DISCORD_TOKEN", TOKEN)
        .spawn()
        .unwrap();
    let mut told = std::io::BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let said = told.find(|line| line.contains("Trying again in")).unwrap();
    assert_has(&said, ["cannot be reached", "network", "discord.proxy"]);
    let sent = std::process::Command::new("kill")
        .arg(child.id().to_string())
        .status()
        .unwrap();
    assert!(sent.success());
    assert_eq!(code_of(&mut child), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_starts_when_rest_is_slow_and_fails_for_a_while() {
    let (fake, settings) = lives_on(World::small()).await;
    fake.fault("GET /users/@me", Fault::Status(503));
    fake.fault("GET /applications/@me", Fault::Drop);
    fake.fault("GET /gateway/bot", Fault::Slow(Duration::from_millis(700)));
    fake.fault(
        "GET /gateway/bot",
        Fault::RouteLimit(Duration::from_millis(300)),
    );
    fake.fault("GET /applications/*/commands", Fault::Status(500));
    fake.fault("PUT /applications/*/commands", Fault::Status(503));
    let test = DiscordTest::with(fake, &settings, &[]).await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    assert_eq!(test.post(GENERAL, 0).await, "hello");
    test.has_commands().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guilds_and_channels_of_the_settings_that_are_not_there_are_told_once_with_the_cure() {
    let mut world = World::small();
    let hidden = world.add_channel(GUILD, "hidden");
    world.overwrite(hidden, For::Role(GUILD), 0, permissions::VIEW_CHANNEL);
    let gone = 900_000_000_000_000_001_u64;
    let tables = format!(
        "[discord.log]\nchannel = \"{LOG}\"\n{}[guild.{gone}]\nmode = \"on\"\n{}{}",
        on(GENERAL),
        on(gone + 1),
        on(hidden)
    );
    let test = DiscordTest::of(world, "", &tables, |_| say("hello")).await;
    let sentences = [
        (format!("[guild.{gone}]"), "Copy Server ID"),
        (format!("[channel.{}]", gone + 1), "Copy Channel ID"),
        (format!("[channel.{hidden}]"), "View Channel"),
    ];
    for (name, cure) in &sentences {
        test.kith.until_logged(name).await;
        let log = test.log();
        let told: Vec<_> = log.lines().filter(|line| line.contains(name)).collect();
        assert!(told.len() == 1 && told[0].contains(cure), "{told:#?}");
    }
    let tells = |world: &World| {
        let embeds = world
            .posts(LOG)
            .iter()
            .map(|post| serde_json::to_string(&post.embeds).unwrap())
            .collect::<String>();
        let are_all_told = [gone, gone + 1, hidden]
            .iter()
            .all(|id| embeds.contains(&id.to_string()));
        (are_all_told && embeds.contains("invite me with https://")).then_some(())
    };
    test.fake.until("all three in the log channel", tells).await;
    test.fake
        .break_links(LinkFault::Invalidate { resumable: false });
    test.fake
        .until_true("a new session", |world| world.log.identifies.len() > 1)
        .await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    test.post(GENERAL, 0).await;
    assert_eq!(test.log().matches("Copy Server ID").count(), 1, "told once");
    assert_lacks(test.log(), [format!("[channel.{GENERAL}]")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_channel_it_may_not_write_in_or_cannot_find_is_told_once_with_the_cure() {
    let mut world = World::small();
    world.overwrite(
        LOG,
        For::Role(BOT_ROLE),
        permissions::VIEW_CHANNEL,
        permissions::SEND_MESSAGES,
    );
    let unknown = 900_000_000_000_000_001_u64;
    let tables = format!(
        "[discord.log]\nchannel = \"{unknown}\"\n[guild.{GUILD}]\nlog_channel = \"{LOG}\"\n{}",
        on(GENERAL)
    );
    let test = DiscordTest::of(world, "", &tables, |_| say("hello")).await;
    test.kith
        .until_logged(&format!(
            "into the log channel {LOG} (#log in The Lounge): give the bot View Channel"
        ))
        .await;
    test.kith
        .until_logged(&format!("no log channel {unknown}: correct its id"))
        .await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    test.post(GENERAL, 0).await;
    assert_eq!(test.posts_in_peace(LOG).await, 0);
    let log = test.log();
    assert_eq!(
        log.matches("into the log channel").count() + log.matches("I find no log channel").count(),
        2,
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_model_it_only_observes_and_says_so() {
    let fake = FakeDiscord::start(World::small());
    let tables = on(GENERAL);
    let settings = format!(
        "[model]\nprovider = \"none\"\n[discord]\napi_base = \"{}\"\n{tables}",
        fake.api()
    );
    let test = DiscordTest::with(fake, &settings, &[]).await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    test.is_stored("hello").await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert_has(test.log(), ["only observes"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_stop_it_says_good_bye_within_seconds_also_in_the_middle_of_a_turn() {
    for signal in ["TERM", "INT"] {
        let fake = FakeDiscord::start(World::small());
        let asked = Arc::new(AtomicBool::new(false));
        let is_asked = asked.clone();
        let url = moody_model(move |_| {
            is_asked.store(true, Ordering::Relaxed);
            None
        })
        .await;
        let settings = settings(&fake, &url, "", &on(GENERAL));
        let mut test = DiscordTest::with(fake, &settings, &[]).await;
        test.fake.says(GENERAL, ANNA, "@Juno hello");
        while !asked.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let before = kith_system::clock::monotonic();
        assert_eq!(test.kith.ends_on(signal), Some(0), "{}", test.log());
        assert!(
            before.elapsed() < Duration::from_secs(20),
            "{:?}",
            before.elapsed()
        );
        assert_eq!(
            test.fake.sessions(),
            0,
            "it is not left standing as if it were online"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_switches_a_channel_on_while_the_model_is_looked_for_is_told_which_one_it_is() {
    let list_models = || async {
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        axum::Json(serde_json::json!({"data": [{"id": "scripted"}]}))
    };
    let router = axum::Router::new().route("/v1/models", axum::routing::get(list_models));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let fake = FakeDiscord::start(World::small());
    let settings = settings(&fake, &url, "", "").replace("name = \"scripted\"\n", "");
    let test = DiscordTest::with(fake, &settings, &[]).await;
    let answer = test.hears(GENERAL, MO, "kith on").await;
    assert_has(&answer, ["may speak"]);
    let told = test.post(GENERAL, 0).await;
    assert_has(&told, ["sent to the model at 127.0.0.1"]);
}
