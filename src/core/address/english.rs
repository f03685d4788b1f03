//! How English shows that a name is called.

use super::cues::en;
use super::{is_listed, split_words};

/// The most words of a choice between two things.
const MOST_OF_A_CHOICE: usize = 5;

/// Whether what follows a name speaks to its owner: "Mia can you", "Mia please".
pub fn is_addressing(tail: &str) -> bool {
    let mut words = split_words(tail);
    let (first, second) = (words.next(), words.next());
    let is = |word: Option<&str>, list: &[&str]| word.is_some_and(|word| is_listed(list, word));
    is(first, en::ASKS) && is(second, en::ASKED)
        || is(first, en::ASKS_ABOUT) && is(second, en::ASKED_ABOUT)
        || is(first, en::AFTER_FIRST)
        || is(first, en::ASKS_SHORTLY) && tail.trim_end().ends_with('?')
        || is(second, &["me", "us"]) && first.is_some_and(is_asking_verb)
        || is(first, en::SHORT_AFTER) && (second.is_none() || is(second, en::SHORT_AFTER))
        || is(first, en::TELLS) && is(second, en::TOLD_OF)
        || is(first, &["be"]) && is(second, en::BE_ASKED)
        || is_choice(tail)
}

/// Whether one of two things is to be chosen, in few words: "tea or coffee", but not "or Ben", "left or stayed", "ate or
/// what".
fn is_choice(tail: &str) -> bool {
    let few: Vec<&str> = split_words(tail).take(MOST_OF_A_CHOICE + 1).collect();
    let is_done = |word: &str| {
        word.ends_with("ed") || is_listed(en::DID, word) || is_listed(en::BELONGS, word)
    };
    match few[..] {
        [first, or, second, ..] if few.len() <= MOST_OF_A_CHOICE => {
            or.eq_ignore_ascii_case("or")
                && !is_done(first)
                && !is_done(second)
                && !is_listed(&["what"], second)
        }
        _ => false,
    }
}

/// Whether a verb before "me" is one of asking: "back me up", but not "told me", "helped me", "helps me".
fn is_asking_verb(verb: &str) -> bool {
    !is_listed(en::DID, verb)
        && !verb.ends_with("ed")
        && (!verb.ends_with('s') || verb.ends_with("ss"))
}

/// Whether these words begin with thanks, so that a name behind them is thanked: "thanks for yesterday".
pub fn has_thanks(clause: &str) -> bool {
    split_words(clause)
        .next()
        .is_some_and(|word| is_listed(en::THANKS, word))
}

/// Whether everybody is told to let the person speak or choose: "ok let Mia pick", but not "who let Mia drive".
pub fn is_asked_through(clause: &str, tail: &str) -> bool {
    let mut before = split_words(clause).rev();
    before
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("let"))
        && before.all(|word| is_listed(en::OPENERS, word) || is_listed(en::BEFORE_LET, word))
        && split_words(tail)
            .next()
            .is_some_and(|word| is_listed(en::ASKED_THROUGH, word))
}

/// Whether these words only open what is said: "ok but", "wait so".
pub fn is_opener(clause: &str) -> bool {
    let mut words = split_words(clause).peekable();
    words.peek().is_some() && words.all(|word| is_listed(en::OPENERS, word))
}

/// Whether a name at the very end is called by the words before it: "how are you", "come here", but not "have you seen".
pub fn is_call_ending(clause: &str) -> bool {
    let mut words = split_words(clause).rev();
    let (last, before) = (words.next(), words.next());
    let Some(last) = last.filter(|last| last.is_ascii()) else {
        return false;
    };
    if is_listed(en::BEFORE_LAST, last) {
        return true;
    }
    if is_listed(en::POINTS, last) && before.is_some_and(|word| is_listed(en::BELONGS, word)) {
        return false;
    }
    let owned = before.is_some_and(|word| is_listed(en::OWNS, word));
    before.is_some() && !is_listed(en::BELONGS, last) && (owned || !can_take_name(last))
}

fn can_take_name(word: &str) -> bool {
    let known = |word: &str| is_listed(en::TAKES_NAME, word);
    let verb = |ending: &str, mended: &str| {
        word.strip_suffix(ending).is_some_and(|verb| {
            known(verb) || !mended.is_empty() && known(&format!("{verb}{mended}"))
        })
    };
    known(word) || verb("s", "") || verb("ed", "e") || verb("ing", "e")
}
