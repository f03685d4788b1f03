//! What members ask of the companion's manners in plain words: to be quiet, and to talk again. Looks at the words only;
//! whether they were meant for the companion is the channel's to say.

use std::collections::HashSet;
use std::sync::LazyLock;

use kith_language::{WordList, word_lists};

use super::address::CompanionNames;
use super::message_shape::{MessageShape, hash_phrase};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuietRequestKind {
    /// To say nothing unasked for a while.
    Quiet,
    /// To talk again.
    Speak,
}

/// A plain request, and what in its words says that it is the companion's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietRequest {
    pub kind: QuietRequestKind,
    pub named: bool,
    pub bot: bool,
    /// Whether it might as well answer a question: "enough", 够了.
    pub may_answer: bool,
}

/// A longer message is not a plain request, in bytes.
const LONGEST: usize = 120;
/// The reaction that asks for quiet.
const HUSH: &str = "🤫";
/// Besides letters and punctuation a request may hold these; anything else, such as laughter, makes it play.
const SERIOUS: &str = "🤫🤐🙏🙄😑😐😒😠😡🛑✋🤚\u{fe0f}\u{200d}";
/// Punctuation that says nothing.
const PUNCTUATION: &str = "，。！？、；：…～—“”‘’（）《》";

static WORDS: LazyLock<QuietWords> = LazyLock::new(|| QuietWords::from_lists(word_lists));

struct QuietWords {
    quiet: Phrases,
    /// What asks for quiet only where a message is nothing else.
    alone: Phrases,
    speak: Phrases,
    /// What may stand around a request and leaves it one: "please", "for a bit", "你能不能".
    around: Phrases,
    bot: Phrases,
}

impl QuietWords {
    fn from_lists<'a, L: Iterator<Item = &'a WordList>>(lists: impl Fn(&'static str) -> L) -> Self {
        let read = |name| Phrases::from_lists(lists(name));
        Self {
            quiet: read("quiet_request"),
            alone: read("quiet_alone"),
            speak: read("speak_request"),
            around: read("around_request"),
            bot: read("bot"),
        }
    }

    /// The plain request these words are, in a message that asks or does not.
    fn find_request(&self, words: &[u32], asks: bool) -> Option<QuietRequestKind> {
        let kinds = [
            (&self.quiet, QuietRequestKind::Quiet),
            (&self.speak, QuietRequestKind::Speak),
        ];
        let is_request = |phrases: &Phrases| {
            let whole = phrases.contains(words);
            // "quiet?" asks how it is, "can you be quiet?" asks for it.
            if asks && whole {
                return false;
            }
            whole || self.is_framed(phrases, words)
        };
        kinds
            .into_iter()
            .find_map(|(phrases, kind)| is_request(phrases).then_some(kind))
    }

    /// Whether the words are one of the phrases with nothing but what may stand around before and behind it.
    fn is_framed(&self, phrases: &Phrases, words: &[u32]) -> bool {
        let starts = self.around.find_run_ends(words);
        let ends = self.around.find_run_starts(words);
        starts.iter().any(|start| {
            ends.iter().any(|end| {
                end > start
                    && words
                        .get(*start..*end)
                        .is_some_and(|part| phrases.contains(part))
            })
        })
    }
}

pub fn is_hush_emoji(emoji: &str) -> bool {
    emoji.trim_end_matches('\u{fe0f}') == HUSH || emoji == ":shushing_face:"
}

/// The plain request a message is, if it is nothing else besides: a sentence that only contains the words is none.
pub fn request(text: &str, names: &CompanionNames) -> Option<QuietRequest> {
    if text.len() > LONGEST || !text.chars().all(is_plain) {
        return None;
    }
    let (bare, named) = names.strip_names(text);
    let words = MessageShape::from_text(&bare);
    let asks = text.contains(['?', '？']);
    let may_answer = !asks && WORDS.alone.contains(words.all());
    let kind = match may_answer {
        true => QuietRequestKind::Quiet,
        false => WORDS.find_request(words.all(), asks)?,
    };
    Some(QuietRequest {
        kind,
        named,
        bot: WORDS.bot.is_within(words.all()),
        may_answer,
    })
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric()
        || c.is_whitespace()
        || c.is_ascii_punctuation()
        || SERIOUS.contains(c)
        || PUNCTUATION.contains(c)
}

/// Phrases as the hashes of their words.
struct Phrases {
    all: HashSet<Vec<u32>>,
    longest: usize,
}

impl Phrases {
    /// Reads lists, one phrase a line.
    fn from_lists<'a>(lists: impl Iterator<Item = &'a WordList>) -> Self {
        let all: HashSet<Vec<u32>> = lists
            .flat_map(WordList::entries)
            .map(hash_phrase)
            .filter(|phrase| !phrase.is_empty())
            .collect();
        let longest = all.iter().map(Vec::len).max().unwrap_or(0);
        Self { all, longest }
    }

    fn contains(&self, words: &[u32]) -> bool {
        self.all.contains(words)
    }

    /// Whether one of the phrases stands among the words.
    fn is_within(&self, words: &[u32]) -> bool {
        self.all
            .iter()
            .any(|phrase| words.windows(phrase.len()).any(|part| part == phrase))
    }

    /// Up to which places the words are these phrases, one after the other; 0 is one of them.
    fn find_run_ends(&self, words: &[u32]) -> Vec<usize> {
        let mut reached = vec![0];
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            next += 1;
            for to in from + 1..=(from + self.longest).min(words.len()) {
                if self.contains(&words[from..to]) && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached
    }

    /// From which places on the words are these phrases, one after the other; the end is one of them.
    fn find_run_starts(&self, words: &[u32]) -> Vec<usize> {
        let mut reached = vec![words.len()];
        let mut next = 0;
        while let Some(&to) = reached.get(next) {
            next += 1;
            for from in to.saturating_sub(self.longest)..to {
                if self.contains(&words[from..to]) && !reached.contains(&from) {
                    reached.push(from);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_is_only_word_lists_asks_for_quiet() {
        let toy = QuietWords::from_lists(crate::test_languages::toy_lists);
        let read = |text: &str| toy.find_request(&hash_phrase(text), text.contains('?'));
        assert_eq!(read("mut nau"), Some(QuietRequestKind::Quiet));
        assert_eq!(read("plo mut nau plo?"), Some(QuietRequestKind::Quiet));
        assert_eq!(read("bavi"), Some(QuietRequestKind::Speak));
        assert_eq!(read("mut nau?"), None);
        assert_eq!(read("be quiet"), None);
    }
}
