//! The history as lines: `12 Anna: text`, `12>9 Anna: text` for a reply, `[14:05]` marks, reactions as lines of
//! their own. A line depends only on its own entry and the one before it, so that it never changes once sent; the
//! window grows until the budget is full and then drops its oldest quarter at once. How large that is, `sections.rs` says.

use kith_language::{Language, prompt};
use std::collections::BTreeSet;

use chrono_tz::Tz;

use super::display_names::DisplayNames;
use super::history_pieces::{HistoryPiece, HistoryPieces, OthersLine, OwnLine};
use super::line::{self, LineWriter};
use super::prompt_words::{format_dated_mark, to_local_time};
use super::{PromptSources, token_estimate};
use crate::chat::{AuthorKind, Message, MessageId, Millis, UserId};
use crate::policy::PromptLayout;
use crate::timeline::{TIMELINE_ENTRIES, Timeline, TimelineEntry, TimelineMessage};

/// The most lines shown: below what a timeline keeps, so that its own trimming never moves the window.
const MOST_LINES: usize = TIMELINE_ENTRIES - TIMELINE_ENTRIES / 10;

/// What a line of the companion takes more as a message of its own: protocol and marks, in hundredths of a token.
const OWN_FORM: u32 = 2_000;

/// What a channel's prompts have shown so far; kept with its state so that the next prompt starts with the same bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryWindow {
    /// The first message shown; older ones stay out.
    first: Option<MessageId>,
    pub names: DisplayNames,
}

impl HistoryWindow {
    pub fn forget(&mut self, user: UserId) {
        self.names.forget(user);
    }

    /// Nothing up to `until` is shown any more, for it is summed up; what stands behind it always is.
    pub(super) fn move_start_after(&mut self, until: MessageId, timeline: &Timeline) {
        let first = timeline
            .messages()
            .map(|said| said.message.id)
            .find(|id| *id > until);
        self.first = self.first.max(first);
    }

    /// The first message the next prompt shows; none while the window has not moved.
    pub fn first(&self) -> Option<MessageId> {
        self.first
    }
}

/// One line of the history, as places in its text.
struct Line<'a> {
    /// Where it begins, with its time mark.
    from: usize,
    /// Where the line begins, behind its time mark.
    body: usize,
    /// Where its words begin, behind number and name.
    words: usize,
    is_own: bool,
    /// Its size with its mark, in hundredths of a token.
    size: u32,
    entry: &'a TimelineEntry,
    at: Millis,
}

#[derive(Default)]
pub(super) struct HistoryText {
    pub text: String,
    pub pieces: Vec<HistoryPiece>,
    pub others: Vec<OthersLine>,
    pub descriptions: Vec<(String, String)>,
}

pub(super) struct RenderedHistory<'a> {
    text: String,
    lines: Vec<Line<'a>>,
    start: usize,
    language: Language,
    zone: Tz,
    layout: PromptLayout,
    descriptions: Vec<(String, String)>,
}

impl<'a> RenderedHistory<'a> {
    /// Renders every entry from the window's first on.
    pub(super) fn render(
        view: &PromptSources<'a>,
        language: Language,
        window: &mut HistoryWindow,
    ) -> Self {
        let HistoryWindow { first, names } = window;
        let is_before = |entry: &&TimelineEntry| match (*first, entry) {
            (Some(first), TimelineEntry::Message(said)) => said.message.id < first,
            (first, _) => first.is_some(),
        };
        let is_shown = |entry: &&TimelineEntry| match entry {
            TimelineEntry::Message(TimelineMessage { message, .. }) => {
                let author = line::resolve_author_id(&message.author, view);
                view.policy.is_demo || !names.is_demo_line(author, &message.text)
            }
            _ => true,
        };
        let entries = view.timeline.entries().skip_while(is_before);
        let entries: Vec<&TimelineEntry> = entries.filter(is_shown).collect();
        let mut lines = Vec::with_capacity(entries.len());
        let mut text = String::with_capacity(entries.len() * 64);
        for entry in &entries {
            if let TimelineEntry::Message(TimelineMessage {
                message: Message { author: by, .. },
                ..
            })
            | TimelineEntry::Reaction { by, .. } = entry
                && !names.is_own(line::resolve_author_id(by, view), &by.name)
            {
                names.claim_name(by.id, &by.name);
            }
        }
        let mut writer = LineWriter::new(view, language, names);
        let layout = view.policy.layout;
        for entry in entries {
            let from = text.len();
            let at = writer.write_time_mark(&mut text, entry);
            let body = text.len();
            let words = writer.write_line(&mut text, entry);
            let is_own = matches!(entry, TimelineEntry::Message(said) if writer.is_own(&said.message.author));
            let form = if is_own && layout == PromptLayout::Chat {
                OWN_FORM
            } else {
                0
            };
            let size = token_estimate::estimate_hundredths(&text[from..]) + form;
            lines.push(Line {
                from,
                body,
                words,
                is_own,
                size,
                entry,
                at,
            });
        }
        Self {
            text,
            lines,
            start: 0,
            language,
            zone: writer.zone,
            layout,
            descriptions: writer.descriptions,
        }
    }

