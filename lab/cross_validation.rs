//! Cross-validation by log: what is learnt from nine tenths of the logs judges the rest, for the senses and for the
//! cheap features alike, so that each point is judged by weights that never saw its log.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::dataset::{self, Dataset, GoldSample, LinkCount};
use super::friends::MarkedChat;
use super::logistic::{self, TrainingExample, logit};
use super::newton::L2Prior;
use super::next_turns::Recording;
use super::score::{HitCounts, Ranking, compute_weighted_ranking, rank_scores};
use super::{baseline, prior};

const FOLDS: usize = 10;

pub fn fold_count(logs: usize) -> usize {
    FOLDS.min(logs)
}
/// How often logs are drawn anew for the interval of a difference.
const DRAWS: usize = 2_000;
const SEED: u64 = 4;
/// How strongly the cheap features' weights are drawn to 0.
const CHEAP_STRENGTH: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialResult {
    pub ranking: Ranking,
    /// Its decisions at the threshold that is best where it learnt.
    pub hits: HitCounts,
}

/// A part that is held back, with what the rest taught.
pub struct TrialFold {
    /// The points of the logs that were learnt from.
    pub training: Vec<GoldSample>,
    /// The points of those held back, each with its log.
    pub held_out: Vec<(usize, GoldSample)>,
}

pub struct CrossValidation {
    pub folds: Vec<TrialFold>,
    pub senses: TrialResult,
    pub cheap: TrialResult,
    /// The difference of their average precisions: its 2.5 %, 50 % and 97.5 % quantile over draws of logs.
    pub difference: [f64; 3],
    /// Guesses of links: all pairs, and without those of openings.
    pub links: (LinkCount, LinkCount),
}

/// Tries what can be learnt from `lessons`. What is learnt from `also` helps everywhere and is never held back.
/// `each` is called after every part.
///
/// # Errors
/// What was learnt is no number.
pub fn cross_validate(
    datasets: &[Dataset],
    extra: &[Dataset],
    chats: &[MarkedChat],
    recordings: &[Recording],
    mut each: impl FnMut(),
) -> anyhow::Result<CrossValidation> {
    let parts = self::fold_count(datasets.len());
    let mut folds = Vec::with_capacity(parts);
    let mut links = (LinkCount::default(), LinkCount::default());
    for fold in 0..parts {
        let held = |place: usize| place % parts == fold;
        let rest = || {
            datasets
                .iter()
                .enumerate()
                .filter(|(place, _)| !held(*place))
                .map(|(_, dataset)| dataset)
        };
        let weights = dataset::learn_model(rest().chain(extra), chats, recordings)?.to_weights()?;
        let kept = || {
            datasets
                .iter()
                .enumerate()
                .filter(|(place, _)| held(*place))
        };
        let hits = dataset::count_link_hits(kept().map(|(_, dataset)| dataset), &weights);
        links.0.join(hits.0);
        links.1.join(hits.1);
        let points = |dataset| dataset::collect_samples(dataset, &weights);
        folds.push(TrialFold {
            training: rest().chain(extra).flat_map(points).collect(),
            held_out: kept()
                .flat_map(|(place, dataset)| {
                    points(dataset).into_iter().map(move |seen| (place, seen))
                })
                .collect(),
        });
        each();
    }
    let pull = prior::willingness_prior();
    let senses = evaluate_folds(&folds, &pull, |seen| &seen.signals);
    let constant = L2Prior {
        to: vec![0.0; baseline::SIZE],
        strength: vec![CHEAP_STRENGTH; baseline::SIZE],
    };
    let cheap = evaluate_folds(&folds, &constant, |seen| &seen.cheap);
    let difference = bootstrap_difference(&senses.1, &cheap.1, datasets.len());
    Ok(CrossValidation {
        folds,
        senses: senses.0,
        cheap: cheap.0,
        difference,
        links,
    })
}

/// A held-back point: its log, its score, whether it was right to speak.
type HeldOutPoint = (usize, f64, bool);

/// Fits each fold on what `values` shows of a point, and judges what was held back.
pub fn evaluate_folds(
    folds: &[TrialFold],
    pull: &L2Prior,
    values: impl Fn(&GoldSample) -> &[f64],
) -> (TrialResult, Vec<HeldOutPoint>) {
    let mut scored: Vec<HeldOutPoint> = Vec::new();
    let mut decided: Vec<(bool, bool)> = Vec::new();
    for fold in folds {
        let learnt = || fold.training.iter().filter(|seen| !seen.passed);
        let example = |seen| TrainingExample {
            seen: values(seen),
            right: f64::from(u8::from(seen.right)),
            weight: 1.0,
        };
        let examples: Vec<TrainingExample<'_>> = learnt().map(example).collect();
        let weights = logistic::fit(&examples, pull);
        let threshold = find_best_threshold(
            learnt()
                .map(|seen| (logit(values(seen), &weights), seen.right))
                .collect(),
        );
        for (log, seen) in fold.held_out.iter().filter(|(_, seen)| !seen.passed) {
            let score = logit(values(seen), &weights);
            scored.push((*log, score, seen.right));
            decided.push((score >= threshold, seen.right));
        }
    }
    let ranking = rank_scores(
        &scored
            .iter()
            .map(|(_, score, right)| (*score, *right))
            .collect::<Vec<_>>(),
    );
    (
        TrialResult {
            ranking,
            hits: HitCounts::from_pairs(decided.into_iter()),
        },
        scored,
    )
}

/// The score from which on a yes gives the best F1.
fn find_best_threshold(mut scored: Vec<(f64, bool)>) -> f64 {
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let right = scored.iter().filter(|(_, right)| *right).count();
    let (mut good, mut best) = (0, (0.0, f64::INFINITY));
    for (place, (score, is_right)) in scored.iter().enumerate() {
        good += usize::from(*is_right);
        let f1 = HitCounts::from_counts(good, place + 1, good, right).f1;
        if f1 > best.0 {
            best = (f1, *score);
        }
    }
    best.1
}

/// Draws logs with replacement, the same for both, and looks how far the average precisions lie apart.
fn bootstrap_difference(one: &[HeldOutPoint], other: &[HeldOutPoint], logs: usize) -> [f64; 3] {
    let ordered = |scored: &[HeldOutPoint]| {
        let mut scored = scored.to_vec();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        scored
    };
    let (one, other) = (ordered(one), ordered(other));
    let mut chance = ChaCha8Rng::seed_from_u64(SEED);
    let mut differences: Vec<f64> = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let mut times = vec![0.0; logs];
        for _ in 0..logs {
            if let Some(time) = times.get_mut(chance.random_range(0..logs)) {
                *time += 1.0;
            }
        }
        let precision = |scored: &[HeldOutPoint]| {
            let points = scored.iter().map(|(log, score, right)| {
                (*score, *right, times.get(*log).copied().unwrap_or(0.0))
            });
            compute_weighted_ranking(points).map(|(_, precision)| precision)
        };
        if let (Some(one), Some(other)) = (precision(&one), precision(&other)) {
            differences.push(one - other);
        }
    }
    differences.sort_by(f64::total_cmp);
    [25, 500, 975].map(|mille| {
        differences
            .get(mille * differences.len() / 1_000)
            .copied()
            .unwrap_or(f64::NAN)
    })
}
