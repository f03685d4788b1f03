//! When a line that means the same in other words is shown: in an answer to a question sooner than where nobody asked.
//!
//! How far a cosine stands out is measured by [`super::SimilaritySpread`], so that the thresholds hold for every model.

use super::cue::{ASKS, SUBSTANCE, has_few_words, is_question, is_restated, measure_substance};
use super::terms::extract_terms;

/// Where somebody asks, a line has to stand out so far to be an answer.
const ANSWERS: f64 = 2.5;
/// Where nobody asks, it has to stand out so far to come to mind.
const COMES_TO_MIND: f64 = 5.0;
/// A line of fewer words has hardly any meaning of its own: its vector says how it is put, not what about.
const FEWEST_TERMS: usize = 2;

/// Whether a text says enough to be worth a vector.
pub fn has_meaning(text: &str) -> bool {
    extract_terms(text).len() >= FEWEST_TERMS
}

/// Whether what stands out so far may answer a question.
pub fn is_alike(distinction: f64) -> bool {
    distinction >= ANSWERS
}

/// How well a line that stands out so far fits to what is being said, as [`super::find_associations`] rates it: 1 and more
/// comes to mind. Small talk is alike everywhere, and what says the same again tells nothing: neither fits.
pub fn rate_likeness(cue: &str, line: &str, distinction: f64) -> f64 {
    if has_few_words(cue) || measure_substance(line) < SUBSTANCE || is_restated(cue, line) {
        return 0.0;
    }
    let asks = if is_question(line) { ASKS } else { 1.0 };
    asks * distinction / COMES_TO_MIND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_talk_and_echoes_do_not_come_to_mind_however_alike_they_are() {
        let rate = |cue, line| rate_likeness(cue, line, 9.0);
        assert!(
            rate(
                "where could we eat noodles",
                "the ramen bar at the station is great"
            ) >= 1.0
        );
        assert_eq!(
            rate("morning", "the ramen bar at the station is great"),
            0.0
        );
        assert_eq!(rate("good morning everybody", "good morning!"), 0.0);
        let said = "the ramen bar at the station is great";
        assert_eq!(rate(said, said), 0.0);
        assert!(rate_likeness("where could we eat noodles", said, 4.9) < 1.0);
    }

    #[test]
    fn a_line_of_one_word_has_no_meaning_of_its_own() {
        for (text, wanted) in [
            ("lol", false),
            ("", false),
            ("👍", false),
            ("ramen bar opened", true),
        ] {
            assert_eq!(has_meaning(text), wanted, "{text}");
        }
        assert!(has_meaning("下周末去看展览"));
    }
}
