//! How good decisions on gold points are: ranking, decisions at the policy's own threshold, turns, how loud it is, and
//! both at the volume of the person it plays. The measures are those of the replay data's protocol (docs/WEIGHTS.md);
//! nothing here is learnt.

mod calibration;
mod curve;
mod point;
mod ranking;
mod table;
mod turns;

pub use calibration::{BINS, calibration};
pub use curve::curve;
pub use point::{Addressed, Decisions, Part, Partners, Point, decide, read};
pub use ranking::{Hits, Ranking, ranking, weighted};
pub use table::{Labelled, Rates, Table, Volume};
pub use turns::Turns;

/// Scores decisions, persona by persona in the order of their logs.
pub fn score(parts: &[Part]) -> Table {
    let labelled = |label: &dyn Fn(&Point) -> Option<bool>| {
        let points = parts.iter().flat_map(|part| &part.points);
        let scored: Vec<(&Point, bool)> = points.filter_map(|point| Some((point, label(point)?))).collect();
        let ranking = ranking(&scored.iter().map(|(point, right)| (point.score, *right)).collect::<Vec<_>>());
        let hits = Hits::count(scored.iter().map(|(point, right)| (point.speak, *right)));
        Labelled { points: scored.len(), ranking, hits }
    };
    let decided = |point: &Point| point.speak;
    Table {
        soon: labelled(&Point::soon),
        trig: labelled(&Point::trigger),
        turn: turns::count(parts, &decided),
        rates: Rates::count(parts, &decided),
        volume: Volume::find(parts),
        calibration: calibration(parts),
    }
}
