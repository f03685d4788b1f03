//! Slash commands, menus and buttons: told to Discord, read when somebody uses one, handed to the command service, and
//! answered within Discord's 3 seconds, to the caller alone. Whether somebody may is decided by the command service.

pub(super) mod buttons;
mod command_fields;
mod definitions;
mod duration;
mod interaction;
mod json;
mod register_if_changed;
mod registration_retry;
pub(super) mod reply;
mod request;
mod session_definitions;

use kith_language::commands;
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

pub use definitions::{CommandSettings, definitions};
pub use register_if_changed::{RegistrationOutcome, register_if_changed};
pub use registration_retry::CommandRegistrar;

use super::event::DiscordEvent;
use super::rest::{FileUpload, RestClient, RestError, RestRequest, RestRoute};
use interaction::{Interaction, InteractionRequest};
use kith_commands::{Caller, CommandRequest};
use kith_core::chat::UserId;
use kith_core::partition::Partition;
use kith_core::persona::Language;
use reply::CommandReply;

/// How many interactions are remembered, to know a duplicate.
const REMEMBERED: usize = 256;
const ALREADY_ANSWERED: u32 = 40060;

#[derive(Clone, Copy, Debug)]
pub struct CommandTimeouts {
    /// Until the caller is told that the answer takes longer. Discord gives up after 3 s.
    pub defer_after: Duration,
    /// Until the caller is told that none comes. Discord takes answers for 15 minutes.
    pub give_up_after: Duration,
}

impl Default for CommandTimeouts {
    fn default() -> Self {
        Self {
            defer_after: Duration::from_millis(1_500),
            give_up_after: Duration::from_secs(14 * 60),
        }
    }
}

#[derive(Clone)]
pub struct CommandHandler {
    rest: RestClient,
    operators: Arc<HashSet<UserId>>,
    out: mpsc::Sender<DiscordEvent>,
    timeouts: CommandTimeouts,
    partition: Partition,
    seen: Arc<Mutex<VecDeque<u64>>>,
}

impl CommandHandler {
    /// Requests go out as [`DiscordEvent::CommandRequested`]; `hosts` may do what the host may. What is about a turn of
    /// another than this partition, or about all of them, goes out as [`DiscordEvent::InteractionElsewhere`].
    pub fn new(
        rest: RestClient,
        operators: HashSet<UserId>,
        out: mpsc::Sender<DiscordEvent>,
        timeouts: CommandTimeouts,
        partition: Partition,
    ) -> Self {
        Self {
            partition,
            rest,
            operators: Arc::new(operators),
            out,
            timeouts,
            seen: Arc::default(),
        }
    }

    /// Takes an `INTERACTION_CREATE` as Discord sent it and returns at once; it is answered in a task of its own, once
    /// however often it comes. Needs a tokio runtime.
    pub fn handle_interaction(&self, raw: &Value) {
        let Some(interaction) = interaction::parse_interaction(raw, &self.operators) else {
            tracing::debug!(kind = %raw["type"], "an interaction that needs no answer, or that cannot be read");
            return;
        };
        if !self.is_new(interaction.id) {
            return;
        }
        let commands = self.clone();
        let giver = interaction
            .number
            .map(|number| self.partition.giver_of(number));
        match giver.filter(|giver| *giver != self.partition.number()) {
            None => {
                let is_for_all = interaction.is_for_all_partitions();
                let further = is_for_all.then(|| interaction::keep_needed(raw));
                tokio::spawn(async move {
                    let is_refused = commands.process_interaction(interaction).await;
                    // Discord takes further answers when it has the first.
                    if let Some(raw) = further.filter(|_| !is_refused) {
                        for partition in commands.partition.others() {
                            commands.ask_elsewhere(partition, raw.clone()).await;
                        }
                    }
                });
            }
            Some(partition) => {
                let raw = interaction::keep_needed(raw);
                tokio::spawn(async move {
                    commands.defer(&interaction).await;
                    commands.ask_elsewhere(partition, raw).await;
                });
            }
        }
    }

    async fn ask_elsewhere(&self, partition: u16, raw: Value) {
        let elsewhere = DiscordEvent::InteractionElsewhere { partition, raw };
        // If the daemon is gone, nobody can be told.
        let _ = self.out.send(elsewhere).await;
    }

