//! Messages on their way out, with what the gateway told of them. That is often faster than REST's answer, and sometimes
//! all there is: a line that everybody can read must not be unknown to the one who wrote it.

use std::collections::{BTreeMap, HashMap};

use super::speak;
use kith_core::chat::{AuthorKind, Message, MessageId, TurnId};
use kith_core::event::{Event, TurnEvent};
use kith_core::outgoing::OutgoingAction;

/// All that is on its way, by the outbox's nonce.
#[derive(Default)]
pub(super) struct MessagesInFlight(HashMap<String, Underway>);

struct Underway {
    turn: Option<TurnId>,
    part: u32,
    /// Its turn was told that nobody knows, and goes on.
    counts_as_said: bool,
    /// How many messages it becomes.
    messages: usize,
    /// Those the gateway told of, by their place.
    echoes: BTreeMap<usize, Echo>,
}

struct Echo {
    message: Message,
    /// Whether it is stored, and the core heard it.
    is_stored: bool,
}

/// A message that was on its way is stored.
pub(super) struct StoredDelivery {
    /// What its turn is told, if that was the last of its action.
    pub completion: Option<Event>,
}

impl MessagesInFlight {
    /// An action goes out, as so many messages.
    pub fn start_delivery(&mut self, outgoing: &OutgoingAction, messages: usize) {
        let OutgoingAction {
            nonce, turn, part, ..
        } = outgoing;
        let (turn, part, counts_as_said) = (*turn, *part, false);
        let underway = Underway {
            turn,
            part,
            counts_as_said,
            messages,
            echoes: BTreeMap::new(),
        };
        self.0.insert(nonce.clone(), underway);
    }

    /// Its turn was told that nobody knows, and goes on.
    pub fn mark_as_said(&mut self, nonce: &str) {
        self.0
            .entry(nonce.to_owned())
            .and_modify(|underway| underway.counts_as_said = true);
    }

    /// The turn that waits for what becomes of an action. What tools post is nobody's part, and waits for no turn.
    pub fn find_waiting_turn(&self, nonce: &str) -> Option<TurnId> {
        self.0
            .get(nonce)
            .filter(|underway| underway.part > 0 && !underway.counts_as_said)?
            .turn
    }

    /// The gateway told of a message with one of Discord's nonces.
    pub fn record_echo(&mut self, message: &Message, nonce: &str) {
        let Some((nonce, place)) = speak::parse_discord_nonce(nonce) else {
            return;
        };
        if let (Some(underway), AuthorKind::Companion) =
            (self.0.get_mut(nonce), message.author.kind)
        {
            underway.echoes.entry(place).or_insert_with(|| Echo {
                message: message.clone(),
                is_stored: false,
            });
        }
    }

    /// A message is stored; none if it is not one of these, or was heard before.
    pub fn mark_stored(&mut self, id: MessageId) -> Option<StoredDelivery> {
        let is_it = |echo: &Echo| echo.message.id == id && !echo.is_stored;
        let underway = self
            .0
            .values_mut()
            .find(|underway| underway.echoes.values().any(is_it))?;
        underway
            .echoes
            .values_mut()
            .find(|echo| echo.message.id == id)?
            .is_stored = true;
        let count = underway
            .echoes
            .values()
            .filter(|echo| echo.is_stored)
            .count();
        let first = underway.echoes.get(&0).map(|echo| echo.message.id);
        let whole = first
            .filter(|_| count >= underway.messages)
            .zip(underway.turn)
            .map(|(first, turn)| {
                let event = TurnEvent::Delivered {
                    part: underway.part,
                    result: Ok(first),
                };
                Event::Turn { turn, event }
            });
        Some(StoredDelivery { completion: whole })
    }

    /// It is known what became of an action; answers with those of its messages that were heard, by their place.
    pub fn finish_delivery(&mut self, nonce: &str) -> Vec<(usize, Message)> {
        let echoes = self
            .0
            .remove(nonce)
            .map(|underway| underway.echoes)
            .unwrap_or_default();
        let heard = echoes.into_iter().filter(|(_, echo)| echo.is_stored);
        heard.map(|(place, echo)| (place, echo.message)).collect()
    }
}
