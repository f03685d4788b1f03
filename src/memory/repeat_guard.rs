//! What prompts have shown lately, so that the companion does not come back to the same thing again and again. Ids and
//! numbers only, and only as long as the process runs.

use std::collections::{HashMap, VecDeque};

use kith_core::chat::{ChannelId, TurnId};

use super::recall::MessagePlace;

/// What this many turns of a channel showed is not shown again, …
const REMEMBERED_TURNS: usize = 12;
/// … unless it fits so much better than it did.
const CLEARLY_BETTER: f64 = 1.5;

#[derive(Debug, Default)]
pub(super) struct ShownMemories {
    channels: HashMap<ChannelId, VecDeque<ShownTurn>>,
}

#[derive(Debug)]
struct ShownTurn {
    turn: TurnId,
    /// Each with how well it fitted.
    places: Vec<(MessagePlace, f64)>,
}

impl ShownMemories {
    /// Whether an earlier turn of a channel has shown a message that fits not much better now.
    pub(super) fn is_repeated(
        &self,
        channel: ChannelId,
        turn: TurnId,
        place: MessagePlace,
        fit: f64,
    ) -> bool {
        let turns = self.channels.get(&channel).into_iter().flatten();
        let mut shown = turns
            .filter(|shown| shown.turn != turn)
            .flat_map(|shown| &shown.places);
        shown.any(|(other, before)| *other == place && fit < CLEARLY_BETTER * before)
    }

    pub(super) fn record(
        &mut self,
        channel: ChannelId,
        turn: TurnId,
        places: Vec<(MessagePlace, f64)>,
    ) {
        let turns = self.channels.entry(channel).or_default();
        if turns.back().is_none_or(|shown| shown.turn != turn) {
            let places = Vec::new();
            turns.push_back(ShownTurn { turn, places });
        }
        if turns.len() > REMEMBERED_TURNS {
            turns.pop_front();
        }
        if let Some(shown) = turns.back_mut() {
            let new = places.into_iter().filter(|(place, _)| {
                let mut known = shown.places.iter();
                known.all(|(other, _)| other != place)
            });
            let new: Vec<_> = new.collect();
            shown.places.extend(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_core::chat::MessageId;

    const HERE: ChannelId = ChannelId(1);
    const FACT: MessagePlace = (HERE, MessageId(7));

    #[test]
    fn what_a_turn_showed_is_shown_in_its_later_rounds_and_not_in_the_next_turns() {
        let mut shown = ShownMemories::default();
        shown.record(HERE, TurnId(1), vec![(FACT, 1.2)]);
        assert!(!shown.is_repeated(HERE, TurnId(1), FACT, 1.2));
        assert!(shown.is_repeated(HERE, TurnId(2), FACT, 1.2));
        assert!(
            !shown.is_repeated(HERE, TurnId(2), FACT, 2.0),
            "it fits much better"
        );
        assert!(!shown.is_repeated(ChannelId(2), TurnId(2), FACT, 1.2));
    }

    #[test]
    fn after_some_turns_it_may_come_to_mind_again() {
        let mut shown = ShownMemories::default();
        shown.record(HERE, TurnId(1), vec![(FACT, 1.2)]);
        for turn in 2..=REMEMBERED_TURNS as u64 {
            shown.record(HERE, TurnId(turn), Vec::new());
            assert!(shown.is_repeated(HERE, TurnId(99), FACT, 1.2), "{turn}");
        }
        shown.record(HERE, TurnId(98), Vec::new());
        assert!(!shown.is_repeated(HERE, TurnId(99), FACT, 1.2));
    }
}
