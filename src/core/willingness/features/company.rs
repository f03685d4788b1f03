//! The company the companion keeps: how much the others write, how much it said unasked, and whether anybody took that
//! up. What unasked speech costs follows from it (docs/TALKATIVENESS.md).
//!
//! Numbers fade with lines and never with the clock, so that a silent night or a restart leaves them where they were.

use serde::{Deserialize, Serialize};

use super::ChannelFeatures;
use crate::chat::UserId;
use crate::talkativeness::{Talkativeness, compute_hourly_share};

/// What each further line leaves of what was counted: half is left after 138 lines.
const LINE_FADES: f32 = 0.995;
/// How much of the median member's lines it may say unasked at level 1.
const LARGEST_ALLOWANCE: f32 = 2.0;
/// What comes back of a remark's cost when somebody takes it up.
const REFUND: f32 = 0.5;
/// What a line leaves of the companion's hold on a talk when it does not turn to it, and when it is for somebody else.
const HOLD_LEFT: f32 = 0.7;
const HOLD_LEFT_ELSEWHERE: f32 = 0.4;
/// How much of a talk a remark nobody asked for holds before anybody takes it up.
const UNASKED_HOLD: f32 = 0.3;
/// From which hold on a turn goes on in its own talk.
const ASKED_HOLD: f32 = 0.5;
/// What each remark beyond its allowance costs, and each that nobody took up, in log-odds; and the most of the first.
const COST: f32 = 1.0;
const MOST_COST: f32 = 4.0;
const UNHEEDED_COST: f32 = 0.7;
/// How far the threshold falls where so many an hour are asked for and it has said less.
const MOST_CREDIT: f32 = 2.5;
/// Who has fewer lines left has stopped to count as company.
const LEAST_LINES: f32 = 0.2;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Company {
    /// The median member's share at each line of others, summed up, older lines counting less.
    earned: f32,
    /// What it said unasked, each remark 1, less what was taken up; older ones counting less.
    spent: f32,
    /// How many turns it began that went on in no talk of its own: what a rate counts; older ones counting less.
    said: f32,
    /// How many remarks in a row it made unasked that nobody took up.
    unheeded: u8,
    /// Whether somebody has turned to it since its last turn.
    turned: bool,
    /// How much the talk is its own, 0 … 1.
    hold: f32,
}

/// Whom a line of somebody else turns to.
pub(super) struct Turning {
    pub to_companion: bool,
    pub elsewhere: bool,
}

impl Company {
    /// How much the talk is its own where such a line comes, 0 … 1.
    pub fn hold(&self, to_companion: bool) -> f32 {
        if to_companion { 1.0 } else { self.hold }
    }

    pub fn record_line(&mut self, turning: &Turning, median_share: f32) {
        self.earned = self.earned * LINE_FADES + median_share;
        self.spent *= LINE_FADES;
        self.said *= LINE_FADES;
        if turning.to_companion {
            self.take_up();
        } else if turning.elsewhere {
            self.hold *= HOLD_LEFT_ELSEWHERE;
        } else {
            self.hold *= HOLD_LEFT;
        }
    }

    /// Somebody turned to it: an answer, its name, a reaction.
    pub fn take_up(&mut self) {
        if self.unheeded > 0 {
            self.spent -= REFUND.min(self.spent);
        }
        (self.unheeded, self.turned, self.hold) = (0, true, 1.0);
    }

    /// It began a turn, perhaps because somebody had called it.
    pub fn record_own_turn(&mut self, is_called: bool) {
        if !is_called && self.hold < ASKED_HOLD {
            self.said += 1.0;
        }
        if !self.turned {
            self.spent += 1.0;
            self.unheeded = self.unheeded.saturating_add(1);
            self.hold = self.hold.max(UNASKED_HOLD);
        }
        self.turned = false;
    }
}

impl ChannelFeatures {
    /// The median member's share of what people wrote here lately, 0 … 1; older lines count less.
    pub fn median_share(&self) -> f32 {
        let counts = self.people.iter().map(|person| person.lines);
        let mut lines: Vec<f32> = counts.filter(|lines| *lines >= LEAST_LINES).collect();
        lines.sort_by(f32::total_cmp);
        let all: f32 = lines.iter().sum();
        let (low, high) = (lines.len().saturating_sub(1) / 2, lines.len() / 2);
        let middle = |place: usize| lines.get(place).copied().unwrap_or(0.0);
        if all > 0.0 {
            (middle(low) + middle(high)) / (2.0 * all)
        } else {
            0.0
        }
    }

    /// How much remarks beyond its allowance raise the threshold, log-odds; below 0 where it said less than was asked for.
    pub fn allowance_cost(&self, wanted: Talkativeness) -> f32 {
        let company = &self.company;
        let over = match wanted {
            Talkativeness::Level(level) => {
                (company.spent - compute_allowance(level) * company.earned).max(0.0)
            }
            Talkativeness::Hourly(_) => {
                let heard: f32 = self.people.iter().map(|person| person.lines).sum();
                company.said - self.wanted_share(wanted) * heard
            }
        };
        (COST * over).clamp(-MOST_CREDIT, MOST_COST)
    }

    /// How much ignored remarks raise the threshold, log-odds; none where it keeps silent until somebody turns to it.
    pub fn unheeded_cost(&self, level: f32) -> Option<f32> {
        let unheeded = f32::from(self.unheeded_remarks());
        (unheeded < most_unheeded(level)).then_some(UNHEEDED_COST * unheeded)
    }

    pub fn unheeded_remarks(&self) -> u8 {
        self.company.unheeded
    }

    /// The share of the others' lines it may follow with an unasked one here.
    pub fn wanted_share(&self, wanted: Talkativeness) -> f32 {
        match wanted {
            Talkativeness::Level(level) => compute_allowance(level) * self.median_share(),
            Talkativeness::Hourly(hourly) => {
                compute_hourly_share(hourly, self.pace.lines_an_hour())
            }
        }
    }

    pub(super) fn count_company(&mut self, author: UserId) {
        for person in &mut self.people {
            person.lines = person.lines * LINE_FADES + f32::from(u8::from(person.id == author));
        }
    }
}

/// How much of the median member's lines it may say unasked at a level: a third at 0.3, as much as they at 0.63.
fn compute_allowance(level: f32) -> f32 {
    LARGEST_ALLOWANCE * level.clamp(0.0, 1.0).powf(1.5)
}

/// After how many remarks in a row that nobody took up it says nothing unasked, by level: 3 at 0.3.
fn most_unheeded(level: f32) -> f32 {
    (1.0 + 6.7 * level.clamp(0.0, 1.0)).round()
}
