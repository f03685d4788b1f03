//! Question by question: what is asked, tried and written, and what happens to a wrong answer.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::setup::fake_discord::{BOT, GUILD, LOG, MODS, TOKEN, World, permissions};
use crate::setup::fake_model::Reply;
use crate::setup::{KEY, SetupTest, answer};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_answers_everything_has_settings_that_run() {
    let test = SetupTest::of(World::small()).await;
    test.fake
        .world(|world| world.bot_may(GUILD, permissions::VIEW_CHANNEL | permissions::EMBED_LINKS));
    let log = LOG.to_string();
    let ran = test.setup(
        &[],
        &["", &test.model.openai_url(), KEY, "2", "", TOKEN, &log],
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let expected = format!(
        "# Written by `kith setup`. SETTINGS.md holds every other setting with its default and the reason for it;\n\
         # `kith check` explains mistakes; a running kith picks changes up.\n\n\
         [discord]\n\n\
         # The bot's token stands in a file of its own, so that this one can be shown.\n\
         token_file = \"discord.token\"\n\n\
         [discord.log]\n\n\
         # The channel in which the host watches every turn.\n\
         channel = \"{log}\"\n\n\
         [model]\n\n\
         provider = \"openai\"\n\n\
         base_url = \"{}\"\n\n\
         # As the server spells it.\n\
         name = \"large-one\"\n\n\
         # The key stands in a file of its own, so that this one can be shown.\n\
         api_key_file = \"model.key\"\n",
        test.model.openai_url()
    );
    assert_eq!(test.read("kith.toml"), expected);
    assert_eq!(
        (test.read("discord.token"), test.read("model.key")),
        (format!("{TOKEN}\n"), format!("{KEY}\n"))
    );
    #[cfg(unix)]
    for secret in ["discord.token", "model.key"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(test.path().join(secret))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{secret}");
    }
    assert_eq!(
        test.model.asked().last().unwrap().headers["authorization"],
        format!("Bearer {KEY}")
    );
    assert_has(&ran.out, ["answers \"ready\""]);
    let link =
        format!("https://discord.com/oauth2/authorize?client_id={BOT}&permissions=274878024768");
    assert_has(&ran.out, [&link]);

    let checked = test.ended(test.kith(&["check", "--online"]).spawn().unwrap());
    assert_eq!(checked.code, Some(0), "{}", checked.out);
    assert_has(&checked.out, [&link]);
    assert_has(&checked.out, ["no problems in kith.toml"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_only_presses_enter_gets_the_room() {
    let test = SetupTest::of(World::small()).await;
    let ran = test.setup(&[], &["", "", "", ""]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        test.read("kith.toml")
            .lines()
            .all(|line| line.starts_with('#'))
    );
    assert_has(&ran.out, ["Juno in the room"]);
    assert!(test.fake.world(|world| world.log.requests.is_empty()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_token_is_told_and_asked_again() {
    let test = SetupTest::of(World::small()).await;
    let wrong = TOKEN.replace("real", "right");
    let ran = test.setup(&[], &["", "-", "", &wrong, TOKEN, ""]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_has(&ran.out, ["Discord refused the token"]);
    assert_lacks(&ran.out, [&wrong]);
    assert_lacks(&ran.err, [&wrong]);
    assert_eq!(test.read("discord.token").trim(), TOKEN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_switch_is_named_with_its_address_and_looked_at_again() {
    let mut world = World::small();
    world.granted = 0;
    let test = SetupTest::of(world).await;
    let mut child = test.kith(&["setup", "--no-model"]).spawn().unwrap();
    answer(&mut child, &["", "", TOKEN]);
    let looked = |times| {
        move |world: &World| (world.requests("GET /gateway/bot").len() >= times).then_some(())
    };
    test.fake.until("a look", looked(1)).await;
    test.fake
        .world(|world| world.granted = permissions::PRIVILEGED_INTENTS);
    answer(&mut child, &["y"]);
    test.fake.until("another look", looked(2)).await;
    answer(&mut child, &[""]);
    let ran = test.ended(child);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let told = format!(
        "\"Message Content Intent\" at https://discord.com/developers/applications/{BOT}/bot"
    );
    assert_eq!(ran.out.matches(&told).count(), 1, "{}", ran.out);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_switch_that_stays_missing_is_the_last_word() {
    let mut world = World::small();
    world.granted = 0;
    let test = SetupTest::of(world).await;
    let ran = test.setup(&["--no-model", "--language", "zh"], &["", TOKEN, "n", ""]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(test.has("kith.toml") && test.read("kith.toml").contains("language = \"zh\""));
    let last = ran.out.lines().last().unwrap();
    assert_has(last, ["Message Content Intent", "打开"]);
    let checked = test.ended(test.kith(&["check", "--online"]).spawn().unwrap());
    assert_has(&checked.out, ["error: 机器人无权读取消息内容："]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_refuses_the_key_is_told_and_another_one_asked_for() {
    let test = SetupTest::of(World::small()).await;
    let refused = Reply::json(
        401,
        json!({"error": {"message": format!("no such key: {KEY}")}}),
    );
    test.model.now(
        "POST /v1/chat/completions",
        [refused, Reply::openai(&["ready"])],
    );
    let url = test.model.openai_url();
    let ran = test.setup(
        &["--no-discord"],
        &["", &url, KEY, "small-one", "y", &url, KEY, "small-one", ""],
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_has(&ran.out, ["refused the key (401", "answers \"ready\""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_types_a_models_name_for_its_address_is_asked_which_server_has_it() {
    let test = SetupTest::of(World::small()).await;
    let reply = Reply::openai(&["ready"]);
    test.model.now("POST /v1/chat/completions", [reply]);
    let url = test.model.openai_url();
    let ran = test.setup(&["--no-discord"], &["", "small-one", &url, KEY, ""]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let told = "small-one is the name of a model. Which server has it?";
    assert_has(&ran.out, [told]);
    assert_has(test.read("kith.toml"), ["name = \"small-one\""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_there_can_be_kept_and_a_persona_that_is_none_not() {
    let test = SetupTest::of(World::small()).await;
    std::fs::write(
        test.path().join("bo.toml"),
        "name = \"Bo\"\nidentity = \"Bo fixes bikes.\"\n",
    )
    .unwrap();
    let answers = [
        "",
        "http://127.0.0.1:9/v1",
        "",
        "some-model",
        "n",
        "nobody.toml",
        "bo.toml",
    ];
    let ran = test.setup(&["--no-discord"], &answers);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert_has(&ran.err, ["nobody.toml: error: there is no such file"]);
    assert_has(ran.out.lines().last().unwrap(), ["cannot be reached"]);
    let written = test.read("kith.toml");
    assert_has(&written, ["name = \"some-model\"", "persona = \"bo.toml\""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_channel_it_may_not_write_in_is_told_and_kept() {
    let test = SetupTest::of(World::small()).await;
    test.fake.world(|world| {
        let overwrites = &mut world.channel_mut(LOG).overwrites;
        overwrites.retain(
            |overwrite| matches!(overwrite.whom, crate::setup::fake_discord::For::Role(role) if role == MODS || role == GUILD),
        );
    });
    let ran = test.setup(&["--no-model"], &["", "", TOKEN, "nine", &LOG.to_string()]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_has(&ran.out, ["That is no id"]);
    assert_has(
        &ran.out,
        ["no channel the bot can see; give it View Channel, Send Messages"],
    );
    assert_has(test.read("kith.toml"), [format!("channel = \"{LOG}\"")]);
}
