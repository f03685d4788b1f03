//! The beginning of a line as the history writes it: `13 Juno: `, `13>12 Anna: `, `[14:05] Juno: `, also with the
//! decoration models put around it: `**Juno:**`, `Juno：`, `[Juno]: `. Says who speaks there, by the names in view.

use std::sync::LazyLock;

use kith_language::{PhraseList, word_lists, word_table};

use super::stamp::{split_leading_bracket, strip_clock};
use crate::context::{skeleton, strip_name_prefix};
use crate::non_speech::SpeakerNames;
use crate::transcript_roles::ROLES;
use crate::word::{is_unspaced, strip_leading_word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineSpeaker {
    Companion,
    Member,
    /// Nobody in view, but a line of the history by its number.
    Stranger,
}

/// The beginning of a line that says who speaks.
#[derive(Debug)]
pub(super) struct LineOpening {
    pub speaker: LineSpeaker,
    pub rest: String,
}

/// The longest name of somebody who is not in view, in characters, and the most words of it.
const LONGEST_STRANGER: usize = 24;
const STRANGER_WORDS: usize = 3;
/// Signs between a name and that of whom is spoken to; the second list behind the companion's own name only, for
/// "Ben @Anna: dinner?" is said to both.
const ARROWS: &[&str] = &["->", "→", "=>", "＞", ">"];
const OWN_ARROWS: &[&str] = &["@"];
/// Emphasis and quotation marks, by what closes them.
#[rustfmt::skip]
const MARKS: &[(char, char)] = &[
    ('*', '*'), ('_', '_'), ('~', '~'), ('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'),
    ('「', '」'), ('『', '』'), ('《', '》'), ('【', '】'), ('[', ']'), ('<', '>'), ('#', '#'), ('(', ')'), ('（', '）'),
];
/// Stands before a list or a quotation, where a member's name is no speaker: "- Anna: kitchen", "> Ben: that one".
const LISTED: &[char] = &['-', '•', '·', '>', '+', '–'];
/// What follows a colon in a face such as `:)`.
const FACE: &[char] = &[
    ')', '(', 'D', 'P', 'p', '/', '\\', '|', '3', '*', 'o', 'O', '<', '>', '[', ']', '$', 'c', '\'',
];

pub(super) fn parse_opening(line: &str, names: SpeakerNames<'_>) -> Option<LineOpening> {
    let mut reader = Reader {
        rest: line.trim_start(),
        opened: String::new(),
        listed: false,
        numbered: false,
        answers: false,
    };
    reader.skip_decoration();
    let (speaker, after) = reader.read_speaker(names)?;
    reader.rest = after;
    reader.skip_addressee(speaker, names);
    reader.skip_verb(speaker);
    reader.rest = strip_clock(reader.rest)
        .filter(|rest| rest.trim_start().starts_with(is_colon))
        .unwrap_or(reader.rest);
    let rest = reader.read_message(speaker)?;
    // A list of chores by name is a list; the history numbers its lines and has no such marks.
    if speaker == LineSpeaker::Member && reader.listed
        || speaker == LineSpeaker::Stranger && (reader.listed || !reader.numbered)
    {
        return None;
    }
    Some(LineOpening { speaker, rest })
}

/// What follows the name of whom a line is for: `@Ben: hey`, `Ben: hey`, `**@Ben**，hey`. "Ben, hey" is what friends say.
pub(super) fn strip_addressee<'a>(line: &'a str, addressees: &[String]) -> Option<&'a str> {
    const EMPHASIS: [char; 2] = ['*', '_'];
    let text = line.trim_start();
    let bare = text.trim_start_matches(EMPHASIS);
    let unmarked = |rest: &'a str| {
        if bare.len() < text.len() {
            rest.trim_start_matches(EMPHASIS)
        } else {
            rest
        }
    };
    let called = bare.strip_prefix('@');
    let rest = addressees
        .iter()
        .find_map(|name| strip_name(called.unwrap_or(bare), name))
        .map(unmarked)?;
    let sign = rest.trim_start();
    let behind =
        sign.strip_prefix(|c| is_colon(c) || called.is_some() && matches!(c, ',' | '，'))?;
    (!sign.starts_with(':') || !is_face(sign.len() < rest.len(), behind))
        .then(|| unmarked(behind).trim_start())
}

