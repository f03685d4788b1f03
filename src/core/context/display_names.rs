//! Under which name somebody stands in a prompt. No two people, and nobody and the companion, ever stand under names that
//! a reader could take for one another: a name that looks like one already in use gets a number. Whoever keeps standing
//! in the prompt keeps their name, so that lines already sent stay as they were.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton as confusable;

use kith_language::{Language, demo};

use super::escape;
use crate::chat::UserId;

/// By so many characters at most a model writes a name shorter or longer than it stands there.
const MISSPELT: usize = 2;

/// What every message of the demo model opens with, in each language.
pub static DEMO_LABELS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let labels = Language::ALL.into_iter();
    labels
        .map(|language| demo::label().in_language(language).trim_end().to_owned())
        .collect()
});

/// The names people stand under in the prompts of a channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayNames {
    me: UserId,
    own_name: String,
    /// What the companion's own names look like: nobody else stands under one of them.
    reserved: BTreeSet<String>,
    entries: Vec<NameEntry>,
}

#[derive(Clone, Debug, PartialEq)]
struct NameEntry {
    user: UserId,
    /// The name as the platform has it.
    raw: Arc<str>,
    /// The name as it stands in the prompt.
    shown: String,
    /// What that looks like; no two people have the same.
    key: String,
    /// Whether it is the bare name; else a number, or an id's end, stands behind it.
    is_bare: bool,
    /// Whether a line of the prompt stands under it; else it is only quoted, and is free again in the next prompt.
    is_in_view: bool,
    /// Whether it has been written in this prompt.
    is_written: bool,
}

