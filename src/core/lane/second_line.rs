//! Whether somebody who speaks to the companion is about to say more, so that an answer would come too early: by how the
//! line ends, and by how often this person says one thing in several lines. Numbers only, saved with the lane.

use serde::{Deserialize, Serialize};

use super::Lane;
use crate::core::address::{LineEnding, Names, line_ending};
use crate::core::chat::{Message, Millis, SECOND, UserId};
use crate::core::willingness::{Score, Signal};

/// A line of the same person within this time goes on with the one before: the longest a burst is waited out.
const FOLLOWS_WITHIN: Millis = 8 * SECOND;
/// How much each line counts against all those before it.
const NEWEST: f32 = 0.125;
/// The share of lines that are followed by another, of people nobody has heard yet.
const USUAL: f32 = 0.25;
/// From which share on a person is waited for where the line does not say whether it is complete.
const IN_BURSTS: f32 = 0.5;
/// How many people are remembered.
const PEOPLE: usize = 32;

/// How people in a channel write: in single lines, or in bursts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineHabits(Vec<LineHabit>);

/// One person's habit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct LineHabit {
    user: UserId,
    /// When they wrote last.
    last: Millis,
    /// The share of their recent lines that they followed with another.
    followed: f32,
}

impl LineHabits {
    /// A person wrote a line. One that comes in late tells nothing.
    pub(super) fn hear(&mut self, user: UserId, at: Millis) {
        let known = self.0.iter().position(|habit| habit.user == user);
        let habit = known.map(|place| self.0.remove(place));
        let heard = habit.map_or(LineHabit { user, last: at, followed: USUAL }, |mut habit| {
            if at >= habit.last {
                let follows = if at - habit.last <= FOLLOWS_WITHIN { 1.0 } else { 0.0 };
                (habit.last, habit.followed) = (at, habit.followed + (follows - habit.followed) * NEWEST);
            }
            habit
        });
        self.0.push(heard);
        let surplus = self.0.len().saturating_sub(PEOPLE);
        self.0.drain(..surplus);
    }

    /// Forgets a person.
    pub(super) fn forget(&mut self, user: UserId) {
        self.0.retain(|habit| habit.user != user);
    }

    /// Whether another line is likely after this one, which speaks to the owner of `names` and may be one of several
    /// that its author is writing just now.
    pub(super) fn expect_more(&self, message: &Message, is_one_of_several: bool, score: &Score, names: &Names) -> bool {
        match line_ending(&message.text, names) {
            LineEnding::Open => true,
            LineEnding::Closed => false,
            LineEnding::Untold if score.seen[Signal::Question as usize] > 0.0 => false,
            LineEnding::Untold => {
                let mut habits = self.0.iter().filter(|habit| habit.user == message.author.id);
                is_one_of_several || habits.any(|habit| habit.followed >= IN_BURSTS)
            }
        }
    }
}

impl Lane {
    /// Whether a burst is waited out in which somebody else spoke to the companion.
    pub(super) fn is_waiting_for_another(&self, author: UserId, now: Millis) -> bool {
        let mut called = self.unseen.iter().filter(|unseen| !unseen.held && self.obliges(unseen, now));
        self.burst
            .is_some_and(|burst| burst.speaker() != author && called.any(|unseen| unseen.author.id == burst.speaker()))
    }
}
