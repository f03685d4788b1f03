//! Which model is used: what the settings name, else an Ollama on this machine, else the stand-in. Never guesses a
//! model that costs money, and never leaves the companion without anything that answers.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::answer_piece::parse_token_count;
use super::client::ModelClient;
use super::demo::DemoModel;
use super::endpoint::ModelEndpoint;
use super::fault::ModelFault;
use super::request_body::WireProtocol;
use super::settings::{ModelSettings, Provider};
use super::{Model, gemini, ollama};
use kith_language::{LocalizedMessage, model_faults};

const OPENAI: &str = "https://api.openai.com/v1";
const ANTHROPIC: &str = "https://api.anthropic.com/v1";
const GEMINI: &str = "https://generativelanguage.googleapis.com/v1beta";
/// How long a server is given to tell about itself when the daemon starts.
const PROBE_WAIT: Duration = Duration::from_secs(3);
const NAMES_SHOWN: usize = 8;

#[derive(Clone)]
pub struct ModelSelection {
    pub model: Model,
    /// Who is asked where it fails, in this order.
    pub fallbacks: Vec<Model>,
    /// Who says what a picture shows, in this order.
    pub vision_models: Vec<Model>,
    /// Who sums up what was said, in this order; none where the chat's own do.
    pub summary_models: Vec<Model>,
    /// Who says whether a friend would speak now, in this order; none where the score alone decides.
    pub judge_models: Vec<Model>,
    /// Who makes vectors of texts; nobody where only words are looked for.
    pub embedding_model: Option<Model>,
    pub further: BTreeMap<String, (Model, LocalizedMessage)>,
    /// One line to print at the start: which model, where, with which protocol and context.
    pub line: LocalizedMessage,
    /// What stands between the settings and the model, with the cure; none if all is well.
    pub problem: Option<LocalizedMessage>,
}

/// Chooses the model by the settings, asking servers where something is left open. Never fails: where the settings
/// cannot be met, the stand-in answers and `problem` says why.
pub async fn resolve_model(settings: &ModelSettings) -> ModelSelection {
    let selection = match settings.resolve_provider() {
        Provider::None => return select_demo(settings, None),
        Provider::OpenAi => select_hosted(settings, Provider::OpenAi, WireProtocol::OpenAi).await,
        Provider::Anthropic => {
            select_hosted(settings, Provider::Anthropic, WireProtocol::Anthropic).await
        }
        Provider::Gemini => select_hosted(settings, Provider::Gemini, WireProtocol::Gemini).await,
        Provider::Ollama => select_ollama(settings, &build_ollama_base(settings)).await,
        // Nobody asked for a model, so that none is no problem.
        Provider::Auto if settings.name.is_empty() => match find_ollama(settings).await {
            Ok(chosen) => return chosen,
            Err(_) => return select_demo(settings, None),
        },
        Provider::Auto => find_ollama(settings).await,
    };
    selection.unwrap_or_else(|problem| select_demo(settings, Some(problem)))
}

/// The root of Ollama's native API: the base URL without the ends of its other APIs, or `ollama_host`.
pub(super) fn build_ollama_base(settings: &ModelSettings) -> String {
    let given = settings.base_url.trim().trim_end_matches('/');
    let given = given
        .strip_suffix("/v1")
        .or_else(|| given.strip_suffix("/api"))
        .unwrap_or(given);
    ollama::build_base_url(if given.is_empty() {
        &settings.ollama_host
    } else {
        given
    })
}

/// The base of a provider's API. An address without any path gets the one the provider's own has, where that is always
/// the same.
pub(super) fn build_base_url(settings: &ModelSettings, provider: Provider) -> String {
    let given = settings.base_url.trim().trim_end_matches('/');
    let (own, path) = match provider {
        Provider::Ollama | Provider::Auto => return build_ollama_base(settings),
        Provider::None => return given.to_owned(),
        Provider::OpenAi => (OPENAI, ""),
        Provider::Anthropic => (ANTHROPIC, "/v1"),
        Provider::Gemini => (GEMINI, "/v1beta"),
    };
    match given {
        "" => own.to_owned(),
        given
            if given
                .split_once("://")
                .is_some_and(|(_, rest)| !rest.contains('/')) =>
        {
            format!("{given}{path}")
        }
        given => given.to_owned(),
    }
}

impl ModelSettings {
    /// The address of the server they mean, as far as they tell; with [`Provider::Auto`] that of OpenAI.
    pub fn address(&self) -> String {
        match self.resolve_provider() {
            Provider::Auto => OPENAI.to_owned(),
            provider => build_base_url(self, provider),
        }
    }
}

