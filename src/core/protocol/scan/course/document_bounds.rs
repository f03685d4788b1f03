//! Where documents begin and end among words, and which of their calls count.

use super::{Document, MOST_STRANGE, QUOTES, ScanVerdict, TakenCall, UnknownElement};
use crate::protocol::names::fold_name;
use crate::protocol::repair::Repair;
use crate::protocol::scan::label::{
    CandidateLabel, has_words, read_label, strip_fence, strip_list_marks,
};
use crate::protocol::scan::{AnswerScanner, Mode};
use crate::protocol::speaker::is_foreign_line;

impl AnswerScanner {
    /// A document, or a call outside of any, begins at `at`: what is to be done with it. A whole one is `is_root`.
    pub(in crate::protocol::scan) fn begin_document(
        &mut self,
        at: usize,
        is_root: bool,
    ) -> ScanVerdict {
        let chunk = self.text.get(self.prose_from..at).unwrap_or_default();
        self.dropped |= self.course.drop_mentioned_calls(chunk);
        let line = chunk.rsplit('\n').next().unwrap_or_default();
        // What stands behind a special token is a provider's syntax, and behind `=` or `="` a program's: not words. Behind
        // words a quote opens what somebody else has said.
        let is_in_quote = chunk
            .trim_end()
            .strip_suffix(QUOTES)
            .is_some_and(|before| before.trim_end().ends_with(char::is_alphanumeric));
        let is_syntax = line.contains(['|', '｜'])
            || line.contains("[TOOL")
            || !is_in_quote && line.trim_end().ends_with(['=', '(', '"', '\'']);
        let is_behind_words = is_in_quote || !is_syntax && has_words(strip_list_marks(line));
        self.course.is_in_sentence = line.trim_end().ends_with(char::is_alphanumeric);
        if let Some(strange) = self.course.unknown_elements.last_mut() {
            strange.has_words |= has_words(
                self.text
                    .get(strange.end.max(self.prose_from)..at)
                    .unwrap_or_default(),
            );
        }
        let (label, is_fenced) = read_label(chunk);
        let rank = match label {
            CandidateLabel::Form => 0,
            CandidateLabel::Final => 3 + u8::from(!is_fenced),
            _ => 1 + u8::from(!is_fenced),
        };
        let begins_another = self.is_other_answer_start(chunk);
        let is_apart =
            has_words(strip_fence(chunk)) || self.course.is_complete && self.header.is_some();
        let speaker = self.course.speaker.follow(chunk, &self.names);
        let is_shown = label == CandidateLabel::Draft || speaker.is_other();
        let course = &mut self.course;
        let mut verdict = if is_shown {
            ScanVerdict::Skip
        } else {
            ScanVerdict::Take
        };
        if !course.taken_calls.is_empty() && !self.in_turn {
            let ended = course.is_complete && is_apart || begins_another;
            let may_replace = course.is_held && is_root && verdict == ScanVerdict::Take;
            verdict = match () {
                () if may_replace
                    && (!course.is_complete && is_apart || rank > course.rank && ended) =>
                {
                    ScanVerdict::Replace
                }
                () if ended => ScanVerdict::Ended,
                () if !is_root && is_behind_words && !course.is_held => ScanVerdict::Skip,
                () => verdict,
            };
        }
        if verdict == ScanVerdict::Replace {
            course.forget_calls(0);
        }
        if is_root
            && matches!(verdict, ScanVerdict::Take | ScanVerdict::Replace)
            && !course.is_complete
        {
            course.rank = rank;
        }
        course.document = Some(Document {
            verdict,
            is_second: course.is_complete && is_root,
            is_behind_words,
            calls_before: course.taken_calls.len(),
            start: at,
        });
        verdict
    }

    /// Whether somebody else speaks in the words behind a call, or another candidate for the answer begins.
    pub(in crate::protocol::scan) fn is_other_answer_start(&self, words: &str) -> bool {
        !self.course.taken_calls.is_empty()
            && (read_label(words).0 == CandidateLabel::Alternative
                || words.lines().any(|line| is_foreign_line(line, &self.names)))
    }

    /// What is to be done with a part of the document that is open.
    pub(in crate::protocol::scan) fn judge_document_part(&self, at: usize) -> ScanVerdict {
        let chunk = self.text.get(self.prose_from..at).unwrap_or_default();
        if self.is_other_answer_start(chunk) {
            ScanVerdict::Ended
        } else {
            ScanVerdict::Take
        }
    }

