//! One line of the history, such as `13>12 Ben: …`: who, what, in answer to what. A member can never write under another member's name.

use kith_language::{Language, prompt};
use std::borrow::Cow;
use std::fmt::Write;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::display_names::DisplayNames;
use super::prompt_words::{format_dated_mark, format_time_mark, to_local_time};
use super::{PromptSources, escape};
use crate::chat::{Author, AuthorKind, MINUTE, MessageId, Millis, UserId};
use crate::message_links::name_message_links;
use crate::timeline::{TimelineEntry, TimelineMessage};

/// A time mark is set where a new stretch of this length begins.
const MARK_EVERY: Millis = 5 * MINUTE;
/// A text may take at most this share of the history's budget.
const TEXT_SHARE: u32 = 4;
/// Bytes a token takes at most on average, in English as in Chinese.
const TOKEN_BYTES: u32 = 4;

pub(super) struct LineWriter<'a> {
    view: &'a PromptSources<'a>,
    language: Language,
    names: &'a mut DisplayNames,
    pub zone: Tz,
    longest_text: usize,
    last_at: Millis,
    last_date: Option<NaiveDate>,
    /// What was said of pictures, as it stands there, and what is kept in its place.
    pub descriptions: Vec<(String, String)>,
}

impl<'a> LineWriter<'a> {
    pub(super) fn new(
        view: &'a PromptSources<'a>,
        language: Language,
        names: &'a mut DisplayNames,
    ) -> Self {
        let budget = &view.policy.context;
        let longest_text = (budget.history_tokens.min(budget.prompt_tokens / 2) / TEXT_SHARE
            * TOKEN_BYTES) as usize;
        let zone = find_timezone(view);
        Self {
            view,
            language,
            names,
            zone,
            longest_text,
            last_at: 0,
            last_date: None,
            descriptions: Vec::new(),
        }
    }

    /// Writes a time mark if a new stretch of time begins with this entry; answers when the entry happened.
    pub(super) fn write_time_mark(&mut self, out: &mut String, entry: &TimelineEntry) -> Millis {
        let at = match entry {
            TimelineEntry::Message(said) => said.message.at,
            TimelineEntry::Reaction { at, .. } => *at,
            TimelineEntry::Gap { .. } => return self.last_at,
        };
        // Zones differ from UTC by whole quarters of an hour, so stretches are the same in all of them.
        if at.div_euclid(MARK_EVERY) != self.last_at.div_euclid(MARK_EVERY) {
            let time = to_local_time(at, self.zone);
            let date = Some(time.date_naive());
            let new_day = self.last_date != date;
            out.push_str(&if new_day {
                format_dated_mark(time, self.language)
            } else {
                format_time_mark(time)
            });
            out.push('\n');
            self.last_date = date;
        }
        self.last_at = at;
        at
    }

    /// Writes the entry's line; answers where the words of a message begin, behind number and name.
    pub(super) fn write_line(&mut self, out: &mut String, entry: &TimelineEntry) -> usize {
        let mut words = out.len();
        match entry {
            TimelineEntry::Message(said) => words = self.write_message(out, said),
            TimelineEntry::Reaction { to, by, emoji, .. } => {
                out.push_str("* ");
                out.push_str(self.resolve_author_name(by));
                out.push(' ');
                escape::escape_line(out, emoji, &|_| None);
                let _ = write!(out, " {to}");
            }
            TimelineEntry::Gap { .. } => out.push_str(&prompt::gap().in_language(self.language)),
        }
        out.push('\n');
        words
    }

    fn write_message(&mut self, out: &mut String, said: &TimelineMessage) -> usize {
        let _ = match said.replies_to {
            Some(to) => write!(out, "{}>{to} ", said.short_id),
            None => write!(out, "{} ", said.short_id),
        };
        out.push_str(self.resolve_author_name(&said.message.author));
        out.push_str(": ");
        let words = out.len();
        let message = &said.message;
        let named = self
            .names
            .replace_names_with_ids(&message.text, &message.mentions);
        let whole = named.map_or(Cow::Borrowed(&*message.text), Cow::Owned);
        let whole = name_message_links(&whole, |id| self.name_line(id));
        let (text, missing) = shorten(&whole, self.longest_text);
        escape::escape_line(out, text, &|id| self.names.find_mentioned_name(id));
        self.write_missing(out, missing);
        for picture in self
            .view
            .pictures
            .iter()
            .filter(|picture| picture.message == said.message.id)
        {
            let start = out.len();
            let note = picture.note(self.language);
            let (note, missing) = shorten(&note, self.longest_text);
            out.push_str(note);
            self.write_missing(out, missing);
            let bare = picture.render_bare_note(self.language);
            self.descriptions.push((out[start..].to_owned(), bare));
        }
        if said.edited && said.message.author.kind != AuthorKind::Companion {
            out.push_str(&prompt::edited().in_language(self.language));
        }
        words
    }

    fn write_missing(&self, out: &mut String, characters: usize) {
        if characters > 0 {
            out.push_str(&prompt::shortened(characters).in_language(self.language));
        }
    }

    fn name_line(&self, message: MessageId) -> Option<String> {
        let said = self.view.timeline.find(message)?;
        Some(prompt::linked_line(said.short_id).in_language(self.language))
    }

    pub(super) fn is_own(&self, author: &Author) -> bool {
        self.names
            .is_own(resolve_author_id(author, self.view), &author.name)
    }

    fn resolve_author_name(&mut self, author: &Author) -> &str {
        self.names
            .resolve_line_name(resolve_author_id(author, self.view), &author.name)
    }
}

/// Whose line it is. The companion wrote its lines of an earlier account as well.
pub(super) fn resolve_author_id(author: &Author, view: &PromptSources<'_>) -> UserId {
    if author.kind == AuthorKind::Companion {
        view.me
    } else {
        author.id
    }
}

pub(super) fn find_timezone(view: &PromptSources<'_>) -> Tz {
    view.policy.persona.timezone()
}

/// The beginning of a text that is too long, and how many characters are missing.
pub(super) fn shorten(text: &str, longest: usize) -> (&str, usize) {
    if text.len() <= longest {
        return (text, 0);
    }
    let kept = &text[..text.floor_char_boundary(longest)];
    (kept, text[kept.len()..].chars().count())
}
