//! One recorded chat through the real core in simulated time, with one of its people as the companion: what they
//! wrote are the companion's own lines. Turns start as they would live and end before a model is asked.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::anyhow;

use super::event::{ReplayEvent, ReplaySink};
use super::ids::LogIds;
use super::live_in::LiveIn;
use super::recorded_message::RecordedMessage;
use super::turn_runner::TurnRunner;
use super::undecided_messages::UndecidedMessages;
use kith_agent::prompt::PromptTemplates;
use kith_core::chat::{AuthorKind, Channel, ChannelId, ChannelKind, Message, Millis, TurnId};
use kith_core::context::{CoreBlock, TokenEstimator};
use kith_core::effect::Effect;
use kith_core::event::{ChatEvent, Event, TurnEvent};
use kith_core::partition::Partition;
use kith_core::policy::ChannelPolicy;
use kith_core::report::{MessageDecision, ModelFailure, TurnTrigger};
use kith_core::willingness::Weights;
use kith_core::{Core, CoreSetup, RenderInputs};
use kith_store::{AppendOutcome, Store, StoreReply};

/// How many messages are stored in one go: nobody waits for an answer here, and larger groups are cheaper to index.
const GROUP: usize = 512;
/// How many groups may wait for the store while earlier ones are handled.
const GROUPS_AHEAD: usize = 2;

#[derive(Clone, Debug)]
pub struct ReplayRole {
    /// The author's id in the log; `(live-in)` if it is nobody of the log.
    pub me: String,
    pub policy: ChannelPolicy,
    /// Whether it also answers to the names its author bears in the log.
    pub learns_names: bool,
}

pub struct ReplayPlayer {
    /// Whether annotated replies are taken as typed.
    pub reply_links: bool,
    pub previews: bool,
    /// Where turns are run; without one they end before a model is asked.
    pub turn_runner: Option<TurnRunner>,
    /// What somebody new says; none where the companion is one of the log.
    pub live_in: Option<LiveIn>,
    ids: LogIds,
    role: ReplayRole,
    policy: Arc<ChannelPolicy>,
    core: Core,
    templates: PromptTemplates,
    inputs: RenderInputs,
    store: Store,
    now: Millis,
    channels: Vec<Channel>,
    batch: Vec<QueuedMessage>,
    stored: VecDeque<Batch>,
    undecided: UndecidedMessages,
}

struct QueuedMessage {
    id: String,
    message: Message,
    channel: Option<Channel>,
}

struct Batch {
    messages: Vec<QueuedMessage>,
    answer: StoreReply<Vec<AppendOutcome>>,
}

impl ReplayPlayer {
    /// A replay that has heard nothing yet.
    ///
    /// # Errors
    /// A template that cannot be filled.
    pub fn new(
        role: ReplayRole,
        weights: Arc<Weights>,
        templates: PromptTemplates,
        store: Store,
    ) -> anyhow::Result<ReplayPlayer> {
        let mut ids = LogIds::default();
        let me = ids.assign_person_id(&role.me);
        let mut policy = role.policy.clone();
        if role.learns_names && role.me.chars().any(char::is_alphabetic) {
            add_name(&mut policy.names, &role.me);
        }
        let policy = Arc::new(policy);
        let inputs = build_inputs(&policy, &templates)?;
        let setup = CoreSetup {
            me,
            weights,
            turns_in_flight: 4,
            last_turn: TurnId(0),
            partition: Partition::WHOLE,
        };
        Ok(ReplayPlayer {
            reply_links: false,
            previews: false,
            turn_runner: None,
            live_in: None,
            ids,
            role,
            policy,
            core: Core::new(setup),
            templates,
            inputs,
            store,
            now: Millis::MIN,
            channels: Vec::new(),
            batch: Vec::with_capacity(GROUP),
            stored: VecDeque::new(),
            undecided: UndecidedMessages::default(),
        })
    }

    /// Takes the next message. It is stored with others before it is heard, so what it leads to is seen a little
    /// later.
    ///
    /// # Errors
    /// The store failed, or `see` did.
    pub fn feed(
        &mut self,
        recorded: RecordedMessage,
        see: &mut ReplaySink<'_>,
    ) -> anyhow::Result<()> {
        if let Some(live_in) = self.live_in.as_mut()
            && recorded.author.id != self.role.me
        {
            if let Some(greeting) = live_in.greet(&recorded) {
                self.feed(greeting, see)?;
            }
            // Its own line gets its numbers before those of what comes after it.
            self.pass_time(recorded.at, see)?;
        }
        let waiting = self.convert_message(recorded);
        self.batch.push(waiting);
        if self.live_in.is_some() {
            self.send_batch();
            return self.handle_batch(see);
        }
        if self.batch.len() >= GROUP {
            self.send_batch();
        }
        while self.stored.len() > GROUPS_AHEAD {
            self.handle_batch(see)?;
        }
        Ok(())
    }

