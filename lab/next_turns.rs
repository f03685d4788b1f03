//! Recordings of people in which it is known who wrote next. Nobody marked when a friend should speak there, but they are
//! real: how people pause, how long they write and how talks go on.
//!
//! A folder of them has `eval/next.points.jsonl` and `eval/personas.json`, as replays of points have. A point is the end of
//! somebody's burst, and whether the person in whose place the companion listens wrote next (`y`).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use indicatif::ProgressBar;
use serde::Deserialize;

use super::logistic::TrainingExample;
use kith_core::chat::{AuthorKind, ChannelId, ChannelKind, Message};
use kith_core::persona::Persona;
use kith_core::willingness::{AddressMatcher, ChannelFeatures, Weights};
use kith_replay::ids::LogIds;
use kith_replay::log;
use kith_replay::points::{read_names, read_points};

/// Which recordings are learnt from, by folder, and what a point counts beside a marked line among friends and in a crowd.
/// The licences of the others allow measuring alone (docs/WEIGHTS.md). Speech is not typing: it counts little.
const SOURCES: [(&str, f64, f64); 2] = [("llmafia", 0.05, 0.5), ("cabnc", 0.003, 0.03)];

/// A person's place in a recording.
pub struct Recording {
    me: String,
    names: Vec<String>,
    messages: Vec<(String, Message)>,
    /// Whether the person wrote next, by message.
    next: HashMap<String, bool>,
    weights: (f64, f64),
}

/// A point of a recording as it is learnt from.
pub struct NextTurn {
    /// A 1 and the signals.
    signals: Vec<f64>,
    is_next: bool,
    /// What it counts where weights among friends are learnt.
    pub among_friends: f64,
    /// What it counts where weights of a crowd are learnt.
    pub in_crowd: f64,
}

impl NextTurn {
    pub fn to_example(&self, weight: f64) -> TrainingExample<'_> {
        TrainingExample {
            seen: &self.signals,
            right: f64::from(u8::from(self.is_next)),
            weight,
        }
    }
}

#[derive(Deserialize)]
struct Point {
    f: String,
    p: String,
    id: String,
    y: u8,
    addr: Option<String>,
}

/// Reads the recordings of a folder that are learnt from.
///
/// # Errors
/// A file that is missing or not what it should be, with its path.
pub fn read_recordings(root: &Path) -> anyhow::Result<Vec<Recording>> {
    let names = read_names(&root.join("eval/personas.json"))?;
    let points: Vec<Point> = read_points(&root.join("eval/next.points.jsonl"))?;
    let mut by_person: BTreeMap<(String, String), HashMap<String, bool>> = BTreeMap::new();
    // Who is called answers: that is no news.
    for point in points
        .into_iter()
        .filter(|point| point.addr.as_deref() != Some("P"))
    {
        let person = by_person.entry((point.f, point.p)).or_default();
        person.insert(point.id, point.y == 1);
    }
    let mut recordings = Vec::new();
    for (key, next) in by_person {
        let folder = key.0.split('/').next().unwrap_or_default();
        let Some((_, friends, crowd)) = SOURCES.iter().find(|(name, ..)| *name == folder) else {
            continue;
        };
        let (path, me) = (root.join(&key.0), key.1.clone());
        let mut ids = LogIds::default();
        ids.assign_person_id(&me);
        let mut messages = Vec::new();
        log::read_log(&path, &ProgressBar::hidden(), &mut |recorded| {
            let kind = match (recorded.author.id == me, recorded.author.bot) {
                (true, _) => AuthorKind::Companion,
                (false, true) => AuthorKind::Bot,
                (false, false) => AuthorKind::Person,
            };
            let message = ids.build_message(&recorded, ChannelId(1), kind, false);
            messages.push((recorded.id, message));
            Ok(())
        })?;
        recordings.push(Recording {
            me,
            names: names.get(&key).cloned().unwrap_or_default(),
            messages,
            next,
            weights: (*friends, *crowd),
        });
    }
    Ok(recordings)
}

impl Recording {
    /// The points, seen with these weights in the person's place.
    pub fn collect_turns(&self, weights: &Weights) -> Vec<NextTurn> {
        let me = LogIds::default().assign_person_id(&self.me);
        let persona = Persona {
            name: self.names.first().cloned().unwrap_or_default(),
            ..Persona::default()
        };
        let matcher = AddressMatcher::new(me, &self.names, &persona, ChannelKind::Group);
        let mut sense = ChannelFeatures::default();
        let mut turns = Vec::new();
        for (id, message) in &self.messages {
            if message.author.kind == AuthorKind::Companion {
                sense.record_own_message(message, weights);
                continue;
            }
            let score = sense.score_message(message, &matcher, weights);
            if let Some(is_next) = self.next.get(id) {
                let values = score.values.iter().map(|value| f64::from(*value));
                turns.push(NextTurn {
                    signals: std::iter::once(1.0).chain(values).collect(),
                    is_next: *is_next,
                    among_friends: self.weights.0,
                    in_crowd: self.weights.1,
                });
            }
        }
        turns
    }
}
