//! What the companion turned out not to be allowed to do somewhere. It is not tried there again until the channel or
//! its permissions change, or a while has passed, longer with each refusal: Discord counts refusals, and 10,000 of them
//! are a ban; but it does not tell of every change. Pure: time is handed in.

use std::collections::HashMap;

use tokio::time::Instant;

use super::ability::{AbilityPlace, DiscordAbility};
use super::error::RestError;
use super::settings::RequestPacing;
use kith_core::back_off::compute_back_off;

/// Refusals that are about one message or one person, or about this machine: they say nothing about the channel.
/// (Explicit content, a harmful link or another filter; somebody else's message; a system message; blocked by the author;
/// a network Discord does not trust.)
const SINGLE: &[u32] = &[20009, 20031, 40333, 50005, 50021, 90001, 240_000];
/// "Cannot reply without permission to read message history."
const CANNOT_REPLY: u32 = 160_002;

#[derive(Debug, Default)]
pub(super) struct DisabledAbilities(HashMap<(AbilityPlace, DiscordAbility), DisabledState>);

#[derive(Clone, Copy, Debug)]
struct DisabledState {
    /// In a row.
    times: u32,
    until: Instant,
}

impl DisabledAbilities {
    pub fn contains(&self, spot: AbilityPlace, ability: DiscordAbility, now: Instant) -> bool {
        let is_off = |ability| {
            self.find_retry_time(spot, ability)
                .is_some_and(|until| until > now)
        };
        is_off(ability) || (ability == DiscordAbility::Type && is_off(DiscordAbility::Send))
    }

    pub fn find_retry_time(&self, spot: AbilityPlace, ability: DiscordAbility) -> Option<Instant> {
        self.0.get(&(spot, ability)).map(|refused| refused.until)
    }

    /// Learns from a refusal of a call that needs `ability`; answers what is off now and was not before.
    pub fn record_refusal(
        &mut self,
        spot: AbilityPlace,
        ability: DiscordAbility,
        error: &RestError,
        (pace, now): (&RequestPacing, Instant),
    ) -> Option<DiscordAbility> {
        let ability = match error {
            RestError::Forbidden {
                code: Some(CANNOT_REPLY),
                ..
            }
            | RestError::Invalid {
                code: CANNOT_REPLY, ..
            } => DiscordAbility::Reply,
            RestError::Forbidden {
                code: Some(code), ..
            } if !SINGLE.contains(code) => ability,
            _ => return None,
        };
        let refused = self.0.entry((spot, ability)).or_insert(DisabledState {
            times: 0,
            until: now,
        });
        let is_new = refused.times == 0;
        // Those that left together are refused together: that is one refusal.
        if refused.until <= now {
            refused.until =
                now + compute_back_off(pace.first_trial, refused.times, pace.longest_trial);
            refused.times += 1;
        }
        is_new.then_some(ability)
    }

    pub fn record_success(&mut self, spot: AbilityPlace, ability: DiscordAbility) {
        self.0.remove(&(spot, ability));
    }

    pub fn clear_place(&mut self, spot: AbilityPlace) {
        self.0.retain(|(off, _), _| *off != spot);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use kith_core::chat::ChannelId;

    #[test]
    fn what_was_refused_is_tried_again_after_minutes_then_after_twice_as_many_and_never_after_more_than_an_hour()
     {
        let (pace, mut off, start) = (
            RequestPacing::default(),
            DisabledAbilities::default(),
            Instant::now(),
        );
        let spot = AbilityPlace::Channel(ChannelId(1));
        let no = RestError::Forbidden {
            code: Some(50_013),
            said: String::new(),
        };
        let (mut now, mut waits) = (start, Vec::new());
        for round in 0..8 {
            let news = off.record_refusal(spot, DiscordAbility::Send, &no, (&pace, now));
            assert_eq!(news.is_some(), round == 0, "it is told once");
            off.record_refusal(
                spot,
                DiscordAbility::Send,
                &no,
                (&pace, now + Duration::from_millis(1)),
            );
            assert!(
                off.contains(spot, DiscordAbility::Send, now)
                    && off.contains(spot, DiscordAbility::Type, now)
            );
            let until = off
                .find_retry_time(spot, DiscordAbility::Send)
                .expect("off");
            waits.push((until - now).as_secs() / 60);
            assert!(!off.contains(spot, DiscordAbility::Send, until));
            now = until;
        }
        assert_eq!(waits, [2, 4, 8, 16, 32, 60, 60, 60]);
        off.record_success(spot, DiscordAbility::Send);
        off.record_refusal(spot, DiscordAbility::Send, &no, (&pace, now));
        assert_eq!(
            off.find_retry_time(spot, DiscordAbility::Send),
            Some(now + pace.first_trial),
            "it counts anew"
        );
    }
}
