//! One model on one server: asks, and tries again where that is right. It never tries again once a piece of the answer's
//! text has been handed on.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep};

use super::answer::StreamedAnswer;
use super::breaker::CircuitBreaker;
use super::endpoint::ModelEndpoint;
use super::fault::{FailedCallCost, ModelFault};
use super::refused_input::{Question, RefusedInput};
use super::request::{AnswerForm, ModelEvent, ModelRequest};
use super::request_body::WireProtocol;
use super::retry::{RetryKind, compute_retry_wait};
use super::settings::ModelSettings;
use kith_core::report::{ModelFailure, TokenUsage};
use kith_language::model_faults;

/// The longest pause before another try where another model could be asked instead.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) struct ModelClient {
    pub at: ModelEndpoint,
    pub wire: WireProtocol,
    pub settings: ModelSettings,
    /// How much it holds, prompt and answer, in tokens.
    pub context: AtomicU32,
    /// Whether the server has said with how much context it loaded the model.
    pub context_checked: AtomicBool,
    pub can_see_images: bool,
    /// Whether it takes tool calls, as far as its server says.
    pub can_call_tools: bool,
    refused: RefusedInput,
    breaker: Mutex<CircuitBreaker>,
    /// Other models of the same server, as they were asked for.
    other_models: Mutex<BTreeMap<String, Arc<ModelClient>>>,
}

impl ModelClient {
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
            refused: RefusedInput::default(),
            breaker: Mutex::default(),
            other_models: Mutex::default(),
        }
    }

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

    pub fn context(&self) -> u32 {
        self.context.load(Ordering::Relaxed)
    }

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
        self.wait_out_pause(events).await;
        let is_trial = self.breaker().begin_request();
        let _given_up = is_trial.then(|| TrialGuard(self));
        let mut question = self.refused.begin(request);
        loop {
            tries += 1;
            let mut answer = StreamedAnswer::new(&self.settings, &question.request);
            let body = self.build_body(&question);
            let attempted = self
                .attempt((&question.request, &body), events, deadline, &mut answer)
                .await;
            self.note_overstated_usage(&answer, events).await;
            let fault = match attempted {
                Ok(usage) => {
                    self.breaker().record_answer();
                    for note in self.refused.record_success(question) {
                        tell(events, ModelEvent::Note(note)).await;
                    }
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
            if !answer.has_text() && self.refused.adapt(&mut question, &fault, &body) {
                if answer.has_begun() {
                    tell(events, ModelEvent::Retry).await;
                }
                tries -= 1;
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = self
                .find_retry_wait(&fault, request, tries, left)
                .filter(|_| !answer.has_text());
            let Some(wait) = wait else {
                return Err(self.give_up(fault, tries, spent));
            };
            let (message, seconds) = (&fault.message, wait.as_secs_f32());
            let note = format!("{message} Trying again in {seconds:.1} s.");
            tell(events, ModelEvent::Note(note)).await;
            tell(events, ModelEvent::Retry).await;
            sleep(wait).await;
        }
    }

    fn build_body(&self, question: &Question<'_>) -> Value {
        let form = match &question.request.form {
            AnswerForm::Json(_) if !self.settings.structured => &AnswerForm::Text,
            form => form,
        };
        let mut body = self
            .wire
            .body(&self.at, &self.settings, &question.request, form);
        question.apply_changes(&mut body);
        body
    }

    /// Waits where the server asked to be left alone for a moment.
    async fn wait_out_pause(&self, events: &Sender<ModelEvent>) {
        let pause = self.breaker().remaining_pause(Instant::now());
        if pause.is_zero() {
            return;
        }
        let ModelEndpoint { name, host, .. } = &self.at;
        let note = format!(
            "{name} at {host} asked to be left alone for {:.1} s more: waiting.",
            pause.as_secs_f32()
        );
        tell(events, ModelEvent::Note(note)).await;
        sleep(pause).await;
    }

    /// How long to wait before the next try; none where there is to be none, or it would come too late.
    fn find_retry_wait(
        &self,
        fault: &ModelFault,
        request: &ModelRequest,
        tries: u32,
        left: Duration,
    ) -> Option<Duration> {
        let wait = match fault.retry {
            _ if tries > self.settings.retries => return None,
            RetryKind::Never => return None,
            RetryKind::Once if tries > 1 => return None,
            RetryKind::BackOff | RetryKind::Once => {
                compute_retry_wait(tries, compute_seed(request))
            }
            RetryKind::After(wait) => wait,
        };
        let longest = if request.has_fallback {
            left.min(PATIENCE)
        } else {
            left
        };
        (longest > wait).then_some(wait)
    }

    /// The failure of a call after its last try; notes what it says about the next question.
    fn give_up(&self, fault: ModelFault, tries: u32, spent: Option<TokenUsage>) -> ModelFailure {
        let wait = match fault.retry {
            RetryKind::After(wait) => Some(wait),
            _ => None,
        };
        match fault.server_unhealthy {
            true => self.breaker().record_failure(Instant::now(), wait),
            false => self.breaker().record_answer(),
        }
        let message = match tries {
            0 | 1 => fault.message,
            _ => model_faults::tried(fault.message, tries.to_string()),
        };
        ModelFailure {
            spent,
            ..ModelFailure::from_message(message)
        }
    }

    /// Says so where the server told figures that cannot be.
    async fn note_overstated_usage(&self, answer: &StreamedAnswer, events: &Sender<ModelEvent>) {
        let Some((prompt, completion)) = answer.overstated_usage() else {
            return;
        };
        let (host, usage) = (&self.at.host, answer.usage());
        let note = format!(
            "{host} counted {prompt} tokens of prompt and {completion} of answer, which cannot be; {} and {} are counted.",
            usage.prompt, usage.completion
        );
        tell(events, ModelEvent::Note(note)).await;
    }
}

/// A trial that may be dropped while it runs.
pub(super) struct TrialGuard<'a>(pub(super) &'a ModelClient);

impl Drop for TrialGuard<'_> {
    fn drop(&mut self) {
        self.0.breaker().abandon_trial();
    }
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
pub(super) async fn tell(events: &Sender<ModelEvent>, event: ModelEvent) {
    let _ = events.send(event).await;
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
