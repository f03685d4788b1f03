//! Asks a model that can see what a picture shows, for one that cannot: one question, a few words back. What is said of it
//! goes into prompts as text from outside.

use std::time::Duration;

use super::question::{QuestionOutcome, question};
use kith_model::{AttachedImage, CallUsage, Model, ModelImage, ModelRequest, PromptMessage};

/// The longest answer, thinking included, in tokens.
pub const LONGEST_ANSWER: u32 = 400;
/// The longest description that is kept, in characters.
const LONGEST: usize = 300;
/// How long one answer is waited for: somebody waits for what comes after it.
const WAIT: Duration = Duration::from_secs(30);
/// What stands before the picture.
const LABEL: &str = "Image:";

/// What came of looking at a picture.
#[derive(Debug)]
pub struct PictureDescription {
    /// What it shows, or why nobody knows, for the turn's report.
    pub description: Result<String, String>,
    /// What it took.
    pub usage: CallUsage,
}

/// Has a picture described as `instruction` says. `another`: whether another model can be asked instead.
pub async fn describe_picture(
    model: Model,
    image: ModelImage,
    instruction: String,
    another: bool,
) -> PictureDescription {
    let request = ModelRequest {
        system: instruction,
        messages: vec![PromptMessage::from_user(LABEL)],
        stable_bytes: LABEL.len(),
        images: vec![AttachedImage {
            label: String::new(),
            image,
        }],
        requires_images: true,
        max_tokens: Some(LONGEST_ANSWER),
        has_fallback: another,
        ..ModelRequest::default()
    };
    let QuestionOutcome { text, usage: took } = question(&model, request, WAIT).await;
    let shows = text.and_then(|text| {
        shorten_description(&text)
            .ok_or_else(|| format!("{} said nothing of a picture.", model.name()))
    });
    PictureDescription {
        description: shows,
        usage: took,
    }
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
