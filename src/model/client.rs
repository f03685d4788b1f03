//! One model on one server: asks, streams the answer on, keeps the time limits, and tries again where that is right.
//! It never tries again once a piece of the answer's text has been handed on, and never reads an answer without end.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::Response;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::answer::StreamedAnswer;
use super::breaker::CircuitBreaker;
use super::endpoint::ModelEndpoint;
use super::fault::{BrokenAnswer, FailedCallCost, ModelFault, TimeLimit};
use super::form;
use super::image::{AttachedImage, ModelImage};
use super::lines::LineBuffer;
use super::ollama;
use super::request::{AnswerForm, ModelEvent, ModelRequest};
use super::retry::{RetryKind, compute_retry_wait};
use super::settings::ModelSettings;
use super::wire::{AnswerPiece, WireProtocol};
use kith_core::context::{CalibrationOutcome, TokenEstimator};
use kith_core::report::{ModelFailure, TokenUsage};

/// How long the usage figures are waited for after the model has said that it is done.
const USAGE_WAIT: Duration = Duration::from_secs(2);
/// How long Ollama is given to say with how much context it loaded the model.
const LOADED_WAIT: Duration = Duration::from_secs(1);
/// The longest pause before another try where another model could be asked instead.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many refused pictures are remembered.
const REFUSED_KEPT: usize = 256;

/// A model on a server.
pub(super) struct ModelClient {
    /// Where it is.
    pub at: ModelEndpoint,
    /// How it is asked.
    pub wire: WireProtocol,
    /// With which settings.
    pub settings: ModelSettings,
    /// How much it holds, prompt and answer, in tokens.
    context: AtomicU32,
    /// Whether the server has said with how much context it loaded the model.
    context_checked: AtomicBool,
    /// Whether it is shown pictures.
    pub can_see_images: bool,
    /// Whether it takes tool calls, as far as its server says.
    pub can_call_tools: bool,
    /// Whether the server has refused the schema of an answer.
    schema_refused: AtomicBool,
    /// The pictures it was refused with, by fingerprint.
    refused: Mutex<VecDeque<u64>>,
    breaker: Mutex<CircuitBreaker>,
    /// Other models of the same server, as they were asked for.
    other_models: Mutex<BTreeMap<String, Arc<ModelClient>>>,
}

impl ModelClient {
    /// A model that holds `context` tokens.
    pub fn new(
        endpoint: ModelEndpoint,
        wire: WireProtocol,
        settings: ModelSettings,
        context: u32,
    ) -> Self {
        let can_see_images = settings.can_see_images(endpoint.provider, &endpoint.name);
        Self {
            can_see_images,
            can_call_tools: true,
            at: endpoint,
            wire,
            settings,
            context: AtomicU32::new(context),
            context_checked: AtomicBool::new(false),
            schema_refused: AtomicBool::new(false),
            refused: Mutex::default(),
            breaker: Mutex::default(),
            other_models: Mutex::default(),
        }
    }

    /// Another model of the same server.
    pub fn named(&self, name: &str) -> Arc<Self> {
        let mut others = self
            .other_models
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let other = others.entry(name.to_owned()).or_insert_with(|| {
            let mut at = self.at.clone();
            name.clone_into(&mut at.name);
            Arc::new(Self::new(
                at,
                self.wire,
                self.settings.clone(),
                self.context(),
            ))
        });
        other.clone()
    }

    /// How much the model holds, prompt and answer, in tokens.
    pub fn context(&self) -> u32 {
        self.context.load(Ordering::Relaxed)
    }

