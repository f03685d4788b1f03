//! Several rankings of the same lines become one, by the ranks alone: scores of words and of vectors have no common scale.
//!
//! Reciprocal rank fusion: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank
//! Learning Methods", SIGIR 2009, with their constant.

use std::collections::HashMap;
use std::hash::Hash;

/// How little the first ranks count above those that follow.
const RANK_CONSTANT: f64 = 60.0;

/// One ranking of several, best first. Of two that come out the same, the one that an earlier ranking has first.
pub fn fuse_rankings<T: Copy + Eq + Hash>(rankings: &[Vec<T>]) -> Vec<T> {
    let mut scores: HashMap<T, f64> = HashMap::new();
    let mut all = Vec::new();
    for ranking in rankings {
        for (rank, item) in ranking.iter().enumerate() {
            let score = scores.entry(*item).or_insert_with(|| {
                all.push(*item);
                0.0
            });
            *score += 1.0 / (RANK_CONSTANT + 1.0 + rank as f64);
        }
    }
    all.sort_by(|a, b| scores[b].total_cmp(&scores[a]));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_rankings_have_comes_first_and_one_alone_stays_as_it_is() {
        assert_eq!(fuse_rankings(&[vec![1, 2, 3]]), [1, 2, 3]);
        assert_eq!(fuse_rankings(&[vec![1, 2, 3], vec![]]), [1, 2, 3]);
        assert_eq!(fuse_rankings(&[vec![1, 2, 3], vec![4, 3]]), [3, 1, 4, 2]);
        assert!(fuse_rankings::<u8>(&[]).is_empty());
    }
}
