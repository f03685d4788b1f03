//! What a channel's companion listens for: its names and what it cares about, made ready once, not for each message.

use std::sync::{Arc, OnceLock};

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder, SetMatches};

use crate::address::{CompanionNames, find_descriptions};
use crate::chat::{ChannelKind, UserId};
use crate::message_shape::MessageShape;
use crate::persona::Persona;
use crate::topic::{TopicHashes, WordSketch};

/// Who listens, and for what. Cheap to clone: channels of one persona share what is made ready.
#[derive(Clone, Debug)]
pub struct AddressMatcher {
    pub me: UserId,
    pub names: Arc<CompanionNames>,
    pub interests: Arc<Themes>,
    pub dislikes: Arc<Themes>,
    /// Whether every message here is meant for it.
    pub direct: bool,
    /// Whether who speaks now has nobody else to speak to; the channel knows.
    pub alone: bool,
}

impl AddressMatcher {
    /// Makes a persona ready to listen under `names` in a channel of this kind.
    pub fn new(
        me: UserId,
        names: &[String],
        persona: &Persona,
        kind: ChannelKind,
    ) -> AddressMatcher {
        AddressMatcher {
            me,
            names: Arc::new(CompanionNames::new(names)),
            interests: Arc::new(Themes::new(&persona.interests)),
            dislikes: Arc::new(Themes::new(&persona.dislikes)),
            direct: kind == ChannelKind::Direct,
            alone: false,
        }
    }

    /// Whether a text tells of somebody by what the companion cares about: "the bike lady".
    pub fn is_described_in(&self, text: &str) -> bool {
        find_descriptions(text).iter().any(|by| {
            self.interests
                .compute_match_score(&MessageShape::from_text(by), by)
                > 0.0
        })
    }
}

/// Listeners already made ready. A compiled expression takes kilobytes, so channels of one persona share theirs.
#[derive(Debug, Default)]
pub struct AddressMatchers {
    ready: Vec<(Arc<Persona>, Vec<String>, AddressMatcher)>,
}

impl AddressMatchers {
    /// The listener of a persona that answers to `names` in a channel of this kind.
    pub fn of(
        &mut self,
        me: UserId,
        names: &[String],
        persona: &Arc<Persona>,
        kind: ChannelKind,
    ) -> AddressMatcher {
        let direct = kind == ChannelKind::Direct;
        let same = |(of, under, _): &&(Arc<Persona>, Vec<String>, AddressMatcher)| {
            Arc::ptr_eq(of, persona) && under == names
        };
        if let Some((_, _, matcher)) = self.ready.iter().find(same) {
            return AddressMatcher {
                direct,
                ..matcher.clone()
            };
        }
        // A persona nobody else holds any more was edited or taken out of the settings.
        self.ready.retain(|(of, _, _)| Arc::strong_count(of) > 1);
        let matcher = AddressMatcher::new(me, names, persona, kind);
        self.ready
            .push((persona.clone(), names.to_vec(), matcher.clone()));
        matcher
    }
}

/// Words, phrases and `/regular expressions/` to be found in messages.
#[derive(Clone, Debug, Default)]
pub struct Themes {
    phrases: Vec<Phrase>,
    /// All expressions at once: most messages touch none.
    patterns: Option<RegexSet>,
    /// The same one by one, to see what they found.
    expressions: Vec<LazyPattern>,
}

/// An expression that is compiled when a message has touched it: few ever do, and each takes a hundred kilobytes.
#[derive(Clone, Debug)]
struct LazyPattern {
    expression: String,
    compiled: OnceLock<Option<Regex>>,
}

impl LazyPattern {
    fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let compiled = self
            .compiled
            .get_or_init(|| compile_pattern(&self.expression).ok());
        compiled.as_ref()?.find(text).map(|found| found.as_str())
    }
}

