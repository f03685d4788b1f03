//! The words around a name that show whether it is called, and those people make pet names of, from the word lists of all
//! languages. Languages with spaces between words have other lists than those whose script has none, for the rules read
//! words there and characters here.

use std::sync::LazyLock;

use kith_language::{PhraseList, WordList, WordSet, word_lists, word_table};

word_table! {
    /// Cues of languages with spaces between words.
    #[derive(Debug)]
    pub(super) struct SpacedCues {
        greets: WordSet,
        closes: WordSet,
        before_last: WordSet,
        takes_name: WordSet,
        belongs: WordSet,
        owns: WordSet,
        points: WordSet,
        after_first: WordSet,
        short_after: WordSet,
        commands: WordSet,
        command_objects: WordSet,
        asks: WordSet,
        asks_about: WordSet,
        asked_about: WordSet,
        asks_shortly: WordSet,
        asks_which: WordSet,
        tells: WordSet,
        told_of: WordSet,
        be_asked: WordSet,
        did: WordSet,
        thanks: WordSet,
        asked: WordSet,
        joins: WordSet,
        faces: PhraseList,
        openers: WordSet,
        manners: PhraseList,
        open_ends: WordSet,
        before_let: WordSet,
        asked_through: WordSet,
        me: WordSet,
        be: WordSet,
        or: WordSet,
        no_choice: WordSet,
        past_ends: PhraseList,
        present_ends: PhraseList,
        stem_ends: PhraseList,
        inflections: PhraseList,
        lets: WordSet,
        asks_who: WordSet,
        single_letters: Vec<char>,
        greeting_ends: PhraseList,
        pet_ends: Vec<&'static str>,
        doubled_pet_ends: Vec<&'static str>,
    }
}

word_table! {
    #[derive(Debug)]
    pub(super) struct UnspacedCues {
        greets: WordSet,
        you: Vec<char>,
        after_first: PhraseList,
        reports: PhraseList,
        praise: PhraseList,
        asked_to: Vec<char>,
        asks: PhraseList,
        reaches: PhraseList,
        done: Vec<char>,
        before_last: Vec<char>,
        ends: PhraseList,
        urges: Vec<char>,
        takes_name: Vec<char>,
        sounds: Vec<char>,
        openers: WordSet,
        sorry: WordSet,
        titles: PhraseList,
        joins: Vec<char>,
        with_me: Vec<char>,
        settles: Vec<char>,
        begs: Vec<char>,
        time_ends: Vec<char>,
        up_to_you: PhraseList,
        handles: Vec<char>,
        for_me: PhraseList,
        told: Vec<char>,
        i_know: PhraseList,
        open_ends: PhraseList,
        asks_how_far: PhraseList,
        comes: Vec<char>,
        nots: Vec<char>,
        forbids: WordSet,
        begging: Vec<char>,
        thinks: PhraseList,
        me: Vec<char>,
        us: Vec<char>,
        you_plain: Vec<char>,
        they: Vec<char>,
        past: Vec<char>,
        asks_after_all: Vec<char>,
        thanks_signs: Vec<char>,
        thanks_reasons: Vec<char>,
        asking_ends: Vec<char>,
        asking: PhraseList,
        able: PhraseList,
        when: PhraseList,
        up_to: PhraseList,
        not_how: Vec<char>,
        of_them: PhraseList,
        thanks: PhraseList,
        alone_asks: WordSet,
        how: PhraseList,
        how_ends: PhraseList,
        prefixes: Vec<char>,
        suffixes: Vec<char>,
        long_suffixes: PhraseList,
        of_men: Vec<char>,
        of_women: Vec<char>,
        lets: Vec<char>,
        before_lets: WordSet,
        before_asked: Vec<char>,
        asked_through: PhraseList,
        hails: WordSet,
        opposites: Vec<&'static str>,
        calling_ends: Vec<char>,
        thing_suffix: Vec<char>,
        asks_who: WordSet,
        comes_to: Vec<char>,
        these: Vec<char>,
        not_asked_through: Vec<char>,
    }
}

#[derive(Debug)]
pub(super) struct AddressCues {
    pub spaced: SpacedCues,
    pub unspaced: UnspacedCues,
}

static CUES: LazyLock<AddressCues> = LazyLock::new(|| AddressCues::from_lists(word_lists));

impl AddressCues {
    pub(super) fn embedded() -> &'static Self {
        &CUES
    }

    pub(super) fn from_lists<'a, L: Iterator<Item = &'a WordList>>(
        lists: impl Fn(&'static str) -> L,
    ) -> Self {
        let all = |names: &[&'static str]| -> Vec<&'a WordList> {
            names.iter().copied().flat_map(&lists).collect()
        };
        Self {
            spaced: SpacedCues::from_lists(all(&["call_spaced", "pet_names_spaced"])),
            unspaced: UnspacedCues::from_lists(all(&[
                "call_unspaced",
                "call_questions_unspaced",
                "pet_names_unspaced",
            ])),
        }
    }
}