    /// Answers what another partition was asked about a turn of this one, or about all partitions. Who asked was answered
    /// there, or told that it takes longer. Needs a tokio runtime.
    pub fn answer_for_another(&self, raw: &Value) {
        let Some(interaction) = interaction::parse_interaction(raw, &self.operators) else {
            return;
        };
        if let InteractionRequest::Command(request) = interaction.wanted.clone()
            && self.is_new(interaction.id)
        {
            let commands = self.clone();
            tokio::spawn(async move {
                if interaction.is_for_all_partitions() {
                    return commands.answer_further(&interaction, request).await;
                }
                let answer = commands.forward_request(&interaction, request);
                commands.answer_late(&interaction, answer).await;
            });
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

    /// Answers, and tells whether it was refused.
    async fn process_interaction(&self, interaction: Interaction) -> bool {
        let language = interaction.caller.language;
        match &interaction.wanted {
            InteractionRequest::Reply(text) => {
                self.send_answer(&interaction, CommandReply::from_text(text))
                    .await;
            }
            InteractionRequest::Confirm(what) => {
                let question =
                    CommandReply::from_destructive_action(*what, interaction.caller.user, language);
                self.send_answer(&interaction, question).await;
            }
            InteractionRequest::Command(request) => {
                let mut answer_future =
                    Box::pin(self.forward_request(&interaction, request.clone()));
                if let Ok(reply) = timeout(self.timeouts.defer_after, &mut answer_future).await {
                    let is_refused = reply.is_refused;
                    self.send_answer(&interaction, reply).await;
                    return is_refused;
                }
                self.defer(&interaction).await;
                return self.answer_late(&interaction, answer_future).await;
            }
        }
        false
    }

    /// Answers who was told that it takes longer, and tells whether it was refused.
    async fn answer_late(
        &self,
        interaction: &Interaction,
        answer: impl Future<Output = CommandReply>,
    ) -> bool {
        let reply = timeout(self.timeouts.give_up_after, answer).await;
        let language = interaction.caller.language;
        let reply = reply.unwrap_or_else(|_| build_no_answer_reply(language));
        let is_refused = reply.is_refused;
        self.edit_response(interaction, reply).await;
        is_refused
    }

    /// Adds an answer to that of another partition, if there is something to add.
    async fn answer_further(&self, interaction: &Interaction, request: CommandRequest) {
        let answer = self.find_reply(interaction, request);
        let reply = timeout(self.timeouts.give_up_after, answer).await;
        if let Some(reply) = reply.ok().flatten() {
            let token = interaction.token.expose();
            let route = RestRoute::follow_up(interaction.application, token);
            self.send_reply(RestRequest::post(route), reply.into_follow_up())
                .await;
        }
    }

    async fn forward_request(
        &self,
        interaction: &Interaction,
        request: CommandRequest,
    ) -> CommandReply {
        let reply = self.find_reply(interaction, request).await;
        reply.unwrap_or_else(|| build_no_answer_reply(interaction.caller.language))
    }

    /// What the command service answers; none where that is nothing, or nobody is there to ask.
    async fn find_reply(
        &self,
        interaction: &Interaction,
        request: CommandRequest,
    ) -> Option<CommandReply> {
        let caller: &Caller = &interaction.caller;
        let (answer, answer_receiver) = oneshot::channel();
        // If the daemon is gone, so is the other end of `answered`.
        let _ = self
            .out
            .send(DiscordEvent::CommandRequested {
                caller: caller.clone(),
                request,
                answer,
            })
            .await;
        CommandReply::new(
            answer_receiver.await.ok()?,
            caller,
            interaction.largest_file,
        )
    }

    /// The first answer. A file takes longer than the first answer may, so it comes after it.
    async fn send_answer(&self, interaction: &Interaction, reply: CommandReply) {
        if reply.file.is_some() {
            self.defer(interaction).await;
            return self.edit_response(interaction, reply).await;
        }
        match self
            .send_first_response(interaction, reply.first_response(interaction.reply_target))
            .await
        {
            // Perhaps it arrived, perhaps only a part of the way: the original is there, or there is none.
            Err(error) if error.can_have_happened() || is_answered(&error) => {
                self.edit_response(interaction, reply).await
            }
            outcome => log_failure(outcome),
        }
    }

    async fn defer(&self, interaction: &Interaction) {
        log_failure(
            self.send_first_response(
                interaction,
                reply::build_deferred_response(interaction.reply_target),
            )
            .await,
        );
    }

    async fn send_first_response(
        &self,
        interaction: &Interaction,
        body: Value,
    ) -> Result<(), RestError> {
        let call =
            RestRequest::post_callback(interaction.id, interaction.token.expose()).json(body);
        self.rest.call(call).await.map(drop)
    }

    async fn edit_response(&self, interaction: &Interaction, reply: CommandReply) {
        let token = interaction.token.expose();
        let route = RestRoute::original_response(interaction.application, token);
        self.send_reply(RestRequest::patch(route), reply.into_edit())
            .await;
    }

    async fn send_reply(&self, call: RestRequest, (body, file): (Value, Option<FileUpload>)) {
        let call = file.into_iter().fold(call.json(body), RestRequest::upload);
        log_failure(self.rest.call(call).await.map(drop));
    }
}

fn is_answered(error: &RestError) -> bool {
    matches!(
        error,
        RestError::Invalid {
            code: ALREADY_ANSWERED,
            ..
        }
    )
}

/// Nobody can be told but the log: who asked sees Discord's own "did not respond".
fn log_failure(outcome: Result<(), RestError>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "somebody who used a command could not be answered");
    }
}

fn build_no_answer_reply(language: Language) -> CommandReply {
    CommandReply::from_text(&commands::no_answer_found().in_language(language))
}
