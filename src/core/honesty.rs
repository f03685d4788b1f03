//! Whether a message denies to somebody who asks that the companion is an AI. It plays a friend and may joke about what it
//! is, but whoever asks is not lied to.

use kith_language::honesty;
use std::sync::LazyLock;

use regex::Regex;

use super::persona::Language;

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(Patterns::new);

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
}

impl Patterns {
    fn new() -> Option<Self> {
        // Chinese characters are letters, too: the boundary is that of ASCII.
        const AI: &str = r"(?:(?-u:\b)(?:ai|bot|chatbot|robot|chatgpt|llm|language model)(?-u:\b)|人工智能|机器人|语言模型)";
        const HUMAN: &str = r"(?:\b(?:human|human being|real person|person|real)\b|真人|人类|活人)";
        let asks = |what: &str| {
            let english = r"\b(?:are|r|aren't|if|whether|is it that|so|wait|but|and|^)\s*(?:you|u|ya|you're|youre|ur)(?:\s+(?:really|actually|secretly|just|even|some|kind|sort|of|like|an?|the|not))*\s+";
            let chinese =
                r"你(?:就|真的?|其实|不会|难道|该不会|到底|究竟|该)*(?:是不是|是)(?:一?[个台])?\s*";
            Regex::new(&format!("(?:{english}|{chinese}){what}")).ok()
        };
        let denies = [
            format!(r"\bnot\s+(?:an?\s+)?{AI}"),
            format!(
                r"\b(?:i'm|im|i am)\s+(?:an?\s+|really\s+|just\s+|very\s+|totally\s+|100%\s+)*{HUMAN}"
            ),
            r"\bbut\s+an?\s+human\b(?:\s+being)?".to_owned(),
            format!(r"不是(?:什么|一?[个台])?\s*{AI}"),
            r"我(?:当然)?是(?:一?个)?大?(?:真人|活人|人类)".to_owned(),
        ];
        Some(Self {
            asks_ai: asks(AI)?,
            asks_human: asks(HUMAN)?,
            denies: Regex::new(&denies.join("|")).ok()?,
            ai: Regex::new(AI).ok()?,
            no: Regex::new(r"^\W*(?:(?:no|nope|nah)(?:\s*[,.!?:;…—-]|\s+(?:i|im|i'm|not|way|just|lol|haha)\b|\s*$)|of course not\b|不是(?:$|[，,。.!！~～啊呀的我])|才不|当然不|并不|没有啊|不啊|怎么会)").ok()?,
            yes: Regex::new(r"^\W*(?:(?:yes|yeah|yep|of course)\b|是的?[啊呀，,。!！]|是$|当然|对[啊呀，,])").ok()?,
        })
    }
}

/// Whether `said` denies that it is an AI to who `asked` whether it is one, or says that it is a person.
pub fn is_ai_denial(asked: &str, said: &str) -> bool {
    let Some(patterns) = &*PATTERNS else {
        return false;
    };
    let plain = |text: &str| text.to_lowercase().replace('’', "'");
    let (asked, said) = (plain(asked), plain(said));
    let (asks_ai, asks_human) = (
        patterns.asks_ai.is_match(&asked),
        patterns.asks_human.is_match(&asked),
    );
    if !asks_ai && !asks_human {
        return false;
    }
    let denies = patterns.denies.is_match(&said)
        || asks_ai && patterns.no.is_match(&said)
        || asks_human && !asks_ai && patterns.yes.is_match(&said);
    // "not a robot, i'm an AI"
    let rest = patterns.denies.replace_all(&said, "");
    denies && !patterns.ai.is_match(&rest)
}

/// What is said where a model, told of it once, denies it again: whoever asks is not left without an answer, either.
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
            assert!(is_ai_denial(asked, said), "{asked}: {said}");
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
            ("阿柚你是机器人吗", "是的，我是阿柚，一个人工智能助手。"),
            ("阿柚你是机器人吗", "被你发现了"),
            ("你是真人吗", "不是，我是AI"),
            ("你是人事吗", "不是"),
            ("你是机器人吗", "不是吧这都被你看出来"),
        ] {
            assert!(!is_ai_denial(asked, said), "{asked}: {said}");
        }
    }
}
