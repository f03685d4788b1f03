//! Models that stand in for one another: which of them is asked next. The order is the host's; what cannot be asked now
//! is passed over.

use tokio::time::Instant;

use super::breaker::{BreakerState, SHORT_PAUSE};
use super::{Kind, Model};
use kith_core::report::ModelFailure;

/// Which of several models is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FallbackChoice {
    /// Its place in the list.
    pub at: usize,
    /// Whether one after it can be asked the same, should it fail.
    pub has_fallback: bool,
}

/// Picks a model of `models`, from place `from` on, for a prompt of `prompt_tokens`: the first that may be asked now and
/// holds the prompt. Where all that hold it rest after failures, the one whose rest ends first is asked all the same, for
/// somebody waits for an answer; and a short pause that a server asked for is waited out by the call itself.
///
/// # Errors
/// All of their servers asked to be left alone for longer.
pub fn pick_model(
    models: &[Model],
    from: usize,
    prompt_tokens: u32,
) -> Result<FallbackChoice, ModelFailure> {
    let now = Instant::now();
    // A prompt is made for the first model.
    let fits = |at: &usize| *at == 0 || models[*at].can_hold_prompt(prompt_tokens);
    let open: Vec<(usize, BreakerState)> = (from..models.len())
        .filter(fits)
        .map(|at| (at, models[at].readiness(now)))
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
        return Err(build_unavailable_failure(models, &open));
    };
    let may_be_asked =
        |readiness: &BreakerState| !matches!(readiness, BreakerState::AskedToWait(_));
    Ok(FallbackChoice {
        at,
        has_fallback: open
            .iter()
            .any(|(other, readiness)| *other > at && may_be_asked(readiness)),
    })
}

fn build_unavailable_failure(models: &[Model], open: &[(usize, BreakerState)]) -> ModelFailure {
    let waits = open.iter().filter_map(|(at, readiness)| match readiness {
        BreakerState::AskedToWait(wait) => Some((wait.as_secs() + 1, &models[*at])),
        _ => None,
    });
    let message = match waits.min_by_key(|(seconds, _)| *seconds) {
        Some((seconds, model)) => format!(
            "{} at {} asked to be left alone for {seconds} s more: wait, or raise the limit with the provider.",
            model.name(),
            model.host()
        ),
        None => {
            "No model that could be asked holds this prompt: name one with more context.".into()
        }
    };
    ModelFailure {
        message,
        ..ModelFailure::default()
    }
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
