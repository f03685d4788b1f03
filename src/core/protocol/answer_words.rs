//! What models call the parts of an answer, in the languages there are: words of natural languages in the place of the
//! protocol's own.

use std::sync::LazyLock;

use kith_language::{PhraseList, WordSet, word_lists, word_table};

word_table! {
    /// Names of tags and keys, folded.
    #[derive(Debug)]
    pub(super) struct AnswerWords {
        thinking: PhraseList,
        quoted: WordSet,
        params: PhraseList,
        name_keys: Vec<&'static str>,
        text: WordSet,
        line: WordSet,
        saying: WordSet,
        speaker: WordSet,
        manner: WordSet,
        done: WordSet,
        final_answers: WordSet,
        calling: PhraseList,
        others: WordSet,
        placeholders: WordSet,
    }
}

pub(super) static ANSWER_WORDS: LazyLock<AnswerWords> =
    LazyLock::new(|| AnswerWords::from_lists(word_lists("answer_words")));
