//! What changed: of lines in which the same person speaks of the same thing, the newest comes first; where the question names
//! nobody, of all people's lines. The older ones are kept behind it, for they may be what is asked about ("where did she
//! live before?").

use super::line::{RankedLine, RecallLine};
use super::line_terms::LineTerms;
use super::time_words::says_change;
use crate::chat::{MINUTE, Millis};

/// Of lines that are said in one breath none takes the place of another.
const ONE_BREATH: Millis = 10 * MINUTE;
/// So many of the best lines are looked at.
const LOOKED_AT: usize = 8;

/// How alike two lines have to be so that the newer one comes first.
struct Likeness {
    /// How much the newer one holds of what the older one holds of the question.
    same_thing: f64,
    /// How well the newer one fits, as a share of how well the older one does.
    fit: f64,
}

/// What says that something changed names it in few words: "the base is on the ice now".
const SAYS_CHANGE: Likeness = Likeness {
    same_thing: 0.4,
    fit: 0.25,
};
/// Other lines have to say nearly the same.
const SAYS_NO_CHANGE: Likeness = Likeness {
    same_thing: 0.9,
    fit: 0.6,
};

/// Moves lines before those whose place they take. `ranked` is best first, `rarities` are those of the question's words and
/// `held` the words of each line. Of a question that `is_of_anybody`, because it names nobody, anybody can say that
/// something changed.
pub(super) fn put_newer_first(
    ranked: &mut [RankedLine],
    stretches: &[Vec<RecallLine<'_>>],
    rarities: &[(String, f64)],
    held: &[Vec<LineTerms>],
    is_of_anybody: bool,
) {
    let line = |ranked: &RankedLine| &stretches[ranked.at.0][ranked.at.1];
    let terms = |ranked: &RankedLine| &held[ranked.at.0][ranked.at.1].counts;
    let shared = |one: &RankedLine, other: &RankedLine| -> f64 {
        let is_shared =
            |term: &String| terms(one).contains_key(term) && terms(other).contains_key(term);
        let of_both = rarities.iter().filter(|(term, _)| is_shared(term));
        of_both.map(|(_, rarity)| rarity).sum()
    };
    for place in 1..ranked.len().min(LOOKED_AT) {
        let newer = ranked[place];
        let needed = match says_change(line(&newer).text) {
            true => SAYS_CHANGE,
            false => SAYS_NO_CHANGE,
        };
        let takes_place_of = |older: &RankedLine| {
            let (one, other) = (line(&newer), line(older));
            let common = shared(&newer, older);
            (is_of_anybody || one.author == other.author)
                && one.at - other.at > ONE_BREATH
                && newer.score >= needed.fit * older.score
                && common > 0.0
                && common >= needed.same_thing * shared(older, older)
                && !one.text.contains(['?', '？'])
                && !other.text.contains(['?', '？'])
        };
        if let Some(to) = ranked[..place].iter().position(takes_place_of) {
            ranked[to..=place].rotate_right(1);
        }
    }
}