/// A text without its own name as a call, `good morning, Juno!`: a small model that was called by it calls itself.
pub(super) fn strip_own_call(text: &str, own: &[String]) -> Option<String> {
    const COMMAS: [char; 2] = [',', '，'];
    let text = text.trim();
    let called = text.trim_start_matches('@');
    let behind = own.iter().find_map(|name| {
        strip_name(called, name)?
            .trim_start()
            .strip_prefix(COMMAS)
            .map(|rest| rest.trim_start().to_owned())
    });
    let before = || {
        let (rest, last) = text.rsplit_once(COMMAS)?;
        let last = last.trim_start().trim_start_matches('@');
        let ending = own.iter().find_map(|name| strip_name(last, name))?;
        (!ending.contains(char::is_alphanumeric)).then(|| format!("{rest}{ending}"))
    };
    behind
        .or_else(before)
        .filter(|rest| rest.contains(char::is_alphanumeric))
}

/// Whether a line tells of a reaction as the history does: `* Ben 👍 12`.
pub(super) fn is_reaction(line: &str, names: SpeakerNames<'_>) -> bool {
    let Some(reaction) = line.strip_prefix("* ") else {
        return false;
    };
    let by = names
        .own
        .iter()
        .chain(names.members)
        .find_map(|name| strip_name(reaction, name));
    let is_number = |word: &str| {
        !word.is_empty() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit())
    };
    by.is_some_and(|rest| {
        let mut words = rest.split_whitespace();
        matches!((words.next(), words.next(), words.next()), (Some(emoji), Some(line), None)
            if is_number(line) && !emoji.chars().any(char::is_alphanumeric))
    })
}

struct Reader<'a> {
    rest: &'a str,
    /// Marks that were opened before the name.
    opened: String,
    listed: bool,
    numbered: bool,
    /// It names the line it answers.
    answers: bool,
}

impl<'a> Reader<'a> {
    /// Everything before the name: decoration, a time mark, the number of a line and of the one it answers.
    fn skip_decoration(&mut self) {
        loop {
            let before = self.rest;
            self.rest = self.rest.trim_start();
            if let Some((inside, rest)) = split_leading_bracket(self.rest)
                && inside.chars().any(|c| c.is_ascii_digit())
            {
                let is_number = inside
                    .chars()
                    .all(|c| c.is_ascii_digit() || matches!(c, '>' | '#' | ' '));
                self.numbered |= is_number;
                self.rest = rest;
            } else if let Some(rest) = strip_separate_clock(self.rest) {
                self.rest = rest;
            } else if let Some(rest) = self.rest.strip_prefix(LISTED) {
                (self.listed, self.rest) = (true, rest);
            } else if let Some(rest) = self.read_number() {
                self.rest = rest;
            } else if let Some(c) = self
                .rest
                .chars()
                .next()
                .filter(|c| MARKS.iter().any(|(open, _)| open == c))
            {
                self.opened.push(c);
                self.rest = &self.rest[c.len_utf8()..];
            }
            if self.rest == before {
                break;
            }
        }
    }

