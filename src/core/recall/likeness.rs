//! When a line that means the same in other words is shown: in an answer to a question sooner than where nobody asked.
//!
//! How far a cosine stands out is measured by [`SimilarityStats`], so that the thresholds hold for every model. They were
//! chosen with all-MiniLM-L6-v2 (docs/MEMORY.md says on what).

use super::rank::is_question;
use super::text_vector::SimilarityStats;
use super::unasked_recall::{ASKS, SUBSTANCE, has_few_words, is_restated, measure_substance};

/// Where somebody asks, what a line stands out by beyond this counts for it.
const ANSWERS: f64 = 1.5;
/// Where nobody asks, a line has to stand out so much further than the nearest of as many lines does by chance.
const BEYOND_CHANCE: f64 = 1.7;
/// How well a line answers a question by its meaning, as [`super::rank_alike_lines`] ranks it: 0 does not.
pub fn rate_answer(spread: &SimilarityStats, cosine: f64) -> f64 {
    (spread.compute_distinction(cosine) - ANSWERS).max(0.0)
}

/// How well a line fits to what is being said, as [`super::find_associations`] rates it: 1 and more comes to mind. Small talk
/// is alike everywhere, and what says the same again tells nothing: neither fits.
pub fn rate_association(cue: &str, line: &str, spread: &SimilarityStats, cosine: f64) -> f64 {
    let Some(chance) = spread.compute_chance_maximum() else {
        return 0.0;
    };
    if has_few_words(cue) || measure_substance(line) < SUBSTANCE || is_restated(cue, line) {
        return 0.0;
    }
    let asks = if is_question(line) { ASKS } else { 1.0 };
    asks * spread.compute_distinction(cosine) / (chance + BEYOND_CHANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_talk_and_echoes_do_not_come_to_mind_however_alike_they_are() {
        let mut spread = SimilarityStats::default();
        (0..1_000).for_each(|step| spread.add(f64::from(step % 5) / 10.0));
        let rate = |cue, line| rate_association(cue, line, &spread, 0.99);
        let said = "the ramen bar at the station is great";
        let cue = "where could we eat noodles";
        assert!(rate(cue, said) >= 1.0, "{}", rate(cue, said));
        assert_eq!(rate("morning", said), 0.0);
        assert_eq!(rate("good morning everybody", "good morning!"), 0.0);
        assert_eq!(rate(said, said), 0.0);
        assert!(rate_association(cue, said, &spread, 0.9) < 1.0);
        let few = SimilarityStats::default();
        assert_eq!(
            rate_association(cue, said, &few, 1.0),
            0.0,
            "nobody knows what is usual"
        );
    }
}
