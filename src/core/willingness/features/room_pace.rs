//! What is short and long in this room: the time between lines and their length as people here have them. Everything a
//! message is scored by is held against these, never against seconds or bytes, so that the same words at another pace
//! are judged alike.
//!
//! Room time is real time, stretched so that the median gap between two lines is [`GAP`]. Its zero is the first line's
//! real time. Lengths are bytes, scaled so that the median line has [`LENGTH`]. Both medians are over the newest
//! [`KEPT`] lines of people; a room nobody has heard yet is taken for an ordinary one.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::chat::{HOUR, MINUTE, Millis, SECOND};
use crate::talkativeness::LIVELY;

/// The median gap of the chats the weights were learnt from, in milliseconds, and the median length, in bytes.
const GAP: Millis = 9 * SECOND;
const LENGTH: u32 = 26;
/// How many lines the medians are taken over.
const KEPT: usize = 48;
/// How many ordinary lines stand for a room nobody has heard yet.
const PRIOR_LINES: usize = 3;
/// The longest silence that counts for the pace.
const LONGEST_PAUSE: f32 = (10 * MINUTE) as f32;
/// How much time and lengths are stretched at most, and how much they shrink.
const MOST_STRETCHED: f32 = 4.0;
const MOST_SHRUNK: f32 = 1.0 / 2_000.0;
const LENGTH_SCALES: std::ops::RangeInclusive<f32> = 0.1..=2.0;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RoomPace {
    /// When the newest line was written, and its room time.
    heard_at: Option<(Millis, Millis)>,
    person_at: Option<Millis>,
    /// Milliseconds between lines of people.
    gaps: VecDeque<u32>,
    /// Bytes of lines of people.
    lengths: VecDeque<u16>,
}

impl RoomPace {
    pub fn room_time(&self, at: Millis) -> Millis {
        self.heard_at
            .map_or(at, |(real, room)| room + self.room_duration(at - real))
    }

    pub fn real_duration(&self, room: Millis) -> Millis {
        (room as f32 / self.time_scale()) as Millis
    }

    pub fn room_duration(&self, real: Millis) -> Millis {
        (real as f32 * self.time_scale()) as Millis
    }

    /// A length in bytes, held against the lines of this room.
    pub fn scale_length(&self, bytes: usize) -> usize {
        let usual = median(&self.lengths, LENGTH as u16).max(1);
        let scale = LENGTH as f32 / f32::from(usual);
        (bytes as f32 * scale.clamp(*LENGTH_SCALES.start(), *LENGTH_SCALES.end())) as usize
    }

    /// Takes note of a line; `length` is that of a person's, in bytes.
    pub fn record_line(&mut self, at: Millis, length: Option<usize>) {
        let room = self.room_time(at);
        // What was missed comes in after what is newer.
        if self.heard_at.is_none_or(|(real, _)| real <= at) {
            self.heard_at = Some((at, room));
        }
        let Some(length) = length else { return };
        super::push(
            &mut self.lengths,
            length.min(usize::from(u16::MAX)) as u16,
            KEPT,
        );
        if let Some(gap) = self
            .person_at
            .map(|before| at - before)
            .filter(|gap| *gap >= 0)
        {
            super::push(&mut self.gaps, u32::try_from(gap).unwrap_or(u32::MAX), KEPT);
        }
        self.person_at = self.person_at.max(Some(at));
    }

    /// Lines of people an hour while they talk: a longer silence counts as ten minutes.
    pub fn lines_an_hour(&self) -> f32 {
        let gaps = self.gaps.iter().map(|gap| *gap as f32);
        let known: f32 = gaps.map(|gap| gap.min(LONGEST_PAUSE)).sum();
        let prior = PRIOR_LINES as f32;
        let all = known + prior * HOUR as f32 / LIVELY;
        HOUR as f32 * (self.gaps.len() as f32 + prior) / all
    }

    /// The real time between two lines of people that half of the known ones keep within.
    pub fn usual_gap(&self) -> Millis {
        let mut gaps: Vec<u32> = self.gaps.iter().copied().collect();
        gaps.sort_unstable();
        let middle = gaps.len().saturating_sub(1) / 2;
        gaps.get(middle).copied().unwrap_or_default().into()
    }

    fn time_scale(&self) -> f32 {
        let usual = median(&self.gaps, GAP as u32).max(1);
        (GAP as f32 / usual as f32).clamp(MOST_SHRUNK, MOST_STRETCHED)
    }
}

/// The median of what was heard, with some `usual` ones among it.
fn median<T: Copy + Ord>(heard: &VecDeque<T>, usual: T) -> T {
    let mut all: Vec<T> = heard.iter().copied().collect();
    all.extend([usual; PRIOR_LINES]);
    let middle = all.len() / 2;
    *all.select_nth_unstable(middle).1
}
