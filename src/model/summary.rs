//! Sums up what was said: the models of the role are asked in their order, each within the budget, until one answers.

use super::said::strip_thoughts;
use super::{CallUsage, Model, ModelEvent, ModelRequest, PromptMessage, pick_model};
use kith_core::context::TokenEstimator;
use kith_core::report::{ModelFailure, TokenUsage};

/// The longest summary, thinking included, in tokens; to be reserved before a call.
pub const LONGEST_SUMMARY: u32 = 1_200;

/// What came of summing up.
#[derive(Debug)]
pub struct SummaryOutcome<R> {
    /// The summary, or why there is none.
    pub text: Result<String, ModelFailure>,
    /// What was asked for it, also in vain: each is to be settled.
    pub calls: Vec<SummaryCall<R>>,
}

/// One call that was made.
#[derive(Debug)]
pub struct SummaryCall<R> {
    /// Who was asked.
    pub model: Model,
    /// What was promised to the call, as its payer knows it.
    pub reservation: R,
    /// What it took.
    pub usage: CallUsage,
}

/// Has `text`, which has to fit into the first of `models`, summed up as `instruction` says. `promise` grants a call of a
/// model its prompt, in tokens, and [`LONGEST_SUMMARY`]; what it refuses ends the asking. A summary that broke off is
/// none: it would be kept as if it were whole.
pub async fn summarize<R, F: Future<Output = Result<R, ModelFailure>>>(
    models: &[Model],
    instruction: &str,
    text: &str,
    mut reserve: impl FnMut(Model, u32) -> F,
) -> SummaryOutcome<R> {
    let estimator = TokenEstimator::default();
    let tokens = estimator
        .estimate_tokens(instruction)
        .saturating_add(estimator.estimate_tokens(text));
    let mut calls = Vec::new();
    let mut failed = ModelFailure {
        message: "No model sums up: name one in roles.summary.".into(),
        ..Default::default()
    };
    let mut from = 0;
    while from < models.len() {
        let choice = match pick_model(models, from, tokens) {
            Ok(picked) => picked,
            Err(failure) => {
                return SummaryOutcome {
                    text: Err(if calls.is_empty() { failure } else { failed }),
                    calls,
                };
            }
        };
        let model = models[choice.at].clone();
        let reservation = match reserve(model.clone(), tokens).await {
            Ok(promise) => promise,
            Err(failure) => {
                return SummaryOutcome {
                    text: Err(failure),
                    calls,
                };
            }
        };
        let request = ModelRequest {
            system: instruction.to_owned(),
            messages: vec![PromptMessage::from_user(text)],
            prompt_tokens: tokens,
            max_tokens: Some(LONGEST_SUMMARY),
            has_fallback: choice.has_fallback,
            ..ModelRequest::default()
        };
        let (said, took) = ask_model(&model, request).await;
        calls.push(SummaryCall {
            model,
            reservation,
            usage: took,
        });
        match said {
            Ok(text) => {
                return SummaryOutcome {
                    text: Ok(text),
                    calls,
                };
            }
            Err(failure) => failed = failure,
        }
        from = choice.at + 1;
    }
    SummaryOutcome {
        text: Err(failed),
        calls,
    }
}

async fn ask_model(
    model: &Model,
    request: ModelRequest,
) -> (Result<String, ModelFailure>, CallUsage) {
    let (mut text, mut has_output) = (String::new(), false);
    let mut answer = model.ask(request);
    while let Some(event) = answer.recv().await {
        match event {
            ModelEvent::Delta(piece) => {
                has_output = true;
                text.push_str(&piece);
            }
            ModelEvent::Reasoning(_) => has_output = true,
            ModelEvent::ToolDelta(_)
            | ModelEvent::Note(_)
            | ModelEvent::Retry
            | ModelEvent::ContextShrank(_) => {}
            ModelEvent::End(Ok(usage)) => {
                return (check_summary(model, &text, &usage), CallUsage::Usage(usage));
            }
            ModelEvent::End(Err(failure)) => {
                let none = if has_output {
                    CallUsage::Unknown
                } else {
                    CallUsage::Nothing
                };
                let took = failure.spent.map_or(none, CallUsage::Usage);
                return (Err(failure), took);
            }
        }
    }
    (
        Err(build_failure(format!(
            "{} was interrupted while it summed up.",
            model.name()
        ))),
        CallUsage::Unknown,
    )
}

fn check_summary(model: &Model, text: &str, usage: &TokenUsage) -> Result<String, ModelFailure> {
    let summary_text = strip_thoughts(text);
    if summary_text.is_empty() {
        return Err(build_failure(format!(
            "{} said nothing when it was to sum up.",
            model.name()
        )));
    }
    if usage.truncated {
        return Err(build_failure(format!(
            "The summary of {} broke off at {LONGEST_SUMMARY} tokens.",
            model.name()
        )));
    }
    Ok(summary_text.to_owned())
}

fn build_failure(message: String) -> ModelFailure {
    ModelFailure {
        message,
        ..ModelFailure::default()
    }
}
