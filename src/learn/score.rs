//! How good decisions on gold points are: ranking, decisions at the policy's own threshold, turns, how loud it is, and
//! both at the volume of the person it plays. The measures are those of the replay data's protocol (docs/WEIGHTS.md);
//! nothing here is learnt.

use std::collections::HashMap;

mod calibration;
mod curve;
mod point;
mod ranking;
mod table;
mod turns;

pub use calibration::{BINS, calibration};
pub use curve::curve;
pub use point::{Addressed, Bursts, Decided, Decisions, Part, Partners, Point, decide, read};
pub use ranking::{Hits, Ranking, ranking, weighted};
pub use table::{Labelled, Rates, Table, Volume};
pub use turns::Turns;

/// Scores decisions, persona by persona in the order of their logs.
pub fn score(parts: &[Part]) -> Table {
    let labelled = |label: &dyn Fn(&Point) -> Option<bool>| {
        self::labelled(parts, &|part| {
            part.points.iter().map(|point| (point.score, point.speak, label(point))).collect()
        })
    };
    let decided = |point: &Point| point.speak;
    Table {
        at_arrival: self::labelled(parts, &|part| {
            part.points.iter().map(|point| (point.at_arrival, point.speak, point.trigger())).collect()
        }),
        bursts: self::labelled(parts, &bursts),
        soon: labelled(&Point::soon),
        trig: labelled(&Point::trigger),
        turn: turns::count(parts, &decided),
        rates: Rates::count(parts, &decided),
        volume: Volume::find(parts),
        calibration: calibration(parts),
    }
}

/// A score, whether it speaks, and whether that is right; none where it is not counted.
type Judged = (f64, bool, Option<bool>);

fn labelled(parts: &[Part], judged: &dyn Fn(&Part) -> Vec<Judged>) -> Labelled {
    let all = parts.iter().flat_map(judged);
    let scored: Vec<(f64, bool, bool)> = all.filter_map(|(score, speak, right)| Some((score, speak, right?))).collect();
    let ranking = ranking(&scored.iter().map(|(score, _, right)| (*score, *right)).collect::<Vec<_>>());
    let hits = Hits::count(scored.iter().map(|(_, speak, right)| (*speak, *right)));
    Labelled { points: scored.len(), ranking, hits }
}

/// One decision for each burst: that on its last line. It is right to speak where any of its lines is a trigger, and else
/// as it is on its last.
fn bursts(part: &Part) -> Vec<Judged> {
    let mut judged: Vec<Judged> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for point in &part.points {
        let mut one = (point.score, point.speak, point.trigger());
        let known = point.burst.and_then(|burst| places.get(&burst)).copied();
        match known.and_then(|place| judged.get_mut(place)) {
            Some(before) => {
                one.2 = if before.2 == Some(true) { Some(true) } else { one.2 };
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
