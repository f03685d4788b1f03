//! What the "connect a model" panel and `kith check --online` ask: which models a server offers, and whether the
//! configured one answers.

use std::time::Duration;

use tokio::time::Instant;

use super::attribution::CostAttribution;
use super::call::ModelCaller;
use super::endpoint::ModelEndpoint;
use super::ledger::CallLedger;
use super::message::PromptMessage;
use super::ollama;
use super::request::{ModelEvent, ModelRequest};
use super::selection::{
    ModelSelection, build_base_url, build_ollama_base, get_model_list_path, list_model_names,
    probe, resolve_model,
};
use super::settings::{ModelSettings, Provider};
use kith_core::context::TokenEstimator;
use kith_core::report::{ModelFailure, TokenUsage};
use kith_language::{LocalizedMessage, model_faults};

#[derive(Clone, Debug, PartialEq)]
pub struct ServerOffer {
    /// Which it is: `openai`, `anthropic`, `gemini` or `ollama`.
    pub provider: Provider,
    /// The address as it should stand in the settings.
    pub base_url: String,
    /// As the server orders them; Ollama's newest first.
    pub models: Vec<String>,
}

/// Asks the server that the settings name for its models. An address that lacks its `/v1` and an Ollama on an unusual
/// port are recognised. Address and key empty: the Ollama on this machine; only the address empty: OpenAI.
///
/// # Errors
/// One sentence: what, where, how to mend it.
pub async fn list_models(settings: &ModelSettings) -> Result<ServerOffer, ModelFailure> {
    match settings.resolve_provider() {
        Provider::OpenAi => {}
        provider @ (Provider::Anthropic | Provider::Gemini) => {
            return fetch_models(settings, provider, &build_base_url(settings, provider)).await;
        }
        Provider::Ollama | Provider::Auto | Provider::None => {
            return fetch_ollama_models(settings).await;
        }
    }
    let base = build_base_url(settings, Provider::OpenAi);
    let base = base.trim_end_matches('/');
    let first = match fetch_models(settings, Provider::OpenAi, base).await {
        Ok(offer) => return Ok(offer),
        Err(failure) => failure,
    };
    if !base.ends_with("/v1")
        && let Ok(offer) = fetch_models(settings, Provider::OpenAi, &format!("{base}/v1")).await
    {
        return Ok(offer);
    }
    fetch_ollama_models(settings).await.map_err(|_| first)
}

async fn fetch_models(
    settings: &ModelSettings,
    provider: Provider,
    base: &str,
) -> Result<ServerOffer, ModelFailure> {
    let endpoint = ModelEndpoint::new(settings, provider, base)?;
    let models = list_model_names(&probe(&endpoint, get_model_list_path(provider)).await?);
    Ok(ServerOffer {
        provider,
        base_url: endpoint.base,
        models,
    })
}

async fn fetch_ollama_models(settings: &ModelSettings) -> Result<ServerOffer, ModelFailure> {
    let endpoint = ModelEndpoint::new(settings, Provider::Ollama, &build_ollama_base(settings))?;
    let models = ollama::list_local_models(&probe(&endpoint, "/api/tags").await?);
    Ok(ServerOffer {
        provider: Provider::Ollama,
        base_url: endpoint.base,
        models,
    })
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModelTest {
    /// The model, its host and protocol, as printed at the start.
    pub line: LocalizedMessage,
    /// What it answered, shortened.
    pub text: String,
    /// Until its first token, thinking included.
    pub first: Duration,
    pub total: Duration,
    pub usage: TokenUsage,
    pub notes: Vec<String>,
    /// That it takes no tool calls, where its server says so: a sentence for who would ask it natively.
    pub tool_call_problem: Option<LocalizedMessage>,
}

/// Asks the configured model for one word. That costs tokens, which `ledger` counts and never refuses.
///
/// # Errors
/// One sentence: what, where, how to mend it; and what it took all the same.
pub async fn test_model(
    settings: &ModelSettings,
    ledger: &CallLedger,
) -> Result<ModelTest, ModelFailure> {
    let ModelSelection {
        model,
        line,
        problem,
        ..
    } = resolve_model(settings).await;
    if model.is_demo() {
        let message = problem.unwrap_or_else(model_faults::nothing_configured);
        return Err(ModelFailure::from_message(message));
    }
    let caller = ModelCaller {
        ledger: ledger.clone(),
        attribution: CostAttribution::TEST,
        turn: None,
        estimator: TokenEstimator::default(),
    };
    let request = ModelRequest {
        system: "You are being tested. Answer with the single word: ready".into(),
        messages: vec![PromptMessage::from_user("Are you ready?")],
        ..ModelRequest::default()
    };
    let start = Instant::now();
    let (mut first, mut notes) = (None, Vec::new());
    let mut call = caller.ask(&model, request)?;
    loop {
        match call.next_event().await {
            ModelEvent::Delta(_) | ModelEvent::Reasoning(_) | ModelEvent::ToolDelta(_) => {
                first.get_or_insert_with(|| start.elapsed());
            }
            ModelEvent::Note(note) => notes.push(note),
            ModelEvent::ContextShrank(_) | ModelEvent::Retry => {}
            ModelEvent::End(end) => {
                let total = start.elapsed();
                let tool_call_problem =
                    (!model.can_call_tools()).then(|| model.describe_missing_tool_calls());
                return end.map(|usage| ModelTest {
                    line,
                    text: super::server_error_text::shorten(call.text()),
                    first: first.unwrap_or(total),
                    total,
                    usage,
                    notes,
                    tool_call_problem,
                });
            }
        }
    }
}
