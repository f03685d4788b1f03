//! Inside a block of thoughts: only its end tag counts, whatever else it holds.

use std::ops::Range;

use super::{AnswerScanner, Mode};
use crate::protocol::names;
use crate::protocol::outside_text;
use crate::protocol::repair::Repair;
use crate::protocol::sign_search::{find_first_sign, is_at_line_start};

/// Longest end tag of a block of thoughts, in bytes.
const LONGEST_END_TAG: usize = 48;

#[derive(Debug)]
pub(super) struct OpenThought {
    /// Folded, as its end tag must read.
    pub(super) name: String,
    pub(super) content_start: usize,
    /// The last `<`.
    pub(super) bracket: Option<usize>,
    /// How many of the same name are open: a reasoning model may write its block inside the protocol's.
    pub(super) depth: usize,
    /// Where an inner block of the same name ended last.
    pub(super) last_end: Option<usize>,
    /// It holds other people's words, not thoughts.
    pub(super) is_quoted: bool,
}

impl AnswerScanner {
    /// Inside a block of thoughts only its end tag counts.
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
                    self.found.repairs.add(Repair::WrongEndTag);
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
        let thought = outside_text::strip_cdata(&self.text[content]).to_owned();
        self.found.add_thought(&thought);
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
}

/// Whether `</written>` ends a block of this name: its own, a slip of it, or another word for thoughts.
fn is_thought_end(name: &str, written: &str) -> bool {
    let folded = names::fold_name(written);
    folded == name
        || names::is_typo(&folded, name)
        || (name.starts_with("thought") && folded.starts_with("thought"))
}
