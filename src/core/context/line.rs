//! One line of the history: who, what, in answer to what. A member can never write under another member's name.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::words::{self, Words, local};
use super::{View, escape, name_of};
use crate::core::chat::{Author, AuthorKind, MINUTE, Millis, UserId};
use crate::core::timeline::{Entry, Said};

/// A time mark is set where a new stretch of this length begins.
const MARK_EVERY: Millis = 5 * MINUTE;
/// A text may take at most this share of the history's budget.
const TEXT_SHARE: u32 = 4;
/// Bytes a token takes at most on average, in English as in Chinese.
const TOKEN_BYTES: u32 = 4;

/// The name an author's lines stand under.
pub(super) struct NameTag {
    id: UserId,
    raw: Arc<str>,
    /// The name as shown.
    pub shown: String,
}

impl NameTag {
    /// Whether it is this author's, under this very name.
    pub(super) fn belongs_to(&self, author: &Author) -> bool {
        self.id == author.id && (Arc::ptr_eq(&self.raw, &author.name) || self.raw == author.name)
    }
}

/// Writes entries as lines, one after the other.
pub(super) struct Writer<'a> {
    view: &'a View<'a>,
    words: &'static Words,
    own_name: &'a str,
    /// The zone of the companion's clock.
    pub zone: Tz,
    longest_text: usize,
    last_at: Millis,
    last_date: Option<NaiveDate>,
    /// Who owns a folded name.
    pub owners: BTreeMap<String, UserId>,
    /// The names handed out so far.
    pub tags: Vec<NameTag>,
}

impl<'a> Writer<'a> {
    /// A writer that knows who owned which name before.
    pub(super) fn new(
        view: &'a View<'a>,
        words: &'static Words,
        own_name: &'a str,
        owners: BTreeMap<String, UserId>,
    ) -> Self {
        let budget = &view.policy.context;
        let longest_text = (budget.history_tokens.min(budget.prompt_tokens / 2) / TEXT_SHARE * TOKEN_BYTES) as usize;
        let zone = zone(view);
        Self { view, words, own_name, zone, longest_text, last_at: 0, last_date: None, owners, tags: Vec::new() }
    }

    /// Writes a time mark if a new stretch of time begins with this entry; answers when the entry happened.
    pub(super) fn mark(&mut self, out: &mut String, entry: &Entry) -> Millis {
        let at = match entry {
            Entry::Said(said) => said.message.at,
            Entry::Reacted { at, .. } => *at,
            Entry::Gap { .. } => return self.last_at,
        };
        // Zones differ from UTC by whole quarters of an hour, so stretches are the same in all of them.
        if at.div_euclid(MARK_EVERY) != self.last_at.div_euclid(MARK_EVERY) {
            let time = local(at, self.zone);
            let date = Some(time.date_naive());
            let new_day = self.last_date != date;
            out.push_str(&if new_day { self.words.mark_with_date(time) } else { words::mark(time) });
            out.push('\n');
            self.last_date = date;
        }
        self.last_at = at;
        at
    }

    /// Writes the entry's line.
    pub(super) fn line(&mut self, out: &mut String, entry: &Entry) {
        match entry {
            Entry::Said(said) => self.said(out, said),
            Entry::Reacted { to, by, emoji, .. } => {
                out.push_str("* ");
                out.push_str(self.shown(by));
                out.push(' ');
                escape::line(out, emoji, &|_| None);
                let _ = write!(out, " {to}");
            }
            Entry::Gap { .. } => out.push_str(self.words.gap),
        }
        out.push('\n');
    }

    fn said(&mut self, out: &mut String, said: &Said) {
        let _ = match said.replies_to {
            Some(to) => write!(out, "{}>{to} ", said.short),
            None => write!(out, "{} ", said.short),
        };
        out.push_str(self.shown(&said.message.author));
        out.push_str(": ");
        let (text, missing) = shorten(&said.message.text, self.longest_text);
        escape::line(out, text, &|id| name_of(self.view, id));
        if missing > 0 {
            out.push_str(&words::fill(self.words.shortened, &[&missing.to_string()]));
        }
        for picture in self.view.pictures.iter().filter(|picture| picture.message == said.message.id) {
            out.push_str(&picture.note(self.view.policy.persona.language));
        }
        if said.edited && said.message.author.kind != AuthorKind::Companion {
            out.push_str(self.words.edited);
        }
    }

    /// The name an author is shown under: its own, or with a number where another one had it first.
    fn shown(&mut self, author: &Author) -> &str {
        if author.kind == AuthorKind::Companion || author.id == self.view.me {
            return self.own_name;
        }
        let known = self.tags.iter().position(|tag| tag.belongs_to(author));
        let place = known.unwrap_or_else(|| {
            let shown = self.claim(author);
            self.tags.push(NameTag { id: author.id, raw: author.name.clone(), shown });
            self.tags.len() - 1
        });
        &self.tags[place].shown
    }

    fn claim(&mut self, author: &Author) -> String {
        let name = escape::name(&author.name);
        let own = fold(self.own_name);
        let mut shown = name.clone();
        for number in 2.. {
            let key = fold(&shown);
            if key != own && *self.owners.entry(key).or_insert(author.id) == author.id {
                break;
            }
            shown = format!("{name} {number}");
        }
        shown
    }
}

/// The zone of the companion's clock.
pub(super) fn zone(view: &View<'_>) -> Tz {
    view.policy.persona.schedule.as_ref().map_or(Tz::UTC, |schedule| schedule.timezone)
}

/// The beginning of a text that is too long, and how many characters are missing.
pub(super) fn shorten(text: &str, longest: usize) -> (&str, usize) {
    if text.len() <= longest {
        return (text, 0);
    }
    let kept = &text[..text.floor_char_boundary(longest)];
    (kept, text[kept.len()..].chars().count())
}

/// What two names have in common that look the same to a reader.
fn fold(name: &str) -> String {
    let folded: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if folded.is_empty() { name.to_owned() } else { folded }
}
