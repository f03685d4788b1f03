//! Recall's own part: what the words of a text are, and which of the lines that were found answer a question. Never looks
//! for anything: what may be looked at is decided before, by scope.

mod cue;
mod rank;
mod score_parts;
mod terms;
mod time_range;

pub use cue::{CueQuery, RecallCue, find_associations};
pub use rank::{AROUND, RankedLine, RecallLine, RecallQuery, TALK_GAP, rank_lines};
pub use score_parts::ScoreParts;
pub use terms::{extract_question_terms, extract_stems, extract_terms, is_cjk, split_by_kind};
pub use time_range::{TimeRange, find_time_range};
