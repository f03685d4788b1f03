//! Whole turns: decisions to speak that lie close together are one turn of the policy, and a gold turn is hit once.

use std::collections::BTreeSet;

use super::ranking::HitCounts;
use super::{GoldPart, GoldPoint};

/// Decisions to speak closer than this are one turn, in seconds.
const MERGED: f64 = 30.0;

/// Turns of the policy held against those of the person.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnScores {
    pub gold: usize,
    pub policy: usize,
    /// Precision: those that are the first to hit a gold turn. Recall: gold turns that were hit.
    pub hits: HitCounts,
}

impl TurnScores {
    /// The policy's turns for each of the person's.
    pub fn overtalk(&self) -> Option<f64> {
        (self.gold > 0).then(|| self.policy as f64 / self.gold as f64)
    }
}

struct Episode {
    from: f64,
    turns: BTreeSet<i64>,
    /// All its points are unscored: the person spoke there, too, just not as an answer.
    unscored: bool,
}

/// Counts the turns of a policy that speaks where `speaks` says so.
pub fn count(parts: &[GoldPart], speaks: &dyn Fn(&GoldPoint) -> bool) -> TurnScores {
    let (mut gold, mut policy, mut good) = (0, 0, 0);
    for part in parts {
        gold += part
            .points
            .iter()
            .filter_map(|point| point.turn)
            .collect::<BTreeSet<_>>()
            .len();
        let mut hit = BTreeSet::new();
        for episode in collect_episodes(part, speaks) {
            if let Some(turn) = episode.turns.difference(&hit).next().copied() {
                hit.insert(turn);
                policy += 1;
            } else if !episode.unscored {
                policy += 1;
            }
        }
        good += hit.len();
    }
    TurnScores {
        gold,
        policy,
        hits: HitCounts::from_counts(good, policy, good, gold),
    }
}

fn collect_episodes(part: &GoldPart, speaks: &dyn Fn(&GoldPoint) -> bool) -> Vec<Episode> {
    let mut episodes: Vec<Episode> = Vec::new();
    let mut open = false;
    let mut own = part.own.iter().copied().peekable();
    for point in &part.points {
        while let Some(spoke) = own.next_if(|spoke| *spoke <= point.time) {
            // The person really spoke: the turn is over.
            open &= episodes.last().is_none_or(|episode| spoke <= episode.from);
        }
        if !speaks(point) {
            continue;
        }
        match episodes
            .last_mut()
            .filter(|episode| open && point.time - episode.from <= MERGED)
        {
            Some(episode) => {
                episode.turns.extend(point.turn);
                episode.unscored &= point.y == -1;
            }
            None => {
                let turns = point.turn.into_iter().collect();
                episodes.push(Episode {
                    from: point.time,
                    turns,
                    unscored: point.y == -1,
                });
                open = true;
            }
        }
    }
    episodes
}
