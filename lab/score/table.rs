//! The table of measures, how it is counted, and how it is printed: one line a group of measures, or JSON under the same
//! names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Value, json};

use super::ranking::{HitCounts, Ranking};
use super::turns::{self, TurnScores};
use super::{GoldPart, GoldPoint, PointAddressee};

/// How close to the person's number of turns the volume must be found, relatively.
const VOLUME_WITHIN: f64 = 0.1;
/// How often the search for it halves its range.
const HALVINGS: usize = 14;

#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTable {
    /// By the label "speaks soon".
    pub soon: LabelledMeasures,
    /// By the label "answers this very message".
    pub trig: LabelledMeasures,
    /// By the same label, with the scores of the moment the messages came in.
    pub at_arrival: LabelledMeasures,
    /// By the same label, one decision for each burst.
    pub bursts: LabelledMeasures,
    pub turn: TurnScores,
    /// How loud it is, and where.
    pub rates: SpeakRates,
    /// The same at the person's own volume; none where no threshold comes near it.
    pub volume: Option<VolumeMeasures>,
    /// How far the scores are from being probabilities of a trigger, 0 … 1.
    pub calibration: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LabelledMeasures {
    pub points: usize,
    pub ranking: Ranking,
    pub hits: HitCounts,
}

/// How many points of a kind there are, and on what share of them it speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpeakRate {
    pub points: usize,
    /// Share, 0 … 1; 0 without points.
    pub share: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpeakRates {
    /// Messages that mention the persona.
    pub addressed: SpeakRate,
    /// On what share of these the person spoke.
    pub human: f64,
    /// Messages that mention somebody else, and that the person left alone.
    pub interrupt: SpeakRate,
    /// Messages that mention nobody, and that the person left alone.
    pub butt_in: SpeakRate,
}

impl SpeakRates {
    /// Counts where `speaks` says that it speaks.
    pub fn count(parts: &[GoldPart], speaks: &dyn Fn(&GoldPoint) -> bool) -> SpeakRates {
        let rate = |selects: &dyn Fn(&&GoldPoint) -> bool, yes: &dyn Fn(&GoldPoint) -> bool| {
            let points: Vec<&GoldPoint> = parts
                .iter()
                .flat_map(|part| &part.points)
                .filter(selects)
                .collect();
            let yeses = points.iter().filter(|point| yes(point)).count();
            SpeakRate {
                points: points.len(),
                share: yeses as f64 / points.len().max(1) as f64,
            }
        };
        let mentions = |whom: PointAddressee| move |point: &&GoldPoint| point.addressed == whom;
        let alone = |whom: PointAddressee| {
            move |point: &&GoldPoint| point.addressed == whom && point.is_left_alone()
        };
        SpeakRates {
            addressed: rate(&mentions(PointAddressee::Persona), speaks),
            human: rate(&mentions(PointAddressee::Persona), &|point| {
                point.y == 1 || point.trig
            })
            .share,
            interrupt: rate(&alone(PointAddressee::Other), speaks),
            butt_in: rate(&alone(PointAddressee::None), speaks),
        }
    }
}

/// Measures at the threshold where it takes about as many turns as the person did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeMeasures {
    pub turn: TurnScores,
    pub rates: SpeakRates,
    /// The share of gold turns it hits that answer a message which mentions the persona; one by its partner that
    /// mentions nobody else; neither.
    pub reach: [Option<f64>; 3],
}

impl VolumeMeasures {
    /// Looks for the threshold by halving the list of scores.
    pub fn find(parts: &[GoldPart]) -> Option<VolumeMeasures> {
        let mut scores: Vec<f64> = parts
            .iter()
            .flat_map(|part| &part.points)
            .map(|point| point.score)
            .collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        scores.dedup();
        if scores.len() < 3 {
            return None;
        }
        let (mut low, mut high) = (0usize, scores.len() - 1);
        let mut best: Option<(f64, TurnScores, f64)> = None;
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2;
            let threshold = scores.get(middle).copied()?;
            let turn = turns::count(parts, &|point| point.score >= threshold);
            let overtalk = turn.overtalk()?;
            if best.is_none_or(|(off, ..)| (overtalk - 1.0).abs() < off) {
                best = Some(((overtalk - 1.0).abs(), turn, threshold));
            }
            if overtalk < 1.0 {
                low = middle + 1;
            } else if middle == 0 {
                break;
            } else {
                high = middle - 1;
            }
            if low > high {
                break;
            }
        }
        let (_, turn, threshold) = best?;
        let within = 1.0 - VOLUME_WITHIN..=1.0 + VOLUME_WITHIN;
        let speaks = move |point: &GoldPoint| point.score >= threshold;
        turn.overtalk()
            .filter(|overtalk| within.contains(overtalk))
            .map(|_| VolumeMeasures {
                turn,
                rates: SpeakRates::count(parts, &speaks),
                reach: compute_reach(parts, &speaks),
            })
    }
}

