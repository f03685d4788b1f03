//! Whether a name in a message is used to call its owner, in English and Chinese. Looks at the words around the name
//! only; decides nothing about whether to answer.

mod cues;

use super::willingness::words::{is_ordinary, is_unspaced};

/// What a message does with the companion's names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Called {
    /// None of them occurs.
    #[default]
    Not,
    /// One occurs: it is spoken about.
    Named,
    /// One is used as a vocative: it is spoken to.
    Vocative,
}

/// The names a companion answers to, made ready for searching.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    names: Vec<Name>,
}

#[derive(Clone, Debug, PartialEq)]
struct Name {
    /// Lower case, one for one.
    letters: Vec<char>,
    /// An everyday word: counts only after @, or at the start before a comma or colon.
    ordinary: bool,
}

/// The most bytes of a message names are looked for in.
const BYTES: usize = 4_000;

impl Names {
    /// Makes names ready; empty ones are left out.
    pub fn new(names: &[String]) -> Names {
        let ready = |name: &String| {
            let name = name.trim().trim_start_matches('@');
            let letters: Vec<char> = name.chars().map(lower).collect();
            (!letters.is_empty()).then(|| Name { letters, ordinary: is_ordinary(name) })
        };
        Names { names: names.iter().filter_map(ready).collect() }
    }

    /// What a message does with the names: the strongest use of any of them.
    pub fn called(&self, text: &str) -> Called {
        let mut called = Called::Not;
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            let quoted = line.trim_start().starts_with('>');
            from += line.len();
            if from > BYTES {
                break;
            }
            if !quoted {
                called = called.max(self.called_in(line.trim_end_matches('\n')));
            }
            if called == Called::Vocative {
                break;
            }
        }
        called
    }

    fn called_in(&self, line: &str) -> Called {
        let mut called = Called::Not;
        for name in &self.names {
            let mut rest = 0;
            while let Some((start, end)) = name.find(line, rest) {
                let place = Place { line, before: &line[..start], after: &line[end..] };
                let used = if name.ordinary { place.ordinary() } else { place.used() };
                called = called.max(used);
                rest = end;
            }
        }
        called
    }
}

impl Name {
    /// The next place at or after `from` where the name stands as a word of its own.
    fn find(&self, line: &str, from: usize) -> Option<(usize, usize)> {
        let first = *self.letters.first()?;
        let mut from = from;
        loop {
            let rest = line.get(from..)?;
            let at = from
                + if first.is_ascii() {
                    rest.bytes().position(|byte| byte.eq_ignore_ascii_case(&(first as u8)))?
                } else {
                    rest.find(|c| lower(c) == first)?
                };
            if let Some(end) = self.matches(line, at)
                && !self.is_inside(line, at, end)
            {
                return Some((at, end));
            }
            from = at + width(line, at);
        }
    }

    fn matches(&self, line: &str, start: usize) -> Option<usize> {
        let mut chars = line.get(start..)?.char_indices();
        let mut end = start;
        for letter in &self.letters {
            let (at, c) = chars.next()?;
            if lower(c) != *letter {
                return None;
            }
            end = start + at + c.len_utf8();
        }
        Some(end)
    }

    /// Whether what was found is a part of a longer word or name.
    fn is_inside(&self, line: &str, start: usize, end: usize) -> bool {
        let after = line.get(end..).unwrap_or_default();
        let previous = line.get(..start).and_then(|before| before.chars().next_back());
        let (first, last) = (self.letters.first().copied(), self.letters.last().copied());
        let joined = |edge: Option<char>, neighbour: Option<char>| match (edge, neighbour) {
            (Some(edge), Some(neighbour)) => is_letter(edge) && (is_letter(neighbour) || neighbour == '_'),
            _ => false,
        };
        if joined(first, previous) || joined(last, after.chars().next()) {
            return true;
        }
        // "Mia-Rose" and "anna-mia" are other people.
        let mut next = after.chars();
        if last.is_some_and(is_letter) && next.next() == Some('-') && next.next().is_some_and(is_letter) {
            return true;
        }
        let mut back = line.get(..start).unwrap_or_default().chars().rev();
        if first.is_some_and(is_letter) && back.next() == Some('-') && back.next().is_some_and(is_letter) {
            return true;
        }
        last.is_some_and(is_unspaced) && extends_to_word(line, start, end)
    }
}

