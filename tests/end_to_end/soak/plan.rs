//! What is to happen, drawn from a seed: talks by day and by night, what people ask of the companion about themselves,
//! and what breaks meanwhile. Pure, so that a seed is the same plan every time.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::discord::fake_discord::Millis;

const SECOND: Millis = 1_000;
const MINUTE: Millis = 60 * SECOND;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

#[derive(Clone, Copy, Debug)]
pub struct SoakSize {
    pub days: u32,
    /// Talks a day, and messages in each.
    pub talks: u32,
    pub messages: u32,
    /// Where people talk; the driver knows what each place is.
    pub places: u32,
}

impl SoakSize {
    /// How many messages of a talk speak to the companion, on the average.
    fn addressed_messages(self) -> f64 {
        (f64::from(self.messages) * ADDRESSED_SHARE).min(MOST_ADDRESSED)
    }

    /// In how many places people talk at once.
    fn places_at_once(self) -> u32 {
        (self.places / PLACES_A_TALK).max(2)
    }

    /// So many times may be spent what a small talk takes.
    fn budget_factor(self) -> u64 {
        (self.addressed_messages() / SMALL_TALK).ceil().max(1.0) as u64
    }

    /// What may be spent a day at first.
    pub fn first_budget(self) -> u64 {
        FIRST_BUDGET * self.budget_factor()
    }
}

/// Something that happens at its time since the beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedEvent {
    pub at: Millis,
    pub step: Step,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// One of those who can write there says something; `who` chooses among them.
    Say {
        place: usize,
        who: usize,
        is_addressed: bool,
        /// In the newest thread of the place, if there is one.
        is_in_thread: bool,
    },
    /// Somebody opens a thread; from now on it is the newest there.
    OpenThread {
        place: usize,
        who: usize,
    },
    /// Something happens to one of the newest messages; `which` counts back from the newest.
    Edit {
        place: usize,
        which: usize,
    },
    Delete {
        place: usize,
        which: usize,
    },
    React {
        place: usize,
        which: usize,
    },
    Pause {
        place: usize,
        minutes: u32,
    },
    /// The next of those who are to be forgotten has it done.
    Forget,
    /// Somebody who may want to be ignored does so from now on, or returns.
    ChangeWish {
        who: usize,
    },
    /// From now on so many tokens may be spent a day.
    SetBudget {
        tokens: u64,
    },
    Begin(Trouble),
    End(Trouble),
    /// Everybody waits until the companion has nothing more to do.
    Rest,
}

/// What goes wrong for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trouble {
    /// The link of the gateway breaks, in one of many ways.
    BrokenLink,
    /// No link of the gateway can be made.
    NoGateway,
    /// REST cannot be reached.
    NoRest,
    /// One request of REST in five fails: 429, 5xx, hangs, answers that never come of what was done.
    FailingRest,
    FailingModel(u16),
    HangingModel,
    /// The companion's clock is wrong by so many minutes.
    WrongClock(i64),
    FullDisk,
    /// It is killed, and started again at the end.
    Killed,
}

/// The hours at which talks may begin, in UTC. The last two are within quiet hours.
const TALKS_AT: [Millis; 7] = [8, 10, 12, 15, 18, 23, 2];

/// How many of the messages speak to the companion, and the most in a talk: each takes the driver a while.
const ADDRESSED_SHARE: f64 = 0.3;
const MOST_ADDRESSED: f64 = 30.0;
/// How many do in a talk that the budgets are made for.
const SMALL_TALK: f64 = 12.0;
/// In one place of so many people talk at a time.
const PLACES_A_TALK: u32 = 20;

/// What may be spent a day at first in a small soak, and what it may become.
const FIRST_BUDGET: u64 = 60_000;
const BUDGETS: [u64; 4] = [15_000, 30_000, FIRST_BUDGET, 90_000];
/// How many people now and then want to be ignored, and in how many talks one of them changes their mind.
pub const SHY_PEOPLE: usize = 2;
const TALKS_A_WISH: u32 = 3;

/// The plan of a seed, in the order of time.
pub fn draw_plan(seed: u64, size: SoakSize) -> Vec<PlannedEvent> {
    let mut plan = PlanDraw {
        chance: ChaCha8Rng::seed_from_u64(seed),
        size,
        now: 0,
        events: Vec::new(),
        troubles: Vec::new(),
        talks: 0,
    };
    for day in 0..size.days {
        let mut hours = TALKS_AT.to_vec();
        while hours.len() > size.talks as usize {
            hours.remove(plan.chance.random_range(0..hours.len()));
        }
        hours.sort_unstable();
        let forgets_at = plan.chance.random_range(0..hours.len());
        for (talk, hour) in hours.into_iter().enumerate() {
            let begins = Millis::from(day) * DAY + hour * HOUR;
            plan.now = plan.now.max(begins) + plan.draw(1, 20) * MINUTE;
            if talk == forgets_at {
                plan.add(Step::Forget);
            }
            plan.talk();
        }
    }
    plan.events
}

struct PlanDraw {
    chance: ChaCha8Rng,
    size: SoakSize,
    now: Millis,
    events: Vec<PlannedEvent>,
    /// Those still to come before any comes again.
    troubles: Vec<Trouble>,
    talks: u32,
}