    /// Whether it may be asked just now.
    pub fn breaker(&self) -> MutexGuard<'_, CircuitBreaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks, as often as is right, and hands the answer on piece by piece. Usage and failure count the tokens of all
    /// tries.
    pub async fn answer(
        &self,
        request: &ModelRequest,
        events: &Sender<ModelEvent>,
    ) -> Result<TokenUsage, ModelFailure> {
        let deadline = Instant::now() + self.at.limits.total;
        let mut tries = 0;
        let mut spent: Option<TokenUsage> = None;
        let pause = self.breaker().remaining_pause(Instant::now());
        if !pause.is_zero() {
            let ModelEndpoint { name, host, .. } = &self.at;
            let note = format!(
                "{name} at {host} asked to be left alone for {:.1} s more: waiting.",
                pause.as_secs_f32()
            );
            tell(events, ModelEvent::Note(note)).await;
            sleep(pause).await;
        }
        let is_trial = self.breaker().begin_request();
        let _given_up = is_trial.then(|| GivenUp(self));
        let mut request = Cow::Borrowed(request);
        if !request.requires_images
            && request
                .images
                .iter()
                .any(|one| self.has_refused(&one.image))
        {
            request
                .to_mut()
                .images
                .retain(|one| !self.has_refused(&one.image));
        }
        // With which pictures it was refused, until it is seen that without them it is not.
        let mut suspects = Vec::new();
        loop {
            tries += 1;
            let mut answer = StreamedAnswer::new(&self.settings, &request);
            let attempted = self.attempt(&request, events, deadline, &mut answer).await;
            if let Some(said) = answer.overstated_usage() {
                tell(
                    events,
                    ModelEvent::Note(self.describe_overstated_usage(said, answer.usage())),
                )
                .await;
            }
            let fault = match attempted {
                Ok(usage) => {
                    self.breaker().record_answer();
                    self.record_refused_images(suspects);
                    return Ok(sum_usage(spent, usage));
                }
                Err(fault) => fault,
            };
            let counts = match fault.call_cost {
                FailedCallCost::NotBegun => false,
                FailedCallCost::Unknown => spent.is_none(),
                FailedCallCost::MayHaveBegun => true,
            };
            if counts || answer.has_begun() {
                spent = Some(sum_usage(spent, answer.usage()));
            }
            let may_do_without = !request.images.is_empty() && !request.requires_images;
            if fault.may_concern_images && may_do_without && !answer.has_begun() {
                let note = format!("{} Asked again without the pictures.", fault.message);
                tell(events, ModelEvent::Note(note)).await;
                let pictures = std::mem::take(&mut request.to_mut().images);
                // What passes says nothing about the pictures.
                suspects = if matches!(fault.retry, RetryKind::Never) {
                    pictures
                } else {
                    Vec::new()
                };
                tries -= 1;
                continue;
            }
            let wait = match fault.retry {
                _ if answer.has_text() || tries > self.settings.retries => None,
                RetryKind::Never => None,
                RetryKind::Once if tries > 1 => None,
                RetryKind::BackOff | RetryKind::Once => {
                    Some(compute_retry_wait(tries, compute_seed(&request)))
                }
                RetryKind::After(wait) => Some(wait),
            };
            let left = deadline.saturating_duration_since(Instant::now());
            let longest = if request.has_fallback {
                left.min(PATIENCE)
            } else {
                left
            };
            let Some(wait) = wait.filter(|wait| longest > *wait) else {
                self.record_fault(&fault);
                let mut failure = ModelFailure {
                    spent,
                    ..ModelFailure::from(fault)
                };
                if tries > 1 {
                    failure.message.push_str(&format!(" Tried {tries} times."));
                }
                return Err(failure);
            };
            let note = format!(
                "{} Trying again in {:.1} s.",
                fault.message,
                wait.as_secs_f32()
            );
            tell(events, ModelEvent::Note(note)).await;
            tell(events, ModelEvent::Retry).await;
            sleep(wait).await;
        }
    }

    /// Words for figures that cannot be.
    fn describe_overstated_usage(
        &self,
        (prompt, completion): (u32, u32),
        usage: TokenUsage,
    ) -> String {
        format!(
            "{} counted {prompt} tokens of prompt and {completion} of answer, which cannot be; {} and {} are counted.",
            self.at.host, usage.prompt, usage.completion
        )
    }

    fn has_refused(&self, image: &ModelImage) -> bool {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        !refused.is_empty() && refused.contains(&compute_fingerprint(image))
    }

