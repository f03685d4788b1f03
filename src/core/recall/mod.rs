//! Recall's own part: what the words of a text are, and which of the lines that were found answer a question. Never looks
//! for anything: what may be looked at is decided before, by scope.

mod rank;
mod terms;

pub use rank::{AROUND, RankedLine, RecallLine, RecallQuery, rank_lines};
pub use terms::{extract_question_terms, extract_stems, extract_terms, is_cjk, split_by_kind};
