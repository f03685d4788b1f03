//! All channels together: hands events to their channel, wakes channels by the heartbeat, and shares out the places for
//! turns in flight.

mod channels;
mod chat_events;
mod erased_messages;
mod round_prompt;
mod turn_queue;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use super::call::ToolSpec;
use super::channel::{ChannelSnapshot, ChannelState, DecisionContext};
use super::chat::{ChannelId, Millis, TurnId, UserId};
use super::context::{PromptSections, TokenEstimator};
use super::effect::Effect;
use super::event::{BudgetState, Event};
use super::heartbeat::ChannelDeadlines;
use super::partition::Partition;
use super::policy::ChannelPolicy;
use super::turn::RoundKind;
use super::willingness::{AddressMatchers, Weights};
pub use round_prompt::RenderInputs;

#[derive(Clone, Debug)]
pub struct CoreSetup {
    pub me: UserId,
    pub weights: Arc<Weights>,
    /// How many turns may think at the same time over all channels.
    pub turns_in_flight: usize,
    /// The last turn there was, 0 for none; ids grow from here, …
    pub last_turn: TurnId,
    /// … by those of this partition.
    pub partition: Partition,
}

impl CoreSetup {
    fn decision_context(&self, budget: BudgetState, now: Millis) -> DecisionContext<'_> {
        DecisionContext {
            now,
            weights: &self.weights,
            budget,
        }
    }
}

/// A round's prompt before it is put into words by the templates.
#[derive(Clone, Debug)]
pub struct RoundPrompt {
    pub kind: RoundKind,
    /// The number of the model call in its turn.
    pub ask: u32,
    pub sections: PromptSections,
    pub tools: Arc<[ToolSpec]>,
    pub policy: Arc<ChannelPolicy>,
    /// Whether it is reminded that its list was not updated for some rounds.
    pub is_reminded: bool,
}

#[derive(Debug)]
pub struct Core {
    setup: CoreSetup,
    channel_states: HashMap<ChannelId, ChannelState>,
    address_matchers: AddressMatchers,
    turns: HashMap<TurnId, ChannelId>,
    heartbeat: ChannelDeadlines,
    waiting_channels: VecDeque<ChannelId>,
    thinking_turns: usize,
    last_turn: u64,
    /// Channels whose state was not saved since it changed.
    changed_channels: BTreeSet<ChannelId>,
    budget: BudgetState,
    /// The token estimator, calibrated by what models report.
    pub estimator: TokenEstimator,
}

impl Core {
    pub fn new(setup: CoreSetup) -> Self {
        let last_turn = setup.last_turn.0;
        Self {
            setup,
            channel_states: HashMap::new(),
            address_matchers: AddressMatchers::default(),
            turns: HashMap::new(),
            heartbeat: ChannelDeadlines::default(),
            waiting_channels: VecDeque::new(),
            thinking_turns: 0,
            last_turn,
            changed_channels: BTreeSet::new(),
            budget: BudgetState::Open,
            estimator: TokenEstimator::default(),
        }
    }

    /// Handles one event and answers with what is to be done, in order. Events of unknown channels change nothing.
    pub fn handle_event(&mut self, now: Millis, event: Event) -> Vec<Effect> {
        let mut effects = Vec::new();
        match event {
            Event::Tick => {}
            Event::Turn { turn, event } => self.handle_turn_event(turn, event, now, &mut effects),
            Event::Chat(event) => self.handle_chat_event(event, now, &mut effects),
            Event::PersonForgotten { user, channels } => {
                self.forget_person(user, channels, now, &mut effects)
            }
            Event::MessageErased(gone) => self.remove_quotes(&gone),
            Event::Budget(state) => self.update_budget(state, now),
            event => self.handle_channel_event(event, now, &mut effects),
        }
        while let Some(channel) = self.heartbeat.pop_due(now) {
            self.wake_channel(channel, now, &mut effects);
        }
        effects
    }

    /// When [`Event::Tick`] is wanted at the latest, if nothing else happens before.
    pub fn next_deadline(&mut self) -> Option<Millis> {
        self.heartbeat.next_deadline()
    }

    pub fn channel_snapshot(&self, now: Millis, channel: ChannelId) -> Option<ChannelSnapshot> {
        self.channel_states
            .get(&channel)
            .map(|channel_state| channel_state.snapshot(now, &self.setup.weights))
    }

    pub fn setup(&self) -> &CoreSetup {
        &self.setup
    }

    pub fn channel_states(&self) -> impl Iterator<Item = &ChannelState> {
        self.channel_states.values()
    }

    pub fn channel_state(&self, channel: ChannelId) -> Option<&ChannelState> {
        self.channel_states.get(&channel)
    }

    pub fn find_turn_channel(&self, turn: TurnId) -> Option<ChannelId> {
        self.turns.get(&turn).copied()
    }

    /// The estimated size of the prompt of a turn's current model call, in tokens.
    pub fn prompt_tokens(&self, turn: TurnId) -> Option<u32> {
        self.channel_states
            .get(self.turns.get(&turn)?)?
            .turn
            .as_ref()?
            .prompt_tokens()
    }

    /// How many turns are running, and how many channels wait for a place.
    pub fn load(&self) -> (usize, usize) {
        (self.turns.len(), self.waiting_channels.len())
    }
}
