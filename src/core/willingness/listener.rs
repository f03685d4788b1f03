//! What a channel's companion listens for: its names and what it cares about, made ready once, not for each message.

use std::sync::Arc;

use regex::{RegexSet, RegexSetBuilder};

use super::words::{Words, sequence};
use crate::core::address::Names;
use crate::core::chat::{ChannelKind, UserId};
use crate::core::persona::Persona;

/// Who listens, and for what. Cheap to clone: channels of one persona share what is made ready.
#[derive(Clone, Debug)]
pub struct Listener {
    /// The companion's id here.
    pub me: UserId,
    /// The names it answers to.
    pub names: Arc<Names>,
    /// What it likes to talk about.
    pub interests: Arc<Themes>,
    /// What it would rather not talk about.
    pub dislikes: Arc<Themes>,
    /// Whether every message here is meant for it.
    pub direct: bool,
    /// Whether who speaks now has nobody else to speak to; the lane knows.
    pub alone: bool,
}

impl Listener {
    /// Makes a persona ready to listen under `names` in a channel of this kind.
    pub fn new(me: UserId, names: &[String], persona: &Persona, kind: ChannelKind) -> Listener {
        Listener {
            me,
            names: Arc::new(Names::new(names)),
            interests: Arc::new(Themes::new(&persona.interests)),
            dislikes: Arc::new(Themes::new(&persona.dislikes)),
            direct: kind == ChannelKind::Direct,
            alone: false,
        }
    }
}

/// Listeners already made ready. A compiled expression takes kilobytes, so channels of one persona share theirs.
#[derive(Debug, Default)]
pub struct Listeners {
    ready: Vec<(Arc<Persona>, Vec<String>, Listener)>,
}

impl Listeners {
    /// The listener of a persona that answers to `names` in a channel of this kind.
    pub fn of(&mut self, me: UserId, names: &[String], persona: &Arc<Persona>, kind: ChannelKind) -> Listener {
        let direct = kind == ChannelKind::Direct;
        let same = |(of, under, _): &&(Arc<Persona>, Vec<String>, Listener)| Arc::ptr_eq(of, persona) && under == names;
        if let Some((_, _, listener)) = self.ready.iter().find(same) {
            return Listener { direct, ..listener.clone() };
        }
        // A persona nobody else holds any more was edited or taken out of the settings.
        self.ready.retain(|(of, _, _)| Arc::strong_count(of) > 1);
        let listener = Listener::new(me, names, persona, kind);
        self.ready.push((persona.clone(), names.to_vec(), listener.clone()));
        listener
    }
}

/// Words, phrases and `/regular expressions/` to be found in messages.
#[derive(Clone, Debug, Default)]
pub struct Themes {
    phrases: Vec<Vec<u32>>,
    patterns: Option<RegexSet>,
}

/// Why a theme can never be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untouchable {
    /// It is no regular expression, for this reason.
    Expression(String),
    /// There is no word in it.
    NoWord,
}

/// The most memory one compiled set of expressions may take, in bytes.
const PATTERN_BYTES: usize = 256 * 1024;
/// The most text expressions are tried on, in bytes.
const PATTERN_TEXT: usize = 1_000;

impl Themes {
    /// Makes themes ready. An expression that does not compile, or not beside those before it, is left out: `kith check`
    /// reports the first with [`Themes::check`].
    pub fn new(themes: &[String]) -> Themes {
        let mut phrases = Vec::new();
        let (mut expressions, mut patterns) = (Vec::new(), None);
        for theme in themes {
            let Some(expression) = pattern(theme) else {
                phrases.push(sequence(theme));
                continue;
            };
            expressions.push(expression);
            match compile(&expressions) {
                Ok(all) => patterns = Some(all),
                Err(_) => _ = expressions.pop(),
            }
        }
        phrases.retain(|phrase| !phrase.is_empty());
        Themes { phrases, patterns }
    }

    /// Whether a theme can be used.
    ///
    /// # Errors
    /// Why it never touches a message.
    pub fn check(theme: &str) -> Result<(), Untouchable> {
        match pattern(theme) {
            Some(expression) => {
                compile(&[expression]).map(|_| ()).map_err(|error| Untouchable::Expression(error.to_string()))
            }
            None if sequence(theme).is_empty() => Err(Untouchable::NoWord),
            None => Ok(()),
        }
    }

    /// How many themes a message touches, as a value that nears 1: 0, 1/2, 3/4 …
    pub fn touched(&self, words: &Words, text: &str) -> f32 {
        let all = words.all();
        let phrases = self.phrases.iter().filter(|phrase| contains(all, phrase)).count();
        let patterns = self.patterns.as_ref().map_or(0, |set| set.matches(cut(text)).iter().count());
        1.0 - 0.5f32.powi((phrases + patterns).min(20) as i32)
    }
}

fn contains(all: &[u32], phrase: &[u32]) -> bool {
    let Some(first) = phrase.first() else { return false };
    all.iter().enumerate().any(|(at, word)| word == first && all.get(at..at + phrase.len()) == Some(phrase))
}

fn pattern(theme: &str) -> Option<&str> {
    let rest = theme.strip_prefix('/')?;
    // Case never counts; people write it all the same.
    rest.strip_suffix("/i").or(rest.strip_suffix('/')).filter(|pattern| !pattern.is_empty())
}

fn compile(patterns: &[&str]) -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(patterns)
        .case_insensitive(true)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES)
        .build()
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(PATTERN_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}
