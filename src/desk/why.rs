//! Why it spoke or kept silent at a message.

use std::collections::HashMap;

use crate::core::chat::{ChannelId, MessageId, TurnId};
use crate::core::report::{Decision, TurnReport};
use crate::store::{Store, StoreError};

/// How many turns back a message's turn is looked for.
const TURNS_LOOKED_THROUGH: usize = 50;

/// Why it spoke or kept silent at a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Why {
    /// What was thought when the message arrived; none for the companion's own and for what was deleted.
    pub decision: Option<Decision>,
    /// The turn it woke.
    pub turn: Option<TurnId>,
}

/// Looks up why it spoke or kept silent at a message.
///
/// # Errors
/// The store failed.
pub async fn explain(store: &Store, channel: ChannelId, message: MessageId) -> Result<Why, StoreError> {
    let decision = store.decision(channel, message).await?;
    let turns = store.turns(channel, None, TURNS_LOOKED_THROUGH).await?;
    let woken = |report: &&TurnReport| report.wake.message == Some(message) || report.wake.addressed.contains(&message);
    let turn = turns.iter().find(woken).map(|report| report.turn);
    Ok(Why { decision, turn })
}

/// The turns that wrote a channel's newest own messages.
///
/// # Errors
/// The store failed.
pub async fn said_in(store: &Store, channel: ChannelId) -> Result<HashMap<MessageId, TurnId>, StoreError> {
    let turns = store.turns(channel, None, TURNS_LOOKED_THROUGH).await?;
    let delivered = |report: &TurnReport| {
        let calls = report.rounds.iter().flat_map(|round| &round.calls);
        let said = calls.filter(|done| done.call.name == "send_message");
        said.filter_map(|done| Some((done.message?, report.turn))).collect::<Vec<_>>()
    };
    Ok(turns.iter().flat_map(delivered).collect())
}
