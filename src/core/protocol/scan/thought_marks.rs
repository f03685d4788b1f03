//! Thoughts between marks that are no tags, as reasoning models were trained to write them and servers let through.

use super::{AnswerScanner, Mode};
use crate::protocol::marker::{self, CHANNEL, HarmonyMessage, MESSAGE, MarkerKind, START};
use crate::protocol::outside_text;
use crate::protocol::repair::Repair;

/// Longest mark that ends thoughts, in bytes.
const LONGEST_END: usize = 32;

#[derive(Debug)]
pub(super) struct MarkedThoughts {
    ends: &'static [&'static str],
    /// Where they begin.
    content_start: usize,
    /// Up to where no end begins.
    searched: usize,
}

impl AnswerScanner {
    /// A special token: never text, and it may begin or end thoughts.
    pub(super) fn handle_token(&mut self, start: usize) {
        if !matches!(self.mode, Mode::Outside) {
            return;
        }
        let token = &self.text[start..self.pos];
        if outside_text::is_tool_token(token) {
            self.found.repairs.add(Repair::ProviderSyntax);
        }
        if marker::is_answer_end(token) && self.try_end_answer(start) {
            return;
        }
        match &self.text[start..self.pos] {
            START => self.header = Some(start),
            CHANNEL => self.header = self.header.or(Some(start)),
            MESSAGE => self.handle_message_header(start),
            _ => {
                self.handle_mark(start);
            }
        }
    }

    fn handle_message_header(&mut self, at: usize) {
        let Some(header) = self
            .header
            .take()
            .filter(|header| *header >= self.prose_from)
        else {
            return;
        };
        if marker::is_foreign_header(&self.text[header..at]) && self.try_end_answer(header) {
            return;
        }
        match marker::parse_harmony_header(&self.text[header..at]) {
            Some(HarmonyMessage::Thoughts(ends)) => self.begin_marked_thoughts(header, ends),
            Some(HarmonyMessage::Answer) => {
                self.flush_text(header);
                self.prose_from = self.pos;
            }
            Some(HarmonyMessage::Call) | None => {}
        }
    }

    /// Whether what was just read from `start` on is a mark around thoughts, which then begin or end.
    pub(super) fn handle_mark(&mut self, start: usize) -> bool {
        match marker::parse_mark(&self.text[start..self.pos]) {
            Some(MarkerKind::Begins(ends)) => self.begin_marked_thoughts(start, ends),
            Some(MarkerKind::Ends) => self.handle_stray_think_end(start..self.pos),
            None => return false,
        }
        true
    }

    fn begin_marked_thoughts(&mut self, start: usize, ends: &'static [&'static str]) {
        self.flush_text(start);
        self.prose_from = self.pos;
        self.mode = Mode::Marked(MarkedThoughts {
            ends,
            content_start: self.pos,
            searched: self.pos,
        });
    }

    /// Inside thoughts only what ends them counts.
    pub(super) fn scan_marked_thoughts(&mut self) {
        let Mode::Marked(marked) = &mut self.mode else {
            return;
        };
        match marker::find_first_end(&self.text, marked.searched, marked.ends) {
            Some(end) => {
                let content = marked.content_start..end.start;
                self.pos = end.end;
                self.finish_thought(content, self.pos);
            }
            None => {
                self.pos = self.text.len();
                let behind = self.pos.saturating_sub(LONGEST_END).max(marked.searched);
                marked.searched = self.text.ceil_char_boundary(behind);
            }
        }
    }

    pub(super) fn finish_marked_thoughts(&mut self, marked: &MarkedThoughts) {
        self.add_repair(Repair::MissingThinkEnd);
        self.finish_thought(marked.content_start..self.text.len(), self.text.len());
    }
}