    /// `13`, `13>12`, `#13`, `13.`; the text behind it.
    fn read_number(&mut self) -> Option<&'a str> {
        let mut rest = strip_line_number(self.rest)?;
        if let Some(answered) = rest.strip_prefix(['>', '→', '＞']) {
            rest = strip_line_number(answered.trim_start())?;
            self.answers = true;
        }
        if let Some(behind) = rest.strip_prefix(['.', ')', '、', '）']) {
            self.listed = true;
            return behind.starts_with(char::is_whitespace).then_some(behind);
        }
        let behind = rest.strip_prefix([':', '：']).unwrap_or(rest);
        let is_apart = behind
            .starts_with(|c: char| c.is_whitespace() || MARKS.iter().any(|(open, _)| *open == c));
        self.numbered |= is_apart;
        // A name may stand right behind the number: `13Juno: hey`.
        (is_apart || behind.starts_with(char::is_alphabetic)).then_some(behind)
    }

    /// Whose name comes next, and what follows it.
    fn read_speaker(&self, names: SpeakerNames<'_>) -> Option<(LineSpeaker, &'a str)> {
        let bare = self.rest.strip_prefix('@').unwrap_or(self.rest);
        let own = names
            .own
            .iter()
            .map(String::as_str)
            .chain(ROLES.assistant.iter().copied());
        let own = own.filter_map(|name| strip_name(bare, name)).next();
        let member = names
            .members
            .iter()
            .find_map(|name| strip_name(self.rest, name));
        // A member may be called like the companion, with a number: "junes 2".
        let is_members = |member: &str| own.is_none_or(|own| member.len() < own.len());
        if let Some(rest) = member.filter(|rest| is_members(rest)) {
            // Of two members with one name the second is shown with a number.
            let digit = rest
                .strip_prefix(' ')
                .and_then(|rest| rest.strip_prefix(|c: char| ('2'..='9').contains(&c)));
            let rest = digit
                .filter(|rest| rest.trim_start().starts_with(is_colon))
                .unwrap_or(rest);
            return Some((LineSpeaker::Member, rest));
        }
        if let Some(rest) = own {
            return Some((LineSpeaker::Companion, rest));
        }
        if !self.numbered {
            return None;
        }
        let end = self
            .rest
            .char_indices()
            .take(LONGEST_STRANGER)
            .find(|(_, c)| is_colon(*c))
            .map(|(at, _)| at)?;
        let name = self.rest[..end].trim();
        // "3 things: milk, eggs", "7 PM: dinner" and "3 点：集合" have a number in front, too.
        let is_name =
            self.answers || name.starts_with(char::is_uppercase) && !matches!(name, "AM" | "PM");
        (is_name && name.split_whitespace().count() <= STRANGER_WORDS)
            .then_some((LineSpeaker::Stranger, &self.rest[end..]))
    }

    /// Whom the speaker talks to, between the name and the colon: `Juno -> Ben:`, `阿柚回复12：`, `阿柚对小雨说：`.
    fn skip_addressee(&mut self, speaker: LineSpeaker, names: SpeakerNames<'_>) {
        let text = self.rest.trim_start();
        let is_own = speaker == LineSpeaker::Companion;
        let signs = ARROWS
            .iter()
            .chain(OWN_ARROWS.iter().filter(|_| is_own))
            .filter_map(|sign| text.strip_prefix(sign));
        let own_words = SPOKEN.own_arrows.iter().filter(|_| is_own);
        let words = SPOKEN.arrows.iter().chain(own_words);
        let behind = signs.chain(words.filter_map(|word| strip_leading_word(text, word)));
        let name = |behind: &'a str| {
            let behind = behind.trim_start();
            let behind = behind.strip_prefix('@').unwrap_or(behind);
            let mut called = names.members.iter().chain(names.own);
            called
                .find_map(|name| strip_name(behind, name))
                .or_else(|| strip_line_number(behind))
        };
        let stripped = behind.filter_map(name).find(|rest| {
            let rest = rest.trim_start();
            let said = ROLES.says.strip_prefix(rest).filter(|_| is_own);
            rest.starts_with(is_colon)
                || said.is_some_and(|rest| rest.trim_start().starts_with(is_colon))
        });
        self.rest = stripped.unwrap_or(self.rest);
    }

    fn skip_verb(&mut self, speaker: LineSpeaker) {
        let said = self.rest.trim_start();
        let is_own = speaker == LineSpeaker::Companion;
        let mut verbs = ROLES
            .says
            .iter()
            .filter(|verb| is_own || verb.ends_with(is_unspaced));
        let strip = |verb: &str| {
            let behind = said
                .get(..verb.len())
                .filter(|word| word.eq_ignore_ascii_case(verb))
                .map(|_| &said[verb.len()..])?;
            behind.trim_start().starts_with(is_colon).then_some(behind)
        };
        self.rest = verbs.find_map(strip).unwrap_or(self.rest);
    }

    /// The text behind the colon, without marks that were opened before the name.
    fn read_message(&self, speaker: LineSpeaker) -> Option<String> {
        let mut rest = self.rest;
        let mut is_closed = self.opened.is_empty();
        let (mut spaced, mut is_link) = (false, false);
        loop {
            let before = rest;
            if let Some((_, behind)) = split_leading_bracket(rest.trim_start()) {
                rest = behind;
            }
            let trimmed = rest.trim_start();
            spaced |= trimmed.len() < rest.len();
            rest = trimmed;
            if let Some(c) = rest.chars().next().filter(|c| self.is_closing_mark(*c)) {
                (is_closed, spaced) = (true, false);
                rest = &rest[c.len_utf8()..];
                is_link |= rest.starts_with(['(', '[']);
            }
            if rest == before {
                break;
            }
        }
        let is_headed =
            self.opened.ends_with(['[', '【', '(', '（']) && !is_link && !rest.trim().is_empty();
        if is_closed && (self.opened.contains('<') || is_headed) && !rest.starts_with(is_colon) {
            // `<Juno> hey`, `【阿柚】在呢` and `（阿柚）在呢`, as logs of other chats write it.
            return Some(rest.trim_start().to_owned());
        }
        let colon = rest.chars().next().filter(|c| is_colon(*c))?;
        let behind = rest[colon.len_utf8()..].trim_start_matches(is_colon);
        if colon == ':' && is_face(spaced, behind) {
            return None;
        }
        let mut text = behind;
        while let Some(c) = text
            .chars()
            .next()
            .filter(|c| !is_closed && self.is_closing_mark(*c))
        {
            text = &text[c.len_utf8()..];
            if !text.starts_with(|c| self.is_closing_mark(c)) {
                is_closed = true;
            }
        }
        let mut text = text.trim_start();
        if !is_closed && speaker == LineSpeaker::Companion {
            text = text
                .trim_end()
                .trim_end_matches(|c| self.is_closing_mark(c));
        }
        Some(text.to_owned())
    }

    fn is_closing_mark(&self, c: char) -> bool {
        MARKS
            .iter()
            .any(|(open, close)| *close == c && self.opened.contains(*open))
    }
}

