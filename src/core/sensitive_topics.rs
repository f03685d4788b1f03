//! What is nobody's to remember unless the person asks: health, sexuality, religion, politics and whereabouts. Looks at
//! the words only, and rather takes too much for sensitive than too little.

use std::sync::LazyLock;

use kith_language::{WordList, WordSections, word_lists};

use crate::non_speech::{split_sentences, split_words};

static SENSITIVE: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::from_entries(word_lists("sensitive").flat_map(WordList::entries)));

static REQUESTS: LazyLock<MemoryRequests> =
    LazyLock::new(|| MemoryRequests::from_lists(word_lists("memory_request")));

/// Whether a text tells of somebody's health, sexuality, religion, politics or whereabouts.
pub fn is_sensitive(text: &str) -> bool {
    SENSITIVE.is_within(&split_words(text))
}

/// Whether the author of a message asks in it that something of themselves is remembered.
pub fn asks_to_be_remembered(text: &str) -> bool {
    split_sentences(text).any(|(sentence, asks)| REQUESTS.is_request(&split_words(sentence), asks))
}

struct Phrases(Vec<Vec<String>>);

impl Phrases {
    fn from_entries(entries: impl IntoIterator<Item = &'static str>) -> Self {
        let phrases = entries.into_iter().map(split_words);
        Self(phrases.filter(|phrase| !phrase.is_empty()).collect())
    }

    /// Where one of them begins among the words.
    fn find_starts(&self, words: &[String]) -> impl Iterator<Item = usize> {
        (0..words.len()).filter(|at| self.0.iter().any(|phrase| words[*at..].starts_with(phrase)))
    }

    fn is_within(&self, words: &[String]) -> bool {
        self.find_starts(words).next().is_some()
    }

    fn is_suffix_of(&self, words: &[String]) -> bool {
        self.0.iter().any(|phrase| words.ends_with(phrase))
    }
}

struct MemoryRequests {
    asks: Phrases,
    politely: Phrases,
    not_after: Phrases,
    question_ends: Phrases,
}

impl MemoryRequests {
    fn from_lists<'a>(lists: impl IntoIterator<Item = &'a WordList>) -> Self {
        let mut sections = WordSections::from_lists(lists);
        let mut read = |heading| Phrases::from_entries(sections.take::<Vec<&'static str>>(heading));
        Self {
            asks: read("asks"),
            politely: read("politely"),
            not_after: read("not_after"),
            question_ends: read("question_ends"),
        }
    }

    /// Whether a sentence, which is a question or not, asks for it: "do you remember that I" does not.
    fn is_request(&self, words: &[String], asks: bool) -> bool {
        let asks = asks || self.question_ends.is_suffix_of(words);
        self.asks.find_starts(words).any(|at| {
            let before = &words[..at];
            self.politely.is_suffix_of(before) || !asks && !self.not_after.is_suffix_of(before)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_sexuality_religion_politics_and_whereabouts_are_sensitive() {
        for text in [
            "was diagnosed with ADHD last year",
            "allergic to peanuts",
            "is seeing a therapist",
            "came out to their parents",
            "is trans",
            "converted to Islam",
            "doesn't eat pork, keeps halal",
            "voted for the Greens",
            "lives in Hamburg near the harbour",
            "is home alone until Friday",
            "有糖尿病",
            "对花生过敏",
            "最近在看心理医生",
            "跟朋友出柜了",
            "信佛",
            "是党员",
            "住在成都",
            "下周一个人在家",
        ] {
            assert!(is_sensitive(text), "{text}");
        }
    }

    #[test]
    fn what_friends_tell_each_other_every_day_is_not() {
        for text in [
            "plays the cello",
            "has an exam on Friday",
            "loves spicy noodles and hates coriander",
            "is learning Rust",
            "has a cat called Miso",
            "got a new job as a baker",
            "likes to be teased, but not about her singing",
            "the straightest answer in the group",
            "会拉大提琴",
            "周五有考试",
            "养了一只叫年糕的猫",
            "最喜欢吃火锅",
            "不喜欢别人叫她全名",
            "欠小林一顿饭",
        ] {
            assert!(!is_sensitive(text), "{text}");
        }
    }

    #[test]
    fn whoever_asks_to_be_remembered_is_understood() {
        for text in [
            "Remember that I'm allergic to peanuts!",
            "juno, please remember I have diabetes",
            "hey, can you remember that I'm gay?",
            "don't forget that I moved to Bremen. bye",
            "so: note that I don't eat pork",
            "I'd like you to remember that I am trans",
            "记住我对花生过敏",
            "你要记得我有糖尿病",
            "小雨，别忘了我住在成都",
            "能不能帮我记一下，我信佛",
        ] {
            assert!(asks_to_be_remembered(text), "{text}");
        }
    }

    #[test]
    fn whoever_asks_whether_something_is_remembered_or_tells_of_it_asks_for_nothing() {
        for text in [
            "do you remember that I had cancer?",
            "remember that I told you I was sick?",
            "I remember that I was depressed back then",
            "she doesn't remember that I came out",
            "I'm allergic to peanuts",
            "remember the flood?",
            "你还记得我住院那次吗",
            "我记得我有一次住院",
            "她没记住我对花生过敏",
            "我住在成都",
        ] {
            assert!(!asks_to_be_remembered(text), "{text}");
        }
    }
}