/// Whether the everyday words list has a longer word that starts with the last characters of what was found, or ends
/// with its first: "小雨" in "大小雨伞".
fn extends_to_word(line: &str, start: usize, end: usize) -> bool {
    let mut chars = line.get(start..).unwrap_or_default().char_indices().map(|(at, c)| start + at + c.len_utf8());
    let longer = chars.find(|at| *at > end);
    let earlier = line.get(..start).and_then(|before| before.char_indices().next_back()).map(|(at, _)| at);
    let whole = |from: usize, to: usize| line.get(from..to).is_some_and(is_ordinary);
    longer.is_some_and(|to| whole(start, to)) || earlier.is_some_and(|from| whole(from, end))
}

/// A name in its line.
struct Place<'a> {
    line: &'a str,
    before: &'a str,
    after: &'a str,
}

/// What follows a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Nothing but marks and emoji.
    End,
    /// A comma or a colon.
    Comma,
    /// The end of a sentence, and then more.
    Stop,
    /// More of the sentence.
    More,
}

impl Place<'_> {
    /// The use of a name that is an everyday word.
    fn ordinary(&self) -> Called {
        let comma = self.after.starts_with([',', ':', '，', '：']);
        let start = self.before.trim().is_empty();
        if self.at_sign() || start && comma && !self.opens_list() { Called::Vocative } else { Called::Not }
    }

    fn used(&self) -> Called {
        if self.at_sign() || !self.in_list() && (self.opens() || self.is_greeted() || self.closes()) {
            Called::Vocative
        } else {
            Called::Named
        }
    }

    fn at_sign(&self) -> bool {
        self.before.ends_with('@') || self.before.ends_with('＠')
    }

    /// The part of the sentence before the name.
    fn clause(&self) -> &str {
        let from = self.before.rfind(is_stop).map_or(0, |at| at + width(self.before, at));
        self.before.get(from..).unwrap_or_default().trim_matches(|c: char| c.is_whitespace() || is_mark(c))
    }

    /// What follows, after particles and titles.
    fn tail(&self) -> &str {
        let mut tail = self.after;
        if let Some(title) = cues::ZH_TITLES.iter().find(|title| tail.starts_with(**title)) {
            tail = tail.get(title.len()..).unwrap_or_default();
        }
        tail
    }

    fn next(&self) -> Next {
        let tail = self.tail();
        let first = tail.trim_start().chars().next();
        if !tail.chars().any(char::is_alphanumeric) {
            Next::End
        } else if first.is_some_and(|c| matches!(c, ',' | ':' | '，' | '：')) {
            Next::Comma
        } else if first.is_some_and(|c| is_stop(c) || matches!(c, '-' | '–' | '—')) {
            Next::Stop
        } else {
            Next::More
        }
    }

    /// The name opens its sentence as a call.
    fn opens(&self) -> bool {
        if self.before.rfind(is_stop).is_none_or(|at| at + width(self.before, at) != self.before.trim_end().len())
            && !self.clause().is_empty()
            || self.before.trim_end().ends_with([',', '，'])
        {
            return false;
        }
        match self.next() {
            Next::End | Next::Stop => true,
            Next::Comma => !self.opens_list(),
            Next::More => self.speaks_to(),
        }
    }

    /// What follows speaks to somebody.
    fn speaks_to(&self) -> bool {
        let tail = self.tail().trim_start();
        if cues::ZH_YOU.iter().any(|cue| tail.starts_with(cue)) {
            return true;
        }
        let told = |cue: &&&str| tail.get(cue.len()..).is_some_and(|rest| rest.starts_with(cues::ZH_DONE));
        if let Some(cue) = cues::ZH_AFTER_FIRST.iter().find(|cue| tail.starts_with(**cue)) {
            return !told(&cue);
        }
        let mut words = words(tail);
        let (first, second) = (words.next(), words.next());
        let is = |word: Option<&str>, list: &[&str]| word.is_some_and(|word| listed(list, word));
        if is(first, cues::ASKS) {
            return is(second, cues::ASKED);
        }
        is(first, cues::AFTER_FIRST) && self.after.starts_with(char::is_whitespace)
    }

    /// A greeting or thanks stands before the name.
    fn is_greeted(&self) -> bool {
        let clause = self.clause();
        let last = clause.rsplit([',', '，', ' ']).next().unwrap_or_default();
        let part = clause.rsplit([',', '，']).next().unwrap_or_default().trim();
        let ends = self.next() != Next::More;
        if (listed(cues::ZH_GREETS, last) || listed(cues::ZH_GREETS, part)) && !self.comma_before() {
            return ends || self.speaks_to();
        }
        if self.comma_before() {
            return false;
        }
        listed(cues::GREETS, part) || (ends || self.speaks_to()) && listed(cues::CLOSES, part)
    }

    /// The name closes the sentence as a call, or stands between commas.
    fn closes(&self) -> bool {
        let next = self.next();
        if self.comma_before() {
            return matches!(next, Next::End | Next::Comma | Next::Stop)
                && (self.line.contains(['?', '？']) || !self.continues_list())
                || next == Next::More && cues::ZH_YOU.iter().any(|cue| self.tail().starts_with(cue));
        }
        if !matches!(next, Next::End | Next::Stop) {
            return false;
        }
        let clause = self.clause();
        if clause.ends_with(cues::ZH_BEFORE_LAST) && clause.chars().count() > 1 {
            return true;
        }
        let Some(last) = words(clause).last() else { return false };
        listed(cues::BEFORE_LAST, last)
            || listed(cues::BEFORE_LAST_WITH_YOU, last) && words(clause).any(|word| listed(cues::YOU, word))
    }

    fn comma_before(&self) -> bool {
        self.before.trim_end().ends_with([',', '，'])
    }

    /// The name stands in a list joined by words: "Tom and Mia", "小明和小雨".
    fn in_list(&self) -> bool {
        let before = self.before.trim_end();
        if before.ends_with(cues::ZH_JOINS) || self.after.trim_start().starts_with(cues::ZH_JOINS) {
            return true;
        }
        let joined = |word: Option<&str>| word.is_some_and(|word| listed(cues::JOINS, word));
        let spaced = |text: &str| text.starts_with(' ');
        joined(words(before).last()) && !before.ends_with([',', '，'])
            || spaced(self.after) && joined(self.after.split_whitespace().next())
    }

    /// "Mia, Tom and I went": after the comma stands another name, and then a word that joins.
    fn opens_list(&self) -> bool {
        let rest = self.after.trim_start_matches([',', '，', ' ']);
        let mut words = rest.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        self.after.starts_with([',', '，'])
            && first.chars().next().is_some_and(char::is_uppercase)
            && (first.ends_with(',') || listed(cues::JOINS, second))
    }

    /// "I saw Anna, Mia": before the comma stands another name.
    fn continues_list(&self) -> bool {
        let before = self.before.trim_end().trim_end_matches([',', '，']);
        let segment = before.rsplit([',', '，']).next().unwrap_or_default().trim();
        let mut words = segment.split_whitespace();
        let last = words.next_back().unwrap_or_default();
        let capital = last.chars().next().is_some_and(char::is_uppercase) && last.chars().count() > 1;
        capital && !is_ordinary(last) && (words.next().is_some() || before.contains(',')) && last.is_ascii()
    }
}

