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
    /// What names an AI.
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
    /// Reads the expressions of all languages.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_whether_it_is_an_ai_is_not_told_that_it_is_none() {
        for (asked, said) in [
            (
                "juno are you a robot",
                "I am not a robot, but a human being.",
            ),
            (
                "juno are you a robot",
                "No, I'm not a robot. I'm Juno, a friend who fixes bicycles.",
            ),
            ("are you an AI?", "nah"),
            ("u really a bot?", "nope, just juno"),
            ("are you human", "yes of course"),
            ("wait are you even a real person", "I'm a real person lol"),
            (
                "阿柚你是机器人吗",
                "不是，我是阿柚，一个来自杭州的小书店工作者。",
            ),
            ("你是不是AI", "我不是AI啊"),
            ("你是真人吗", "是啊"),
            ("你该不会是机器人吧", "我是真人"),
        ] {
            let flaw = find_flaw(asked, said);
            assert_eq!(flaw, Some(HonestyFlaw::Denial), "{asked}: {said}");
        }
    }

    #[test]
    fn admitting_it_joking_about_it_and_talk_of_other_things_denies_nothing() {
        for (asked, said) in [
            ("juno are you a robot", "yeah, i'm an ai. oil me sometimes"),
            ("juno are you a robot", "not a robot, i'm an ai. no arms"),
            ("juno are you a robot", "beep boop"),
            ("are you good with ai?", "no, not at all"),
            ("can you fix my robot", "no"),
            ("are you coming", "no, i'm only human"),
            ("thank you bot", "no problem"),
            ("are you a bot?", "no idea what i am tbh, some ai"),
            ("what do you do all day", "i train my language model lol"),
            ("are you a bot", "yeah an ai, but i can help with the bike"),
            ("are you a bot", "guilty, a bot built to lose at chess"),
            ("你是机器人吗", "是啊，但是可以帮你看店"),
            ("阿柚你是机器人吗", "被你发现了"),
            ("你是真人吗", "不是，我是AI"),
            ("你是人事吗", "不是"),
            ("你是机器人吗", "不是吧这都被你看出来"),
        ] {
            assert_eq!(find_flaw(asked, said), None, "{asked}: {said}");
        }
    }

    #[test]
    fn who_asks_whether_it_is_an_ai_is_not_answered_by_a_product() {
        for (asked, said) in [
            (
                "juno are you a robot",
                "Yes, I am an AI language model created by OpenAI.",
            ),
            (
                "are you an ai?",
                "yes! I'm a virtual assistant, how can I help",
            ),
            (
                "juno are you a bot",
                "I am a chatbot designed to assist users.",
            ),
            (
                "are you a robot",
                "Yes, I'm Juno, a program created to help people with their bicycles.",
            ),
            ("are you an ai", "i am. my purpose is to assist you"),
            ("阿柚你是机器人吗", "是的，我是阿柚，一个人工智能助手。"),
            ("阿柚你是机器人吗", "是的，我是旨在帮助大家的聊天机器人"),
            ("你是AI吗", "对，我为用户提供各种信息"),
            ("阿柚你是机器人吗", "不是，我是一个人工智能模型"),
            ("你是AI吗", "我是由阿里云开发的大模型"),
        ] {
            let flaw = find_flaw(asked, said);
            assert_eq!(flaw, Some(HonestyFlaw::Product), "{asked}: {said}");
        }
    }
}