    /// Handles everything that was fed, and the decisions after it.
    ///
    /// # Errors
    /// As for [`ReplayPlayer::feed`].
    pub fn finish(&mut self, see: &mut ReplaySink<'_>) -> anyhow::Result<()> {
        self.send_batch();
        while !self.stored.is_empty() {
            self.handle_batch(see)?;
        }
        self.pass_time(Millis::MAX, see)?;
        self.undecided.report_final(Millis::MAX, see)
    }

    fn convert_message(&mut self, recorded: RecordedMessage) -> QueuedMessage {
        let (channel, new) = self.ids.channel(&recorded.channel);
        let seen = || Channel {
            id: channel,
            guild: None,
            name: recorded.channel.trim_start_matches('#').into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        };
        let known = new.then(seen);
        let own = recorded.author.id == self.role.me;
        let typed = recorded.reply_typed || self.reply_links;
        let kind = match (own, recorded.author.bot) {
            (true, _) => AuthorKind::Companion,
            (false, true) => AuthorKind::Bot,
            (false, false) => AuthorKind::Person,
        };
        let message = self.ids.build_message(&recorded, channel, kind, typed);
        QueuedMessage {
            id: recorded.id,
            message,
            channel: known,
        }
    }

    fn send_batch(&mut self) {
        let messages = std::mem::replace(&mut self.batch, Vec::with_capacity(GROUP));
        if messages.is_empty() {
            return;
        }
        let mut events = Vec::with_capacity(messages.len());
        for waiting in &messages {
            events.extend(waiting.channel.clone().map(ChatEvent::Channel));
            events.push(ChatEvent::Message(waiting.message.clone()));
        }
        let answer = self.store.append(events);
        self.stored.push_back(Batch { messages, answer });
    }

    fn handle_batch(&mut self, see: &mut ReplaySink<'_>) -> anyhow::Result<()> {
        let Some(batch) = self.stored.pop_front() else {
            return Ok(());
        };
        let mut stored = batch.answer.wait()?.into_iter();
        for waiting in batch.messages {
            if let Some(channel) = waiting.channel {
                stored.next();
                let policy = self.policy.clone();
                self.channels.push(channel.clone());
                self.core
                    .handle_event(self.now, Event::ChannelSeen { channel, policy });
            }
            let arrival = stored
                .next()
                .filter(|stored| stored.new)
                .map(|stored| stored.arrival);
            if let Some(arrival) = arrival {
                self.handle_message(
                    &waiting.id,
                    Message {
                        arrival,
                        ..waiting.message
                    },
                    see,
                )?;
            }
        }
        Ok(())
    }

    fn handle_message(
        &mut self,
        id: &str,
        message: Message,
        see: &mut ReplaySink<'_>,
    ) -> anyhow::Result<()> {
        let own = message.author.kind == AuthorKind::Companion;
        see(ReplayEvent::MessageHeard { own })?;
        self.pass_time(message.at, see)?;
        if own {
            let channel = message.channel;
            let effects = self
                .core
                .handle_event(self.now.max(message.at), Event::DecideNow { channel });
            self.execute_effects(effects, see)?;
        }
        self.undecided.report_final(message.at, see)?;
        if own && self.role.learns_names {
            self.learn_name(&message.author.name);
        }
        self.now = self.now.max(message.at);
        let person = message.author.kind == AuthorKind::Person;
        if let Some(turn_runner) = self.turn_runner.as_mut().filter(|_| person) {
            turn_runner.record_message(&message);
        }
        if let Some(live_in) = &mut self.live_in {
            live_in.count_line(&message);
        }
        let heard = message.id;
        let effects = self
            .core
            .handle_event(self.now, Event::Chat(ChatEvent::Message(message)));
        let decided = |effect: &Effect| match effect {
            Effect::ReportMessageDecision(decision) if person && decision.message == heard => {
                Some(decision.clone())
            }
            _ => None,
        };
        if let Some(decision) = effects.iter().find_map(decided) {
            self.undecided.add(id, decision);
        }
        self.execute_effects(effects, see)
    }

    /// Lets the decisions come that are due until then.
    fn pass_time(&mut self, until: Millis, see: &mut ReplaySink<'_>) -> anyhow::Result<()> {
        loop {
            let deadline = self.core.next_deadline().unwrap_or(Millis::MAX).min(until);
            let due = self
                .live_in
                .as_mut()
                .and_then(|live_in| live_in.take_due(deadline));
            if let Some(line) = due.and_then(|due| self.write_own_line(due)) {
                self.feed(line, see)?;
                continue;
            }
            if self.core.next_deadline().is_none_or(|next| next > until) {
                return Ok(());
            }
            self.now = self.now.max(deadline);
            let effects = self.core.handle_event(self.now, Event::Tick);
            self.execute_effects(effects, see)?;
        }
    }