impl PlanDraw {
    fn add(&mut self, step: Step) {
        let at = self.now;
        self.events.push(PlannedEvent { at, step });
    }

    fn draw(&mut self, least: Millis, most: Millis) -> Millis {
        self.chance.random_range(least..=most)
    }

    fn is_drawn(&mut self, chance: f64) -> bool {
        self.chance.random_bool(chance)
    }

    /// Some people talk in one place or two; something breaks in the middle and is mended, mostly while they talk.
    fn talk(&mut self) {
        let places: Vec<usize> = (0..self.size.places_at_once())
            .map(|_| self.chance.random_range(0..self.size.places) as usize)
            .collect();
        if self.talks.is_multiple_of(TALKS_A_WISH) {
            let who = (self.talks / TALKS_A_WISH) as usize % SHY_PEOPLE;
            self.add(Step::ChangeWish { who });
        }
        self.talks += 1;
        if self.is_drawn(0.25) {
            let tokens =
                BUDGETS[self.chance.random_range(0..BUDGETS.len())] * self.size.budget_factor();
            self.add(Step::SetBudget { tokens });
        }
        if self.is_drawn(0.15) {
            let minutes = self.chance.random_range(10..90);
            self.add(Step::Pause {
                place: places[0],
                minutes,
            });
        }
        let trouble = self.next_trouble();
        let count = self.size.messages;
        let begins = self.chance.random_range(0..count);
        let opens = self
            .is_drawn(0.3)
            .then(|| self.chance.random_range(0..count));
        let ends = begins + self.chance.random_range(1..count);
        let longest_gap = (HOUR / Millis::from(count)).min(90 * SECOND);
        for number in 0..count {
            if number == begins {
                self.add(Step::Begin(trouble));
            }
            if number == ends {
                self.add(Step::End(trouble));
            }
            self.now += self.draw(1, longest_gap);
            if opens == Some(number) {
                let who = self.chance.random_range(0..1_000);
                self.add(Step::OpenThread {
                    place: places[0],
                    who,
                });
            }
            let place = self.draw_place(&places);
            self.happens(place);
        }
        self.add(Step::Rest);
        if ends >= count {
            // A model is waited for by the real time, which does not leap.
            if trouble != Trouble::HangingModel {
                self.now += self.draw(MINUTE, 40 * MINUTE);
            }
            self.add(Step::End(trouble));
            self.add(Step::Rest);
        }
    }

    /// Of two places the first mostly, of many any.
    fn draw_place(&mut self, places: &[usize]) -> usize {
        match places {
            [first, second] => [*first, *second][usize::from(self.is_drawn(0.3))],
            places => places[self.chance.random_range(0..places.len())],
        }
    }

    fn happens(&mut self, place: usize) {
        let which = self.chance.random_range(0..8);
        match self.chance.random_range(0..100) {
            0..8 => self.add(Step::Edit { place, which }),
            8..13 => self.add(Step::Delete { place, which }),
            13..18 => self.add(Step::React { place, which }),
            _ => {}
        }
        let who = self.chance.random_range(0..1_000);
        let is_addressed =
            self.is_drawn(self.size.addressed_messages() / f64::from(self.size.messages));
        let is_in_thread = self.is_drawn(0.3);
        self.add(Step::Say {
            place,
            who,
            is_addressed,
            is_in_thread,
        });
    }

    /// Each kind comes once before any comes again.
    fn next_trouble(&mut self) -> Trouble {
        if self.troubles.is_empty() {
            let minutes = self.chance.random_range(2..45);
            let status = [429, 500, 503][self.chance.random_range(0..3)];
            self.troubles = vec![
                Trouble::BrokenLink,
                Trouble::NoGateway,
                Trouble::NoRest,
                Trouble::FailingRest,
                Trouble::FailingModel(status),
                Trouble::HangingModel,
                Trouble::WrongClock(minutes),
                Trouble::WrongClock(-minutes),
                Trouble::FullDisk,
                Trouble::Killed,
            ];
        }
        let next = self.chance.random_range(0..self.troubles.len());
        self.troubles.swap_remove(next)
    }
}

#[test]
fn a_seed_is_one_plan_and_another_seed_another() {
    let size = SoakSize {
        days: 3,
        talks: 4,
        messages: 8,
        places: 5,
    };
    let plan = draw_plan(7, size);
    assert_eq!(draw_plan(7, size), plan);
    assert_ne!(draw_plan(8, size), plan);
    assert!(plan.is_sorted_by_key(|event| event.at));
}

#[test]
fn whatever_begins_to_go_wrong_ends_before_the_next_thing_does() {
    let size = SoakSize {
        days: 60,
        talks: 5,
        messages: 8,
        places: 5,
    };
    let mut current = None;
    let mut kinds = Vec::new();
    for event in draw_plan(3, size) {
        match event.step {
            Step::Begin(trouble) => {
                assert_eq!(current.replace(trouble), None);
                kinds.push(std::mem::discriminant(&trouble));
            }
            Step::End(trouble) => assert_eq!(current.take(), Some(trouble)),
            _ => {}
        }
    }
    assert_eq!(current, None);
    kinds.sort_unstable_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    assert_eq!(kinds.len(), 9, "all of them");
}
