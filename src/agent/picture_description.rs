//! Asks a model that can see what a picture shows, for one that cannot: one question, a few words back. What is said of it
//! goes into prompts as text from outside.

use std::time::Duration;

use tokio::time::timeout;

use kith_core::report::ModelFailure;
use kith_model::{
    AttachedImage, Model, ModelCall, ModelCaller, ModelChain, ModelImage, ModelRequest,
    PromptMessage, strip_thoughts,
};

/// The longest answer, thinking included, in tokens.
const LONGEST_ANSWER: u32 = 400;
/// The longest description that is kept, in characters.
const LONGEST: usize = 300;
/// How long one answer is waited for: somebody waits for what comes after it.
const WAIT: Duration = Duration::from_secs(30);
const LABEL: &str = "Image:";

#[derive(Debug)]
pub struct PictureDescription {
    /// What it shows, or why nobody knows.
    pub description: Result<String, ModelFailure>,
    /// Why those failed that were asked before, for the turn's report.
    pub earlier_failures: Vec<ModelFailure>,
}

/// Has a picture described as `instruction` says, by the first of `models` that can.
pub async fn describe_picture(
    caller: ModelCaller,
    mut models: ModelChain,
    image: ModelImage,
    instruction: String,
) -> PictureDescription {
    let request = ModelRequest {
        prompt_tokens: caller.estimator.estimate_tokens(&instruction),
        system: instruction,
        messages: vec![PromptMessage::from_user(LABEL)],
        stable_bytes: LABEL.len(),
        images: vec![AttachedImage {
            label: String::new(),
            image,
        }],
        requires_images: true,
        max_tokens: Some(LONGEST_ANSWER),
        ..ModelRequest::default()
    };
    let description = caller
        .ask_in_order(&mut models, &request, read_description)
        .await;
    PictureDescription {
        description,
        earlier_failures: models.failures().to_vec(),
    }
}

async fn read_description(model: Model, call: ModelCall) -> Result<String, ModelFailure> {
    let name = model.name();
    let answer = timeout(WAIT, call.read_answer()).await.map_err(|_| {
        ModelFailure::new(format!(
            "{name} did not answer within {} s.",
            WAIT.as_secs()
        ))
    })??;
    shorten_description(strip_thoughts(&answer.text))
        .ok_or_else(|| ModelFailure::new(format!("{name} said nothing of a picture.")))
}

/// A description on one line; none where nothing is left.
fn shorten_description(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept: String = line.chars().take(LONGEST).collect();
    (!kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_one_short_line() {
        assert_eq!(
            shorten_description("A cat\non a sofa. ").as_deref(),
            Some("A cat on a sofa.")
        );
        assert_eq!(
            shorten_description(&"雪".repeat(400)).map(|text| text.chars().count()),
            Some(LONGEST)
        );
        assert_eq!(shorten_description(" \n"), None);
    }
}
