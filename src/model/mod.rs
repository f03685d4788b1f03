//! Chat models: what the companion thinks with. Clients for model servers, the choice among them, the daily budget,
//! and the stand-in. Nothing here knows what a prompt says or what an answer means.

mod answer;
mod client;
mod endpoint;
mod fault;
mod lines;
mod ollama;
mod openai;
pub mod request;
mod retry;
pub mod secret;
pub mod settings;
mod wire;

use std::sync::Arc;

use tokio::sync::mpsc;

pub use client::usage_says_cut;
pub use request::{ModelEvent, ModelRequest};
pub use secret::Secret;
pub use settings::{BudgetSettings, ModelSettings, Profile, Provider, Think, TimeLimits};

/// How many pieces of an answer may wait for their reader.
const PIECES_WAITING: usize = 64;

/// A model that can be asked. Cheap to clone.
#[derive(Clone)]
pub struct Model(Kind);

#[derive(Clone)]
enum Kind {
    Client(Arc<client::Client>),
}

impl Model {
    /// Asks the model; pieces of the answer come as they are written, the last is [`ModelEvent::End`]. Dropping the
    /// receiver ends the call and its connection. Needs a tokio runtime.
    pub fn ask(&self, request: ModelRequest) -> mpsc::Receiver<ModelEvent> {
        let (events, receiver) = mpsc::channel(PIECES_WAITING);
        let model = self.clone();
        tokio::spawn(async move {
            let answer = async {
                match &model.0 {
                    Kind::Client(client) => client.answer(&request, &events).await,
                }
            };
            let end = tokio::select! {
                end = answer => end,
                () = events.closed() => return,
            };
            let _ = events.send(ModelEvent::End(end)).await;
        });
        receiver
    }
}
