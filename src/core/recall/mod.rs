//! Recall's own part: what the words of a text are, and which of the lines that were found answer a question. Never looks
//! for anything: what may be looked at is decided before, by scope.

mod rank;
mod terms;

pub use rank::{AROUND, Asked, Line, Ranked, rank};
pub use terms::{is_cjk, question_terms, stems, terms};
