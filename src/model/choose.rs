//! Which model is used: what the settings name, else an Ollama on this machine, else the stand-in. Never guesses a
//! model that costs money, and never leaves the companion without anything that answers.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::client::Client;
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::settings::{ModelSettings, Provider};
use super::stand_in::StandIn;
use super::wire::{Wire, tokens};
use super::{Model, ollama};

/// Where OpenAI itself is.
const OPENAI: &str = "https://api.openai.com/v1";
/// How long a server is given to tell about itself when the daemon starts.
const PROBE_WAIT: Duration = Duration::from_secs(3);
/// The most model names listed in a sentence.
const NAMES_SHOWN: usize = 8;

/// What was chosen.
#[derive(Clone)]
pub struct Chosen {
    /// What answers.
    pub model: Model,
    /// One line to print at the start: which model, where, with which protocol and context.
    pub line: String,
    /// What stands between the settings and the model, with the cure; none if all is well.
    pub problem: Option<String>,
}

/// Chooses the model by the settings, asking servers where something is left open. Never fails: where the settings
/// cannot be met, the stand-in answers and `problem` says why.
pub async fn resolve(settings: &ModelSettings) -> Chosen {
    let chosen = match settings.meant_provider() {
        Provider::None => return stand_in(settings, None),
        Provider::OpenAi => openai(settings).await,
        Provider::Ollama => ollama(settings, &ollama_base(settings)).await,
        // Nobody asked for a model, so that none is no problem.
        Provider::Auto if settings.name.is_empty() => match find_ollama(settings).await {
            Ok(chosen) => return chosen,
            Err(_) => return stand_in(settings, None),
        },
        Provider::Auto => find_ollama(settings).await,
    };
    chosen.unwrap_or_else(|problem| stand_in(settings, Some(problem)))
}

/// The root of Ollama's native API: the base URL without the ends of its other APIs, or `ollama_host`.
pub(super) fn ollama_base(settings: &ModelSettings) -> String {
    let given = settings.base_url.trim().trim_end_matches('/');
    let given = given.strip_suffix("/v1").or_else(|| given.strip_suffix("/api")).unwrap_or(given);
    ollama::base_url(if given.is_empty() { &settings.ollama_host } else { given })
}

/// The base of an OpenAI-compatible API.
pub(super) fn openai_base(settings: &ModelSettings) -> &str {
    let given = settings.base_url.trim();
    if given.is_empty() { OPENAI } else { given }
}

fn stand_in(settings: &ModelSettings, problem: Option<String>) -> Chosen {
    let line = "Model: none, the stand-in answers (a labelled demo, not a language model). Connect one in the page's \
                \"connect a model\" panel, start Ollama, or set OPENAI_API_KEY and KITH_MODEL.";
    Chosen { model: Model::stand_in(StandIn::new(settings.protocol)), line: line.into(), problem }
}

async fn openai(settings: &ModelSettings) -> Result<Chosen, String> {
    let mut at = Endpoint::new(settings, Provider::OpenAi, openai_base(settings)).map_err(|fault| fault.message)?;
    let mut told = None;
    if at.name.is_empty() {
        let models = probe(&at, "/models").await.map_err(|fault| fault.message)?;
        at.name = only_model(&at, &models)?;
        told = context_of(&models, &at.name);
    } else if at.is_local {
        told = probe(&at, "/models").await.ok().and_then(|models| context_of(&models, &at.name));
    }
    if told.is_none() && at.is_local {
        told = props_context(&at).await;
    }
    let context = at_most(settings.wanted_context(), told);
    let line = format!("Model: {} at {} (OpenAI-compatible, context {context} tokens)", at.name, at.host);
    let model = Model::client(Client::new(at, Wire::OpenAi, settings.clone(), context));
    Ok(Chosen { model, line, problem: None })
}

/// An Ollama nobody spoke of: taken only if it can be used right now.
async fn find_ollama(settings: &ModelSettings) -> Result<Chosen, String> {
    let base = ollama_base(settings);
    let at = Endpoint::new(settings, Provider::Ollama, &base).map_err(|fault| fault.message)?;
    if !at.is_listening().await {
        let (name, host) = (&settings.name, &at.host);
        return Err(format!(
            "Nobody offers the model {name}: no server is set and no Ollama listens at {host}. Set model.base_url or \
             OPENAI_API_KEY, or start Ollama."
        ));
    }
    let chosen = ollama(settings, &base).await?;
    chosen.problem.clone().map_or(Ok(chosen), Err)
}

