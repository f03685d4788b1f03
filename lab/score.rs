//! How good decisions on gold points are: ranking, decisions at the policy's own threshold, turns, how loud it is, and
//! both at the volume of the person it plays. The measures are those of the replay data's protocol (docs/WEIGHTS.md);
//! nothing here is learnt.

use std::collections::HashMap;

mod calibration;
mod point;
mod ranking;
mod table;
mod turns;

pub use calibration::{BINS, calibration_error};
pub use point::{
    BurstCounter, Decisions, GoldPart, GoldPoint, PointAddressee, PointDecision, TalkPartners,
    apply_decisions, read_decided_points,
};
pub use ranking::{HitCounts, Ranking, compute_weighted_ranking, rank_scores};
pub use table::{LabelledMeasures, ScoreTable, SpeakRates, VolumeMeasures};
pub use turns::TurnScores;

/// Scores decisions, persona by persona in the order of their logs.
pub fn score_parts(parts: &[GoldPart]) -> ScoreTable {
    let labelled = |label: &dyn Fn(&GoldPoint) -> Option<bool>| {
        self::measure_label(parts, &|part| {
            part.points
                .iter()
                .map(|point| (point.score, point.speak, label(point)))
                .collect()
        })
    };
    let decided = |point: &GoldPoint| point.speak;
    ScoreTable {
        at_arrival: self::measure_label(parts, &|part| {
            part.points
                .iter()
                .map(|point| (point.at_arrival, point.speak, point.trigger_label()))
                .collect()
        }),
        bursts: self::measure_label(parts, &judge_bursts),
        soon: labelled(&GoldPoint::soon_label),
        trig: labelled(&GoldPoint::trigger_label),
        turn: turns::count(parts, &decided),
        rates: SpeakRates::count(parts, &decided),
        volume: VolumeMeasures::find(parts),
        calibration: calibration_error(parts),
    }
}

/// A score, whether it speaks, and whether that is right; none where it is not counted.
type JudgedPoint = (f64, bool, Option<bool>);

fn measure_label(
    parts: &[GoldPart],
    judged: &dyn Fn(&GoldPart) -> Vec<JudgedPoint>,
) -> LabelledMeasures {
    let all = parts.iter().flat_map(judged);
    let scored: Vec<(f64, bool, bool)> = all
        .filter_map(|(score, speak, right)| Some((score, speak, right?)))
        .collect();
    let ranking = rank_scores(
        &scored
            .iter()
            .map(|(score, _, right)| (*score, *right))
            .collect::<Vec<_>>(),
    );
    let hits = HitCounts::from_pairs(scored.iter().map(|(_, speak, right)| (*speak, *right)));
    LabelledMeasures {
        points: scored.len(),
        ranking,
        hits,
    }
}

/// One decision for each burst: that on its last line. It is right to speak where any of its lines is a trigger, and else
/// as it is on its last.
fn judge_bursts(part: &GoldPart) -> Vec<JudgedPoint> {
    let mut judged: Vec<JudgedPoint> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for point in &part.points {
        let mut one = (point.score, point.speak, point.trigger_label());
        let known = point.burst.and_then(|burst| places.get(&burst)).copied();
        match known.and_then(|place| judged.get_mut(place)) {
            Some(before) => {
                one.2 = if before.2 == Some(true) {
                    Some(true)
                } else {
                    one.2
                };
                *before = one;
            }
            None => {
                places.extend(point.burst.map(|burst| (burst, judged.len())));
                judged.push(one);
            }
        }
    }
    judged
}
