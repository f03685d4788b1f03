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

kith_core::setting_table! {
    /// The model that answers in the chat.
    pub struct ModelSettings {
        /// Which protocol it speaks: `"openai"` is every OpenAI-compatible server, `"anthropic"`, `"gemini"` and `"ollama"`
        /// are their native APIs, `"none"` is the stand-in. `"auto"` takes openai where a `base_url` or a key is set, but
        /// anthropic or gemini where the address is their own; else an Ollama that runs on this machine, else the stand-in.
        pub provider: Provider,
        /// Address of the API, e.g. `https://api.deepseek.com/v1`. Empty: the provider's own; with `"auto"`, OpenAI's where
        /// there is a key, else Ollama's.
        #[setting(OneLine, Http, Variable("OPENAI_BASE_URL"))]
        pub base_url: String,
        /// Where an Ollama is looked for: host, host:port or URL.
        #[setting(OneLine, Variable("OLLAMA_HOST"))]
        pub ollama_host: String = "127.0.0.1:11434".into(),
        /// The model's name as its server spells it. Empty: the only one the server offers, or Ollama's newest chat model.
        #[setting(OneLine, Variable("KITH_MODEL"))]
        pub name: String,
        /// The key itself. Better keep it out of the settings: in a file of its own or a variable of the environment. The
        /// first of the three that is there counts.
        #[setting(OfServer)]
        pub api_key: Secret,
        /// A file that holds the key and nothing else.
        #[setting(SecretFile, OfServer, Example("\"openai.key\""))]
        pub api_key_file: Option<PathBuf>,
        /// The variable of the environment that holds the key; empty where none does. Where it is not changed, anthropic
        /// and gemini have theirs in `ANTHROPIC_API_KEY` and `GEMINI_API_KEY`.
        #[setting(OneLine, OfServer)]
        pub api_key_env: String = OPENAI_KEY.into(),
        /// The proxy to it: `http://host:port` (HTTP CONNECT) or `socks5://host:port`, with `user:password@` before the host
        /// where it wants them. Empty: what `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say. Loopback is always
        /// reached directly.
        #[setting(Address)]
        pub proxy: Secret,
        /// The form it writes its actions in: `"xml"` (any model can), `"json"`, or `"native"`: the provider's own tool
        /// calls, for servers and models that have them.
        #[setting(OfPrompt)]
        pub protocol: OutputProtocol,
        /// With `"json"`: whether the server is asked to hold it to the schema of an answer. One that refuses is asked
        /// without it.
        pub structured: bool = true,
        /// `"small"` is for small local models: prompt of 1500 tokens at most, three actions, one turn at a time, 300
        /// seconds until the first token, plain text counts as the message, layout `"chat"`. A change counts after a
        /// restart where it changes how many turns there may be at the same time.
        #[setting(OfPrompt, Restart)]
        pub profile: ModelProfile,
        /// How the prompt is laid out as messages, with the same words in both: `"document"` (one of the system and one of
        /// the user's) or `"chat"` (its own lines as messages of its own, in the form of the protocol). Not set: `"chat"`
        /// with the small profile. A server that wants calls answered at once (Mistral's, with `"native"`) takes only
        /// `"document"`.
        #[setting(OfPrompt, Example("\"document\""))]
        pub layout: Option<PromptLayout>,
        /// Whether it is shown pictures: at most four of the newest lines, each 3.9 MB at most. Not set: Anthropic's and
        /// Gemini's models are, OpenAI's gpt-4o, gpt-4.1 and gpt-5 at its own address, and what Ollama says can see. A
        /// picture takes up to 1600 tokens, and up to a quarter of what the model holds is kept free for them.
        #[setting(OfServer, Example("true"))]
        pub vision: Option<bool>,
        /// What it can hold, prompt and answer. Ollama loads the model with this much: more costs memory. Not set: 8192 with
        /// Ollama, 32768 elsewhere, 4096 with the small profile; less where the server says so.
        #[setting(Range(1_500.0, 1e7), Unit("tokens"), Example("8192"))]
        pub context_tokens: Option<u32>,
        /// Randomness. Not set: the server's own default.
        #[setting(Range(0.0, 2.0), Wanted("a number from 0 to 2"), Example("0.8"))]
        pub temperature: Option<f32>,
        /// Nucleus sampling. Not set: the server's own default.
        #[setting(Range(0.0, 1.0), Wanted("a number from 0 to 1"), Example("0.95"))]
        pub top_p: Option<f32>,
        /// The longest answer, thinking included. For a model that thinks long set 4000 or more: an answer that was all
        /// thinking is none, and is not asked for again.
        #[setting(Range(16.0, 1e7), Unit("tokens"))]
        pub max_tokens: u32 = 1_500,
        /// What it costs, in money for a million tokens. Which money, you know; all prices and limits are in the same. Other
        /// models that guilds and channels name of this server count at the same price, unless a `[models.NAME]` tells theirs.
        #[setting(OfServer)]
        pub price: Option<ModelPrice>,
        /// Texts at which it stops writing.
        pub stop: Vec<String>,
        /// HTTP headers sent with every request, e.g. `{ "X-Title" = "Kith" }`. Never shown or logged.
        #[setting(OfServer)]
        pub headers: BTreeMap<String, Secret>,
        /// Merged into the body of every request last, e.g. `{ reasoning = { effort = "low" } }`, so that it wins.
        #[setting(OfServer)]
        pub extra_body: Map<String, Value>,
        /// How long Ollama keeps it in memory after a call, so that the next answer starts quickly; `"-1"` for ever.
        #[setting(OneLine)]
        pub keep_alive: String = "30m".into(),
        /// Whether a thinking model thinks first (Ollama only).
        pub think: ThinkMode,
        /// How long to wait for the connection.
        #[setting(Range(0.1, 86_400.0), Unit("seconds"))]
        pub connect_seconds: f32 = 10.0,
        /// How long to wait for the first token, thinking included. Not set: 60, or 300 where the model is on this machine or
        /// may have to be loaded, `extra_body` asks it to think, or its name is one that thinks unasked (o1, o3, o4, gpt-5,
        /// deepseek-reasoner, deepseek-r1, gemini-2.5, gemini-3).
        #[setting(Range(0.1, 86_400.0), Unit("seconds"), Example("60.0"))]
        pub first_token_seconds: Option<f32>,
        /// How long to wait between two tokens.
        #[setting(Range(0.1, 86_400.0), Unit("seconds"))]
        pub idle_seconds: f32 = 30.0,
        /// How long the whole call may take with all its tries. Not set: 180, or twice `first_token_seconds` where that is
        /// more.
        #[setting(Range(0.1, 86_400.0), Unit("seconds"), Example("180.0"))]
        pub total_seconds: Option<f32>,
        /// How often a failed call is tried again, as long as nothing of the answer has arrived.
        #[setting(Range(0.0, 10.0))]
        pub retries: u32 = 2,
    }
}