#[derive(Clone, Debug)]
struct Phrase {
    words: Vec<u32>,
    topic: TopicHashes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThemeError {
    /// It is no regular expression, for this reason.
    Expression(String),
    UnknownFlags(String),
    NoWord,
}

/// The most memory one compiled set of expressions may take, in bytes.
const PATTERN_BYTES: usize = 256 * 1024;
/// The most text expressions are tried on, in bytes.
const PATTERN_TEXT: usize = 1_000;

/// From this rarity on a theme counts fully: a word that came up a few times is not what a room always talks about.
const RARE: f32 = 2.0 / 3.0;

impl Themes {
    /// Makes themes ready. An expression that does not compile, or not beside those before it, is left out: `kith check`
    /// reports the first with [`Themes::check`].
    pub fn new(themes: &[String]) -> Themes {
        let phrases = themes
            .iter()
            .filter(|theme| parse_pattern(theme).is_none())
            .map(|theme| MessageShape::from_text(theme));
        let phrases = phrases.map(|words| Phrase {
            words: words.all().to_vec(),
            topic: words.topic,
        });
        let mut expressions: Vec<&str> = themes
            .iter()
            .filter_map(|theme| parse_pattern(theme))
            .collect();
        let patterns = compile_patterns(&expressions).or_else(|_| {
            let all = std::mem::take(&mut expressions);
            for expression in all {
                expressions.push(expression);
                if compile_patterns(&expressions).is_err() {
                    expressions.pop();
                }
            }
            compile_patterns(&expressions)
        });
        let each = |expression: &&str| LazyPattern {
            expression: (*expression).to_owned(),
            compiled: OnceLock::new(),
        };
        Themes {
            phrases: phrases.filter(|phrase| !phrase.words.is_empty()).collect(),
            patterns: patterns.ok().filter(|_| !expressions.is_empty()),
            expressions: expressions.iter().map(each).collect(),
        }
    }

    /// Whether a theme can be used.
    ///
    /// # Errors
    /// Why it never touches a message.
    pub fn check(theme: &str) -> Result<(), ThemeError> {
        if let Some(flags) = find_unknown_flags(theme) {
            return Err(ThemeError::UnknownFlags(flags.to_owned()));
        }
        match parse_pattern(theme) {
            Some(expression) => compile_patterns(&[expression])
                .map(|_| ())
                .map_err(|error| ThemeError::Expression(error.to_string())),
            None if MessageShape::from_text(theme).all().is_empty() => Err(ThemeError::NoWord),
            None => Ok(()),
        }
    }

    /// How many themes a message touches, as a value that nears 1: 0, 1/2, 3/4 …
    pub fn compute_match_score(&self, words: &MessageShape, text: &str) -> f32 {
        self.compute_weighted_score(words, text, |_| 1.0)
    }

    /// The same, each theme counting by how rare it is in the room: what everybody talks about all day is nothing to
    /// speak up for. It is as rare as the rarest of its words; one of everyday words alone counts fully.
    pub fn compute_rarity_score(
        &self,
        words: &MessageShape,
        text: &str,
        heard: &WordSketch,
    ) -> f32 {
        let rarity = |topic: &TopicHashes| {
            topic
                .words()
                .iter()
                .map(|word| heard.rarity(*word))
                .max_by(f32::total_cmp)
        };
        self.compute_weighted_score(words, text, |topic| {
            rarity(topic).map_or(1.0, |rarity| (rarity / RARE).min(1.0))
        })
    }

    fn compute_weighted_score(
        &self,
        words: &MessageShape,
        text: &str,
        weight: impl Fn(&TopicHashes) -> f32,
    ) -> f32 {
        let found = self
            .phrases
            .iter()
            .filter(|phrase| has_phrase(words.all(), &phrase.words));
        let left = found.fold(1.0, |left, phrase| {
            left * (1.0 - weight(&phrase.topic) / 2.0)
        });
        let text = truncate_text(text);
        let matches = self
            .patterns
            .as_ref()
            .map(|set| set.matches(text))
            .filter(SetMatches::matched_any);
        let matched = matches
            .iter()
            .flat_map(SetMatches::iter)
            .filter_map(|place| self.expressions.get(place)?.find(text));
        1.0 - matched.fold(left, |left, found| {
            left * (1.0 - weight(&MessageShape::from_text(found).topic) / 2.0)
        })
    }
}

fn has_phrase(all: &[u32], phrase: &[u32]) -> bool {
    let Some(first) = phrase.first() else {
        return false;
    };
    all.iter()
        .enumerate()
        .any(|(at, word)| word == first && all.get(at..at + phrase.len()) == Some(phrase))
}

fn parse_pattern(theme: &str) -> Option<&str> {
    let rest = theme.strip_prefix('/')?;
    // Case never counts; people write it all the same.
    rest.strip_suffix("/i")
        .or(rest.strip_suffix('/'))
        .filter(|pattern| !pattern.is_empty())
}

/// The letters behind an expression where they are not the one flag there is.
fn find_unknown_flags(theme: &str) -> Option<&str> {
    let (expression, flags) = theme.strip_prefix('/')?.rsplit_once('/')?;
    let is_flags = !flags.is_empty() && flags.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_flags && flags != "i" && !expression.is_empty()).then_some(flags)
}

fn compile_pattern(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES)
        .build()
}

fn compile_patterns(patterns: &[&str]) -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(patterns)
        .case_insensitive(true)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES)
        .build()
}

fn truncate_text(text: &str) -> &str {
    let mut end = text.len().min(PATTERN_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}
