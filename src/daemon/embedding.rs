//! Has an embedding model make a vector of each message, in the background, and of each question while somebody waits. The
//! texts of a channel go to that model only where the companion speaks; where none is named nothing of this happens.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::embedding_event::EmbeddingProgress;
use super::loop_message::LoopMessage;
use super::state::Daemon;
use kith_core::chat::{ChannelId, Millis, UserId};
use kith_core::context::TokenEstimator;
use kith_core::event::BudgetState;
use kith_core::policy::ChannelMode;
use kith_core::recall::TextVector;
use kith_core::redactor::Redactor;
use kith_core::report::ModelFailure;
use kith_memory::{QuestionEmbedder, QuestionVector};
use kith_model::{CallLedger, CostAttribution, Model, ModelCaller, ModelFunction};
use kith_store::{Store, StoreError, UnembeddedBatch};
use kith_system::clock;

/// How many messages share a call.
const BATCH: usize = 32;
/// The longest text that is told to the model, in estimated tokens: small ones hold 256 or 512.
const LONGEST_TEXT: u32 = 400;
/// How long a batch may take: the model may have to be loaded first.
const BATCH_LIMIT: Duration = Duration::from_secs(120);
/// How long a question may take, for somebody waits; then words have to do.
const QUESTION_LIMIT: Duration = Duration::from_millis(1_500);
/// So many messages in a row that are refused one by one are no whim of a text.
const REFUSED_ALONE: usize = 3;

impl Daemon {
    pub(super) fn next_embedding(&self) -> Option<Millis> {
        self.model_calls.selection().embedding_model.as_ref()?;
        self.embedding.next_due()
    }

    /// From now on the selected model makes the vectors, or none. Where the host names none any more, what was made goes.
    pub(super) fn apply_embedding_model(&mut self) {
        self.set_question_embedder();
        if self.model_calls.selection().embedding_model.is_some() {
            self.embedding.restart(clock::now());
        } else if self.settings.roles.embedding.is_empty() && self.model_calls.is_model_known() {
            let removing = self.store.remove_other_vectors(None);
            tokio::spawn(async move {
                if let Err(error) = removing.await {
                    tracing::warn!(%error, "vectors that nobody needs could not be removed; a restart tries again");
                }
            });
        }
    }

    /// Questions are embedded by the selected model from now on, and without the secrets that are known by now.
    pub(super) fn set_question_embedder(&self) {
        let model = self.model_calls.selection().embedding_model.clone();
        let embedder = model.map(|model| self.build_embedder(model));
        self.memory
            .set_embedder(embedder.map(|embedder| Arc::new(embedder) as Arc<dyn QuestionEmbedder>));
    }

    fn build_embedder(&self, model: Model) -> Embedder {
        Embedder {
            model,
            ledger: self.model_calls.ledger().clone(),
            redactor: self.redactor.clone(),
        }
    }

    /// Begins with the next batch, unless one is under way or a turn has the models.
    pub(super) fn start_due_embedding(&mut self, now: Millis) {
        let Some(model) = self.model_calls.selection().embedding_model.clone() else {
            return;
        };
        let is_busy = !self.turns.is_empty();
        if !self.embedding.start_due(now, is_busy) {
            return;
        }
        let channels = self.core.channel_states().filter_map(|state| {
            let channel = state.channel.id;
            let is_wanted = state.policy().mode == ChannelMode::On;
            (is_wanted && self.embedding.is_paid(channel)).then_some(channel)
        });
        let work = EmbeddingWork {
            store: self.store.clone(),
            channels: channels.collect(),
            embedder: self.build_embedder(model),
        };
        let loop_sender = self.loop_sender.clone();
        tokio::spawn(async move {
            let progress = work.run().await;
            let _ = loop_sender.send(LoopMessage::Embedding(progress)).await;
        });
    }

    pub(super) fn handle_embedding_progress(&mut self, progress: EmbeddingProgress) {
        let now = clock::now();
        match progress {
            EmbeddingProgress::Kept => self.embedding.continue_with_next(now),
            EmbeddingProgress::Complete => self.embedding.finish(),
            EmbeddingProgress::Unpaid(channel) => self.embedding.skip_until_renewed(channel, now),
            EmbeddingProgress::Failed => self.embedding.wait_after_failure(now),
        }
    }
}

/// Asks the model, within the budget, and tells it no secret.
#[derive(Clone)]
struct Embedder {
    model: Model,
    ledger: CallLedger,
    redactor: Redactor,
}

impl Embedder {
    async fn embed(
        &self,
        texts: &[&str],
        (channel, person): (ChannelId, Option<UserId>),
        limit: Duration,
    ) -> Result<Vec<TextVector>, ModelFailure> {
        let estimator = TokenEstimator::default();
        let told: Vec<String> = texts
            .iter()
            .map(|text| cut_text(&self.redactor.redact(text), &estimator).to_owned())
            .collect();
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        let caller = ModelCaller {
            ledger: self.ledger.clone(),
            attribution: CostAttribution {
                channel,
                person,
                function: ModelFunction::Embedding,
            },
            turn: None,
            estimator,
        };
        caller.embed(&self.model, &told, limit).await
    }

