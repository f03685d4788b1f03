//! Vectors of texts: in either protocol, paid once, and never anything that is no vector.

use fake_model::Reply;
use kith_core::recall::TextVector;
use kith_core::report::ModelFailure;
use kith_testkit::fake_embeddings::{
    OLLAMA_EMBEDDINGS, OPENAI_EMBEDDINGS, embed, ollama_vectors, openai_vectors,
};

use super::*;

/// Long enough for a busy machine.
const LONG: Duration = Duration::from_secs(20);

/// A server that answers requests for vectors so, and a model of it.
async fn embedder(reply: Reply) -> (FakeModel, Model) {
    let server = FakeModel::openai([]).await;
    server.on(OPENAI_EMBEDDINGS, reply);
    let model = resolve_model(&settings(&server)).await.model;
    (server, model)
}

async fn vectors(
    model: &Model,
    ledger: &CallLedger,
    texts: &[&str],
    limit: Duration,
) -> Result<Vec<TextVector>, ModelFailure> {
    let caller = caller(ledger, ModelFunction::Embedding);
    caller.embed(model, texts, limit).await
}

fn ledger() -> CallLedger {
    CallLedger::in_memory(BudgetSettings::default())
}

fn vector(text: &str) -> TextVector {
    TextVector::from_numbers(&embed(text)).expect("a vector")
}

#[tokio::test]
async fn both_protocols_give_each_text_its_own_vector_and_count_what_they_took() {
    let (openai, model) = embedder(openai_vectors()).await;
    let ollama = FakeModel::ollama("minilm", []).await;
    ollama.on(OLLAMA_EMBEDDINGS, ollama_vectors());
    let settings = ModelSettings {
        provider: Provider::Ollama,
        base_url: ollama.ollama_url(),
        name: "minilm".into(),
        ..settings(&ollama)
    };
    let local = resolve_model(&settings).await.model;
    for (server, model) in [(&openai, &model), (&ollama, &local)] {
        let ledger = ledger();
        let made = vectors(model, &ledger, &["ramen at noon", "new flat"], LONG).await;
        assert_eq!(made.unwrap(), [vector("ramen at noon"), vector("new flat")]);
        assert_eq!(spent(&ledger), 5, "as the server counted");
        assert_eq!(server.embedded_texts(), ["ramen at noon", "new flat"]);
    }
    let asked = ollama.bodies_at(OLLAMA_EMBEDDINGS);
    assert_eq!(
        (&asked[0]["model"], &asked[0]["keep_alive"]),
        (&json!("minilm"), &json!("30m"))
    );
    let asked = openai.asked().pop().unwrap();
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.body["encoding_format"], "float");
}

#[tokio::test]
async fn what_is_no_vector_is_told_and_never_taken_for_one() {
    let answer = |data: Value| Reply::json(200, json!({ "data": data }));
    let one = |numbers: Value| json!([{ "index": 0, "embedding": numbers }]);
    for (reply, why) in [
        (answer(one(json!([0.5, null]))), "no list of numbers"),
        (answer(one(json!([0.0, 0.0]))), "no list of numbers"),
        (answer(one(json!([1e60, 1.0]))), "no list of numbers"),
        (answer(one(json!("AAAA"))), "no list of numbers"),
        (answer(json!([])), "fewer of them than texts"),
        (
            answer(json!([{ "index": 3, "embedding": [1.0] }])),
            "more of them than texts",
        ),
        (
            Reply::json(200, json!({ "object": "list" })),
            "no list of them",
        ),
        (
            Reply::new(200, "application/json")
                .bytes(r#"{"data":[{"index":0,"embedding":[NaN,1.0]}]}"#),
            "what is not JSON",
        ),
        (
            Reply::json(200, json!({ "error": { "message": "no such model" } })),
            "no such model",
        ),
        (
            Reply::json(429, json!({ "error": { "message": "slow down" } })),
            "slow down",
        ),
        (
            Reply::json(500, json!({ "error": { "message": "input too large" } })),
            "input too large",
        ),
        (Reply::openai(&["hello"]), "what is not JSON"),
    ] {
        let (server, model) = embedder(reply).await;
        let failure = vectors(&model, &ledger(), &["ramen"], LONG)
            .await
            .unwrap_err();
        assert!(failure.message.contains(why), "{why}: {}", failure.message);
        assert_eq!(
            server.embedded_texts().len(),
            1,
            "never tried again by itself"
        );
    }
    let uneven =
        json!([{ "index": 0, "embedding": [1.0] }, { "index": 1, "embedding": [1.0, 2.0] }]);
    let (_server, model) = embedder(answer(uneven)).await;
    let failure = vectors(&model, &ledger(), &["a", "b"], LONG)
        .await
        .unwrap_err();
    assert!(
        failure.message.contains("not of one size"),
        "{}",
        failure.message
    );
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up_and_one_that_fails_is_left_alone() {
    let (server, model) = embedder(Reply::mute()).await;
    let ledger = ledger();
    let begun = kith_system::clock::monotonic();
    for _ in 0..3 {
        let limit = Duration::from_millis(100);
        let failure = vectors(&model, &ledger, &["ramen"], limit)
            .await
            .unwrap_err();
        assert!(
            failure.message.contains("was not done after 0.1 s"),
            "{}",
            failure.message
        );
    }
    assert!(begun.elapsed() < LONG);
    assert!(spent(&ledger) > 0, "nobody knows what it did");
    let failure = vectors(&model, &ledger, &["ramen"], LONG)
        .await
        .unwrap_err();
    assert!(
        failure.message.contains("is left alone"),
        "{}",
        failure.message
    );
    assert_eq!(server.embedded_texts().len(), 3);
    let asked = Reply::json(429, json!({})).header("retry-after", "30");
    let (server, model) = embedder(asked).await;
    for _ in 0..2 {
        assert!(vectors(&model, &ledger, &["ramen"], LONG).await.is_err());
    }
    assert_eq!(
        server.embedded_texts().len(),
        1,
        "it asked to be left alone"
    );
}

#[tokio::test]
async fn a_budget_of_its_own_ends_the_asking_and_a_call_that_is_dropped_counts() {
    let (server, model) = embedder(openai_vectors()).await;
    let little = CallLedger::in_memory(BudgetSettings {
        embedding_tokens: Some(2),
        ..BudgetSettings::default()
    });
    let text = "ramen at the station at noon";
    let failure = vectors(&model, &little, &[text], LONG).await.unwrap_err();
    assert!(
        failure.budget
            && failure
                .message
                .starts_with("The daily budget for making vectors"),
        "{}",
        failure.message
    );
    assert_eq!((spent(&little), server.embedded_texts().len()), (0, 0));
    let (_server, hangs) = embedder(Reply::mute()).await;
    let ledger = ledger();
    let texts = [text];
    let call = vectors(&hangs, &ledger, &texts, LONG);
    assert!(
        tokio::time::timeout(Duration::from_millis(100), call)
            .await
            .is_err()
    );
    assert!(spent(&ledger) > 0);
}
