//! Slash commands, menus and buttons: told to Discord, read when somebody uses one, handed to the desk, and answered
//! within Discord's 3 seconds, to the asker alone. Whether somebody may is decided by the desk.

mod definitions;
mod duration;
pub(super) mod embed;
mod interaction;
mod json;
mod offer;
pub(super) mod press;
mod register;
pub(super) mod reply;
mod request;

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

pub use definitions::{CommandSettings, definitions};
pub use offer::CommandRegistrar;
pub use register::{RegistrationOutcome, register};

use super::event::DiscordEvent;
use super::rest::{RestClient, RestError, RestRequest, RestRoute};
use interaction::{Interaction, InteractionRequest};
use kith_commands::{Caller, CommandRequest};
use kith_core::chat::UserId;
use kith_core::persona::Language;
use reply::CommandReply;

/// How many interactions are remembered, to know a duplicate.
const REMEMBERED: usize = 256;
/// Discord's code for an interaction that has its first answer.
const ALREADY_ANSWERED: u32 = 40060;

/// How long the desk is waited for.
#[derive(Clone, Copy, Debug)]
pub struct CommandTimeouts {
    /// Until the asker is told that the answer takes longer. Discord gives up after 3 s.
    pub at_once: Duration,
    /// Until the asker is told that none comes. Discord takes answers for 15 minutes.
    pub at_all: Duration,
}

impl Default for CommandTimeouts {
    fn default() -> Self {
        Self { at_once: Duration::from_millis(1_500), at_all: Duration::from_secs(14 * 60) }
    }
}

/// Answers those who use a command, a menu or a button. Cheap to clone.
#[derive(Clone)]
pub struct CommandHandler {
    rest: RestClient,
    hosts: Arc<HashSet<UserId>>,
    out: mpsc::Sender<DiscordEvent>,
    patience: CommandTimeouts,
    seen: Arc<Mutex<VecDeque<u64>>>,
}

impl CommandHandler {
    /// Requests go out as [`DiscordEvent::Asked`]; `hosts` may do what the host may.
    pub fn new(
        rest: RestClient,
        hosts: HashSet<UserId>,
        out: mpsc::Sender<DiscordEvent>,
        patience: CommandTimeouts,
    ) -> Self {
        Self { rest, hosts: Arc::new(hosts), out, patience, seen: Arc::default() }
    }

    /// Takes an `INTERACTION_CREATE` as Discord sent it and returns at once; it is answered in a task of its own, once
    /// however often it comes. Needs a tokio runtime.
    pub fn hear(&self, raw: &Value) {
        let Some(interaction) = interaction::read(raw, &self.hosts) else {
            tracing::debug!(kind = %raw["type"], "an interaction that needs no answer, or that cannot be read");
            return;
        };
        if self.is_new(interaction.id) {
            let commands = self.clone();
            tokio::spawn(async move { commands.serve(interaction).await });
        }
    }

    fn is_new(&self, id: u64) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.contains(&id) {
            return false;
        }
        seen.push_back(id);
        if seen.len() > REMEMBERED {
            seen.pop_front();
        }
        true
    }

    async fn serve(&self, interaction: Interaction) {
        let language = interaction.asker.language;
        match &interaction.wanted {
            InteractionRequest::Told(text) => self.answer(&interaction, CommandReply::told(text)).await,
            InteractionRequest::AskBack(what) => {
                let question = CommandReply::ask_back(*what, interaction.asker.user, language);
                self.answer(&interaction, question).await;
            }
            InteractionRequest::Desk(request) => {
                let mut asked = Box::pin(self.ask(&interaction, request.clone()));
                if let Ok(reply) = timeout(self.patience.at_once, &mut asked).await {
                    return self.answer(&interaction, reply).await;
                }
                self.defer(&interaction).await;
                let reply = timeout(self.patience.at_all, asked).await;
                self.edit(&interaction, reply.unwrap_or_else(|_| no_answer(language))).await;
            }
        }
    }

    async fn ask(&self, interaction: &Interaction, request: CommandRequest) -> CommandReply {
        let asker: &Caller = &interaction.asker;
        let (answer, answered) = oneshot::channel();
        // If the daemon is gone, so is the other end of `answered`.
        let _ = self.out.send(DiscordEvent::Asked { asker: asker.clone(), request, answer }).await;
        match answered.await {
            Ok(answer) => CommandReply::new(answer, asker, interaction.largest_file),
            Err(_) => no_answer(asker.language),
        }
    }

    /// The first answer. A file takes longer than the first answer may, so it comes after it.
    async fn answer(&self, interaction: &Interaction, reply: CommandReply) {
        if reply.file.is_some() {
            self.defer(interaction).await;
            return self.edit(interaction, reply).await;
        }
        match self.first(interaction, reply.first(interaction.form)).await {
            // Perhaps it arrived, perhaps only a part of the way: the original is there, or there is none.
            Err(error) if error.may_have_happened() || is_answered(&error) => self.edit(interaction, reply).await,
            outcome => told(outcome),
        }
    }

    async fn defer(&self, interaction: &Interaction) {
        told(self.first(interaction, reply::later(interaction.form)).await);
    }

    async fn first(&self, interaction: &Interaction, body: Value) -> Result<(), RestError> {
        let call = RestRequest::answer(interaction.id, interaction.token.expose()).json(body);
        self.rest.call(call).await.map(drop)
    }

    async fn edit(&self, interaction: &Interaction, reply: CommandReply) {
        let (body, file) = reply.edit();
        let call =
            RestRequest::patch(RestRoute::original(interaction.application, interaction.token.expose())).json(body);
        let call = file.into_iter().fold(call, RestRequest::upload);
        told(self.rest.call(call).await.map(drop));
    }
}

fn is_answered(error: &RestError) -> bool {
    matches!(error, RestError::Invalid { code: ALREADY_ANSWERED, .. })
}

/// Nobody can be told but the log: who asked sees Discord's own "did not respond".
fn told(outcome: Result<(), RestError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "somebody who used a command could not be answered");
    }
}

fn no_answer(language: Language) -> CommandReply {
    CommandReply::told(language.pick(
        "I could not find an answer, perhaps because I am stopping; try again in a minute.",
        "我没能得到答案，可能正在停止；请过一分钟再试。",
    ))
}
