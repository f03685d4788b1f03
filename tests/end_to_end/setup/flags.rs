//! For scripts: flags in the place of answers, and nobody to ask.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::setup::fake_discord::{TOKEN, World};
use crate::setup::fake_model::{FakeModel, Reply};
use crate::setup::{KEY, SetupTest};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_flags_nothing_is_asked_and_the_folder_of_the_settings_is_made() {
    let test = SetupTest::of(World::small()).await;
    std::fs::write(test.path().join("token"), TOKEN).unwrap();
    std::fs::write(test.path().join("key"), KEY).unwrap();
    let url = test.model.openai_url();
    let flags = [
        "--config",
        "etc/kith/kith.toml",
        "--model-url",
        &url,
        "--model",
        "small-one",
        "--model-key-file",
        "key",
    ];
    let ran = test.setup(
        &[&flags[..], &["--discord-token-file", "token", "--yes"]].concat(),
        &[],
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_has(&ran.out, ["Start it: kith run --config etc/kith/kith.toml"]);
    let written = test.read("etc/kith/kith.toml");
    let whole = |name| std::fs::canonicalize(test.path()).unwrap().join(name);
    assert_has(&written, [format!("api_key_file = {:?}", whole("key"))]);
    assert_has(&written, [format!("token_file = {:?}", whole("token"))]);
    assert!(
        !test.has("etc/kith/model.key") && !test.has("etc/kith/discord.token"),
        "the folder was made, and nothing else"
    );
    let checked = test.ended(
        test.kith(&["check", "--config", "etc/kith/kith.toml"])
            .spawn()
            .unwrap(),
    );
    assert_eq!(checked.code, Some(0), "{}", checked.out);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ollama_that_answers_is_proposed_and_where_there_is_none_nothing() {
    let test = SetupTest::of(World::small()).await;
    let ran = test.setup(&["--config", "without.toml", "--yes"], &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_lacks(test.read("without.toml"), ["[model]"]);

    let ollama = FakeModel::ollama("qwen3:8b", [Reply::ollama(&["ready"])]).await;
    let ran = test.ended(
        test.kith(&["setup", "--yes"])
            .env("OLLAMA_HOST", ollama.host())
            .spawn()
            .unwrap(),
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let written = test.read("kith.toml");
    assert_has(&written, ["provider = \"ollama\"", "name = \"qwen3:8b\""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_anybody_to_ask_one_sentence_says_so() {
    let test = SetupTest::of(World::small()).await;
    let ran = test.setup(&[], &[]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "error: kith setup asks questions, and nobody answers here: start it on a terminal, or answer with flags and \
         --yes (see kith setup --help).\n"
    );
    assert!(!test.has("kith.toml"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_can_mend_it_a_wrong_answer_ends_it_and_nothing_is_written() {
    let test = SetupTest::of(World::small()).await;
    std::fs::write(test.path().join("token"), "not-a-token").unwrap();
    test.model.now(
        "POST /v1/chat/completions",
        [Reply::json(401, json!({"error": "bad key"}))],
    );
    let url = test.model.openai_url();
    let no_discord = ["--no-discord", "--yes"];
    let cases = [
        (
            [&["--model-url", &url][..], &no_discord].concat(),
            "2 models are offered: name one with --model",
        ),
        (
            [
                &["--model-url", &url, "--model", "small-one"][..],
                &no_discord,
            ]
            .concat(),
            "wants a key (401",
        ),
        (
            [&["--no-model", "--persona", "bo.toml"][..], &no_discord].concat(),
            "the persona cannot be used",
        ),
        (
            vec!["--no-model", "--discord-token-file", "token", "--yes"],
            "Discord refused the token",
        ),
        (
            vec!["--no-model", "--discord-token-file", "nowhere", "--yes"],
            "there is no such file",
        ),
        (
            vec!["--model-url", "http://127.0.0.1:9", "--model", "m", "--yes"],
            "cannot be reached",
        ),
    ];
    for (flags, expected) in cases {
        let ran = test.setup(&flags, &[]);
        assert_eq!(ran.code, Some(1), "{flags:?}\n{}", ran.out);
        assert_has(&ran.err, [expected]);
        assert_lacks(&ran.err, ["error: error"]);
        assert!(!test.has("kith.toml"), "{flags:?}");
    }
    assert_eq!(
        test.setup(&["--no-model", "--model", "m"], &[]).code,
        Some(2)
    );
    assert_eq!(test.setup(&["--log-channel", "0"], &[]).code, Some(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_that_are_there_are_overwritten_by_nobody_and_put_aside_by_whoever_agrees() {
    let test = SetupTest::of(World::small()).await;
    std::fs::write(test.path().join("kith.toml"), "talkativeness = 0.5\n").unwrap();
    let ran = test.setup(&["--no-model", "--no-discord", "--yes"], &[]);
    assert_eq!(ran.code, Some(1));
    assert_has(&ran.err, ["kith.toml is there already and stays as it is"]);
    assert_eq!(
        test.setup(&["--no-model", "--no-discord"], &[""]).code,
        Some(1)
    );
    assert_eq!(test.read("kith.toml"), "talkativeness = 0.5\n");

    for aside in ["kith.toml.old", "kith.toml.old2"] {
        let ran = test.setup(&["--no-model", "--no-discord"], &["y", "", ""]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(test.has(aside));
    }
    assert_eq!(test.read("kith.toml.old"), "talkativeness = 0.5\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_the_environment_stay_there() {
    let test = SetupTest::of(World::small()).await;
    let url = test.model.openai_url();
    let mut command = test.kith(&[
        "setup",
        "--model-url",
        &url,
        "--model",
        "small-one",
        "--yes",
    ]);
    let ran = test.ended(
        command
            .env("DISCORD_TOKEN", TOKEN)
            .env("OPENAI_API_KEY", KEY)
            .spawn()
            .unwrap(),
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(!test.has("discord.token") && !test.has("model.key"));
    assert_has(&ran.out, ["Juno on Discord"]);
    assert_eq!(
        test.model.asked().last().unwrap().headers["authorization"],
        format!("Bearer {KEY}")
    );
}
