//! Sums up what was said: the models of the role are asked in their order, each within the budget, until one answers.

use super::server_error_text::strip_thoughts;
use super::{Model, ModelAnswer, ModelCaller, ModelChain, ModelRequest, PromptMessage};
use kith_core::report::ModelFailure;
use kith_language::model_faults;

/// The longest summary, thinking included, in tokens.
pub const LONGEST_SUMMARY: u32 = 1_200;

/// Has `text`, which has to fit into the first of `models`, summed up as `instruction` says. A summary that broke off is
/// none: it would be kept as if it were whole.
///
/// # Errors
/// No model is there, the budget is spent, or none of them answered: why the last did not.
pub async fn summarize(
    caller: &ModelCaller,
    models: Vec<Model>,
    instruction: &str,
    text: &str,
) -> Result<String, ModelFailure> {
    let mut chain = ModelChain::from_models(models)
        .ok_or_else(|| ModelFailure::from_message(model_faults::no_summary_model()))?;
    let mut request = ModelRequest {
        system: instruction.to_owned(),
        messages: vec![PromptMessage::from_user(text)],
        max_tokens: Some(LONGEST_SUMMARY),
        ..ModelRequest::default()
    };
    request.prompt_tokens = request.estimate_tokens(&caller.estimator);
    let read = async |model: Model, call: super::ModelCall| {
        check_summary(&model, call.read_answer().await?)
    };
    caller.ask_in_order(&mut chain, &request, read).await
}

fn check_summary(model: &Model, answer: ModelAnswer) -> Result<String, ModelFailure> {
    let summary_text = strip_thoughts(&answer.text);
    let name = model.name();
    if summary_text.is_empty() {
        return Err(ModelFailure::from_message(model_faults::empty_summary(
            name,
        )));
    }
    if answer.usage.truncated {
        let tokens = LONGEST_SUMMARY.to_string();
        let message = model_faults::summary_cut(name, tokens);
        return Err(ModelFailure::from_message(message));
    }
    Ok(summary_text.to_owned())
}