/// What follows the number of a line of the history: `13`, `#13`.
fn strip_line_number(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=3)
        .contains(&(digits.len() - rest.len()))
        .then_some(rest)
}

/// What follows a time of day that stands apart from it.
fn strip_separate_clock(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != ':')
        .unwrap_or(text.len());
    strip_clock(text)
        .filter(|rest| text[end..].starts_with(char::is_whitespace) && !rest.starts_with(':'))
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：' | '∶' | '﹕' | '︰')
}

/// Whether a colon begins a face or the code of an emoji: `Anna :)`, `Ben :smile:`, `Anna:D`.
fn is_face(spaced: bool, behind: &str) -> bool {
    let ends_word = |text: &str| text.is_empty() || text.starts_with(char::is_whitespace);
    spaced && !ends_word(behind)
        || behind
            .chars()
            .next()
            .is_some_and(|c| FACE.contains(&c) && ends_word(&behind[c.len_utf8()..]))
}

/// What follows a name, whatever its case and whichever letters that look like its own it is written in.
pub(super) fn strip_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    strip_name_prefix(text, name, is_same_letter)
}

/// Wide, ornate and foreign letters count as the plain ones they look like.
fn is_same_letter(a: char, b: char) -> bool {
    let looks_same = || {
        !(a.is_ascii() && b.is_ascii()) && a.is_alphanumeric() && b.is_alphanumeric() && {
            skeleton(a.encode_utf8(&mut [0; 4])) == skeleton(b.encode_utf8(&mut [0; 4]))
        }
    };
    a.to_lowercase().eq(b.to_lowercase()) || looks_same()
}

word_table! {
    /// What stands around who speaks where a model writes the lines of a chat or a story, in all languages.
    #[derive(Debug)]
    pub(super) struct SpokenLineWords {
        arrows: PhraseList,
        own_arrows: PhraseList,
        announces: PhraseList,
        questions: Vec<&'static str>,
        answers: Vec<&'static str>,
        counts: PhraseList,
    }
}

pub(super) static SPOKEN: LazyLock<SpokenLineWords> =
    LazyLock::new(|| SpokenLineWords::from_lists(word_lists("spoken_lines")));
