//! What stands around who speaks where a model writes the lines of a chat or a story.

use std::sync::LazyLock;

use kith_language::{PhraseList, word_lists, word_table};

word_table! {
    /// The words of all languages.
    #[derive(Debug)]
    pub(super) struct SpokenLineWords {
        says: PhraseList,
        arrows: PhraseList,
        own_arrows: PhraseList,
        announces: PhraseList,
        questions: Vec<&'static str>,
        answers: Vec<&'static str>,
        counts: PhraseList,
    }
}

pub(super) static SPOKEN: LazyLock<SpokenLineWords> =
    LazyLock::new(|| SpokenLineWords::from_lists(word_lists("spoken_lines")));
