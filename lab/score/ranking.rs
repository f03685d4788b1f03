//! How well scores rank: the area under the ROC curve and average precision, ties counted as a group; and how often a
//! yes is right.

use std::cmp::Ordering;

/// How well scores tell right from wrong; none where there is only one of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ranking {
    pub right: usize,
    /// The share of pairs of a right and a wrong one that the scores put in order; a tie is half a pair.
    pub auc: Option<f64>,
    /// The mean of the precision at each right one, a group of ties having one precision.
    pub precision: Option<f64>,
}

pub fn rank_scores(scored: &[(f64, bool)]) -> Ranking {
    let mut order: Vec<(f64, bool, f64)> = scored
        .iter()
        .map(|(score, right)| (*score, *right, 1.0))
        .collect();
    order.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
    let right = scored.iter().filter(|(_, right)| *right).count();
    let (auc, precision) = compute_weighted_ranking(order.iter().copied()).unzip();
    Ranking {
        right,
        auc,
        precision,
    }
}

/// The area under the ROC curve and average precision of what is already ordered by falling score, each counting as
/// often as its weight says. None where all are right or all are wrong.
pub fn compute_weighted_ranking(
    order: impl Iterator<Item = (f64, bool, f64)> + Clone,
) -> Option<(f64, f64)> {
    let (mut all_right, mut all_wrong) = (0.0, 0.0);
    for (_, right, weight) in order.clone() {
        *(if right {
            &mut all_right
        } else {
            &mut all_wrong
        }) += weight;
    }
    if all_right == 0.0 || all_wrong == 0.0 {
        return None;
    }
    let (mut auc, mut precision) = (0.0, 0.0);
    let (mut above_right, mut above_wrong) = (0.0, 0.0);
    let mut order = order.peekable();
    while let Some((score, right, weight)) = order.next() {
        let (mut rights, mut wrongs) = if right { (weight, 0.0) } else { (0.0, weight) };
        while let Some((_, right, weight)) = order.next_if(|(next, ..)| *next == score) {
            *(if right { &mut rights } else { &mut wrongs }) += weight;
        }
        auc += wrongs * (above_right + rights / 2.0);
        above_right += rights;
        above_wrong += wrongs;
        if rights > 0.0 {
            precision += (rights / all_right) * (above_right / (above_right + above_wrong));
        }
    }
    Some((auc / (all_right * all_wrong), precision))
}

/// Precision, recall and their harmonic mean, each 0 where it is not defined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HitCounts {
    /// Of the yeses, how many were right.
    pub precision: f64,
    /// Of those that should be yes, how many were.
    pub recall: f64,
    pub f1: f64,
}

impl HitCounts {
    /// Counts pairs of what was said and what was right.
    pub fn from_pairs(pairs: impl Iterator<Item = (bool, bool)>) -> HitCounts {
        let (mut hit, mut said, mut right) = (0, 0, 0);
        for (yes, should) in pairs {
            hit += usize::from(yes && should);
            said += usize::from(yes);
            right += usize::from(should);
        }
        HitCounts::from_counts(hit, said, hit, right)
    }

    /// Of `said`, `good` were right; of `right`, `found` were said.
    pub fn from_counts(good: usize, said: usize, found: usize, right: usize) -> HitCounts {
        let share = |part: usize, all: usize| {
            if all > 0 {
                part as f64 / all as f64
            } else {
                0.0
            }
        };
        let (precision, recall) = (share(good, said), share(found, right));
        let sum = precision + recall;
        HitCounts {
            precision,
            recall,
            f1: if sum > 0.0 {
                2.0 * precision * recall / sum
            } else {
                0.0
            },
        }
    }
}
