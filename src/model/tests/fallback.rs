//! Models that stand in for one another: who is asked, and what is left alone.

use super::*;
use kith_core::policy::OutputProtocol;
use kith_core::report::ModelFailure;
use kith_model::{ModelChain, ModelRoles, ModelSet, resolve_all, test_model};

fn down() -> Reply {
    Reply::json(503, json!({"error": {"message": "down"}}))
}

/// The place of the model of a list that is asked, from a place on, and whether another can be asked the same.
fn pick(models: &[Model], from: usize, tokens: u32) -> Result<(usize, bool), ModelFailure> {
    let mut chain = ModelChain::from_models(models[from..].to_vec()).unwrap();
    let has_fallback = chain.pick(tokens)?;
    Ok((models.len() - chain.remaining().len(), has_fallback))
}

/// Asks a model while its server gives this reply.
async fn ask_for(bench: &Bench, reply: Reply) {
    bench.heard([reply]).await;
}

#[tokio::test]
async fn the_first_that_may_be_asked_is_and_the_next_is_named() {
    let (first, second) = (Bench::new().await, Bench::new().await);
    let models = [first.model.clone(), second.model.clone()];
    assert_eq!(pick(&models, 0, 100), Ok((0, true)));
    assert_eq!(pick(&models, 1, 100), Ok((1, false)));
    for _ in 0..3 {
        ask_for(&first, down()).await;
    }
    assert_eq!(
        pick(&models, 0, 100),
        Ok((1, false)),
        "after three failures it rests"
    );
    assert_eq!(
        pick(&models[..1], 0, 100),
        Ok((0, false)),
        "alone it is asked all the same"
    );
}

#[tokio::test]
async fn what_is_wrong_with_one_question_or_one_answer_makes_no_model_rest() {
    let bench = Bench::new().await;
    let spare = Bench::new().await;
    let models = [bench.model.clone(), spare.model.clone()];
    let filtered = || Reply::events().delta("wel").finish("content_filter").done();
    for reply in [
        Reply::json(400, json!({"error": "bad"})),
        Reply::openai(&[]),
        filtered(),
        Reply::openai(&["x"]),
    ] {
        for _ in 0..4 {
            ask_for(&bench, reply.clone()).await;
        }
        assert_eq!(pick(&models, 0, 100), Ok((0, true)));
    }
}

#[tokio::test]
async fn a_server_that_says_when_to_come_back_is_left_alone_until_then() {
    let (first, second) = (Bench::new().await, Bench::new().await);
    let busy =
        Reply::json(429, json!({"error": {"message": "slow down"}})).header("retry-after", "600");
    ask_for(&first, busy.clone()).await;
    let models = [first.model.clone(), second.model.clone()];
    assert_eq!(pick(&models, 0, 100), Ok((1, false)));
    ask_for(&second, busy.header("retry-after-ms", "500500")).await;
    let failure = pick(&models, 0, 100).unwrap_err();
    let wanted = format!(
        "m1 at {} asked to be left alone for 501 s more: wait, or raise the limit with the provider.",
        second.server.host()
    );
    assert_eq!(
        (failure.message, failure.budget, failure.spent),
        (wanted, false, None)
    );
}

#[tokio::test]
async fn a_short_pause_that_the_server_asked_for_is_waited_out_by_the_next_question() {
    let bench = Bench::new().await;
    let busy =
        Reply::json(429, json!({"error": {"message": "slow down"}})).header("retry-after", "1");
    ask_for(&bench, busy).await;
    assert_eq!(
        pick(std::slice::from_ref(&bench.model), 0, 100),
        Ok((0, false))
    );
    let heard = bench.heard([Reply::openai(&["here"])]).await;
    let waited = heard
        .notes
        .iter()
        .any(|note| note.contains("asked to be left alone for") && note.ends_with("waiting."));
    assert!(
        heard.text == "here" && heard.end.is_ok() && waited,
        "{heard:?}"
    );
}

#[tokio::test]
async fn a_pause_that_the_server_asks_for_is_not_waited_for_where_another_can_be_asked() {
    let bench = Bench::with(|settings| settings.retries = 3).await;
    let busy =
        Reply::json(429, json!({"error": {"message": "slow down"}})).header("retry-after", "30");
    bench.server.now("POST /v1/chat/completions", [busy]);
    let mut events = stream(
        &bench.model,
        ModelRequest {
            has_fallback: true,
            ..request()
        },
    );
    while events.recv().await.is_some() {}
    assert_eq!(bench.server.chats().len(), 1);
}

