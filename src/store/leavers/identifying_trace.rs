//! How a person can be told from what others wrote: called by name or id, named, quoted. Pure; knows no table.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use crate::text_index::is_cjk;
use kith_core::chat::UserId;
use kith_core::quotes::{ErasedPassages, QuotedWords};
use kith_core::word::is_ordinary;

/// Stands for a person nobody is to know any more, as in a prompt for one nobody knows.
const SOMEONE: &str = "someone";
/// An id of so many digits is nobody's number but theirs, wherever it stands.
const TELLING_ID: usize = 15;

pub struct IdentityMatcher {
    /// `<@id>`, `@Name`, and an id that stands by itself.
    mention_pattern: Option<Regex>,
    name_pattern: Option<Regex>,
    texts: Arc<ErasedPassages>,
    /// Words that nobody but them said.
    words: QuotedWords,
}

impl IdentityMatcher {
    /// A person by id and names; `texts` is what they wrote, and of its `words` those nobody else said.
    pub fn new(
        user: UserId,
        names: &[String],
        texts: Arc<ErasedPassages>,
        words: Vec<String>,
    ) -> Self {
        let mut names: Vec<&str> = names
            .iter()
            .map(|name| name.trim())
            .filter(|name| !name.is_empty())
            .collect();
        // Of two names that begin alike the longer one is tried first.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let id = user.to_string();
        let mut called = vec![format!("<@!?{id}>")];
        called.extend((id.len() >= TELLING_ID).then(|| id.clone()));
        called.extend(names.iter().map(|name| format!("@{}", regex::escape(name))));
        let named = names.iter().filter(|name| !is_one_cjk(name)).map(|name| {
            // `Will` is a name, `will` is not.
            let flags = if is_ordinary(name) { "" } else { "(?i)" };
            format!("(?:{flags}{})", regex::escape(name))
        });
        let named: Vec<String> = named.collect();
        Self {
            mention_pattern: build_pattern(&called),
            name_pattern: if named.is_empty() {
                None
            } else {
                build_pattern(&named)
            },
            texts,
            words: QuotedWords::new(words),
        }
    }

    /// Another person's text without a call of this one; none if it calls nobody. All else they said stays: it is theirs.
    pub fn redact_mentions(&self, text: &str) -> Option<String> {
        let by = |hit: &str| {
            if hit.starts_with(['@', '<']) {
                format!("@{SOMEONE}")
            } else {
                SOMEONE.to_owned()
            }
        };
        replace_hits(self.mention_pattern.as_ref()?, text, by)
    }

    /// A text of the companion that neither calls, names nor quotes this person; none if it did nothing of it.
    pub fn redact(&self, text: &str) -> Option<String> {
        let mut redacted = None;
        let mut change = |by: &dyn Fn(&str) -> Option<String>| {
            if let Some(new) = by(redacted.as_deref().unwrap_or(text)) {
                redacted = Some(new);
            }
        };
        change(&|text| self.texts.redact(text));
        change(&|text| self.words.redact(text));
        change(&|text| self.redact_mentions(text));
        change(&|text| replace_hits(self.name_pattern.as_ref()?, text, |_| SOMEONE.to_owned()));
        redacted
    }
}

/// A pattern of escaped alternatives is always well-formed; none if it is too large, which no list of names is.
fn build_pattern(alternatives: &[String]) -> Option<Regex> {
    RegexBuilder::new(&alternatives.join("|")).build().ok()
}

/// `text` with each hit that stands alone replaced; none if there is none.
fn replace_hits(pattern: &Regex, text: &str, by: impl Fn(&str) -> String) -> Option<String> {
    let mut out = String::new();
    let (mut from, mut kept) = (0, 0);
    while let Some(hit) = pattern.find_at(text, from) {
        let (start, end) = (hit.start(), hit.end());
        let within = |place: usize| {
            is_joined(
                text[..place].chars().next_back(),
                text[place..].chars().next(),
            )
        };
        if within(start) || within(end) {
            from = start + text[start..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        out.push_str(&text[kept..start]);
        out.push_str(&by(hit.as_str()));
        (from, kept) = (end, end);
    }
    (kept > 0).then(|| out + &text[kept..])
}

/// Whether two neighbours are parts of one word. Words written without spaces have no ends.
fn is_joined(before: Option<char>, after: Option<char>) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    part(before) && part(after)
}

/// A single character of such a script is part of too many words.
fn is_one_cjk(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(is_cjk) && chars.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: u64 = 1_234_567_890_123_456_789;

    fn trace(names: &[&str]) -> IdentityMatcher {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut texts = ErasedPassages::default();
        texts.add("meet me behind the old mill");
        IdentityMatcher::new(UserId(ID), &names, texts.into(), vec!["xylophone".into()])
    }

    #[test]
    fn others_keep_their_words_but_call_nobody() {
        let trace = trace(&["Anna", "Anna Lee", "小安"]);
        let uncalled = |text: &str| trace.redact_mentions(text);
        assert_eq!(
            uncalled("hey @Anna Lee, @Anna: hi").as_deref(),
            Some("hey @someone, @someone: hi")
        );
        assert_eq!(
            uncalled(&format!("<@{ID}> or <@!{ID}>, {ID}?")).as_deref(),
            Some("@someone or @someone, someone?")
        );
        assert_eq!(uncalled("@小安你好").as_deref(), Some("@someone你好"));
        for text in [
            "Anna plays the xylophone",
            "@Annabel",
            "@anna",
            "mail@Anna",
            &format!("{ID}0"),
        ] {
            let wanted = (text == "mail@Anna").then(|| "mail@someone".to_owned());
            assert_eq!(uncalled(text), wanted, "{text}");
        }
    }

    #[test]
    fn the_companion_names_and_quotes_nobody() {
        let trace = trace(&["Anna", "小安", "Will"]);
        let untold = |text: &str| trace.redact(text).unwrap_or_else(|| text.into());
        assert_eq!(
            untold("ANNA, anna's and Annabel"),
            "someone, someone's and Annabel"
        );
        assert_eq!(untold("Will will"), "someone will");
        assert_eq!(untold("我觉得小安说得对"), "我觉得someone说得对");
        assert!(untold("she said: meet me behind the old mill!").starts_with("she said: [erased"));
        assert!(untold("two Xylophones").starts_with("two [erased"));
        assert_eq!(trace.redact("nothing of the kind"), None);
    }

    #[test]
    fn a_name_of_one_character_or_none_breaks_no_other_text() {
        let trace = trace(&["安", "", "  ", "J"]);
        assert_eq!(trace.redact("安全第一 and just a joke @ home"), None);
        assert_eq!(
            trace.redact("J, @安 and j").as_deref(),
            Some("someone, @someone and someone")
        );
    }
}