    /// These pictures are not shown to it again: one of them made it refuse a question.
    fn record_refused_images(&self, suspects: Vec<AttachedImage>) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.extend(suspects.iter().map(|one| compute_fingerprint(&one.image)));
        while refused.len() > REFUSED_KEPT {
            refused.pop_front();
        }
    }

    /// Notes what a failure says about the next question.
    fn record_fault(&self, fault: &ModelFault) {
        let wait = if let RetryKind::After(wait) = fault.retry {
            Some(wait)
        } else {
            None
        };
        match fault.server_unhealthy {
            true => self.breaker().record_failure(Instant::now(), wait),
            false => self.breaker().record_answer(),
        }
    }

    async fn attempt(
        &self,
        request: &ModelRequest,
        events: &Sender<ModelEvent>,
        deadline: Instant,
        answer: &mut StreamedAnswer,
    ) -> Result<TokenUsage, ModelFault> {
        let limits = &self.at.limits;
        let first_token = Instant::now() + limits.first_token;
        let response = timeout_at(first_token.min(deadline), self.post(request, events)).await;
        let late = if first_token < deadline {
            TimeLimit::FirstToken
        } else {
            TimeLimit::Total
        };
        let response = response.map_err(|_| ModelFault::from_timeout(&self.at, late, limits))??;
        let mut lines = LineBuffer::default();
        let end = self
            .read_answer(response, events, first_token, deadline, answer, &mut lines)
            .await;
        if lines.replaced {
            let note = format!(
                "{} sent bytes that are no UTF-8; they were replaced.",
                self.at.host
            );
            tell(events, ModelEvent::Note(note)).await;
        }
        end?;
        let usage = answer
            .final_usage()
            .map_err(|how| ModelFault::from_broken_answer(&self.at, how))?;
        if !usage.estimated && is_prompt_cut(request.prompt_tokens, usage.prompt) {
            tell(
                events,
                ModelEvent::Note(self.describe_cut_prompt(request.prompt_tokens, usage.prompt)),
            )
            .await;
        }
        self.check_loaded_context(events).await;
        Ok(usage)
    }

    /// Posts the question. A server that takes it only without the schema of the answer is not sent one again.
    async fn post(
        &self,
        request: &ModelRequest,
        events: &Sender<ModelEvent>,
    ) -> Result<Response, ModelFault> {
        let post = async |form: &AnswerForm| {
            let body = self.wire.body(&self.at, &self.settings, request, form);
            self.at.post(&self.wire.path(&self.at.name), &body).await
        };
        let wanted = self.settings.structured && form::may_take_schema(&self.at.host);
        match &request.form {
            AnswerForm::Json(_) if !wanted || self.schema_refused.load(Ordering::Relaxed) => {
                post(&AnswerForm::Text).await
            }
            AnswerForm::Json(_) => {
                let refused = match post(&request.form).await {
                    Err(fault) if fault.may_be_the_schema => fault,
                    other => return other,
                };
                let response = post(&AnswerForm::Text).await?;
                self.schema_refused.store(true, Ordering::Relaxed);
                let note = format!(
                    "{} Without the schema of the answer it was taken, and so it is asked.",
                    refused.message
                );
                tell(events, ModelEvent::Note(note)).await;
                Ok(response)
            }
            form => post(form).await,
        }
    }

    /// Reads the answer until it ends, by the server's word, by the end of the stream, or by a limit.
    async fn read_answer(
        &self,
        mut response: Response,
        events: &Sender<ModelEvent>,
        first_token: Instant,
        deadline: Instant,
        answer: &mut StreamedAnswer,
        lines: &mut LineBuffer,
    ) -> Result<(), ModelFault> {
        let limits = &self.at.limits;
        let broken = |how| ModelFault::from_broken_answer(&self.at, how);
        let mut decoder = self.wire.build_decoder();
        let mut nothing_came = true;
        let mut alive_until = (first_token, TimeLimit::FirstToken);
        loop {
            let (until, limit) = if alive_until.0 < deadline {
                alive_until
            } else {
                (deadline, TimeLimit::Total)
            };
            let chunk = match timeout_at(until, response.chunk()).await {
                // What is missing after the model said that it is done are at most figures.
                Err(_) | Ok(Err(_)) if answer.is_finished() => return Ok(()),
                Err(_) => return Err(ModelFault::from_timeout(&self.at, limit, limits)),
                Ok(Err(_)) => return Err(broken(BrokenAnswer::Cut)),
                Ok(Ok(chunk)) => chunk,
            };
            let mut pieces = Vec::new();
            let at_end = chunk.is_none();
            if let Some(bytes) = chunk {
                nothing_came &= bytes.is_empty();
                lines
                    .feed(&bytes)
                    .map_err(|too_long| broken(BrokenAnswer::Endless(too_long.bytes)))?;
            }
            while let Some(line) = if at_end {
                lines.next_line().or_else(|| lines.take_rest())
            } else {
                lines.next_line()
            } {
                pieces.extend(decoder.decode_line(&line).map_err(broken)?);
            }
            if at_end {
                pieces.extend(decoder.finish().map_err(broken)?);
            }
            for piece in pieces {
                let done = piece == AnswerPiece::Done;
                let was_finished = answer.is_finished();
                if let Some(event) = answer.add_piece(piece).map_err(broken)? {
                    alive_until = (Instant::now() + limits.idle, TimeLimit::Idle);
                    tell(events, event).await;
                }
                if done {
                    return Ok(());
                }
                if answer.is_finished() && !was_finished {
                    alive_until = (
                        Instant::now() + USAGE_WAIT.min(limits.idle),
                        TimeLimit::Idle,
                    );
                }
            }
            if at_end {
                return if answer.is_finished() || nothing_came {
                    Ok(())
                } else {
                    Err(broken(BrokenAnswer::Cut))
                };
            }
        }
    }

    fn describe_cut_prompt(&self, estimate: u32, counted: u32) -> String {
        let ModelEndpoint { name, host, .. } = &self.at;
        format!(
            "{name} at {host} counted {counted} prompt tokens where about {estimate} were sent: the server cut the \
             prompt. Load the model with more context, or lower model.context_tokens to what it holds."
        )
    }

    /// Asks Ollama once, after the first answer, with how much context it loaded the model, and believes it.
    async fn check_loaded_context(&self, events: &Sender<ModelEvent>) {
        if !matches!(self.wire, WireProtocol::Ollama { .. })
            || self.context_checked.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let Ok(Ok(value)) = timeout(LOADED_WAIT, self.at.get("/api/ps")).await else {
            return;
        };
        let Some(loaded) = ollama::find_loaded_context(&value, &self.at.name) else {
            return;
        };
        let wanted = self.context();
        if loaded < wanted {
            self.context.store(loaded, Ordering::Relaxed);
            let ModelEndpoint { name, host, .. } = &self.at;
            let note = format!(
                "Ollama at {host} loaded {name} with a context of {loaded} tokens instead of {wanted}: the prompt is \
                 kept below that."
            );
            tell(events, ModelEvent::Note(note)).await;
            tell(events, ModelEvent::ContextShrank(loaded)).await;
        }
    }
}