kith_core::setting_values!(Provider, ModelProfile, ThinkMode);
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

kith_core::setting_table! {
    /// Who does what besides the chat: names of tables `[models.NAME]`, asked in this order.
    pub struct ModelRoles {
        /// Who is asked in the chat where `[model]` does not answer, is too busy, refuses, or writes what cannot be read.
        /// Each gets the same prompt, and never one that it cannot hold. A model that failed three times in a row rests for
        /// a while, and one whose server says when to come back is left alone until then.
        pub chat: Vec<String>,
        /// Who says in one sentence what a picture shows, where the model of the chat cannot see. Each picture is described
        /// once and known again by its content; nothing but the picture goes along. None: such a model reads the picture's
        /// file name only.
        pub vision: Vec<String>,
        /// Who sums up what has left the prompts of a channel, and what a thread begins with. None: who answers there.
        pub summary: Vec<String>,
        /// Who is asked whether a friend would speak now, where the score is near the threshold: one question of at most 350
        /// tokens, one word back, within two seconds, the first that is not resting. It has no say over who speaks to the
        /// companion: they are always answered. None, or no answer in time: the score alone decides.
        pub judge: Vec<String>,
        /// Who turns what is said into vectors, so that recall also finds what was said in other words: one model of OpenAI's
        /// protocol or Ollama's, because vectors of two have nothing to do with each other. None: recall goes by words alone.
        pub embedding: Vec<String>,
    }
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
