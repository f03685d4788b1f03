//! The settings of models and of their roles: plain data, embedded in `kith.toml` as `[model]`, `[models.NAME]` and
//! `[roles]`. Nothing here reads a file or the environment; `settings/` does and fills the values in.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::price::ModelPrice;
use kith_core::policy::{OutputProtocol, PromptLayout};
use kith_core::secret::Secret;

/// Which wire protocol the model speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// OpenAI-compatible where a base URL or a key is set, but Anthropic or Gemini where the URL is their own, and Ollama
    /// where it has its port 11434; with neither, an Ollama on this machine; else the stand-in.
    #[default]
    Auto,
    /// OpenAI-compatible chat completions: OpenAI, DeepSeek, OpenRouter, vLLM, llama.cpp, LM Studio …
    OpenAi,
    /// Anthropic's Messages API.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
    /// Ollama by its native API.
    Ollama,
    /// No model: the stand-in.
    None,
}

/// What size of model the prompt is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelProfile {
    /// A model that keeps to a protocol and reads some thousand tokens in seconds.
    #[default]
    Normal,
    /// A small local model: prompt of 1,500 tokens at most, two or three tools, one turn in flight, 300 seconds until
    /// the first token, plain text counts as the message.
    Small,
}

/// Whether a model that can think before it answers does so. Ollama only; for others use `extra_body`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThinkMode {
    /// As the model does by itself.
    #[default]
    Auto,
    /// No.
    Off,
    /// Yes.
    On,
    /// Yes, a little (models with levels).
    Low,
    /// Yes, somewhat (models with levels).
    Medium,
    /// Yes, a lot (models with levels).
    High,
}

/// The `[model]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// Which wire protocol: `auto`, `openai`, `anthropic`, `gemini`, `ollama` or `none`.
    pub provider: Provider,
    /// Where the model is, e.g. `https://api.deepseek.com/v1` or `http://127.0.0.1:8080/v1`. Empty: the provider's own;
    /// with `auto`, OpenAI's where a key is set, else Ollama's at `ollama_host`.
    pub base_url: String,
    /// Where an Ollama is looked for when nothing else is set, as in `OLLAMA_HOST`: host, host:port or URL.
    pub ollama_host: String,
    /// The model's name as its server spells it. Empty: the only one an OpenAI-compatible server offers, or the
    /// newest local chat model of Ollama.
    pub name: String,
    /// The key. Better kept in `api_key_file` or the environment.
    pub api_key: Secret,
    /// A file that holds nothing but the key.
    pub api_key_file: Option<PathBuf>,
    /// The environment variable that holds the key; empty where none does. The default stands for the provider's own:
    /// `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`.
    pub api_key_env: String,
    /// `http://host:port` (HTTP CONNECT) or `socks5://host:port`; may hold a password. Empty in the file: what the usual
    /// environment variables say; empty once loaded: none.
    pub proxy: Secret,
    /// The form the model writes its actions in: `xml`, `json`, or `native` for the provider's own tool calls.
    pub protocol: OutputProtocol,
    /// With `json`: whether the server is asked to hold the model to the schema of an answer. One that refuses that is
    /// asked without.
    pub structured: bool,
    /// What size of model the prompt is made for: `normal` or `small`.
    pub profile: ModelProfile,
    /// How the prompt is laid out as messages: `document` or `chat`. Absent: `chat` with the small profile.
    pub layout: Option<PromptLayout>,
    /// Whether it is shown pictures. Absent: where it is known that it can see.
    pub vision: Option<bool>,
    /// How much the model can hold, prompt and answer, in tokens. Ollama loads the model with this much. Absent: 8192
    /// with Ollama, 32768 elsewhere, 4096 with the small profile. Less where the server says so.
    pub context_tokens: Option<u32>,
    /// Randomness of the answer, 0 … 2. Absent: the server's default.
    pub temperature: Option<f32>,
    /// Nucleus sampling, 0 … 1. Absent: the server's default.
    pub top_p: Option<f32>,
    /// The longest answer, thinking included, in tokens.
    pub max_tokens: u32,
    /// What it costs; absent: nothing is counted in money.
    pub price: Option<ModelPrice>,
    /// Texts at which the model stops writing.
    pub stop: Vec<String>,
    /// Extra HTTP headers of every request. Treated as secrets.
    pub headers: BTreeMap<String, Secret>,
    /// Merged into the body of every request last, key by key, so that it wins; `null` takes a key out.
    pub extra_body: Map<String, Value>,
    /// How long Ollama keeps the model loaded after a call, e.g. `30m`; `-1` for ever.
    pub keep_alive: String,
    /// Whether a model that can think does so: `auto`, `off`, `on`, `low`, `medium`, `high`. Ollama only.
    pub think: ThinkMode,
    /// How long to wait for a connection, in seconds.
    pub connect_seconds: f32,
    /// How long to wait for the first token, thinking included, in seconds. Absent: 60; 300 on this machine and with
    /// Ollama, which may have to load the model, with the small profile, where `extra_body` asks the model to think, and for models known
    /// to think without being asked (o1, o3, o4, gpt-5, deepseek-reasoner and -r1, gemini-2.5 and -3).
    pub first_token_seconds: Option<f32>,
    /// How long the stream may pause between two tokens, in seconds.
    pub idle_seconds: f32,
    /// How long one call may take with all its tries, in seconds. Absent: 180, or twice `first_token_seconds` where
    /// that is more.
    pub total_seconds: Option<f32>,
    /// How often a failed call is tried again, as long as nothing of its answer has arrived.
    pub retries: u32,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            provider: Provider::Auto,
            base_url: String::new(),
            ollama_host: "127.0.0.1:11434".into(),
            name: String::new(),
            api_key: Secret::default(),
            api_key_file: None,
            api_key_env: OPENAI_KEY.into(),
            proxy: Secret::default(),
            protocol: OutputProtocol::Xml,
            structured: true,
            profile: ModelProfile::Normal,
            layout: None,
            vision: None,
            context_tokens: None,
            temperature: None,
            top_p: None,
            max_tokens: 1_500,
            price: None,
            stop: Vec::new(),
            headers: BTreeMap::new(),
            extra_body: Map::new(),
            keep_alive: "30m".into(),
            think: ThinkMode::Auto,
            connect_seconds: 10.0,
            first_token_seconds: None,
            idle_seconds: 30.0,
            total_seconds: None,
            retries: 2,
        }
    }
}

