//! `kith replay --turns`: a recorded chat spoken in by a model.

use super::fake_model::{FakeModel, Reply};
use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_of_a_recorded_chat_recalls_nothing_the_prompt_already_shows() {
    let folder = tempfile::tempdir().unwrap();
    recorded_chat(folder.path());
    let log = folder.path().join("chat.jsonl");
    let chat = std::fs::read_to_string(&log).unwrap();
    std::fs::write(
        log,
        chat.replace("bring bread", "ask the landlord about the deposit"),
    )
    .unwrap();
    let model = FakeModel::openai([Reply::openai(&[
        "<turn><send_message>on my way</send_message></turn>",
    ])])
    .await;
    let settings = format!(
        "talkativeness = \"about 0 an hour\"\n[model]\nprovider = \"openai\"\nbase_url = \"{}\"\nname = \"m\"\n",
        model.openai_url()
    );
    put(&folder, "kith.toml", settings);
    let ran = typed(&folder, "replay chat.jsonl --as bo --turns");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let prompts: Vec<String> = model.chats().iter().map(ToString::to_string).collect();
    assert!(
        prompts
            .iter()
            .any(|prompt| prompt.contains("about the deposit")),
        "{}",
        ran.out
    );
    for prompt in prompts {
        assert!(prompt.matches("about the deposit").count() <= 1, "{prompt}");
    }
}
