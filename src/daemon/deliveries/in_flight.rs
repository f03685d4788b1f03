//! Messages on their way out, with what the gateway told of them. That is often faster than REST's answer, and sometimes
//! all there is: a line that everybody can read must not be unknown to the one who wrote it.

use std::collections::{BTreeMap, HashMap};

use kith_core::chat::{AuthorKind, ChannelId, Message, MessageId, TurnId};
use kith_core::event::{Event, TurnEvent};
use kith_core::outgoing::{OutgoingAction, VisibleAction};

#[derive(Default)]
pub(in crate::daemon) struct Deliveries {
    /// By the outbox's nonce.
    in_flight: HashMap<String, InFlightAction>,
    /// How much was posted in the place of words since the start: turns are unique, so this is unique in each.
    enclosure_count: u64,
}

struct InFlightAction {
    channel: ChannelId,
    text: String,
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

pub(in crate::daemon) struct StoredDelivery {
    /// What its turn is told, if that was the last of its action.
    pub completion: Option<Event>,
}

impl Deliveries {
    pub fn start_delivery(&mut self, outgoing: &OutgoingAction, messages: usize) {
        let text = match &outgoing.action {
            VisibleAction::Send { text, .. } => text.clone(),
            VisibleAction::React { .. } => String::new(),
        };
        let underway = InFlightAction {
            channel: outgoing.channel,
            text,
            turn: outgoing.turn,
            part: outgoing.part,
            counts_as_said: false,
            messages,
            echoes: BTreeMap::new(),
        };
        self.in_flight.insert(outgoing.nonce.clone(), underway);
    }

    /// The lines that are on their way to a channel and not to be seen there yet.
    pub fn list_lines(&self, channel: ChannelId) -> Vec<String> {
        let is_unseen = |underway: &&InFlightAction| {
            let is_seen = underway.echoes.values().any(|echo| echo.is_stored);
            underway.channel == channel && !underway.text.is_empty() && !is_seen
        };
        let unseen = self.in_flight.values().filter(is_unseen);
        unseen.map(|underway| underway.text.clone()).collect()
    }

    /// Its turn was told that nobody knows, and goes on.
    pub fn mark_as_said(&mut self, nonce: &str) {
        self.in_flight
            .entry(nonce.to_owned())
            .and_modify(|underway| underway.counts_as_said = true);
    }

    /// The turn that waits for what becomes of an action. What tools post is nobody's part, and waits for no turn.
    pub fn find_waiting_turn(&self, nonce: &str) -> Option<TurnId> {
        self.in_flight
            .get(nonce)
            .filter(|underway| underway.part > 0 && !underway.counts_as_said)?
            .turn
    }

    /// The number of something that is posted in the place of words.
    pub fn next_enclosure(&mut self) -> u64 {
        self.enclosure_count += 1;
        self.enclosure_count
    }

    /// The platform told of a message by itself: which action it is of, and its place among the messages of that.
    pub fn record_echo(&mut self, message: &Message, (nonce, place): (&str, usize)) {
        if let (Some(underway), AuthorKind::Companion) =
            (self.in_flight.get_mut(nonce), message.author.kind)
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
            .in_flight
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
            .in_flight
            .remove(nonce)
            .map(|underway| underway.echoes)
            .unwrap_or_default();
        let heard = echoes.into_iter().filter(|(_, echo)| echo.is_stored);
        heard.map(|(place, echo)| (place, echo.message)).collect()
    }
}
