//! Makes memories of what was said in a channel once it is quiet: in the background, one channel at a time, and nothing at
//! all where nothing was said. A model is asked once a talk, within a share of the budget of its own; where none is there,
//! or it fails twice, the talk's most telling lines are kept.

use std::sync::Arc;

use super::consolidation_event::{ConsolidationProgress, NextConsolidation};
use super::loop_message::LoopMessage;
use super::state::Daemon;
use kith_core::channel::ChannelState;
use kith_core::chat::{ChannelId, MINUTE, MessageId, Millis};
use kith_core::consolidation::{TALK_PAUSE, TalkEpisode, TalkTranscript};
use kith_core::event::BudgetState;
use kith_core::memory_entry::MemoryOutcome;
use kith_core::persona::Persona;
use kith_core::policy::ChannelMode;
use kith_core::redactor::Redactor;
use kith_memory::{ConsolidationStep, FinishedTalk, Memory, MemoryScope};
use kith_model::{CostAttribution, Model, ModelCaller, ModelFunction, summarize};
use kith_store::StoreError;
use kith_system::clock;

/// The most of a talk that a model is told, in estimated tokens; the newest lines of a longer one.
const TALK_TOKENS: u32 = 4_000;
/// Where a model failed, the talk is made into memories without one so much later.
const WITHOUT_MODEL_AFTER: Millis = 10 * MINUTE;

impl Daemon {
    /// When something is to be made into memories next; not before it is known which model answers.
    pub(super) fn next_consolidation(&self) -> Option<Millis> {
        let due = self.consolidation.next_due();
        due.filter(|_| self.model_calls.is_model_known())
    }

    pub(super) fn start_due_consolidation(&mut self, now: Millis) {
        if self.next_consolidation().is_none() {
            return;
        }
        while let Some(channel) = self.consolidation.start_due(now) {
            let Some(state) = self.core.channel_state(channel) else {
                // It may be heard of later, as on Discord, or never again.
                self.consolidation.finish(channel, Some(now + TALK_PAUSE));
                continue;
            };
            if state.policy().mode == ChannelMode::Off {
                self.consolidation.finish(channel, None);
                continue;
            }
            let work = self.build_consolidation(state);
            let loop_sender = self.loop_sender.clone();
            tokio::spawn(async move {
                let progress = work.run().await;
                let _ = loop_sender.send(LoopMessage::Consolidation(progress)).await;
            });
        }
    }

    fn build_consolidation(&self, state: &ChannelState) -> ConsolidationWork {
        let channel = state.channel.id;
        let has_failed = self.consolidation.has_model_failed(channel);
        ConsolidationWork {
            memory: self.memory.clone(),
            channel,
            begins_after: state.state().begins_after,
            scope: MemoryScope::from_channel(channel, self.find_public_guild(&state.channel)),
            persona: state.policy().persona.clone(),
            is_first_extracted: has_failed,
            model: self.build_consolidation_model(state),
        }
    }

    /// Who is asked; nobody where the companion only reads along, or no model is there.
    fn build_consolidation_model(&self, state: &ChannelState) -> Option<ConsolidationModel> {
        let channel = state.channel.id;
        let models = self.find_summary_models(channel);
        if state.policy().mode != ChannelMode::On || models.is_empty() {
            return None;
        }
        let instruction = self
            .prompts
            .render_consolidation(self.language_in(channel))
            .inspect_err(|problem| tracing::warn!(%problem, "memories are made without a model"))
            .ok()?;
        let attribution = CostAttribution {
            channel,
            person: None,
            function: ModelFunction::Consolidation,
        };
        Some(ConsolidationModel {
            caller: self
                .model_calls
                .caller(attribution, None, self.core.estimator),
            models,
            instruction,
            redactor: self.redactor.clone(),
        })
    }

    pub(super) fn handle_consolidation_progress(&mut self, progress: ConsolidationProgress) {
        let ConsolidationProgress { channel, next } = progress;
        match next {
            NextConsolidation::Rest => self.consolidation.finish(channel, None),
            NextConsolidation::At(at) => self.consolidation.finish(channel, Some(at)),
            NextConsolidation::WithoutModel => {
                let at = clock::now() + WITHOUT_MODEL_AFTER;
                self.consolidation.finish_without_model(channel, at);
            }
        }
    }
}

