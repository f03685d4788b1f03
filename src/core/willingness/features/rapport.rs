//! What the memory of a channel says about how it stands between the companion and the people there.

use super::ChannelFeatures;
use crate::chat::{Millis, UserId};

/// How well the companion knows somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acquaintance {
    pub id: UserId,
    /// For how long; none where that was not kept.
    pub known_for: Option<Millis>,
    /// How many lines it has said to them, older ones counting less.
    pub talks: f32,
}

impl ChannelFeatures {
    /// How well it knows the people here.
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
        let Some(me) = self.own_id() else { return 0 };
        let lines = self.links.lines().iter().rev();
        lines
            .take_while(|line| line.to != Some(me))
            .filter(|line| line.author == me)
            .count()
    }

    fn own_id(&self) -> Option<UserId> {
        self.links
            .lines()
            .iter()
            .rev()
            .find(|line| self.own.contains(&line.id))
            .map(|line| line.author)
    }
}