pub(super) fn get_model_list_path(provider: Provider) -> &'static str {
    match provider {
        Provider::Anthropic => "/models?limit=1000",
        Provider::Gemini => "/models?pageSize=1000",
        Provider::Ollama => "/api/tags",
        Provider::OpenAi | Provider::Auto | Provider::None => "/models",
    }
}

impl Provider {
    /// Whether vectors of texts can be asked of it.
    pub fn can_embed(self) -> bool {
        !matches!(self, Self::Anthropic | Self::Gemini)
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::Ollama => "Ollama",
            Self::OpenAi | Self::Auto => "OpenAI-compatible",
            Self::None => "the stand-in",
        }
    }
}

fn select_demo(settings: &ModelSettings, problem: Option<LocalizedMessage>) -> ModelSelection {
    let model = Model::from_demo(DemoModel::new(settings.protocol));
    build_single_selection(model, model_faults::model_stand_in(), problem)
}

fn build_single_selection(
    model: Model,
    line: LocalizedMessage,
    problem: Option<LocalizedMessage>,
) -> ModelSelection {
    let (spares, eyes, summarizer, judges) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    ModelSelection {
        model,
        fallbacks: spares,
        vision_models: eyes,
        summary_models: summarizer,
        judge_models: judges,
        embedding_model: None,
        further: BTreeMap::new(),
        line,
        problem,
    }
}

async fn select_hosted(
    settings: &ModelSettings,
    provider: Provider,
    wire: WireProtocol,
) -> Result<ModelSelection, LocalizedMessage> {
    let mut at = ModelEndpoint::new(settings, provider, &build_base_url(settings, provider))
        .map_err(|fault| fault.message)?;
    let list = get_model_list_path(provider);
    let mut reported_context = None;
    if at.name.is_empty() {
        let models = probe(&at, list).await.map_err(|fault| fault.message)?;
        at.name = find_only_model(&at, &models)?;
        reported_context = find_context_length(&models, &at.name);
    } else if at.is_local {
        reported_context = probe(&at, list)
            .await
            .ok()
            .and_then(|models| find_context_length(&models, &at.name));
    }
    if reported_context.is_none() && at.is_local && provider == Provider::OpenAi {
        reported_context = fetch_props_context(&at).await;
    }
    let context = limit_context(settings.wanted_context(), reported_context);
    let kind = provider.title();
    let line = model_faults::model_hosted(&at.host, kind, &at.name, context.to_string());
    let model = Model::from_client(ModelClient::new(at, wire, settings.clone(), context));
    Ok(build_single_selection(model, line, None))
}

/// An Ollama nobody spoke of: taken only if it can be used right now.
async fn find_ollama(settings: &ModelSettings) -> Result<ModelSelection, LocalizedMessage> {
    let base = build_ollama_base(settings);
    let endpoint =
        ModelEndpoint::new(settings, Provider::Ollama, &base).map_err(|fault| fault.message)?;
    if !endpoint.is_listening().await {
        let (name, host) = (&settings.name, &endpoint.host);
        return Err(model_faults::nobody_offers(host, name));
    }
    let selection = select_ollama(settings, &base).await?;
    selection.problem.clone().map_or(Ok(selection), Err)
}

async fn select_ollama(
    settings: &ModelSettings,
    base: &str,
) -> Result<ModelSelection, LocalizedMessage> {
    let mut endpoint =
        ModelEndpoint::new(settings, Provider::Ollama, base).map_err(|fault| fault.message)?;
    let wanted = settings.wanted_context();
    let (model_info, problem) = if endpoint.name.is_empty() {
        let (name, shown) = find_newest_chat_model(&endpoint).await?;
        endpoint.name = name;
        (shown, None)
    } else {
        // A server that is down now may be there later; the name is known, so that it can be asked then.
        match fetch_model_info(&endpoint, &endpoint.name).await {
            Ok(shown) => (shown, None),
            Err(fault) => (ollama::OllamaModelInfo::default(), Some(fault.message)),
        }
    };
    let context = limit_context(wanted, model_info.context_length);
    let line = model_faults::model_ollama(&endpoint.host, &endpoint.name, context.to_string());
    let mut client = ModelClient::new(
        endpoint,
        WireProtocol::Ollama { num_ctx: context },
        settings.clone(),
        context,
    );
    client.can_see_images |= settings.vision.is_none() && model_info.can_see_images;
    client.can_call_tools = !model_info.lacks_tool_calls;
    Ok(build_single_selection(
        Model::from_client(client),
        line,
        problem,
    ))
}

