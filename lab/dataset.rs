//! Logs made ready to learn from, and learning from them: the links first, then, with these, the willingness.

use std::collections::HashMap;

use super::corpus::{ChatLog, GoldLabel};
use super::fitted_model::FittedModel;
use super::friends::{LabeledLine, MarkedChat};
use super::gold_points::{self, GoldPersona};
use super::logistic::TrainingExample;
use super::next_turns::{NextTurn, Recording};
use super::score::HitCounts;
use super::{baseline, log_features, logistic, prior, reply_choice};
use kith_core::willingness::Weights;

/// How often the links are fitted. Whom a line was meant for is itself a guess of the links, so each fit changes what
/// the next one sees; after the second nothing moves any more.
const ROUNDS: usize = 2;

pub struct Dataset {
    pub log: ChatLog,
    pub personas: Vec<GoldPersona>,
    /// The cheap features of each persona, by the message's place.
    cheap: Vec<HashMap<usize, [f64; baseline::SIZE]>>,
}

impl Dataset {
    pub fn new(log: ChatLog) -> Dataset {
        let personas = gold_points::select_personas(&log);
        let cheap = personas
            .iter()
            .map(|persona| baseline::extract_features(&log, persona))
            .collect();
        Dataset {
            log,
            personas,
            cheap,
        }
    }
}

pub struct GoldSample {
    /// Whether the persona answered this very message.
    pub right: bool,
    /// Whether its author wrote on: nothing is decided on it.
    pub passed: bool,
    /// A 1 and the signals.
    pub signals: Vec<f64>,
    /// A 1 and the cheap features.
    pub cheap: [f64; baseline::SIZE],
}

/// The points of a lesson that are scored by the label "trigger", as they are seen with these weights.
pub fn collect_samples(dataset: &Dataset, weights: &Weights) -> Vec<GoldSample> {
    let mut points = Vec::new();
    for (persona, cheap) in dataset.personas.iter().zip(&dataset.cheap) {
        let mut wanted = persona.points.iter().peekable();
        log_features::play_log(&dataset.log, persona, weights, |place, score, sense| {
            let Some((_, point)) = wanted.next_if(|(wanted, _)| *wanted == place) else {
                return;
            };
            let passed = log_features::has_follow_up(&dataset.log, place, persona.id, sense);
            if let (Some(right), Some(cheap)) = (point.trigger_label(), cheap.get(&place)) {
                let signals = std::iter::once(1.0)
                    .chain(score.values.iter().map(|value| f64::from(*value)))
                    .collect();
                points.push(GoldSample {
                    right,
                    passed,
                    signals,
                    cheap: *cheap,
                });
            }
        });
    }
    points
}

/// What a point of a crowd counts beside a moment among friends, where weights of a crowd are learnt: there are fifty
/// times as many.
const POINT_WEIGHT: f64 = 0.1;

/// How many times as slow each chat of friends is heard: what is learnt must not depend on the pace.
const PACES: [i64; 4] = [1, 3, 10, 30];