/// A trial that may be dropped while it runs.
struct GivenUp<'a>(&'a ModelClient);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        self.0.breaker().abandon_trial();
    }
}

/// Whether a server that counted `counted` prompt tokens has cut a prompt of about `estimate` tokens.
pub fn is_prompt_cut(estimate: u32, counted: u32) -> bool {
    TokenEstimator::default().learn(estimate, counted) == CalibrationOutcome::ServerCut
}

/// What earlier tries took and this one. A sum counts as an estimate even of exact counts: nobody may hold it against
/// the estimate of one prompt.
fn sum_usage(earlier: Option<TokenUsage>, usage: TokenUsage) -> TokenUsage {
    let Some(earlier) = earlier else { return usage };
    TokenUsage {
        prompt: earlier.prompt.saturating_add(usage.prompt),
        cached: earlier.cached.saturating_add(usage.cached),
        cache_written: earlier.cache_written.saturating_add(usage.cache_written),
        completion: earlier.completion.saturating_add(usage.completion),
        estimated: true,
        truncated: usage.truncated,
    }
}

/// Nobody listening is no error: the call is being cancelled.
async fn tell(events: &Sender<ModelEvent>, event: ModelEvent) {
    let _ = events.send(event).await;
}

/// What tells one picture from another while this runs.
fn compute_fingerprint(image: &ModelImage) -> u64 {
    let mut hasher = DefaultHasher::new();
    image.data().hash(&mut hasher);
    hasher.finish()
}

/// A seed for the back-off: differs between prompts, is the same for the same one.
fn compute_seed(request: &ModelRequest) -> u64 {
    let mut hasher = DefaultHasher::new();
    request
        .messages
        .iter()
        .for_each(|message| message.text.hash(&mut hasher));
    hasher.finish()
}