async fn ollama(settings: &ModelSettings, base: &str) -> Result<Chosen, String> {
    let mut at = Endpoint::new(settings, Provider::Ollama, base).map_err(|fault| fault.message)?;
    let wanted = settings.wanted_context();
    let (context, problem) = if at.name.is_empty() {
        let (name, most) = newest_chat_model(&at).await?;
        at.name = name;
        (at_most(wanted, most), None)
    } else {
        // A server that is down now may be there later; the name is known, so that it can be asked then.
        match show(&at, &at.name).await {
            Ok(shown) => (at_most(wanted, shown.context_length), None),
            Err(fault) => (wanted, Some(fault.message)),
        }
    };
    let line = format!("Model: {} at {} (Ollama, loaded with a context of {context} tokens)", at.name, at.host);
    let model = Model::client(Client::new(at, Wire::Ollama { num_ctx: context }, settings.clone(), context));
    Ok(Chosen { model, line, problem })
}

/// The newest local model that can chat, and the most it can hold.
async fn newest_chat_model(at: &Endpoint) -> Result<(String, Option<u32>), String> {
    let tags = probe(at, "/api/tags").await.map_err(|fault| fault.message)?;
    for name in ollama::local_models(&tags) {
        if let Ok(shown) = show(at, &name).await
            && shown.chats
        {
            return Ok((name, shown.context_length));
        }
    }
    Err(format!("Ollama at {} has no local chat model: get one, for instance with: ollama pull qwen3:8b", at.host))
}

async fn show(at: &Endpoint, name: &str) -> Result<ollama::Shown, Fault> {
    let question = json!({ "model": name });
    let value = timeout(PROBE_WAIT, at.ask("/api/show", &question))
        .await
        .unwrap_or_else(|_| Err(Fault::silent(at, PROBE_WAIT)))?;
    Ok(ollama::shown(&value))
}

/// Reads what a server tells about itself, within [`PROBE_WAIT`].
pub(super) async fn probe(at: &Endpoint, path: &str) -> Result<Value, Fault> {
    timeout(PROBE_WAIT, at.get(path)).await.unwrap_or_else(|_| Err(Fault::silent(at, PROBE_WAIT)))
}

fn at_most(wanted: u32, told: Option<u32>) -> u32 {
    told.map_or(wanted, |most| wanted.min(most))
}

/// The names in an OpenAI-style list of models.
pub(super) fn names(models: &Value) -> Vec<String> {
    let list = models.get("data").or_else(|| models.get("models")).unwrap_or(models).as_array();
    let name = |model: &Value| Some(model.get("id").or_else(|| model.get("name"))?.as_str()?.to_owned());
    list.into_iter().flatten().filter_map(name).collect()
}

fn only_model(at: &Endpoint, models: &Value) -> Result<String, String> {
    let mut names = names(models);
    match names.len() {
        0 => Err(format!("{} offers no model: load one there, or set model.name or KITH_MODEL.", at.host)),
        1 => Ok(names.remove(0)),
        count => {
            let shown: Vec<String> = names.iter().take(NAMES_SHOWN).map(|name| at.quote(name)).collect();
            let more = if count > NAMES_SHOWN { format!(" and {} more", count - NAMES_SHOWN) } else { String::new() };
            let shown = shown.join(", ");
            Err(format!("{} offers {count} models: set model.name or KITH_MODEL to one ({shown}{more}).", at.host))
        }
    }
}

/// How much a model holds by an OpenAI-style list: vLLM's and OpenRouter's words for it.
fn context_of(models: &Value, name: &str) -> Option<u32> {
    let model = models.get("data")?.as_array()?.iter().find(|model| model.get("id").is_some_and(|id| id == name))?;
    tokens(model.get("max_model_len").or_else(|| model.get("context_length"))).filter(|tokens| *tokens > 0)
}

/// How much a model holds by llama.cpp, which tells it beside the OpenAI-compatible API.
async fn props_context(at: &Endpoint) -> Option<u32> {
    let root = at.base.strip_suffix("/v1")?;
    let props = timeout(PROBE_WAIT, at.get_below(root, "/props")).await.ok()?.ok()?;
    tokens(props.pointer("/default_generation_settings/n_ctx")).filter(|tokens| *tokens > 0)
}