/// The name a message opens or ends with as a call of anybody: "Tom: …", "@Tom …", "…, Tom?".
pub fn addressed_name(text: &str) -> Option<&str> {
    const LONGEST: usize = 40;
    let line = text.lines().next()?.trim();
    if let Some(rest) = line.strip_prefix('@') {
        return rest.split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '，' | '：')).next();
    }
    let mark = |c: char| matches!(c, ',' | ':' | '，' | '：');
    if let Some(at) = line.char_indices().take(LONGEST).find(|(_, c)| mark(*c)).map(|(at, _)| at) {
        let first = line.get(..at)?.trim();
        if !first.is_empty() && first.split_whitespace().count() <= 2 {
            return Some(first);
        }
    }
    let last = line.rsplit_once(mark)?.1.trim_matches(|c: char| c.is_whitespace() || is_mark(c) || is_stop(c));
    (!last.is_empty() && last.len() <= LONGEST).then_some(last)
}

fn lower(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

/// A letter or digit of a script that puts spaces between words.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ';' | '…' | '。' | '！' | '？' | '；' | '~' | '～')
}

/// Neither a letter nor a comma: emoji, brackets, stars.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, ',' | ':' | '，' | '：' | '、')
}

fn width(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

fn listed(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| if known.is_ascii() { known.eq_ignore_ascii_case(word) } else { *known == word })
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !(is_letter(c) || c == '\'' || c == '’')).filter(|word| !word.is_empty())
}