    /// Whether a document was begun whose calls are none of the answer.
    pub(in crate::protocol::scan) fn is_document_skipped(&self) -> bool {
        self.course.document.as_ref().is_some_and(|document| {
            matches!(document.verdict, ScanVerdict::Skip | ScanVerdict::Ended)
        })
    }

    /// Thoughts begin inside a document: a second one that thinks anew is another answer.
    pub(in crate::protocol::scan) fn is_in_second_document(&self) -> bool {
        self.course
            .document
            .as_ref()
            .is_some_and(|document| document.is_second)
    }

    /// Takes the calls just found, as the document they stand in says; none where somebody else has the word.
    pub(in crate::protocol::scan) fn settle_calls(&mut self, from: usize) {
        let calls = std::mem::take(&mut self.found.calls);
        let is_quoted = self.course.speaker.is_other();
        for call in calls {
            let document = self.course.document.as_ref();
            let verdict = match document.map_or(ScanVerdict::Take, |document| document.verdict) {
                ScanVerdict::Take | ScanVerdict::Replace if !is_quoted => {
                    self.course
                        .add_call(call, from, &self.names, &mut self.found)
                }
                ScanVerdict::Ended => ScanVerdict::Ended,
                _ => ScanVerdict::Skip,
            };
            match verdict {
                ScanVerdict::Skip => self.dropped = true,
                ScanVerdict::Ended => return self.end_answer(),
                ScanVerdict::Take | ScanVerdict::Replace => {}
            }
        }
    }

    /// The document, or the call outside of any, has ended.
    pub(in crate::protocol::scan) fn finish_document(&mut self, is_root: bool) {
        let course = &mut self.course;
        let Some(document) = course.document.take() else {
            return;
        };
        let is_complete = is_root && course.taken_calls.len() > document.calls_before;
        course.is_complete |= is_complete;
        // Behind words, dots stand where others belong: a form to be filled in.
        let calls = course.taken_calls.iter();
        let mut own = calls.filter(|taken| taken.start >= document.start);
        let is_dots = |text: &String| text.chars().all(|c| matches!(c, '.' | '…'));
        let is_form = |taken: &TakenCall| taken.params.values().any(is_dots);
        if is_complete && course.is_held && own.all(is_form) {
            course.forget_calls(document.start);
            self.dropped = true;
        }
    }

    pub(in crate::protocol::scan) fn end_answer(&mut self) {
        self.found.calls.clear();
        self.found.repairs.add(Repair::BehindEnd);
        self.mode = Mode::Ended;
        self.tag = None;
    }

    /// A mark that ends an answer, or begins what somebody else says.
    pub(in crate::protocol::scan) fn try_end_answer(&mut self, start: usize) -> bool {
        let ends = !self.course.taken_calls.is_empty() && !self.is_document_skipped();
        if ends {
            self.flush_text(start);
            self.end_answer();
        }
        ends
    }

    /// An element of no meaning begins or ends: where it holds words beside calls, it is thought, whatever it is called.
    pub(in crate::protocol::scan) fn track_unknown_element(
        &mut self,
        name: &str,
        start: usize,
        end: usize,
        is_end: bool,
    ) {
        let name = fold_name(name).into_owned();
        let course = &mut self.course;
        if !is_end {
            if course.unknown_elements.len() < MOST_STRANGE {
                // It may turn out to hold a draft.
                course.is_held |= course.taken_calls.is_empty();
                course.unknown_elements.push(UnknownElement {
                    name,
                    start,
                    end,
                    has_words: false,
                });
            }
            return;
        }
        let Some(place) = course
            .unknown_elements
            .iter()
            .rposition(|strange| strange.name == name)
        else {
            return;
        };
        let opened = course.unknown_elements.swap_remove(place);
        course.unknown_elements.truncate(place);
        let from = opened.end.max(self.prose_from);
        if opened.has_words || has_words(self.text.get(from..start).unwrap_or_default()) {
            self.course.forget_calls(opened.start);
        } else if self.course.enclosed_ranges.len() < MOST_STRANGE {
            self.course.enclosed_ranges.push(opened.start..end);
        }
    }
}