/// What the names of OpenAI's models begin with that can see.
const SEEING: [&str; 3] = ["gpt-4o", "gpt-4.1", "gpt-5"];
/// What the names of models begin with that think unasked.
const THINKING: [&str; 8] = [
    "o1",
    "o3",
    "o4",
    "gpt-5",
    "deepseek-reasoner",
    "deepseek-r1",
    "gemini-2.5",
    "gemini-3",
];
/// The variable a key is in where nothing else is said.
const OPENAI_KEY: &str = "OPENAI_API_KEY";

/// The `[roles]` table: who does what. The names are those of `[models.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelRoles {
    /// Who is asked in the chat where `[model]` fails, in this order.
    pub chat: Vec<String>,
    /// Who says in a few words what a picture shows, for models that cannot see: the first that answers, in this order.
    pub vision: Vec<String>,
    /// Who sums up what was said, in this order. Empty: who answers in the chat.
    pub summary: Vec<String>,
    /// Who is asked whether a friend would speak now, where the score is near the threshold: the first that is not resting. Empty:
    /// the score alone decides.
    pub judge: Vec<String>,
    /// Who makes vectors of messages and questions, so that what was said in other words is found: one model, because
    /// vectors of two have nothing to do with each other. Empty: only words are looked for.
    pub embedding: Vec<String>,
}

/// What models are asked for: each has a list of its own in `[roles]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelRole {
    Chat,
    /// Saying what a picture shows.
    Vision,
    /// Summing up what was said.
    Summary,
    /// Saying whether a friend would speak now.
    Judge,
    /// Making vectors of texts.
    Embedding,
}

impl ModelRoles {
    pub fn entries(&self) -> [(ModelRole, &[String]); 5] {
        [
            (ModelRole::Chat, &self.chat),
            (ModelRole::Vision, &self.vision),
            (ModelRole::Summary, &self.summary),
            (ModelRole::Judge, &self.judge),
            (ModelRole::Embedding, &self.embedding),
        ]
    }
}

