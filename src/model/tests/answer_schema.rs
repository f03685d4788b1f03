//! Answers that the server keeps to a schema while the model writes them: who is asked for that, and what happens where
//! the server will not.

use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::protocol::build_answer_schema;
use kith_model::AnswerForm;
use kith_tools::ToolRegistry;

use super::*;

fn json_form() -> AnswerForm {
    AnswerForm::from_protocol(
        OutputProtocol::Json,
        &ToolRegistry::load_builtin().specs(Language::EN),
    )
}

/// Asks, and answers with the notes and the end.
async fn ask_for(model: &Model, form: AnswerForm) -> (Vec<String>, Result<TokenUsage, String>) {
    let mut events = stream(model, ModelRequest { form, ..request() });
    let (mut notes, mut end) = (Vec::new(), Err("no end".to_owned()));
    while let Some(event) = events.recv().await {
        match event {
            ModelEvent::Note(note) => notes.push(note),
            ModelEvent::End(ended) => end = ended.map_err(|failure| failure.message),
            _ => {}
        }
    }
    (notes, end)
}

#[tokio::test]
async fn each_server_is_handed_the_schema_in_its_own_words_and_only_with_json() {
    let answer = build_answer_schema(&ToolRegistry::load_builtin().specs(Language::EN));
    let openai = json!({"name": "answer", "strict": answer.strict, "schema": answer.schema});
    for (provider, pointer, wanted) in [
        (
            Provider::OpenAi,
            "/response_format",
            json!({"type": "json_schema", "json_schema": openai}),
        ),
        (Provider::Ollama, "/format", answer.schema.clone()),
        (
            Provider::Gemini,
            "/generationConfig/responseJsonSchema",
            answer.schema.clone(),
        ),
        (Provider::Anthropic, "/output_config", Value::Null),
    ] {
        let server = FakeModel::ollama("m1", []).await;
        let base_url = if provider == Provider::OpenAi {
            server.openai_url()
        } else {
            server.ollama_url()
        };
        let settings = ModelSettings {
            provider,
            base_url,
            ..settings(&server)
        };
        let model = chosen(&settings).await;
        let _ = ask_for(&model, json_form()).await;
        let _ = ask_for(&model, AnswerForm::from_protocol(OutputProtocol::Xml, &[])).await;
        let off = chosen(&ModelSettings {
            structured: false,
            ..settings
        })
        .await;
        let _ = ask_for(&off, json_form()).await;
        let sent: Vec<Value> = server
            .chats()
            .iter()
            .map(|body| body.pointer(pointer).cloned().unwrap_or_default())
            .collect();
        assert_eq!(sent, [wanted, Value::Null, Value::Null], "{provider:?}");
    }
}

fn refused() -> Reply {
    let error = json!({"message": "This response_format type is unavailable now", "code": "invalid_request_error"});
    Reply::json(400, json!({"error": error}))
}

#[tokio::test]
async fn a_server_that_refuses_the_schema_is_asked_without_it_and_that_is_told_once() {
    let bench = Bench::new().await;
    let path = "POST /v1/chat/completions";
    bench
        .server
        .now(path, [refused(), Reply::openai(&["{\"actions\": []}"])]);
    let (notes, end) = ask_for(&bench.model, json_form()).await;
    assert_eq!(end, usage(120, 7));
    let told: Vec<String> = notes
        .iter()
        .map(|note| note.replace(bench.server.host(), "HOST"))
        .collect();
    let wanted = "HOST refused the request (400: \"This response_format type is unavailable now\"): hold [model] in the \
                  settings against what it allows. It was taken without the schema of the answer, and so it is asked.";
    assert_eq!(told, [wanted]);
    assert_eq!(
        ask_for(&bench.model, json_form()).await,
        (vec![], usage(120, 7))
    );
    let with: Vec<bool> = bench
        .server
        .chats()
        .iter()
        .map(|body| body.get("response_format").is_some())
        .collect();
    assert_eq!(with, [true, false, false]);
}

#[tokio::test]
async fn what_is_refused_without_the_schema_as_well_is_not_laid_at_its_door() {
    let bench = Bench::new().await;
    bench.server.now(
        "POST /v1/chat/completions",
        [Reply::json(
            400,
            json!({"error": {"message": "no such parameter: top_p"}}),
        )],
    );
    for _ in 0..2 {
        let (notes, end) = ask_for(&bench.model, json_form()).await;
        assert!(notes.is_empty() && end.unwrap_err().contains("no such parameter"));
    }
    let with: Vec<bool> = bench
        .server
        .chats()
        .iter()
        .map(|body| body.get("response_format").is_some())
        .collect();
    assert_eq!(with, [true, false, true, false]);
}

#[tokio::test]
async fn other_refusals_are_not_asked_again() {
    let bench = Bench::new().await;
    for (status, text) in [
        (401, "no key"),
        (400, "maximum context length exceeded"),
        (429, "slow down"),
    ] {
        bench.server.now(
            "POST /v1/chat/completions",
            [Reply::json(status, json!({"error": {"message": text}}))],
        );
        let before = bench.server.chats().len();
        assert!(ask_for(&bench.model, json_form()).await.1.is_err());
        assert_eq!(bench.server.chats().len() - before, 1, "{text}");
    }
}
