//! What the memory of a channel says about how it stands between the companion and the people there.

use super::ChannelFeatures;
use crate::chat::{Millis, UserId};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acquaintance {
    pub id: UserId,
    /// For how long; none where that was not kept.
    pub known_for: Option<Millis>,
    /// How many lines it has said to them, older ones counting less.
    pub talks: f32,
}

impl ChannelFeatures {
    pub fn acquaintances(&self, now: Millis) -> impl Iterator<Item = Acquaintance> {
        self.people.iter().map(move |person| Acquaintance {
            id: person.id,
            known_for: person.since.map(|since| (now - since).max(0)),
            talks: person.talk_count(now),
        })
    }

    /// How many lines it has said in the talk that goes on, older ones counting less.
    pub fn recent_line_count(&self, now: Millis) -> f32 {
        let now = self.pace.room_time(now);
        self.people
            .iter()
            .map(|person| person.spoken_line_count(now))
            .fold(0.0, f32::max)
    }

    /// How many lines it has said since somebody last wrote to it.
    pub fn unheeded_line_count(&self) -> usize {
        let lines = || self.links.lines().iter().rev();
        let own = lines().find(|line| self.own.contains(&line.id));
        own.map_or(0, |own| {
            lines()
                .take_while(|line| line.to != Some(own.author))
                .filter(|line| line.author == own.author)
                .count()
        })
    }
}
