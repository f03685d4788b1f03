//! The one way to ask a model: the call is promised its tokens, the model is asked, its answer is read piece by piece, and
//! what it took is written down once: when it has ended, when it is hung up on, or when it is dropped.

use std::sync::Arc;

use tokio::sync::{Notify, mpsc};

use super::account::TokenCost;
use super::attribution::CostAttribution;
use super::budget::CallUsage;
use super::fallback::ModelChain;
use super::ledger::{CallLedger, CallOutcome, CallReservation};
use super::{Model, ModelEvent, ModelRequest};
use kith_core::chat::TurnId;
use kith_core::context::TokenEstimator;
use kith_core::report::{ModelFailure, TokenUsage};
use kith_language::model_faults;

#[derive(Clone)]
pub struct ModelCaller {
    pub ledger: CallLedger,
    pub attribution: CostAttribution,
    /// The turn they end with; none for calls that go on, because what they find out is kept.
    pub turn: Option<TurnId>,
    /// How sizes are guessed that nobody counted.
    pub estimator: TokenEstimator,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModelAnswer {
    /// The text, with the thoughts that the model wrote into it.
    pub text: String,
    pub usage: TokenUsage,
}

impl ModelCaller {
    /// Asks a model. Needs a tokio runtime.
    ///
    /// # Errors
    /// The budget does not allow it.
    pub fn ask(&self, model: &Model, mut request: ModelRequest) -> Result<ModelCall, ModelFailure> {
        if request.prompt_tokens == 0 {
            request.prompt_tokens = request.estimate_tokens(&self.estimator);
        }
        let reservation = self
            .ledger
            .reserve(model, &request, self.attribution, self.turn)?;
        Ok(ModelCall {
            reservation,
            estimator: self.estimator,
            prompt_tokens: request.prompt_tokens.saturating_add(request.image_tokens()),
            events: model.ask(request),
            hang_up: Arc::new(Notify::new()),
            text: String::new(),
            call_text: String::new(),
            has_begun: false,
        })
    }

    /// Asks the models of a chain one after the other until `read` makes something of what one answers.
    ///
    /// # Errors
    /// The failure of the last that was asked; or why none may be asked.
    pub async fn ask_in_order<T, F>(
        &self,
        chain: &mut ModelChain,
        request: &ModelRequest,
        mut read: impl FnMut(Model, ModelCall) -> F,
    ) -> Result<T, ModelFailure>
    where
        F: Future<Output = Result<T, ModelFailure>>,
    {
        loop {
            let has_fallback = chain.pick(request.prompt_tokens)?;
            let request = ModelRequest {
                has_fallback,
                ..request.clone()
            };
            let model = chain.model().clone();
            let call = self.ask(&model, request)?;
            match read(model, call).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => chain.pass_on(failure)?,
            }
        }
    }
}

/// A call under way. Dropped before its end it counts as all that was promised to it, and its connection is closed.
pub struct ModelCall {
    reservation: CallReservation,
    estimator: TokenEstimator,
    prompt_tokens: u32,
    events: mpsc::Receiver<ModelEvent>,
    hang_up: Arc<Notify>,
    text: String,
    call_text: String,
    has_begun: bool,
}

impl ModelCall {
    /// The next piece. The last is [`ModelEvent::End`], and when it comes the call is settled; nothing comes after it.
    pub async fn next_event(&mut self) -> ModelEvent {
        let event = tokio::select! {
            event = self.events.recv() => event,
            () = self.hang_up.notified() => Some(ModelEvent::End(Ok(self.estimate_usage()))),
        };
        // What ended without its end may have taken anything.
        self.has_begun |= event.is_none();
        let event = event.unwrap_or_else(|| {
            ModelEvent::End(Err(ModelFailure::from_message(
                model_faults::client_stopped(),
            )))
        });
        match &event {
            ModelEvent::Delta(text) => {
                self.has_begun = true;
                self.text.push_str(text);
            }
            ModelEvent::ToolDelta(delta) => {
                self.has_begun = true;
                self.call_text.push_str(&delta.to_text());
            }
            ModelEvent::Reasoning(_) => self.has_begun = true,
            ModelEvent::Note(_) | ModelEvent::Retry | ModelEvent::ContextShrank(_) => {}
            ModelEvent::End(end) => {
                let usage = self.find_usage(end);
                let outcome = match end {
                    Ok(_) => CallOutcome::Answered,
                    Err(_) => CallOutcome::Failed,
                };
                self.reservation.settle(usage, outcome);
            }
        }
        event
    }

    /// Reads on until the end.
    pub async fn read_answer(mut self) -> Result<ModelAnswer, ModelFailure> {
        loop {
            if let ModelEvent::End(end) = self.next_event().await {
                let text = std::mem::take(&mut self.text);
                return end.map(|usage| ModelAnswer { text, usage });
            }
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// What hangs up on the model when it is notified: the answer is complete. Then the end comes as if the model had
    /// stopped there, with an estimate of what it took, because the server's count comes last.
    pub fn hang_up(&self) -> Arc<Notify> {
        self.hang_up.clone()
    }

    /// What counts for it, once it has ended.
    pub fn amount(&self) -> TokenCost {
        self.reservation.amount()
    }

    fn estimate_usage(&self) -> TokenUsage {
        let estimate = |text| self.estimator.estimate_tokens(text);
        TokenUsage {
            prompt: self.prompt_tokens,
            completion: estimate(&self.text) + estimate(&self.call_text),
            estimated: true,
            ..TokenUsage::default()
        }
    }

    fn find_usage(&self, end: &Result<TokenUsage, ModelFailure>) -> CallUsage {
        match end {
            Ok(usage) => CallUsage::Usage(*usage),
            Err(failure) => match failure.spent {
                Some(usage) => CallUsage::Usage(usage),
                None if self.has_begun => CallUsage::Unknown,
                None => CallUsage::Nothing,
            },
        }
    }
}
