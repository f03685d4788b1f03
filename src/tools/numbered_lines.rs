//! The lines of the history by the numbers the prompt shows, so that a model never has to write an id, and who wrote
//! them.

use kith_language::{LocalizedMessage, tools};
use std::sync::Arc;

use kith_core::call::ToolCall;
use kith_core::chat::{Author, AuthorKind, MessageId, UserId};
use kith_core::context::{DisplayNames, escape};
use kith_core::proposed_call::collect_texts;
use kith_core::timeline::{Timeline, TimelineMessage};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedLine {
    pub number: u16,
    pub message: MessageId,
    pub author: Author,
}

/// The lines of a channel, oldest first, and the names people stand under in its prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberedLines {
    lines: Arc<[NumberedLine]>,
    names: Arc<DisplayNames>,
}

impl NumberedLines {
    pub fn new(lines: impl IntoIterator<Item = NumberedLine>) -> Self {
        Self {
            lines: lines.into_iter().collect(),
            names: Arc::default(),
        }
    }

    /// The lines of a timeline whose people stand under these names.
    pub fn from_timeline(timeline: &Timeline, names: &DisplayNames) -> Self {
        let line = |entry: &TimelineMessage| NumberedLine {
            number: entry.short_id,
            message: entry.message.id,
            author: entry.message.author.clone(),
        };
        Self {
            lines: timeline.messages().map(line).collect(),
            names: Arc::new(names.clone()),
        }
    }

    /// The names people stand under in the prompt, for results: who is told of in one stands under the same name, or
    /// under one that nobody there has.
    pub fn names(&self) -> DisplayNames {
        DisplayNames::clone(&self.names)
    }

    pub fn find_person(&self, name: &str) -> Option<UserId> {
        self.names.find_user(name.trim().trim_start_matches('@'))
    }

    pub fn get(&self, number: u16) -> Result<&NumberedLine, LocalizedMessage> {
        let found = self.lines.iter().rev().find(|line| line.number == number);
        found.ok_or_else(|| tools::no_line_number(number))
    }

    /// One of the companion's own lines: this one, or the newest.
    ///
    /// # Errors
    /// A sentence for the model.
    pub fn find_own_line(&self, number: Option<u16>) -> Result<&NumberedLine, LocalizedMessage> {
        match number {
            Some(number) => {
                let line = self.get(number)?;
                let is_own = line.author.kind == AuthorKind::Companion;
                is_own
                    .then_some(line)
                    .ok_or_else(|| tools::line_not_yours(number))
            }
            None => {
                let mut own = self
                    .lines
                    .iter()
                    .rev()
                    .filter(|line| line.author.kind == AuthorKind::Companion);
                own.next().ok_or_else(tools::nothing_written_lately)
            }
        }
    }

    /// The newest line of who is called so by the name the prompt shows.
    pub fn find_by_name(&self, name: &str) -> Option<&NumberedLine> {
        if let Some(user) = self.find_person(name) {
            return self.lines.iter().rev().find(|line| line.author.id == user);
        }
        let plain = |name: &str| escape::name(name).to_lowercase();
        let wanted = plain(name.trim().trim_start_matches('@'));
        self.lines
            .iter()
            .rev()
            .find(|line| plain(&line.author.name) == wanted)
    }

    /// Those that a call may mean, by their numbers or by who wrote them: numbers are given anew, so whoever runs it
    /// later has to keep them.
    pub fn select_lines(&self, call: &ToolCall) -> Self {
        let words = collect_texts(&call.params);
        let by_number = words.iter().filter_map(|word| {
            self.get(word.trim().trim_start_matches('#').parse().ok()?)
                .ok()
        });
        let mut meant: Vec<NumberedLine> = by_number
            .chain(words.iter().filter_map(|word| self.find_by_name(word)))
            .cloned()
            .collect();
        meant.sort_unstable_by_key(|line| line.message);
        meant.dedup();
        Self {
            lines: meant.into(),
            names: self.names.clone(),
        }
    }

    /// They, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &NumberedLine> {
        self.lines.iter()
    }
}