#[tokio::test]
async fn a_prompt_is_not_given_to_a_model_that_cannot_hold_it() {
    let first = Bench::new().await;
    let small = Bench::with(|settings| settings.context_tokens = Some(2_000)).await;
    let models = [first.model.clone(), small.model.clone()];
    assert_eq!(pick(&models, 0, 900), Ok((0, true)));
    assert_eq!(pick(&models, 0, 4_000), Ok((0, false)));
}

#[tokio::test]
async fn one_model_named_twice_of_a_server_rests_by_itself() {
    let bench = Bench::new().await;
    let other = bench.model.named("m2");
    for _ in 0..3 {
        ask_for(&bench, down()).await;
    }
    let models = [bench.model.named("m2"), bench.model.clone()];
    assert_eq!(pick(&models, 0, 100), Ok((0, true)));
    bench.server.now("POST /v1/chat/completions", [down()]);
    for _ in 0..3 {
        ask(&other).await;
    }
    let spare = Bench::new().await;
    let models = [bench.model.named("m2"), spare.model.clone()];
    assert_eq!(
        pick(&models, 0, 100),
        Ok((1, false)),
        "also under a name asked for anew"
    );
}

#[tokio::test]
async fn a_model_that_takes_no_tool_calls_is_told_of_where_it_would_be_asked_for_some() {
    let server = FakeModel::openai([Reply::openai(&["ok"])]).await;
    let other = FakeModel::ollama("m2", [Reply::ollama(&["ok"])]).await;
    let spare = ModelSettings {
        name: "m2".into(),
        provider: Provider::Ollama,
        base_url: other.ollama_url(),
        ..settings(&server)
    };
    assert!(
        test_model(&spare, &ample_ledger())
            .await
            .unwrap()
            .tool_call_problem
            .is_some()
            && test_model(&settings(&server), &ample_ledger())
                .await
                .unwrap()
                .tool_call_problem
                .is_none()
    );
    let roles = ModelRoles {
        chat: vec!["spare".into()],
        ..ModelRoles::default()
    };
    let native = ModelSettings {
        protocol: OutputProtocol::Native,
        ..settings(&server)
    };
    let mut model_set = ModelSet {
        first: native,
        further: [("spare".into(), spare)].into(),
        roles,
    };
    let told = resolve_all(&model_set).await.problem.unwrap();
    assert_eq!(
        told.to_string().replace(other.host(), "HOST"),
        "m2 at HOST takes no tool calls, and model.protocol is \"native\": choose another model, or \"xml\" for all."
    );
    model_set.first.protocol = OutputProtocol::Json;
    assert_eq!(resolve_all(&model_set).await.problem, None);
}

#[tokio::test]
async fn spares_are_told_at_the_start_and_take_the_place_of_a_model_that_is_not_there() {
    let server = FakeModel::openai([Reply::openai(&["ok"])]).await;
    let spare = ModelSettings {
        name: "m2".into(),
        ..settings(&server)
    };
    let roles = ModelRoles {
        chat: vec!["spare".into()],
        ..ModelRoles::default()
    };
    let model_set = ModelSet {
        first: settings(&server),
        further: [("spare".into(), spare)].into(),
        roles,
    };
    let chosen = resolve_all(&model_set).await;
    let line = chosen.line.to_string().replace(server.host(), "HOST");
    assert_eq!(
        line,
        "Model: m1 at HOST (OpenAI-compatible, context 8000 tokens), then m2 at HOST"
    );
    assert_eq!((chosen.fallbacks.len(), &chosen.problem), (1, &None));
    assert_eq!(chosen.hostnames(None), server.host(), "each host once");
    assert_eq!(
        chosen.named("spare").name(),
        "m2",
        "by the host's name for it"
    );
    assert_eq!(
        chosen.named("m3").name(),
        "m3",
        "or another of the same server"
    );
    let nameless = ModelSettings {
        name: String::new(),
        ..settings(&server)
    };
    let chosen = resolve_all(&ModelSet {
        first: nameless,
        ..model_set
    })
    .await;
    assert_eq!(
        (
            chosen.model.name(),
            chosen.fallbacks.len(),
            chosen.problem.is_some()
        ),
        ("m2", 0, true)
    );
}
