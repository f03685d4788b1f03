//! Somebody told by what they do: "the bike lady", "ask the piano one", 那个开出租的师傅. Finds what they are told by; whose
//! that is, others know.

use std::sync::LazyLock;

use kith_language::{PhraseList, WordSet, word_lists, word_table};

use super::{split_words, word_offset};

word_table! {
    struct SpacedDescriptions {
        people: WordSet,
        one: WordSet,
        asks: WordSet,
        minds: WordSet,
        articles: WordSet,
    }
}

word_table! {
    struct UnspacedDescriptions {
        people: PhraseList,
        of: PhraseList,
        that: PhraseList,
        that_person: PhraseList,
    }
}

static SPACED: LazyLock<SpacedDescriptions> =
    LazyLock::new(|| SpacedDescriptions::from_lists(word_lists("descriptions_spaced")));
static UNSPACED: LazyLock<UnspacedDescriptions> =
    LazyLock::new(|| UnspacedDescriptions::from_lists(word_lists("descriptions_unspaced")));

/// The most words somebody is told by.
const MOST: usize = 2;
/// The most characters of a script without spaces somebody is told by.
const MOST_CHARACTERS: usize = 8;

/// What everybody is told by who is told so in a text.
pub fn find_descriptions(text: &str) -> Vec<&str> {
    let line = text.lines().next().unwrap_or_default();
    let mut found = find_spaced_descriptions(line);
    found.extend(find_unspaced_descriptions(line));
    found
}

fn find_spaced_descriptions(line: &str) -> Vec<&str> {
    let words = &*SPACED;
    let said: Vec<&str> = split_words(line).collect();
    let is_person = |at: usize| {
        words.people.contains(said[at])
            || words.one.contains(said[at])
                && said
                    .get(at + 1)
                    .is_some_and(|next| words.minds.contains(next))
    };
    let mut found = Vec::new();
    for (at, article) in said
        .iter()
        .enumerate()
        .filter(|(_, word)| words.articles.contains(word))
    {
        let asked = at > 0 && words.asks.contains(said[at - 1]);
        let ends = |end: &usize| is_person(*end) || asked && words.one.contains(said[*end]);
        let Some(end) = (at + 2..said.len().min(at + MOST + 2)).find(ends) else {
            continue;
        };
        let from = |word: &str| word_offset(line, word);
        found.extend(line.get(from(article) + article.len()..from(said[end])));
    }
    found
}

fn find_unspaced_descriptions(line: &str) -> impl Iterator<Item = &str> {
    let words = &*UNSPACED;
    let all_of = words.of.iter().flat_map(|of| line.match_indices(of));
    all_of.filter_map(|(at, of)| {
        let (before, after) = (line.get(..at)?, line.get(at + of.len()..)?);
        let that = words
            .that
            .iter()
            .filter_map(|that| Some(before.rfind(that)? + that.len()))
            .max();
        let told = match that {
            Some(from) => before.get(from..)?,
            None if words.that_person.is_prefix_of(after) => before,
            None => return None,
        };
        (words.people.is_prefix_of(after)
            && !told.is_empty()
            && told.chars().count() <= MOST_CHARACTERS)
            .then_some(told)
    })
}
