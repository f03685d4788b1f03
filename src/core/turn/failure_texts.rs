//! The sentences about what was not sent or done by which a copy of them is known.

use crate::persona::Language;
use kith_language::refusals;

/// What a model is told of a message that was not sent: where an answer holds such a sentence it was copied.
pub fn list_failure_texts(language: Language) -> [String; 17] {
    [
        refusals::repeats(),
        refusals::said_in_turn(),
        refusals::assistant(),
        refusals::copies(),
        refusals::refusal(),
        refusals::deliberates(),
        refusals::silence(),
        refusals::another_speaker(),
        refusals::prompt_text(),
        refusals::denies_ai(),
        refusals::silence_when_addressed(),
        refusals::before_result(),
        refusals::behind_failure(),
        refusals::dictated(),
        refusals::no_emoji(),
        refusals::no_such_line(),
        refusals::stopped(),
    ]
    .map(|message| message.in_language(language))
}
