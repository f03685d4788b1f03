//! Models that stand in for one another: which of them is asked next. The order is the host's; what cannot be asked now
//! is passed over. Within a turn the core goes on to the next (`core/turn/conclude.rs`).

use tokio::time::Instant;

use super::breaker::{BreakerState, SHORT_PAUSE};
use super::{Kind, Model};
use kith_core::report::ModelFailure;
use kith_language::model_faults;

/// Models that stand in for one another, and which of them is asked; never empty.
#[derive(Clone, Debug)]
pub struct ModelChain {
    models: Vec<Model>,
    at: usize,
    failures: Vec<ModelFailure>,
}

impl ModelChain {
    pub fn new(first: Model, rest: Vec<Model>) -> Self {
        Self {
            models: std::iter::once(first).chain(rest).collect(),
            at: 0,
            failures: Vec::new(),
        }
    }

    /// None where there is none.
    pub fn from_models(models: Vec<Model>) -> Option<Self> {
        let mut models = models.into_iter();
        let first = models.next()?;
        Some(Self::new(first, models.collect()))
    }

    pub fn model(&self) -> &Model {
        &self.models[self.at]
    }

    /// The models that may still be asked, the one that is asked first.
    pub fn remaining(&self) -> &[Model] {
        &self.models[self.at..]
    }

    /// The same from here on, for another question.
    pub fn branch(&self) -> Self {
        let remaining = self.remaining()[1..].to_vec();
        Self::new(self.model().clone(), remaining)
    }

    pub fn failures(&self) -> &[ModelFailure] {
        &self.failures
    }

    /// Settles who is asked, for a prompt of `prompt_tokens`: the first from here on that may be asked now and holds the
    /// prompt. Where all that hold it rest after failures, the one whose rest ends first is asked all the same, for
    /// somebody waits for an answer; and a short pause that a server asked for is waited out by the call itself. Answers
    /// whether one after it can be asked the same, should it fail.
    ///
    /// # Errors
    /// The failure of the model before, or, where none was asked: all of their servers asked to be left alone for longer.
    pub fn pick(&mut self, prompt_tokens: u32) -> Result<bool, ModelFailure> {
        let now = Instant::now();
        // A prompt is made for the first model.
        let fits = |at: &usize| *at == 0 || self.models[*at].can_hold_prompt(prompt_tokens);
        let open: Vec<(usize, BreakerState)> = (self.at..self.models.len())
            .filter(fits)
            .map(|at| (at, self.models[at].readiness(now)))
            .collect();
        let ready = open
            .iter()
            .find(|(_, readiness)| *readiness == BreakerState::Ready);
        let resting = open.iter().filter_map(|(at, readiness)| match readiness {
            BreakerState::Resting(rest) => Some((*rest, *at)),
            BreakerState::AskedToWait(wait) if *wait <= SHORT_PAUSE => Some((*wait, *at)),
            _ => None,
        });
        let Some(at) = ready.map(|(at, _)| *at).or(resting.min().map(|(_, at)| at)) else {
            let earlier = self.failures.last().cloned();
            return Err(earlier.unwrap_or_else(|| build_unavailable_failure(&self.models, &open)));
        };
        self.at = at;
        let may_be_asked =
            |readiness: &BreakerState| !matches!(readiness, BreakerState::AskedToWait(_));
        Ok(open
            .iter()
            .any(|(other, readiness)| *other > at && may_be_asked(readiness)))
    }

    /// The model that was asked will not do: the next is asked. Answers whether there is one.
    pub fn advance(&mut self) -> bool {
        let has_next = self.at + 1 < self.models.len();
        self.at += usize::from(has_next);
        has_next
    }

    /// The model that was asked failed: the next is asked, except where the budget is spent, which is so for all.
    ///
    /// # Errors
    /// The failure, where nobody is left to be asked.
    pub fn pass_on(&mut self, failure: ModelFailure) -> Result<(), ModelFailure> {
        if failure.budget || !self.advance() {
            return Err(failure);
        }
        self.failures.push(failure);
        Ok(())
    }
}

fn build_unavailable_failure(models: &[Model], open: &[(usize, BreakerState)]) -> ModelFailure {
    let waits = open.iter().filter_map(|(at, readiness)| match readiness {
        BreakerState::AskedToWait(wait) => Some((wait.as_secs() + 1, &models[*at])),
        _ => None,
    });
    let message = match waits.min_by_key(|(seconds, _)| *seconds) {
        Some((seconds, model)) => {
            model_faults::asked_to_wait(model.host(), model.name(), seconds.to_string())
        }
        None => model_faults::none_large_enough(),
    };
    ModelFailure::from_message(message)
}

impl Model {
    fn readiness(&self, now: Instant) -> BreakerState {
        match &self.0 {
            Kind::Client(client) => client.breaker().readiness(now),
            Kind::Demo(_) => BreakerState::Ready,
        }
    }

    /// Whether a prompt of so many tokens and an answer fit into it.
    fn can_hold_prompt(&self, prompt_tokens: u32) -> bool {
        self.context_tokens()
            .is_none_or(|all| prompt_tokens.saturating_add(self.max_tokens().min(all / 2)) <= all)
    }
}