/// Learns from annotated logs, from chats of friends, each at several paces, and from recordings of who spoke next. The
/// weights among friends are learnt from the chats and recordings alone, those of a crowd from all: so what shows too
/// little in one is drawn to the other.
///
/// # Errors
/// What was learnt is no number.
pub fn learn_model<'a>(
    datasets: impl Iterator<Item = &'a Dataset> + Clone,
    chats: &[MarkedChat],
    recordings: &[Recording],
) -> anyhow::Result<FittedModel> {
    let mut fitted = FittedModel::from_priors();
    for _ in 0..ROUNDS {
        let weights = fitted.to_weights()?;
        let linked = datasets.clone().filter(|dataset| dataset.log.linked);
        let choices: Vec<reply_choice::ReplyChoice> = linked
            .flat_map(|dataset| log_features::collect_choices(&dataset.log, &weights))
            .collect();
        fitted.links = reply_choice::fit(&choices, &prior::link_prior());
    }
    let weights = fitted.to_weights()?;
    let seen: Vec<GoldSample> = datasets
        .clone()
        .flat_map(|dataset| collect_samples(dataset, &weights))
        .collect();
    let at_paces = chats
        .iter()
        .flat_map(|chat| PACES.map(|pace| chat.retimed(pace)));
    let moments: Vec<LabeledLine> = at_paces
        .flat_map(|chat| chat.collect_moments(&weights))
        .flatten()
        .collect();
    let friends: Vec<TrainingExample<'_>> = moments
        .iter()
        .filter(|moment| !moment.passed)
        .map(|moment| {
            let example = moment.to_example();
            TrainingExample {
                weight: example.weight / PACES.len() as f64,
                ..example
            }
        })
        .collect();
    let turns: Vec<NextTurn> = recordings
        .iter()
        .flat_map(|recording| recording.collect_turns(&weights))
        .collect();
    let among_friends = turns.iter().map(|turn| turn.to_example(turn.among_friends));
    let in_crowd = turns.iter().map(|turn| turn.to_example(turn.in_crowd));
    let weight = if friends.is_empty() {
        1.0
    } else {
        POINT_WEIGHT
    };
    let crowd: Vec<TrainingExample<'_>> = build_examples(&seen, weight)
        .chain(friends.iter().copied())
        .chain(in_crowd)
        .collect();
    let crowd = logistic::fit(&crowd, &prior::willingness_prior());
    let among_friends = if friends.is_empty() {
        crowd.clone()
    } else {
        let examples: Vec<TrainingExample<'_>> =
            friends.iter().copied().chain(among_friends).collect();
        logistic::fit(&examples, &prior::willingness_prior())
    };
    fitted.willingness = [
        among_friends,
        crowd.clone(),
        prior::derive_turn_weights(&crowd),
    ];
    Ok(fitted)
}

/// The points something is decided on, as examples.
pub fn build_examples(
    seen: &[GoldSample],
    weight: f64,
) -> impl Iterator<Item = TrainingExample<'_>> {
    let right = |seen: &GoldSample| f64::from(u8::from(seen.right));
    seen.iter()
        .filter(|seen| !seen.passed)
        .map(move |seen| TrainingExample {
            seen: &seen.signals,
            right: right(seen),
            weight,
        })
}

/// How well links are guessed: pairs of a message and a line it answers, where a message that answers nothing is paired
/// with itself; and the same without these.
pub fn count_link_hits<'a>(
    datasets: impl Iterator<Item = &'a Dataset>,
    weights: &Weights,
) -> (LinkCount, LinkCount) {
    let (mut all, mut answers) = (LinkCount::default(), LinkCount::default());
    for log in datasets
        .map(|dataset| &dataset.log)
        .filter(|log| log.linked)
    {
        for (place, guess) in log_features::guess_links(log, weights) {
            let Some(GoldLabel::Answers { places, lost }) =
                log.lines.get(place).map(|line| &line.gold)
            else {
                continue;
            };
            let (opens, gold) = (places.is_empty() && *lost == 0, places.len() + lost);
            let hit = if opens {
                guess == place
            } else {
                places.contains(&guess)
            };
            all.add(hit, true, gold.max(1));
            answers.add(hit && !opens, guess != place, gold);
        }
    }
    (all, answers)
}

#[derive(Clone, Copy, Debug, Default)]
pub struct LinkCount {
    good: usize,
    said: usize,
    right: usize,
}

impl LinkCount {
    fn add(&mut self, hit: bool, said: bool, right: usize) {
        self.good += usize::from(hit);
        self.said += usize::from(said);
        self.right += right;
    }

    pub fn join(&mut self, other: LinkCount) {
        self.good += other.good;
        self.said += other.said;
        self.right += other.right;
    }

    /// Precision, recall, F1.
    pub fn compute_hits(&self) -> HitCounts {
        HitCounts::from_counts(self.good, self.said, self.good, self.right)
    }
}
