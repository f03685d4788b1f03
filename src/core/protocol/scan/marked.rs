//! Thoughts between marks that are no tags, as reasoning models were trained to write them and servers let through.

use super::{AnswerScanner, Mode};
use crate::protocol::marker::{self, CHANNEL, HarmonyMessage, MESSAGE, MarkerKind, START};
use crate::protocol::plain;
use crate::protocol::repair::Repair;

/// Longest mark that ends thoughts, in bytes.
const LONGEST_END: usize = 32;

/// Thoughts that are open.
#[derive(Debug)]
pub(super) struct MarkedThoughts {
    ends: &'static [&'static str],
    /// Where they begin.
    content: usize,
    /// Up to where no end begins.
    searched: usize,
}

impl AnswerScanner {
    /// A special token: never text, and it may begin or end thoughts.
    pub(super) fn token(&mut self, start: usize) {
        if !matches!(self.mode, Mode::Outside) {
            return;
        }
        let token = &self.text[start..self.pos];
        if plain::is_tool_token(token) {
            self.found.repairs.add(Repair::ProviderSyntax);
        }
        if marker::ends_answer(token) && self.ends_answer(start) {
            return;
        }
        match &self.text[start..self.pos] {
            START => self.header = Some(start),
            CHANNEL => self.header = self.header.or(Some(start)),
            MESSAGE => self.message(start),
            _ => {
                self.mark_on(start);
            }
        }
    }

    /// The header of a message of Harmony has ended.
    fn message(&mut self, at: usize) {
        let Some(header) = self.header.take().filter(|header| *header >= self.prose_from) else { return };
        if marker::is_of_another(&self.text[header..at]) && self.ends_answer(header) {
            return;
        }
        match marker::message(&self.text[header..at]) {
            Some(HarmonyMessage::Thoughts(ends)) => self.begin_marked(header, ends),
            Some(HarmonyMessage::Answer) => {
                self.flush(header);
                self.prose_from = self.pos;
            }
            Some(HarmonyMessage::Call) | None => {}
        }
    }

    /// Whether what was just read from `start` on is a mark around thoughts, which then begin or end.
    pub(super) fn mark_on(&mut self, start: usize) -> bool {
        match marker::mark(&self.text[start..self.pos]) {
            Some(MarkerKind::Begins(ends)) => self.begin_marked(start, ends),
            Some(MarkerKind::Ends) => self.stray_think_end(start..self.pos),
            None => return false,
        }
        true
    }

    fn begin_marked(&mut self, start: usize, ends: &'static [&'static str]) {
        self.flush(start);
        self.prose_from = self.pos;
        self.mode = Mode::Marked(MarkedThoughts { ends, content: self.pos, searched: self.pos });
    }

    /// Inside thoughts only what ends them counts.
    pub(super) fn marked(&mut self) {
        let Mode::Marked(marked) = &mut self.mode else { return };
        match marker::first_end(&self.text, marked.searched, marked.ends) {
            Some((at, end)) => {
                let content = marked.content..at;
                self.pos = if marker::begins_next(end) { at } else { at + end.len() };
                self.thought_over(content, self.pos);
            }
            None => {
                self.pos = self.text.len();
                let behind = self.pos.saturating_sub(LONGEST_END).max(marked.searched);
                marked.searched = self.text.ceil_char_boundary(behind);
            }
        }
    }

    pub(super) fn marked_never_ended(&mut self, marked: &MarkedThoughts) {
        self.repair(Repair::MissingThinkEnd);
        self.thought_over(marked.content..self.text.len(), self.text.len());
    }
}