    /// Whether enough is left, in all and in the channel, for what nobody asked for.
    fn has_budget(&self, channel: ChannelId) -> bool {
        let now = clock::now();
        self.ledger.with_budget(|budget| {
            budget.state(now) == BudgetState::Open
                && budget.channel_state(now, channel) == BudgetState::Open
        })
    }
}

/// The beginning of a text that a small model holds.
fn cut_text<'a>(text: &'a str, estimator: &TokenEstimator) -> &'a str {
    let mut cut = text;
    while estimator.estimate_tokens(cut) > LONGEST_TEXT {
        cut = &cut[..cut.floor_char_boundary(cut.len() / 4 * 3)];
    }
    cut
}

impl QuestionEmbedder for Embedder {
    fn embed_question<'a>(
        &'a self,
        text: &'a str,
        channel: ChannelId,
        person: Option<UserId>,
    ) -> Pin<Box<dyn Future<Output = Option<QuestionVector>> + Send + 'a>> {
        Box::pin(async move {
            let made = self.embed(&[text], (channel, person), QUESTION_LIMIT).await;
            let made = made.inspect_err(|failure| {
                tracing::debug!(why = %failure.message, "a question has no vector; only its words are looked for");
            });
            let vector = made.ok()?.into_iter().next()?;
            let model = self.model.name().to_owned();
            Some(QuestionVector { model, vector })
        })
    }
}

struct EmbeddingWork {
    store: Store,
    /// The channels a batch may be of.
    channels: Vec<ChannelId>,
    embedder: Embedder,
}

impl EmbeddingWork {
    async fn run(self) -> EmbeddingProgress {
        self.embed_next().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "messages have no vectors yet; trying again later");
            EmbeddingProgress::Failed
        })
    }

    async fn embed_next(&self) -> Result<EmbeddingProgress, StoreError> {
        let model = self.embedder.model.name().to_owned();
        let channels = self.channels.clone();
        let found = self.store.find_unembedded(model.clone(), channels, BATCH);
        let Some(batch) = found.await? else {
            if !self.channels.is_empty() {
                self.store.remove_other_vectors(Some(model)).await?;
            }
            return Ok(EmbeddingProgress::Complete);
        };
        let vectors = match self.embed_batch(&batch).await {
            Ok(vectors) => vectors,
            Err(failure) if failure.budget => return Ok(EmbeddingProgress::Unpaid(batch.channel)),
            Err(failure) => {
                tracing::warn!(why = %failure.message, "messages have no vectors yet; trying again later");
                return Ok(EmbeddingProgress::Failed);
            }
        };
        self.store.keep_vectors(model, batch, vectors).await?;
        Ok(EmbeddingProgress::Kept)
    }

    /// The vector of each message. If the model refuses a batch, each is tried alone: one must not block the others.
    async fn embed_batch(
        &self,
        batch: &UnembeddedBatch,
    ) -> Result<Vec<Option<TextVector>>, ModelFailure> {
        if batch.messages.is_empty() {
            return Ok(Vec::new());
        }
        if !self.embedder.has_budget(batch.channel) {
            let mut failure = ModelFailure::new("what is left today is for who asks");
            failure.budget = true;
            return Err(failure);
        }
        let texts: Vec<&str> = batch
            .messages
            .iter()
            .map(|message| &*message.text)
            .collect();
        let failure = match self.ask(batch, &texts).await {
            Ok(vectors) => return Ok(vectors.into_iter().map(Some).collect()),
            Err(failure) if failure.budget => return Err(failure),
            Err(failure) => failure,
        };
        let mut vectors = Vec::new();
        for text in &texts {
            let made = self.ask(batch, &[text]).await;
            vectors.push(made.ok().and_then(|made| made.into_iter().next()));
            if vectors.len() >= REFUSED_ALONE && vectors.iter().all(Option::is_none) {
                break;
            }
        }
        if vectors.iter().all(Option::is_none) {
            return Err(failure);
        }
        Ok(vectors)
    }

    /// The vectors of texts, all of the size that the model's vectors have.
    async fn ask(
        &self,
        batch: &UnembeddedBatch,
        texts: &[&str],
    ) -> Result<Vec<TextVector>, ModelFailure> {
        let whose = (batch.channel, None);
        let vectors = self.embedder.embed(texts, whose, BATCH_LIMIT).await?;
        let size = vectors.first().map(TextVector::dimensions);
        match batch.dimensions {
            Some(known) if size != Some(known) => Err(ModelFailure::new(format!(
                "{} makes vectors of {} numbers now and made them of {known} before: if it is another model, give it another \
                 name, or take it out of roles.embedding for one start.",
                self.embedder.model.name(),
                size.unwrap_or_default(),
            ))),
            _ => Ok(vectors),
        }
    }
}
