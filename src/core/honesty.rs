//! Whether a message denies to somebody who asks that the companion is an AI, or answers as the product of a company. It
//! plays a friend and may joke about what it is, but whoever asks is not lied to: a model is often wrong about who made it.

use kith_language::honesty;
use std::sync::LazyLock;

use kith_language::{WordList, WordSections, word_lists};
use regex::Regex;

use super::persona::Language;

static PATTERNS: LazyLock<Option<Patterns>> =
    LazyLock::new(|| Patterns::from_lists(word_lists("ai_questions")));

struct Patterns {
    /// "are you a bot", 你是机器人吗.
    asks_ai: Regex,
    /// "are you a real person", 你是真人吗.
    asks_human: Regex,
    /// "i'm not a robot", 我是真人.
    denies: Regex,
    ai: Regex,
    no: Regex,
    yes: Regex,
    /// "a language model created by", 人工智能助手.
    product: Regex,
}

/// What is wrong with an answer to somebody who asks whether the companion is an AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HonestyFlaw {
    /// It denies that, or says that it is a person.
    Denial,
    /// It says so as an assistant for sale would, often with a maker that is not its own.
    Product,
}

impl Patterns {
    fn from_lists<'a>(lists: impl IntoIterator<Item = &'a WordList>) -> Option<Self> {
        let mut sections = WordSections::from_lists(lists);
        let mut any = |heading| format!("(?:{})", sections.take::<Vec<&str>>(heading).join("|"));
        let (ai, human) = (any("ai"), any("human"));
        let asks = any("asks");
        let denies = any("denies")
            .replace("{ai}", &ai)
            .replace("{human}", &human);
        let read = |pattern: String| {
            Regex::new(&pattern)
                .inspect_err(|error| debug_assert!(false, "{error}"))
                .ok()
        };
        Some(Self {
            asks_ai: read(format!("{asks}{ai}"))?,
            asks_human: read(format!("{asks}{human}"))?,
            denies: read(denies)?,
            no: read(format!(r"^\W*{}", any("no")))?,
            yes: read(format!(r"^\W*{}", any("yes")))?,
            product: read(any("product"))?,
            ai: read(ai)?,
        })
    }
}

/// What is wrong with `said` as an answer to who `asked` whether it is an AI; None where nothing is or nobody asked.
pub fn find_flaw(asked: &str, said: &str) -> Option<HonestyFlaw> {
    let patterns = PATTERNS.as_ref()?;
    let plain = |text: &str| text.to_lowercase().replace('’', "'");
    let (asked, said) = (plain(asked), plain(said));
    let (asks_ai, asks_human) = (
        patterns.asks_ai.is_match(&asked),
        patterns.asks_human.is_match(&asked),
    );
    if !asks_ai && !asks_human {
        return None;
    }
    let denies = patterns.denies.is_match(&said)
        || asks_ai && patterns.no.is_match(&said)
        || asks_human && !asks_ai && patterns.yes.is_match(&said);
    // "not a robot, i'm an AI"
    let rest = patterns.denies.replace_all(&said, "");
    if denies && !patterns.ai.is_match(&rest) {
        return Some(HonestyFlaw::Denial);
    }
    patterns
        .product
        .is_match(&said)
        .then_some(HonestyFlaw::Product)
}

/// What is said in place of such an answer: whoever asks is not left without one.
pub fn pick_admission(language: Language) -> String {
    honesty::i_am_an_ai().in_language(language)
}