struct ConsolidationWork {
    memory: Memory,
    channel: ChannelId,
    begins_after: Option<MessageId>,
    /// Where notes for core memory go.
    scope: MemoryScope,
    persona: Arc<Persona>,
    /// Whether a model was asked about the first talk already, and failed.
    is_first_extracted: bool,
    model: Option<ConsolidationModel>,
}

impl ConsolidationWork {
    async fn run(self) -> ConsolidationProgress {
        let channel = self.channel;
        let next = self.consolidate_talks().await.unwrap_or_else(|error| {
            tracing::warn!(%channel, %error, "what was said was not made into memories; trying again later");
            NextConsolidation::At(clock::now() + TALK_PAUSE)
        });
        ConsolidationProgress { channel, next }
    }

    async fn consolidate_talks(&self) -> Result<NextConsolidation, StoreError> {
        let mut is_extracted = self.is_first_extracted;
        loop {
            let step = self
                .memory
                .find_finished_talk(self.channel, self.begins_after, clock::now())
                .await?;
            let talk = match step {
                ConsolidationStep::Talk(talk) => talk,
                ConsolidationStep::Unfinished(newest) => {
                    return Ok(NextConsolidation::At(newest + TALK_PAUSE));
                }
                ConsolidationStep::Complete => return Ok(NextConsolidation::Rest),
            };
            let model = self.model.as_ref().filter(|_| !is_extracted);
            let answer = match model {
                Some(model) => model.ask(&talk).await,
                None => ModelAccount::NotAsked,
            };
            is_extracted = false;
            let account = match answer {
                ModelAccount::Account(account) => account,
                ModelAccount::NotAsked => TalkEpisode::default(),
                ModelAccount::Failed => return Ok(NextConsolidation::WithoutModel),
            };
            self.keep(&talk, account).await?;
        }
    }

    async fn keep(&self, talk: &FinishedTalk, account: TalkEpisode) -> Result<(), StoreError> {
        let refused = account.refused;
        let home = (self.scope, &*self.persona);
        let outcomes = self
            .memory
            .finish_talk(talk, account, home, clock::now())
            .await?;
        let is_kept = |outcome: &&MemoryOutcome| !matches!(outcome, MemoryOutcome::Refused(_));
        let kept = outcomes.iter().filter(is_kept).count();
        let lines = talk.messages.len();
        tracing::debug!(channel = %self.channel, lines, kept, refused, "a talk was made into memories");
        Ok(())
    }
}

struct ConsolidationModel {
    caller: ModelCaller,
    models: Vec<Model>,
    instruction: String,
    redactor: Redactor,
}

enum ModelAccount {
    /// What of it is believed.
    Account(TalkEpisode),
    /// Nobody was asked: too little was told, or too little is left of the day.
    NotAsked,
    /// None answered, or in no form that can be read.
    Failed,
}

impl ConsolidationModel {
    async fn ask(&self, talk: &FinishedTalk) -> ModelAccount {
        if !talk.tells_enough() || !self.has_budget(talk.channel) {
            return ModelAccount::NotAsked;
        }
        let transcript =
            TalkTranscript::render(&talk.messages, TALK_TOKENS, &self.caller.estimator);
        let text = self.redactor.redact(&transcript.text);
        let models = self.models.clone();
        match summarize(&self.caller, models, &self.instruction, &text).await {
            Ok(answer) => {
                match TalkEpisode::read(talk.channel, &talk.messages, &transcript, &answer) {
                    Some(account) => ModelAccount::Account(account),
                    None => ModelAccount::Failed,
                }
            }
            Err(failure) if failure.budget => ModelAccount::NotAsked,
            // What a server says may quote what it was asked.
            Err(_) => ModelAccount::Failed,
        }
    }

    /// Whether enough is left, in all and in the channel, for what nobody asked for.
    fn has_budget(&self, channel: ChannelId) -> bool {
        let now = clock::now();
        self.caller.ledger.with_budget(|budget| {
            budget.state(now) == BudgetState::Open
                && budget.channel_state(now, channel) == BudgetState::Open
        })
    }
}