    /// Drops the oldest quarter if the lines take more than `room`, in hundredths of a token, or are too many;
    /// answers how many were dropped. The newest line always stays.
    pub(super) fn trim_to_fit(&mut self, room: u32) -> usize {
        let mut size: u32 = self.lines.iter().map(|line| line.size).sum();
        if size <= room && self.lines.len() <= MOST_LINES {
            return 0;
        }
        let (low, few) = (room / 4 * 3, MOST_LINES / 4 * 3);
        while self.start + 1 < self.lines.len()
            && (size > low || self.lines.len() - self.start > few)
        {
            size -= self.lines[self.start].size;
            self.start += 1;
        }
        // The window is anchored at a message.
        let is_message = |line: &Line<'_>| matches!(line.entry, TimelineEntry::Message(_));
        if let Some(ahead) = self.lines[self.start..].iter().position(is_message) {
            self.start += ahead;
        }
        self.start
    }

    pub(super) fn first_shown_id(&self) -> Option<MessageId> {
        self.messages().next().map(|said| said.message.id)
    }

    fn messages(&self) -> impl DoubleEndedIterator<Item = &'a TimelineMessage> {
        self.lines[self.start..]
            .iter()
            .filter_map(|line| match line.entry {
                TimelineEntry::Message(said) => Some(said),
                _ => None,
            })
    }

    /// Whose lines are kept, reactions included.
    pub(super) fn people(&self) -> BTreeSet<UserId> {
        let author = |line: &Line<'_>| match line.entry {
            TimelineEntry::Message(said) => Some(said.message.author.id),
            TimelineEntry::Reaction { by, .. } => Some(by.id),
            TimelineEntry::Gap { .. } => None,
        };
        self.lines[self.start..].iter().filter_map(author).collect()
    }

    /// Who was heard lately, newest first, without the companion.
    pub(super) fn render_members(
        &self,
        view: &PromptSources<'_>,
        language: Language,
        known: &DisplayNames,
        most: usize,
    ) -> String {
        let mut names: Vec<String> = Vec::new();
        let mut members: Vec<String> = Vec::new();
        let mut acquaintance = view.rapport.describe_acquaintances(language);
        for author in self
            .messages()
            .rev()
            .map(|said| &said.message.author)
            .filter(|author| author.id != view.me)
        {
            let mut name = known.shown(author.id, &author.name);
            if matches!(author.kind, AuthorKind::Bot | AuthorKind::Webhook) {
                name.push_str(&prompt::bot().in_language(language));
            }
            if names.len() < most && !names.contains(&name) {
                members.push(format!("{name}{}", acquaintance(author.id)));
                names.push(name);
            }
        }
        members.join(&prompt::item_separator().in_language(language))
    }

    /// What the kept lines take beside their text, in hundredths of a token.
    pub(super) fn message_overhead(&self) -> u32 {
        let own = self.lines[self.start..]
            .iter()
            .filter(|line| line.is_own)
            .count();
        if self.layout == PromptLayout::Chat {
            OWN_FORM.saturating_mul(own as u32)
        } else {
            0
        }
    }

    /// The kept lines under an opening date mark; the window remembers where they begin.
    pub(super) fn into_text(mut self, window: &mut HistoryWindow) -> HistoryText {
        if self.start > 0 {
            window.first = self.first_shown_id();
        }
        let Some(first) = self.lines.get(self.start) else {
            return HistoryText::default();
        };
        let cut = first.body;
        let mut opening = format_dated_mark(to_local_time(first.at, self.zone), self.language);
        opening.push('\n');
        // Places once the first bytes are others.
        let place = |at: usize| at.max(cut) - cut + opening.len();
        let pieces = match self.layout {
            PromptLayout::Document => Vec::new(),
            PromptLayout::Chat => self.build_pieces(place),
        };
        let others = self.list_others(place);
        self.text.replace_range(..cut, &opening);
        HistoryText {
            text: self.text,
            pieces,
            others,
            descriptions: self.descriptions,
        }
    }

    fn kept(&self) -> impl Iterator<Item = (&Line<'a>, usize)> {
        let kept = &self.lines[self.start..];
        let ends = kept.iter().skip(1).map(|line| line.from);
        kept.iter().zip(ends.chain([self.text.len()]))
    }

    fn list_others(&self, place: impl Fn(usize) -> usize) -> Vec<OthersLine> {
        let other = |(line, end): (&Line<'a>, usize)| match line.entry {
            TimelineEntry::Message(said) if !line.is_own => Some(OthersLine {
                message: said.message.id,
                head: place(line.body)..place(line.words),
                words: place(line.words)..place(end - 1),
            }),
            _ => None,
        };
        self.kept().filter_map(other).collect()
    }

    fn build_pieces(&self, place: impl Fn(usize) -> usize) -> Vec<HistoryPiece> {
        let mut pieces = HistoryPieces::default();
        for (line, end) in self.kept() {
            pieces.push_others(place(line.body));
            match line.entry {
                // A line without words would be a message that says nothing.
                TimelineEntry::Message(said)
                    if line.is_own && !self.text[line.words..end].trim().is_empty() =>
                {
                    let words = place(line.words)..place(end - 1);
                    pieces.push_own_line(
                        place(end),
                        OwnLine {
                            short: said.short_id,
                            replies_to: said.replies_to,
                            words,
                        },
                    );
                }
                _ => pieces.push_others(place(end)),
            }
        }
        pieces.into_pieces(place(self.text.trim_end().len()))
    }
}
