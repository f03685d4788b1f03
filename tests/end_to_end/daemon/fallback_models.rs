//! A model that does not answer, and others that are asked in its place.

use kith_testkit::assert_has;
use serde_json::json;

use crate::daemon::kith_process::{KithProcess, model, moody_model, settings};
use crate::daemon::text;

/// Settings with one more model, asked where the first fails.
fn with_spare(first: &str, spare: &str) -> String {
    let more = format!(
        "[roles]\nchat = [\"spare\"]\n[models.spare]\nbase_url = \"{spare}\"\nname = \"the-other\"\n\
         price = {{ prompt = 10.0, completion = 50.0 }}\n[model.price]\nprompt = 1000.0\ncompletion = 5000.0\n"
    );
    settings(first, "") + &more
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_the_model_says_nothing_the_spare_answers_and_each_call_is_counted_with_its_model() {
    let silent = moody_model(|_| None).await;
    let spare = model(|_| "<turn><send_message>here instead</send_message></turn>".into()).await;
    let environment = [("KITH__MODEL__FIRST_TOKEN_SECONDS", "0.3")];
    let kith = KithProcess::open_with(&with_spare(&silent, &spare), &environment).await;
    kith.says("@Juno are you there?").await;
    let answer = kith.until_answers(1).await;
    assert_eq!(text(&answer), "here instead");
    let turn = kith.ended_turn(1).await;
    let rounds = turn["report"]["rounds"].as_array().unwrap();
    let failure = rounds[0]["failure"]["message"].as_str().unwrap();
    assert_has(failure, ["wrote nothing for 0.3 s"]);
    assert_eq!(rounds[1]["usage"]["prompt"], 1_000);
    let prompts = turn["prompts"].as_array().unwrap();
    assert_eq!(
        (&prompts[0]["model"], &prompts[1]["model"]),
        (&json!("scripted"), &json!("the-other"))
    );
    let messages = |at: usize| (prompts[at]["system"].clone(), prompts[at]["user"].clone());
    assert_eq!(messages(0), messages(1), "the original prompt");
    // What the first call took is guessed; each costs what its own model costs.
    let guessed = &rounds[0]["failure"]["spent"];
    let tokens = |name: &str| guessed[name].as_f64().unwrap();
    let wanted = tokens("prompt") * 0.001 + tokens("completion") * 0.005 + 0.011;
    let cost = turn["report"]["cost"].as_f64().unwrap();
    assert!(
        (cost - wanted).abs() < 1e-9,
        "{cost} for {guessed}, not {wanted}"
    );
}