/// The newest local model that can chat, and what Ollama says of it.
async fn find_newest_chat_model(
    endpoint: &ModelEndpoint,
) -> Result<(String, ollama::OllamaModelInfo), LocalizedMessage> {
    let tags = probe(endpoint, "/api/tags")
        .await
        .map_err(|fault| fault.message)?;
    for name in ollama::list_local_models(&tags) {
        if let Ok(shown) = fetch_model_info(endpoint, &name).await
            && shown.can_chat
        {
            return Ok((name, shown));
        }
    }
    Err(model_faults::no_chat_model(&endpoint.host))
}

async fn fetch_model_info(
    endpoint: &ModelEndpoint,
    name: &str,
) -> Result<ollama::OllamaModelInfo, ModelFault> {
    let question = json!({ "model": name });
    let value = timeout(PROBE_WAIT, endpoint.post_json("/api/show", &question))
        .await
        .unwrap_or_else(|_| Err(ModelFault::from_silent_server(endpoint, PROBE_WAIT)))?;
    Ok(ollama::parse_model_info(&value))
}

/// Reads what a server tells about itself, within [`PROBE_WAIT`].
pub(super) async fn probe(endpoint: &ModelEndpoint, path: &str) -> Result<Value, ModelFault> {
    timeout(PROBE_WAIT, endpoint.get(path))
        .await
        .unwrap_or_else(|_| Err(ModelFault::from_silent_server(endpoint, PROBE_WAIT)))
}

fn limit_context(wanted: u32, reported: Option<u32>) -> u32 {
    reported.map_or(wanted, |most| wanted.min(most))
}

/// The names in a list of models that can answer.
pub(super) fn list_model_names(models: &Value) -> Vec<String> {
    let list = models
        .get("data")
        .or_else(|| models.get("models"))
        .unwrap_or(models)
        .as_array();
    let name = |model: &Value| {
        let name = model.get("id").or_else(|| model.get("name"))?.as_str()?;
        Some(gemini::strip_name_prefix(name).to_owned())
    };
    // Gemini lists what makes embeddings and pictures as well.
    let answers = |model: &&Value| {
        let methods = model
            .get("supportedGenerationMethods")
            .and_then(Value::as_array);
        methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
    };
    list.into_iter()
        .flatten()
        .filter(answers)
        .filter_map(name)
        .collect()
}

fn find_only_model(endpoint: &ModelEndpoint, models: &Value) -> Result<String, LocalizedMessage> {
    let mut names = list_model_names(models);
    match names.len() {
        0 => Err(model_faults::offers_none(&endpoint.host)),
        1 => Ok(names.remove(0)),
        count => {
            let shown: Vec<String> = names
                .iter()
                .take(NAMES_SHOWN)
                .map(|name| endpoint.quote(name))
                .collect();
            let (host, shown) = (&endpoint.host, shown.join(", "));
            Err(match count.saturating_sub(NAMES_SHOWN) {
                0 => model_faults::offers_several(count, host, shown),
                more => model_faults::offers_many(count, host, more, shown),
            })
        }
    }
}

/// How much a model holds by a list of models: vLLM's, OpenRouter's and Gemini's words for it.
fn find_context_length(models: &Value, name: &str) -> Option<u32> {
    let list = models
        .get("data")
        .or_else(|| models.get("models"))?
        .as_array()?;
    let is_meant = |id: Option<&Value>| {
        id.and_then(Value::as_str)
            .is_some_and(|id| gemini::strip_name_prefix(id) == name)
    };
    let model = list
        .iter()
        .find(|model| is_meant(model.get("id")) || is_meant(model.get("name")))?;
    parse_token_count(
        ["max_model_len", "context_length", "inputTokenLimit"]
            .iter()
            .find_map(|field| model.get(field)),
    )
    .filter(|tokens| *tokens > 0)
}

/// How much a model holds by llama.cpp, which tells it beside the OpenAI-compatible API.
async fn fetch_props_context(endpoint: &ModelEndpoint) -> Option<u32> {
    let root = endpoint.base.strip_suffix("/v1")?;
    let props = timeout(PROBE_WAIT, endpoint.get_from_base(root, "/props"))
        .await
        .ok()?
        .ok()?;
    parse_token_count(props.pointer("/default_generation_settings/n_ctx"))
        .filter(|tokens| *tokens > 0)
}
