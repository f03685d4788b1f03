//! Chat models: what the companion thinks with. Clients for model servers, the choice among them, the daily budget,
//! and the stand-in. Nothing here knows what a prompt says or what an answer means.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod account;
mod answer;
mod answer_form;
mod answer_piece;
mod anthropic;
mod attempt;
mod attribution;
mod body_changes;
mod breaker;
pub mod budget;
mod budget_settings;
mod call;
mod client;
mod demo;
mod discover;
mod embedding;
mod endpoint;
mod fallback;
mod fault;
mod gemini;
mod http;
mod image;
mod image_size;
mod ledger;
pub mod message;
mod model_set;
mod ollama;
mod openai;
mod price;
mod refusal_wording;
mod refused_input;
pub mod request;
mod request_body;
mod retry;
mod selection;
mod server_error_text;
mod server_faults;
pub mod settings;
mod sse;
mod stream_lines;
mod summary;
mod surrogates;
mod time_limits;
mod typed_address;
mod wire;

use std::sync::Arc;

use kith_language::{LocalizedMessage, model_faults};
use tokio::sync::mpsc;

pub use account::TokenCost;
pub use attempt::is_prompt_cut;
pub use attribution::{BudgetScope, CostAttribution, ModelFunction};
pub use budget::{BudgetLedger, BudgetNotices, CallUsage, Reservation};
pub use budget_settings::BudgetSettings;
pub use call::{ModelAnswer, ModelCall, ModelCaller};
pub use discover::{ModelTest, ServerOffer, list_models, test_model};
pub use fallback::ModelChain;
pub use image::{AttachedImage, ModelImage};
pub use kith_core::secret::Secret;
pub use ledger::{CallLedger, CallOutcome, LedgerChange, SettledCall};
pub use message::{MessageSide, PastCall, PromptMessage, join_messages};
pub use model_set::{ModelSet, resolve_all};
pub use price::ModelPrice;
pub use request::{AnswerForm, ChatLine, ModelEvent, ModelRequest};
pub use selection::{ModelSelection, resolve_model};
pub use server_error_text::strip_thoughts;
pub use settings::{ModelProfile, ModelRole, ModelRoles, ModelSettings, Provider, ThinkMode};
pub use summary::{LONGEST_SUMMARY, summarize};
pub use time_limits::TimeLimits;

/// How many pieces of an answer may wait for their reader.
const PIECES_WAITING: usize = 64;
/// The share of what a model holds that is kept free for pictures.
const IMAGE_SHARE: u32 = 4;
/// More tokens than this are never spent on the pictures of one prompt.
const MOST_IMAGE_TOKENS: u32 = 6_400;

#[derive(Clone)]
pub struct Model(Kind);

#[derive(Clone)]
enum Kind {
    Client(Arc<client::ModelClient>),
    Demo(demo::DemoModel),
}

impl Model {
    /// Asks the model; pieces of the answer come as they are written, the last is [`ModelEvent::End`]. Dropping the
    /// receiver ends the call and its connection. Needs a tokio runtime. Only [`ModelCaller::ask`] may ask, for it counts.
    fn ask(&self, request: ModelRequest) -> mpsc::Receiver<ModelEvent> {
        let (events, receiver) = mpsc::channel(PIECES_WAITING);
        let model = self.clone();
        tokio::spawn(async move {
            let answer = async {
                match &model.0 {
                    Kind::Client(client) => client.answer(&request, &events).await,
                    Kind::Demo(demo) => demo.answer(&request, &events).await,
                }
            };
            let end = tokio::select! {
                end = answer => end,
                () = events.closed() => return,
            };
            // Nobody listening is no error: the call was cancelled at its very end.
            let _ = events.send(ModelEvent::End(end)).await;
        });
        receiver
    }

    /// Its name as the server spells it; "stand-in" for the stand-in.
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Client(client) => &client.at.name,
            Kind::Demo(_) => "stand-in",
        }
    }

    /// Another model of the same server, asked in the same way; the stand-in stays what it is.
    pub fn named(&self, name: &str) -> Self {
        match &self.0 {
            Kind::Client(client) if client.at.name != name => {
                Self(Kind::Client(client.named(name)))
            }
            _ => self.clone(),
        }
    }

    pub fn can_see_images(&self) -> bool {
        matches!(&self.0, Kind::Client(client) if client.can_see_images)
    }

    /// Whether it can be asked natively, as far as its server says.
    pub fn can_call_tools(&self) -> bool {
        match &self.0 {
            Kind::Client(client) => client.can_call_tools,
            Kind::Demo(_) => true,
        }
    }

    /// That it cannot, in a sentence with the cure.
    fn describe_missing_tool_calls(&self) -> LocalizedMessage {
        model_faults::no_native_calls(self.host(), self.name())
    }

    /// How many tokens of pictures one prompt may hold: that much is kept free of text.
    pub fn image_token_budget(&self) -> u32 {
        let Kind::Client(client) = &self.0 else {
            return 0;
        };
        if client.can_see_images {
            (client.context() / IMAGE_SHARE).min(MOST_IMAGE_TOKENS)
        } else {
            0
        }
    }

    /// Host and port of its server; empty for the stand-in.
    pub fn host(&self) -> &str {
        match &self.0 {
            Kind::Client(client) => &client.at.host,
            Kind::Demo(_) => "",
        }
    }

    /// The base URL its server is reached at, for people; its host alone where a password may stand in the address.
    /// Empty for the stand-in.
    pub fn address(&self) -> &str {
        match &self.0 {
            Kind::Client(client) if !client.at.base.contains('@') => &client.at.base,
            _ => self.host(),
        }
    }

    /// Whether it is the stand-in and no language model. It takes no tokens.
    pub fn is_demo(&self) -> bool {
        matches!(self.0, Kind::Demo(_))
    }

    /// The longest answer, in tokens; to be reserved before a call.
    pub fn max_tokens(&self) -> u32 {
        match &self.0 {
            Kind::Client(client) => client.settings.max_tokens,
            Kind::Demo(_) => 0,
        }
    }

    pub fn price(&self) -> Option<ModelPrice> {
        match &self.0 {
            Kind::Client(client) => client.settings.price,
            Kind::Demo(_) => None,
        }
    }

    /// How much it holds, prompt and answer, in tokens; none where it does not matter. May shrink after the first call,
    /// when Ollama says with how much context it really loaded the model; [`ModelEvent::ContextShrank`] tells when.
    pub fn context_tokens(&self) -> Option<u32> {
        match &self.0 {
            Kind::Client(client) => Some(client.context()),
            Kind::Demo(_) => None,
        }
    }

    fn from_client(client: client::ModelClient) -> Self {
        Self(Kind::Client(Arc::new(client)))
    }

    fn from_demo(stand_in: demo::DemoModel) -> Self {
        Self(Kind::Demo(stand_in))
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Model({} at {:?})", self.name(), self.host())
    }
}
