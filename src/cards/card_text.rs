//! The texts of a card as a prompt can show them: placeholders replaced or taken out, every line escaped like what people
//! write (Law 6), because whoever made the card is a stranger. No template is ever evaluated.

use std::collections::BTreeSet;

use kith_core::context::escape;
use kith_language::{Language, LocalizedMessage, cards};

/// The most of a text that is looked at, in characters.
const TEXT_CHARACTERS: usize = 100_000;
/// The longest placeholder, in bytes: a longer one is a pair of braces that were never closed.
const PLACEHOLDER_BYTES: usize = 400;
/// The most placeholders that are told by name.
const TOLD_PLACEHOLDERS: usize = 8;

/// Cleans the texts of one card, and notes what it took out.
#[derive(Debug)]
pub(crate) struct CardTexts {
    /// What stands for `{{char}}`.
    character: String,
    /// What stands for `{{user}}`: in a group it is whoever speaks.
    user: String,
    left_out: BTreeSet<String>,
    was_cut: bool,
}

impl CardTexts {
    pub(crate) fn new(character: &str, language: Language) -> Self {
        Self {
            character: character.to_owned(),
            user: cards::other_person().in_language(language),
            left_out: BTreeSet::new(),
            was_cut: false,
        }
    }

    /// A text in paragraphs, each line escaped, with one empty line at most between two.
    pub(crate) fn clean(&mut self, raw: &str) -> String {
        let raw = match raw.char_indices().nth(TEXT_CHARACTERS) {
            Some((end, _)) => {
                self.was_cut = true;
                &raw[..end]
            }
            None => raw,
        };
        let filled = self.replace_placeholders(raw);
        let mut out = String::with_capacity(filled.len());
        let mut is_gap = false;
        for line in filled.lines() {
            let mut clean = String::with_capacity(line.len());
            escape::escape_line(&mut clean, line, &|_| None);
            // What begins with # would read as one of the prompt's own headings.
            let clean = clean.trim_start_matches(['#', ' ']).trim();
            if clean.is_empty() {
                is_gap = !out.is_empty();
                continue;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            if std::mem::take(&mut is_gap) {
                out.push('\n');
            }
            out.push_str(clean);
        }
        out
    }

    pub(crate) fn clean_line(&mut self, raw: &str) -> String {
        let clean = self.clean(raw);
        clean.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn note_losses(&self, notes: &mut Vec<LocalizedMessage>) {
        notes.extend(self.list_left_out().map(cards::note_macros));
        if self.was_cut {
            notes.push(cards::note_text_cut(TEXT_CHARACTERS as u64));
        }
    }

    /// The placeholders that were taken out, for people; none where there were none.
    fn list_left_out(&self) -> Option<String> {
        let mut told: Vec<String> = self
            .left_out
            .iter()
            .take(TOLD_PLACEHOLDERS)
            .cloned()
            .collect();
        if self.left_out.len() > TOLD_PLACEHOLDERS {
            told.push("…".into());
        }
        (!told.is_empty()).then(|| told.join(", "))
    }

    fn replace_placeholders(&mut self, raw: &str) -> String {
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(at) = rest.find(['{', '<']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some((inside, after)) = split_placeholder(rest) {
                let filled = self.fill_placeholder(inside);
                out.push_str(&filled);
                rest = after;
            } else if let Some((is_character, after)) = split_old_placeholder(rest) {
                out.push_str(if is_character {
                    &self.character
                } else {
                    &self.user
                });
                rest = after;
            } else {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
        out.push_str(rest);
        out
    }

    fn fill_placeholder(&mut self, inside: &str) -> String {
        let inside = inside.trim();
        let name = inside.split([':', ' ']).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "char" | "bot" => self.character.clone(),
            "user" => self.user.clone(),
            "newline" => "\n".to_owned(),
            // Remarks, and what means nothing outside the program it was written for.
            _ if inside.starts_with("//") => String::new(),
            "comment" | "hidden_key" | "noop" | "trim" | "original" => String::new(),
            _ => {
                let shown: String = name
                    .chars()
                    .filter(|c| c.is_alphanumeric() || *c == '_')
                    .take(20)
                    .collect();
                self.left_out.insert(format!("{{{{{shown}}}}}"));
                String::new()
            }
        }
    }
}

/// What stands between double braces at the start of a text, and what follows them.
fn split_placeholder(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("{{")?;
    let within = &rest[..rest.floor_char_boundary(PLACEHOLDER_BYTES)];
    let end = within.find("}}")?;
    let inside = &within[..end];
    (!inside.contains("{{")).then(|| (inside, &rest[end + 2..]))
}

/// The placeholders of the first cards: whether it is the character, and what follows.
fn split_old_placeholder(text: &str) -> Option<(bool, &str)> {
    let forms = [
        ("<BOT>", true),
        ("<CHAR>", true),
        ("<USER>", false),
        ("<bot>", true),
        ("<char>", true),
        ("<user>", false),
    ];
    forms
        .iter()
        .find_map(|(form, is_character)| Some((*is_character, text.strip_prefix(form)?)))
}

/// The language most of a text is in: Chinese where a fifth of its letters are.
pub(crate) fn detect_language(texts: &[&str]) -> Language {
    let letters = || {
        texts
            .iter()
            .flat_map(|text| text.chars().take(TEXT_CHARACTERS))
            .filter(|c| c.is_alphabetic())
    };
    let is_chinese = |c: &char| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}');
    let is_kana = |c: &char| matches!(c, '\u{3040}'..='\u{30ff}');
    let chinese = letters().filter(is_chinese).count();
    let kana = letters().filter(is_kana).count();
    if chinese * 5 > letters().count() && kana * 10 < chinese {
        Language::ZH
    } else {
        Language::EN
    }
}
