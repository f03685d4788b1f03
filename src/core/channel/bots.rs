//! How often other bots are answered: two programs that answer each other would never stop.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::chat::{MINUTE, Millis, UserId};

/// The time in which answers are counted.
const COUNTED: Millis = 10 * MINUTE;
/// The most answers to one bot in that time while no person speaks.
const PER_BOT: usize = 3;
/// The most answers to bots in one channel in that time, whoever speaks.
const PER_CHANNEL: usize = 6;

/// The answers to bots in one channel, newest last. Saved, so that a process that starts again does not count anew.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BotAnswers {
    answers: VecDeque<(UserId, Millis)>,
    person_at: Option<Millis>,
}

impl BotAnswers {
    /// A person spoke, perhaps some time ago.
    pub fn record_person_message(&mut self, at: Millis) {
        self.person_at = self.person_at.max(Some(at));
    }

    pub fn record_answer(&mut self, bot: UserId, now: Millis) {
        if self.answers.len() >= PER_CHANNEL {
            self.answers.pop_front();
        }
        self.answers.push_back((bot, now));
    }

    pub fn is_limit_reached(&self, bot: UserId, now: Millis) -> bool {
        let lately = || self.answers.iter().filter(|(_, at)| now - at < COUNTED);
        let alone = |at: Millis| self.person_at.is_none_or(|person| person < at);
        let of_bot = lately()
            .filter(|(other, at)| *other == bot && alone(*at))
            .count();
        of_bot >= PER_BOT || lately().count() >= PER_CHANNEL
    }

    pub fn forget_bot(&mut self, bot: UserId) {
        self.answers.retain(|(other, _)| *other != bot);
    }
}