impl ModelRole {
    /// Its name in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Vision => "vision",
            Self::Summary => "summary",
            Self::Judge => "judge",
            Self::Embedding => "embedding",
        }
    }
}

/// How much a model is taken to hold where neither settings nor server say, in tokens.
const CONTEXT_UNKNOWN: u32 = 32_768;
/// With how much context Ollama loads a model where the settings do not say, in tokens: more costs memory.
const CONTEXT_OLLAMA: u32 = 8_192;
/// The same with the small profile, for every provider.
const CONTEXT_SMALL: u32 = 4_096;
impl ModelSettings {
    /// How prompts are laid out. Small models go on with a chat better than they read a document.
    pub fn layout(&self) -> PromptLayout {
        self.layout.unwrap_or(match self.profile {
            ModelProfile::Normal => PromptLayout::Document,
            ModelProfile::Small => PromptLayout::Chat,
        })
    }

    /// Whether `extra_body` asks the model to think, in any provider's words.
    pub(super) fn has_thinking_option(&self) -> bool {
        ["reasoning", "reasoning_effort", "thinking"]
            .iter()
            .any(|key| self.extra_body.contains_key(*key))
            || Value::Object(self.extra_body.clone())
                .pointer("/generationConfig/thinkingConfig")
                .is_some()
    }

    /// Which provider the settings mean. [`Provider::Auto`] where they leave it open: an Ollama is looked for then.
    pub fn resolve_provider(&self) -> Provider {
        let base = self.base_url.trim();
        match self.provider {
            Provider::Auto if is_ollama_address(base) => Provider::Ollama,
            Provider::Auto if is_provider_address(base, "api.anthropic.com") => Provider::Anthropic,
            Provider::Auto if is_provider_address(base, "generativelanguage.googleapis.com") => {
                Provider::Gemini
            }
            Provider::Auto if !base.is_empty() || !self.api_key.is_empty() => Provider::OpenAi,
            provider => provider,
        }
    }

    /// How much the model is to hold, prompt and answer, in tokens, before a server has said that it is less.
    pub fn wanted_context(&self) -> u32 {
        self.context_tokens
            .unwrap_or(match (self.profile, self.resolve_provider()) {
                (ModelProfile::Small, _) => CONTEXT_SMALL,
                (
                    ModelProfile::Normal,
                    Provider::OpenAi | Provider::Anthropic | Provider::Gemini,
                ) => CONTEXT_UNKNOWN,
                (ModelProfile::Normal, _) => CONTEXT_OLLAMA,
            })
    }

    /// Whether the model `name` is shown pictures, where its server does not say what it can.
    pub(super) fn can_see_images(&self, provider: Provider, name: &str) -> bool {
        let is_known = || match provider {
            // Whatever they offer for chat can see.
            Provider::Anthropic | Provider::Gemini => true,
            Provider::OpenAi => {
                is_provider_address(&self.address(), "api.openai.com")
                    && SEEING.iter().any(|known| name.starts_with(known))
            }
            Provider::Auto | Provider::Ollama | Provider::None => false,
        };
        self.vision.unwrap_or_else(is_known)
    }

    /// The environment variable that holds the key; empty where none does.
    pub fn key_variable(&self) -> &str {
        match self.resolve_provider() {
            Provider::Anthropic if self.api_key_env == OPENAI_KEY => "ANTHROPIC_API_KEY",
            Provider::Gemini if self.api_key_env == OPENAI_KEY => "GEMINI_API_KEY",
            _ => &self.api_key_env,
        }
    }
}

/// Whether a model is known to think before it answers, mostly without a word of it.
pub(super) fn is_thinking_model(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or_default().to_lowercase();
    THINKING.iter().any(|known| name.starts_with(known))
}

/// Whether an address is a provider's own, and not that of its OpenAI-compatible side.
fn is_provider_address(base: &str, host: &str) -> bool {
    reqwest::Url::parse(base)
        .is_ok_and(|url| url.host_str() == Some(host) && !url.path().contains("/openai"))
}

pub(super) fn is_ollama_address(base: &str) -> bool {
    reqwest::Url::parse(base).is_ok_and(|url| url.port() == Some(11_434))
}

#[cfg(test)]
#[path = "tests/unit/settings.rs"]
mod tests;
