//! Inside a block of thoughts, between tags or between the marks that reasoning models were trained to write and servers let
//! through: only its end counts, whatever else it holds.

use std::ops::Range;

use super::{AnswerScanner, Mode};
use crate::protocol::marker::{self, CHANNEL, HarmonyMessage, MESSAGE, MarkerKind, START};
use crate::protocol::names;
use crate::protocol::outside_text;
use crate::protocol::repair::Repair;
use crate::protocol::sign::{find_first_sign, is_at_line_start};

/// Longest end tag of a block of thoughts, in bytes.
const LONGEST_END_TAG: usize = 48;

/// Longest mark that ends thoughts, in bytes.
const LONGEST_END: usize = 32;

#[derive(Debug)]
pub(super) struct MarkedThoughts {
    ends: &'static [&'static str],
    content_start: usize,
    /// Up to where no end begins.
    searched: usize,
}

#[derive(Debug)]
pub(super) struct OpenThought {
    /// Folded, as its end tag must read.
    pub(super) name: String,
    pub(super) content_start: usize,
    pub(super) bracket: Option<usize>,
    /// How many of the same name are open: a reasoning model may write its block inside the protocol's.
    pub(super) depth: usize,
    /// Where an inner block of the same name ended last.
    pub(super) last_end: Option<usize>,
    /// It holds other people's words, not thoughts.
    pub(super) is_quoted: bool,
}

impl AnswerScanner {
    pub(super) fn scan_thought(&mut self) {
        let Mode::Thought(thought) = &mut self.mode else {
            return;
        };
        let rest = &self.text[self.pos..];
        let Some((offset, sign)) = find_first_sign(rest, ['<', '>', '＜', '＞', '◁', '▷'])
        else {
            self.pos = self.text.len();
            return;
        };
        let at = self.pos + offset;
        self.pos = at + sign.len_utf8();
        if matches!(sign, '<' | '＜' | '◁') {
            thought.bracket = Some(at);
            return;
        }
        let Some(start) = thought
            .bracket
            .take()
            .filter(|start| at - start <= LONGEST_END_TAG)
        else {
            return;
        };
        let is_sign = |c: char| {
            matches!(c, '<' | '＜' | '◁' | '\\')
                || !c.is_ascii() && !c.is_alphanumeric() && c != '／'
        };
        let inside = self.text[start..at].trim_start_matches(is_sign).trim();
        match inside.strip_prefix(['/', '／']) {
            Some(name) if is_thought_end(&thought.name, name) => {
                if names::fold_name(name) != thought.name {
                    self.found.repairs.add(Repair::XmlSyntax);
                }
                thought.depth -= 1;
                thought.last_end = Some(self.pos);
                if thought.depth == 0 {
                    let content = thought.content_start..start;
                    if thought.is_quoted {
                        (self.mode, self.prose_from) = (Mode::Outside, self.pos);
                    } else {
                        self.finish_thought(content, self.pos);
                    }
                }
            }
            None if names::fold_name(inside) == thought.name
                && is_at_line_start(&self.text[thought.content_start..start]) =>
            {
                thought.depth += 1;
            }
            _ => {}
        }
    }

    pub(super) fn finish_thought(&mut self, content: Range<usize>, end: usize) {
        self.found.add_thought(&self.text[content]);
        self.mode = Mode::Outside;
        self.prose_from = end;
        self.thought_ended = true;
    }

    pub(super) fn finish_unended_thought(&mut self, thought: &OpenThought) {
        self.add_repair(Repair::MissingThinkEnd);
        let content = &self.text[thought.content_start..];
        let recovered = match thought.last_end {
            Some(end) => Some(end),
            None => outside_text::find_turn_after_thought(content, &self.names)
                .map(|offset| thought.content_start + offset),
        };
        let end = recovered.unwrap_or(self.text.len());
        self.finish_thought(thought.content_start..end, end);
        if let Some(end) = recovered
            && !self.recovering
        {
            self.recovering = true;
            self.pos = end;
            self.scan_available_text();
            self.finish_mode();
        }
    }

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

/// Whether `</written>` ends a block of this name: its own, a slip of it, or another word for thoughts.
fn is_thought_end(name: &str, written: &str) -> bool {
    let folded = names::fold_name(written);
    folded == name
        || names::is_typo(&folded, name)
        || (name.starts_with("thought") && folded.starts_with("thought"))
}
