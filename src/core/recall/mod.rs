//! Recall's own part: what the words of a text are, and which of the lines that were found answer a question. Never looks
//! for anything: what may be looked at is decided before, by scope.

mod fusion;
mod likeness;
mod line;
mod line_terms;
mod newer;
mod rank;
mod score_parts;
mod terms;
mod text_vector;
mod time_range;
mod time_words;
mod unasked_recall;

pub use fusion::fuse_rankings;
pub use likeness::{rate_answer, rate_association};
pub use line::{RankedLine, RecallLine};
pub use rank::{
    AROUND, RecallQuery, TALK_GAP, find_named_person, rank_alike_lines, rank_lines, remove_names,
};
pub use score_parts::ScoreParts;
pub use terms::{
    extract_question_terms, extract_single_characters, extract_stems, extract_telling_terms,
    extract_terms, has_meaning, is_cjk, split_by_kind,
};
pub use text_vector::{SimilarityStats, TextVector};
pub use time_range::{TimeRange, find_time_range};
pub use unasked_recall::{CueQuery, RecallCue, find_associations};