impl DisplayNames {
    /// A new prompt begins, in which the companion answers to `own`; its lines stand under the first of these names.
    pub(super) fn begin_prompt<'a>(&mut self, me: UserId, own: impl IntoIterator<Item = &'a str>) {
        let own: Vec<String> = own.into_iter().map(escape::name).collect();
        (self.me, self.reserved) = (me, own.iter().map(|name| skeleton(name)).collect());
        self.own_name = own.into_iter().next().unwrap_or_default();
        self.entries
            .retain(|entry| entry.is_in_view && !self.reserved.contains(&entry.key));
        self.entries
            .iter_mut()
            .for_each(|entry| entry.is_written = false);
    }

    /// Whether a line is its own. Under another persona's name it is not: that name is all that is stored of who it was.
    pub(super) fn is_own(&self, user: UserId, raw: &str) -> bool {
        user == self.me && self.reserved.contains(&skeleton(&escape::name(raw)))
    }

    /// Whether a line is the demo model's, which no real model is to take for the way it talks. Before the first prompt
    /// the label alone tells, for nobody is known to be the companion.
    pub fn is_demo_line(&self, user: UserId, text: &str) -> bool {
        let may_be_own = user == self.me || self.reserved.is_empty();
        may_be_own && DEMO_LABELS.iter().any(|label| text.starts_with(label))
    }

    /// The name the companion's own lines stand under: what people call it here.
    pub(super) fn own_name(&self) -> &str {
        &self.own_name
    }

    pub fn list_others(&self) -> Vec<String> {
        let names = self.entries.iter().map(|entry| entry.shown.clone());
        names.collect()
    }

    pub(super) fn keep_in_view(&mut self, in_view: &BTreeSet<UserId>) {
        self.entries
            .iter_mut()
            .for_each(|entry| entry.is_in_view = in_view.contains(&entry.user));
    }

    pub(super) fn forget(&mut self, user: UserId) {
        self.entries.retain(|entry| entry.user != user);
    }

    /// Somebody has a line in the prompt: they stand under the bare name, or the lowest number that nobody has.
    pub(super) fn claim_name(&mut self, user: UserId, raw: &Arc<str>) -> usize {
        let known = self
            .find_index(user, raw)
            .filter(|at| self.entries[*at].is_in_view);
        known.unwrap_or_else(|| self.assign_number(user, raw))
    }

    pub(super) fn resolve_line_name(&mut self, user: UserId, raw: &Arc<str>) -> &str {
        if self.is_own(user, raw) {
            return &self.own_name;
        }
        let at = self.claim_name(user, raw);
        let entry = &mut self.entries[at];
        entry.is_written = true;
        &entry.shown
    }

    /// The name of somebody who is quoted; who could be taken for another gets the end of their id, the same everywhere.
    pub fn resolve_quoted_name(&mut self, user: UserId, raw: &str) -> String {
        let shown = self.shown(user, raw);
        if !self.is_own(user, raw) && self.find_index(user, raw).is_none() {
            let (key, is_bare) = (skeleton(&shown), shown == escape::name(raw));
            let raw = Arc::from(raw);
            let entry = NameEntry {
                user,
                raw,
                shown: shown.clone(),
                key,
                is_bare,
                is_in_view: false,
                is_written: true,
            };
            self.entries.push(entry);
        }
        shown
    }

    /// The same without taking note of it.
    pub fn shown(&self, user: UserId, raw: &str) -> String {
        if self.is_own(user, raw) {
            return self.own_name.clone();
        }
        if let Some(at) = self.find_index(user, raw) {
            return self.entries[at].shown.clone();
        }
        let name = escape::name(raw);
        let numbers = (0..).map(|step| (user.0 / 10 + step) % 9_000 + 1_000);
        let numbered = numbers.map(|number| format!("{name} #{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names
            .find(|shown| self.is_free(&skeleton(shown), user))
            .unwrap_or(name)
    }

    pub(super) fn find_mentioned_name(&self, user: UserId) -> Option<Arc<str>> {
        if user == self.me {
            return Some(self.own_name.as_str().into());
        }
        let known = self.entries.iter().rev().find(|entry| entry.user == user);
        known.map(|entry| entry.shown.as_str().into())
    }

    /// A text of people in which those `mentioned` who stand under a number are named by their ids, for the text names them
    /// without it. Where two of them have one name it stays as it is; and until they have a line, for a line of somebody
    /// else must not change when they write.
    pub(super) fn replace_names_with_ids(
        &self,
        text: &str,
        mentioned: &[UserId],
    ) -> Option<String> {
        let raws = |user: UserId| {
            let written = self
                .entries
                .iter()
                .rev()
                .find(|entry| entry.user == user && entry.is_written)?;
            (!written.is_bare).then(|| written.raw.clone())
        };
        let named: Vec<(UserId, Arc<str>)> = mentioned
            .iter()
            .filter_map(|user| Some((*user, raws(*user)?)))
            .collect();
        let is_only = |raw: &str| named.iter().filter(|(_, other)| **other == *raw).count() == 1;
        let replaced = named
            .iter()
            .filter(|(_, raw)| is_only(raw))
            .fold(text.to_owned(), |text, (user, raw)| {
                replace_words(&text, &format!("@{raw}"), &format!("<@{user}>"))
            });
        (replaced != text).then_some(replaced)
    }

    /// Who stands under a name, however it is spelt.
    pub fn find_user(&self, name: &str) -> Option<UserId> {
        let key = skeleton(&escape::name(name));
        self.entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| entry.user)
    }

    /// What the model wrote as people are called: `@Anna 2` is a name in the prompt only.
    pub fn restore_real_names(&self, text: &str) -> String {
        let numbered: Vec<&NameEntry> =
            self.entries.iter().filter(|entry| !entry.is_bare).collect();
        let mut pieces = text.split('@');
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            out.push('@');
            let called = numbered
                .iter()
                .find_map(|entry| Some((&entry.raw, entry.strip_shown_name(piece)?)));
            match called {
                Some((raw, rest)) => {
                    out.push_str(raw);
                    out.push_str(rest);
                }
                None => out.push_str(piece),
            }
        }
        out
    }

    fn find_index(&self, user: UserId, raw: &str) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| entry.user == user && *entry.raw == *raw)
    }

    fn is_free(&self, key: &str, user: UserId) -> bool {
        !self.reserved.contains(key)
            && !self
                .entries
                .iter()
                .any(|entry| entry.key == key && entry.user != user)
    }

    fn assign_number(&mut self, user: UserId, raw: &Arc<str>) -> usize {
        self.entries
            .retain(|entry| entry.user != user || entry.raw != *raw);
        let name = escape::name(raw);
        let numbered = (2..).map(|number: u32| format!("{name} {number}"));
        let mut shown = std::iter::once(name.clone()).chain(numbered);
        let shown = shown
            .find(|shown| self.is_free(&skeleton(shown), user))
            .unwrap_or_default();
        let (key, is_bare) = (skeleton(&shown), shown == name);
        let raw = raw.clone();
        self.entries.push(NameEntry {
            user,
            raw,
            shown,
            key,
            is_bare,
            is_in_view: true,
            is_written: false,
        });
        self.entries.len() - 1
    }
}

impl NameEntry {
    /// What follows the name where a text begins with it; letters that look alike are rarely written again as they were.
    fn strip_shown_name<'a>(&self, text: &'a str) -> Option<&'a str> {
        let characters = self.shown.chars().count();
        let ends = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .enumerate();
        let near = ends.filter(|(count, _)| count.abs_diff(characters) <= MISSPELT);
        let mut rests = near.map(|(_, end)| text.split_at(end));
        let is_whole = |name: &str, rest: &str| {
            name.ends_with(char::is_alphanumeric)
                && !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
        };
        rests
            .find(|(name, rest)| is_whole(name, rest) && skeleton(name) == self.key)
            .map(|(_, rest)| rest)
    }
}