/// What a gold turn answers, the strongest of its triggers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TriggerKind {
    Cold,
    Partner,
    Mention,
}

fn compute_reach(parts: &[GoldPart], speaks: &dyn Fn(&GoldPoint) -> bool) -> [Option<f64>; 3] {
    let mut kinds: BTreeMap<(usize, i64), TriggerKind> = BTreeMap::new();
    let mut hit = BTreeSet::new();
    for (number, part) in parts.iter().enumerate() {
        for point in &part.points {
            let Some(turn) = point.turn.map(|turn| (number, turn)) else {
                continue;
            };
            if point.trig {
                let kind = match point.addressed {
                    PointAddressee::Persona => TriggerKind::Mention,
                    PointAddressee::None if point.partner => TriggerKind::Partner,
                    _ => TriggerKind::Cold,
                };
                kinds
                    .entry(turn)
                    .and_modify(|known| *known = kind.max(*known))
                    .or_insert(kind);
            }
            if speaks(point) {
                hit.insert(turn);
            }
        }
    }
    [
        TriggerKind::Mention,
        TriggerKind::Partner,
        TriggerKind::Cold,
    ]
    .map(|kind| {
        let turns: Vec<_> = kinds
            .iter()
            .filter(|(_, turn_kind)| **turn_kind == kind)
            .map(|(turn, _)| turn)
            .collect();
        let hits = turns.iter().filter(|turn| hit.contains(**turn)).count();
        (!turns.is_empty()).then(|| hits as f64 / turns.len() as f64)
    })
}

impl ScoreTable {
    /// The table as an object of objects, under the names it is printed with.
    pub fn to_json(&self) -> Value {
        let labelled = |measures: &LabelledMeasures| {
            let (
                Ranking {
                    right,
                    auc,
                    precision,
                },
                hits,
            ) = (measures.ranking, measures.hits);
            json!({"n": measures.points, "pos": right, "auc": auc, "ap": precision,
                   "p": hits.precision, "r": hits.recall, "f1": hits.f1})
        };
        let (turn, rates) = (&self.turn, &self.rates);
        let volume = self.volume.as_ref();
        let [mention, partner, cold] = volume.map_or([None; 3], |volume| volume.reach);
        json!({
            "soon": labelled(&self.soon),
            "trig": labelled(&self.trig),
            "at_arrival": {"n": self.at_arrival.points, "auc": self.at_arrival.ranking.auc, "ap": self.at_arrival.ranking.precision},
            "bursts": labelled(&self.bursts),
            "turn": {"gold": turn.gold, "policy": turn.policy, "overtalk": turn.overtalk(),
                     "p": turn.hits.precision, "r": turn.hits.recall, "f1": turn.hits.f1},
            "addressed": {"n": rates.addressed.points, "share": rates.addressed.share, "human": rates.human},
            "interrupt": {"n": rates.interrupt.points, "rate": rates.interrupt.share},
            "butt_in": {"n": rates.butt_in.points, "rate": rates.butt_in.share},
            "vol1": {
                "p": volume.map(|volume| volume.turn.hits.precision),
                "r": volume.map(|volume| volume.turn.hits.recall),
                "overtalk": volume.and_then(|volume| volume.turn.overtalk()),
                "addressed": volume.map(|volume| volume.rates.addressed.share),
                "interrupt": volume.map(|volume| volume.rates.interrupt.share),
                "butt_in": volume.map(|volume| volume.rates.butt_in.share),
                "reach_mention": mention, "reach_partner": partner, "reach_cold": cold,
            },
            "calibration": {"bins": super::BINS, "error": self.calibration},
        })
    }
}

impl fmt::Display for ScoreTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.to_json();
        let lines = table.as_object().into_iter().flatten();
        for (place, (name, measures)) in lines.enumerate() {
            let measure = |(name, value): (&String, &Value)| match value {
                Value::Number(number) if number.is_f64() => {
                    format!("{name}={:.3}", number.as_f64().unwrap_or_default())
                }
                Value::Null => format!("{name}=None"),
                other => format!("{name}={other}"),
            };
            let measures: Vec<String> = measures
                .as_object()
                .into_iter()
                .flatten()
                .map(measure)
                .collect();
            write!(
                f,
                "{}{name:<10} {}",
                if place == 0 { "" } else { "\n" },
                measures.join("  ")
            )?;
        }
        Ok(())
    }
}