    fn write_own_line(&mut self, (at, channel): (Millis, ChannelId)) -> Option<RecordedMessage> {
        let channel = self.ids.find_channel_name(channel)?;
        let live_in = self.live_in.as_mut()?;
        Some(live_in.write_next_line(at, channel))
    }

    /// Executes what the core asks for. Without a turn runner each turn ends where a model would be asked, and everything
    /// else a turn could ask for comes after that.
    fn execute_effects(
        &mut self,
        effects: Vec<Effect>,
        see: &mut ReplaySink<'_>,
    ) -> anyhow::Result<()> {
        let mut open = VecDeque::from(effects);
        while let Some(effect) = open.pop_front() {
            if let Effect::ReportMessageDecision(decision) = &effect {
                if let Some(live_in) = &mut self.live_in {
                    live_in.begin_line(decision, self.now);
                }
                let is_shown = self.previews && decision.speak;
                let prompt = is_shown
                    .then(|| self.render_preview(decision))
                    .transpose()?;
                self.undecided.replace(decision, prompt.flatten());
            }
            if let Some(turn_runner) = &mut self.turn_runner {
                let outcome =
                    turn_runner.execute_effect(&mut self.core, &self.templates, self.now, effect);
                open.extend(outcome.effects);
                if let Some(tokens) = outcome.tokens {
                    see(ReplayEvent::ModelAsked { tokens })?;
                }
                if let Some(transcript) = outcome.transcript {
                    see(ReplayEvent::TurnFinished { transcript })?;
                }
            } else if let Effect::AskModel { turn, ask, .. } = effect {
                if let Some(live_in) = &mut self.live_in {
                    live_in.table.calls += 1;
                }
                open.extend(self.end_turn_before_model(turn, ask, see)?);
            }
        }
        Ok(())
    }

    fn end_turn_before_model(
        &mut self,
        turn: TurnId,
        ask: u32,
        see: &mut ReplaySink<'_>,
    ) -> anyhow::Result<Vec<Effect>> {
        if let Some(round) = self
            .core
            .build_round_prompt(self.now, turn, self.inputs.clone())
        {
            let shown = round.sections.sections();
            let shown: u32 = shown.iter().map(|(_, section)| section.tokens).sum();
            let tokens = self.inputs.fixed_tokens + shown;
            see(ReplayEvent::ModelAsked { tokens })?;
        }
        let event = TurnEvent::AnswerEnded {
            ask,
            end: Err(ModelFailure::new("a replay asks no model")),
        };
        Ok(self
            .core
            .handle_event(self.now, Event::Turn { turn, event }))
    }

    fn render_preview(&mut self, decision: &MessageDecision) -> anyhow::Result<Option<String>> {
        let wake = TurnTrigger {
            message: Some(decision.message),
            author: Some(decision.author),
            address: decision.address,
            addressed: Vec::from_iter(decision.address.map(|_| decision.message)),
            score: decision.score,
            threshold: decision.threshold,
            shift: decision.shift,
            goes_on: decision.goes_on,
            is_doubtful: false,
            own: None,
        };
        let Some(round) = self
            .core
            .preview(self.now, decision.channel, &wake, self.inputs.clone())
        else {
            return Ok(None);
        };
        let prompt = self
            .templates
            .render_round(&round.policy, &round.tools, round.kind, &round.sections)
            .map_err(|problem| anyhow!("{problem}"))?;
        Ok(Some(format!("{}\n\n{}", prompt.system, prompt.user())))
    }

    /// The author's name in the log is a name of the companion, in every channel.
    fn learn_name(&mut self, name: &str) {
        if self.policy.names.iter().any(|known| known == name) {
            return;
        }
        let mut policy = ChannelPolicy::clone(&self.policy);
        add_name(&mut policy.names, name);
        self.policy = Arc::new(policy);
        for channel in self.channels.clone() {
            self.core.handle_event(
                self.now,
                Event::ChannelSeen {
                    channel,
                    policy: self.policy.clone(),
                },
            );
        }
    }
}

/// What prompts show besides the channel: the core memory the persona starts with.
fn build_inputs(
    policy: &ChannelPolicy,
    templates: &PromptTemplates,
) -> anyhow::Result<RenderInputs> {
    let blocks = policy.persona.core_memory.iter();
    let core_memory = blocks.map(|(label, block)| CoreBlock {
        label: label.clone(),
        description: block.description.clone(),
        text: block.text.clone(),
        limit: block.limit,
        ..CoreBlock::default()
    });
    let fixed = templates.estimate_fixed_tokens(policy, &policy.tools, &TokenEstimator::default());
    let fixed_tokens = fixed.map_err(|problem| anyhow!("{problem}"))?;
    Ok(RenderInputs {
        core_memory: core_memory.collect(),
        fixed_tokens,
        ..RenderInputs::default()
    })
}

fn add_name(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}