/// What follows a name that a text begins with, letter by letter; a name in letters ends where its letters end.
pub fn strip_name_prefix<'a>(
    text: &'a str,
    name: &str,
    is_same: impl Fn(char, char) -> bool,
) -> Option<&'a str> {
    let mut rest = text;
    for wanted in name.chars() {
        let given = rest
            .chars()
            .next()
            .filter(|given| is_same(*given, wanted))?;
        rest = &rest[given.len_utf8()..];
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '\'';
    let goes_on = name.ends_with(is_letter) && rest.starts_with(is_letter);
    (!goes_on && !name.is_empty()).then_some(rest)
}

/// What two names have in common that a reader could take for one another: Unicode's confusable letters, wide and ornate
/// ones, accents, case, spaces and signs make no difference (UTS #39, after NFKC).
pub fn skeleton(name: &str) -> String {
    let letters = if name.is_ascii() {
        name.bytes()
            .map(|byte| ASCII_LETTERS[usize::from(byte)].as_str())
            .collect()
    } else {
        letters_of(name)
    };
    if !letters.is_empty() {
        return letters;
    }
    // Nothing but pictures and signs: letters among them that are drawn as such, or all of it.
    let drawn: String = name
        .chars()
        .filter_map(|c| decode_shaped_letter(c, '\u{1f1e6}'))
        .collect();
    let all = || name.nfkc().filter(|c| !c.is_whitespace()).collect();
    if drawn.is_empty() {
        all()
    } else {
        normalize_letters(&drawn)
            .chars()
            .map(fold_single_stroke)
            .collect()
    }
}

/// [`letters_of`] each ASCII character: Unicode's tables are slow, and every piece of an answer is held against the names.
static ASCII_LETTERS: LazyLock<[String; 128]> = LazyLock::new(|| {
    let character = |byte: usize| char::from(byte as u8).to_string();
    std::array::from_fn(|byte| letters_of(&character(byte)))
});

/// The letters and digits of a name as they look; empty where it has none.
fn letters_of(name: &str) -> String {
    normalize_letters(name)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .map(fold_single_stroke)
        .collect()
}

fn normalize_letters(name: &str) -> String {
    let shapes = ['\u{1f150}', '\u{1f170}'];
    let unshaped = name.chars().map(|c| {
        shapes
            .into_iter()
            .find_map(|first| decode_shaped_letter(c, first))
            .unwrap_or(c)
    });
    let lower = |text: String| -> String { text.chars().flat_map(char::to_lowercase).collect() };
    let alike = |text: String| -> String {
        confusable(&text.nfkc().collect::<String>())
            .map(fold_lookalike)
            .collect()
    };
    // Once as they stand, for capitals look like other letters than small ones do, and once in small letters.
    lower(alike(lower(alike(unshaped.collect()))))
}

/// What Unicode's tables keep apart from the letters it reads as: the small capitals people set their names in, and what it
/// makes of two small Cyrillic letters (`Juпo`, `Jиno`).
fn fold_lookalike(c: char) -> char {
    const SET: [&str; 2] = ["ᴀʙᴅᴇꜰɢʜᴊʝĸʟʍɴᴘʀᴛπᴎ", "abdefghjjklmnprtnu"];
    let [small, plain] = SET.map(str::chars);
    small
        .zip(plain)
        .find(|(small, _)| *small == c)
        .map_or(c, |(_, plain)| plain)
}

/// The letter in one of 26 shapes that follow one another and that NFKC leaves as they are.
fn decode_shaped_letter(c: char, first: char) -> Option<char> {
    let place = u32::from(c)
        .checked_sub(u32::from(first))
        .filter(|place| *place < 26)?;
    char::from_u32(u32::from('a') + place)
}

/// The letters and digits of a single stroke look like one another in one case or the other.
fn fold_single_stroke(c: char) -> char {
    if matches!(c, 'i' | '1') { 'l' } else { c }
}

/// Replaces `what` wherever no letter or digit goes on behind it, whatever its case.
fn replace_words(text: &str, what: &str, with: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let tail = if next == '@' {
            strip_prefix_any_case(rest, what)
        } else {
            None
        };
        match tail.filter(|tail| !tail.starts_with(|c: char| c.is_ascii_alphanumeric())) {
            Some(tail) => {
                out.push_str(with);
                rest = tail;
            }
            None => {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    out
}

fn strip_prefix_any_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    for wanted in prefix.chars() {
        let found = rest.next()?;
        if found != wanted && !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_looked_up_letter_by_letter_is_what_unicodes_tables_say(name in "[ -~]{0,12}") {
            let letters = letters_of(&name);
            prop_assume!(!letters.is_empty());
            prop_assert_eq!(skeleton(&name), letters);
        }
    }
}
