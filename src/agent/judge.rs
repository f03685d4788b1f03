//! Asks a model whether a friend would speak now, where the score alone is in doubt: one short question, one word back.
//! When it is asked is in `core/channel/judge.rs`. Whatever it says, nothing of it is shown in the chat.

use std::sync::LazyLock;
use std::time::Duration;

use tokio::time::timeout;

use kith_language::{PhraseList, word_lists, word_table};
use kith_model::{Model, ModelCaller, ModelRequest, PromptMessage, strip_thoughts};

/// The longest answer, in tokens: one word, and a mark or two around it.
const LONGEST_ANSWER: u32 = 8;
/// How long the answer is waited for: later it is no use to the chat. So no other model is asked if one fails.
const WAIT: Duration = Duration::from_secs(2);

word_table! {
    /// What an answer that says yes begins with, and one that says no, in small letters.
    struct VerdictWords { yes: PhraseList, no: PhraseList }
}

static VERDICTS: LazyLock<VerdictWords> =
    LazyLock::new(|| VerdictWords::from_lists(word_lists("verdict")));

/// Asks whether a friend would speak now. The instruction stays the same, so that providers cache it. The error says
/// why nobody knows, for the turn's report.
pub async fn ask_judge(
    caller: ModelCaller,
    model: Model,
    instruction: String,
    talk: String,
) -> Result<bool, String> {
    let name = model.name();
    let request = ModelRequest {
        system: instruction,
        messages: vec![PromptMessage::from_user(talk)],
        max_tokens: Some(LONGEST_ANSWER),
        ..ModelRequest::default()
    };
    let call = caller
        .ask(&model, request)
        .map_err(|failure| failure.message)?;
    let answer = timeout(WAIT, call.read_answer())
        .await
        .map_err(|_| format!("{name} did not answer within {} s.", WAIT.as_secs()))?
        .map_err(|failure| failure.message)?;
    parse_verdict(strip_thoughts(&answer.text)).ok_or_else(|| {
        format!("{name} answered neither yes nor no when it was asked whether to speak.")
    })
}

/// Yes or no, by the first word.
fn parse_verdict(text: &str) -> Option<bool> {
    let text = text
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let word = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let is_meant = |words: &PhraseList| {
        words
            .iter()
            .any(|known| word == known || !known.is_ascii() && word.starts_with(known))
    };
    match (is_meant(&VERDICTS.no), is_meant(&VERDICTS.yes)) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_a_verdict_and_anything_else_is_none() {
        for yes in [
            "yes",
            "Yes.",
            "**Yes**",
            "yes, she would",
            "会",
            "会的。",
            "是",
        ] {
            assert_eq!(parse_verdict(yes), Some(true), "{yes}");
        }
        for no in ["no", "No!", "\"no\"", "否", "不会", "不", "别说"] {
            assert_eq!(parse_verdict(no), Some(false), "{no}");
        }
        for unclear in ["", "…", "maybe", "now", "yesterday", "it depends", "也许"] {
            assert_eq!(parse_verdict(unclear), None, "{unclear}");
        }
    }
}
