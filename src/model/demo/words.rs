//! What the stand-in says, and which words it listens for. Every message opens with its label.

use kith_core::persona::Language;
use kith_language::{LocalizedMessage, demo, word_lists};

/// What stands in the messages: of the line it answers, and of what the tool told.
#[derive(Clone, Copy, Debug)]
pub(super) struct DemoValues<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub time: &'a str,
}

/// One thing it says, in several ways.
pub(super) type DemoWays = fn(DemoValues<'_>) -> Vec<LocalizedMessage>;

pub(super) fn say_hello(DemoValues { name, text, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::hello_first(name, text),
        demo::hello_second(text),
        demo::hello_third(name, text),
    ]
}

pub(super) fn say_what_it_is(DemoValues { name, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::what_it_is_first(name),
        demo::what_it_is_second(name),
        demo::what_it_is_third(name),
    ]
}

pub(super) fn say_how_to_connect(_: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![demo::how_to_connect_first(), demo::how_to_connect_second()]
}

pub(super) fn say_read_you(DemoValues { name, text, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::read_you_first(text),
        demo::read_you_second(name, text),
        demo::read_you_third(text),
        demo::read_you_fourth(text),
    ]
}

pub(super) fn say_time_is(DemoValues { time, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::time_is_first(time),
        demo::time_is_second(time),
        demo::time_is_third(time),
    ]
}

pub(super) fn say_time_failed(_: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![demo::time_failed_first(), demo::time_failed_second()]
}

/// What opens every message of the stand-in, in each language.
pub(super) fn list_labels() -> Vec<String> {
    let labels = Language::ALL.into_iter();
    labels
        .map(|language| demo::label().in_language(language))
        .collect()
}

/// Whether a text greets it or asks what it is.
pub(super) fn is_about_itself(text: &str, language: Language) -> bool {
    contains_listed_word(text, "demo_about_itself", language)
}

/// Whether a text asks for the time.
pub(super) fn is_about_time(text: &str, language: Language) -> bool {
    contains_listed_word(text, "demo_about_time", language)
}

/// Whether a text is one that people put a thumb on.
pub(super) fn is_liked(text: &str, language: Language) -> bool {
    contains_listed_word(text, "demo_liked", language)
}

fn contains_listed_word(text: &str, list: &str, language: Language) -> bool {
    word_lists(list)
        .filter(|list| list.language == language.code())
        .any(|list| list.entries().any(|word| contains_word(text, word)))
}

/// Whether a word begins somewhere in the text: at the start of a word where words have starts.
fn contains_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let opens = before.is_none_or(|character| !character.is_ascii_alphanumeric());
        // Words of two or three letters are whole words or nothing: "hi" is not in "history".
        let closes =
            word.len() > 3 || after.is_none_or(|character| !character.is_ascii_alphanumeric());
        !word.is_ascii() || (opens && closes)
    })
}
