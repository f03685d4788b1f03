//! Executing what the core asks for: each effect becomes a task, a row or a live event, and comes back as an event.

use tokio::task::AbortHandle;

use super::{Daemon, Inner};
use crate::clock;
use crate::core::Inputs;
use crate::core::call::Call;
use crate::core::chat::{Channel, ChannelId, MessageId, TurnId};
use crate::core::effect::Effect;
use crate::core::event::{Event, TurnEvent};
use crate::core::lane::Lane;
use crate::core::policy::Policy;
use crate::core::report::{ModelFailure, TurnReport};
use crate::memory::{Scope, Sources};
use crate::model::{ModelRequest, Reservation, Took};
use crate::platform::room::Live;
use crate::store::Prompt;
use crate::tools::{Host, ToolContext};
use crate::turn::{Told, tasks};

/// How many of the newest lines say what may be worth recalling.
const LINES_FOR_RECALL: usize = 4;
/// The most lines recalled for a prompt.
const RECALLED: usize = 5;

/// What the daemon keeps of a running turn.
#[derive(Default)]
pub(super) struct Running {
    tasks: Vec<AbortHandle>,
    pub prompts: Vec<Prompt>,
    reserved: Option<(u32, Reservation)>,
    anything_came: bool,
    pub notes: Vec<String>,
}

impl Running {
    pub fn abort(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl Daemon {
    pub(super) fn execute(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Decided(decision) => {
                    self.observer.decided(&decision);
                    self.recent.decided((*decision).clone());
                    self.tell(Live::Decision(*decision));
                }
                Effect::Beat(beat) => {
                    self.observer.beat(&beat);
                    self.recent.looked((*beat).clone());
                    self.tell(Live::Beat(*beat));
                }
                Effect::AskModel { turn, channel, ask } => self.gather(turn, channel, ask),
                Effect::Run { turn, channel, call, what } => self.run_call(turn, channel, call, what),
                Effect::Send { .. } | Effect::React { .. } => self.send_out(effect),
                Effect::ShowTyping { channel } => self.tell(Live::Typing { channel, user: super::rooms::ME }),
                Effect::Cut { turn } => self.cut(turn),
                Effect::Finish(report) => self.finish(*report),
            }
        }
        self.tell_next_beats();
    }

    /// The settings of a channel, with its tools and with prompts no larger than the model can hold.
    pub(super) fn policy(&self, channel: &Channel) -> Policy {
        let mut policy = self.settings.policy(channel);
        policy.tools = self.settings.allowed_tools(&self.registry.specs(policy.persona.language));
        let model = &self.chosen.model;
        // An answer's limit above half of the context is a limit, not a wish.
        let limit = model.context_tokens().map(|context| context - model.max_tokens().min(context / 2));
        policy.context = self.settings.context_budget(limit);
        policy
    }

    /// First half of a round: what its prompt needs from the store.
    fn gather(&mut self, turn: TurnId, channel: ChannelId, ask: u32) {
        let Some(lane) = self.core.lane(channel) else { return };
        if !self.turns.contains_key(&turn)
            && let Some(wake) = lane.turn.as_ref().map(|turn| turn.wake().clone())
        {
            self.tell(Live::TurnStarted { turn, channel, at: clock::now(), wake });
        }
        let policy = lane.policy().clone();
        let newest: Vec<String> =
            lane.timeline().messages().rev().take(LINES_FOR_RECALL).map(|said| said.message.text.to_string()).collect();
        let channels = self.host.readable_in(channel);
        let sources = Sources { here: channel, channels, shown_from: shown_from(lane) };
        let scope = Scope::of(channel, lane.channel.guild);
        let fixed_tokens = self.prompts.fixed_tokens(&policy, &policy.tools, &self.core.estimator).unwrap_or_default();
        let (memory, inner) = (self.memory.clone(), self.inner.clone());
        let task = tokio::spawn(async move {
            let core_memory = memory.core_memory(scope, &policy.persona).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "a prompt goes without core memory");
                Vec::new()
            });
            let newest: Vec<&str> = newest.iter().map(String::as_str).collect();
            let recalled = memory.recalled(&sources, &newest, RECALLED).await;
            let inputs = Inputs { core_memory, recalled, fixed_tokens };
            let _ = inner.send(Inner::Gathered { turn, channel, ask, inputs }).await;
        });
        self.turns.entry(turn).or_default().tasks.push(task.abort_handle());
    }

    /// Second half of a round: render the prompt, take the cursor, reserve the tokens, ask.
    pub(super) fn ask_model(&mut self, turn: TurnId, channel: ChannelId, ask: u32, inputs: Inputs) {
        let now = clock::now();
        let current = self.core.lane(channel).and_then(|lane| lane.turn.as_ref()).map(|turn| turn.asking().0);
        if current != Some(ask) {
            return;
        }
        let Some(round) = self.core.round(now, turn, inputs) else { return };
        let prompt = match self.prompts.fill(&round.policy, &round.tools, round.kind, &round.sections) {
            Ok(prompt) => prompt,
            Err(problem) => {
                let end = Err(ModelFailure { message: problem.to_string(), budget: false, spent: None });
                return self.handle(Event::Turn { turn, event: TurnEvent::Ended { ask, end } });
            }
        };
        let prompt_tokens = self.core.estimator.tokens(&prompt.system) + self.core.estimator.tokens(&prompt.user);
        let Some(running) = self.turns.get_mut(&turn) else { return };
        let model = self.chosen.model.name().to_owned();
        let parts = round.sections.parts(prompt_tokens);
        running.prompts.push(Prompt { ask, model, system: prompt.system.clone(), user: prompt.user.clone(), parts });
        running.anything_came = false;
        if !self.chosen.model.is_stand_in() {
            match self.budget.reserve(now, prompt_tokens, self.chosen.model.max_tokens()) {
                Ok(reservation) => running.reserved = Some((ask, reservation)),
                Err(failure) => {
                    self.look_at_budget(now);
                    return self.handle(Event::Turn { turn, event: TurnEvent::Ended { ask, end: Err(failure) } });
                }
            }
        }
        let request = ModelRequest { system: prompt.system, user: prompt.user, prompt_tokens, max_tokens: None };
        let task = tasks::ask(self.chosen.model.clone(), request, turn, ask, self.ear.clone());
        running.tasks.push(task);
        self.handle(Event::Turn { turn, event: TurnEvent::Rendered { prompt_tokens } });
    }

    fn run_call(&mut self, turn: TurnId, channel: ChannelId, call: u32, what: Call) {
        let Some(lane) = self.core.lane(channel) else { return };
        let context = ToolContext {
            channel,
            guild: lane.channel.guild,
            persona: lane.policy().persona.clone(),
            now: clock::now(),
            memory: self.memory.clone(),
            shown_from: shown_from(lane),
            host: self.host.clone(),
        };
        let task = tasks::run(&self.registry, what, context, turn, call, self.ear.clone());
        self.turns.entry(turn).or_default().tasks.push(task);
    }

    /// A task of a turn told what came of it.
    pub(super) fn told(&mut self, turn: TurnId, told: Told) {
        let Some(running) = self.turns.get_mut(&turn) else { return };
        let event = match told {
            Told::Note(note) => {
                tracing::warn!(%turn, "{note}");
                running.notes.push(note);
                return;
            }
            Told::Event(event) => event,
        };
        match &event {
            TurnEvent::Delta { ask, text } => {
                running.anything_came = true;
                let (ask, delta) = (*ask, text.clone());
                if let Some(channel) = self.core.channel_of(turn) {
                    self.tell(Live::TurnProgress { turn, channel, ask, delta });
                }
            }
            TurnEvent::Ended { ask, end } => self.settle_tokens(turn, *ask, end),
            _ => {}
        }
        self.handle(Event::Turn { turn, event });
    }

    /// Writes down what a model call took, whether it ended well, failed or was cut.
    fn settle_tokens(&mut self, turn: TurnId, ask: u32, end: &Result<crate::core::report::Usage, ModelFailure>) {
        let now = clock::now();
        let Some(running) = self.turns.get_mut(&turn) else { return };
        let Some((reserved_ask, reservation)) = running.reserved.take() else { return };
        if reserved_ask != ask {
            running.reserved = Some((reserved_ask, reservation));
            return;
        }
        let came = running.anything_came;
        let took = match end {
            Ok(usage) => Took::Usage(*usage),
            Err(_) if came => Took::Unknown,
            Err(_) => Took::Nothing,
        };
        let usage = end.as_ref().ok().copied().unwrap_or_default();
        let tokens = self.budget.settle(now, reservation, took);
        if let (Ok(usage), Some(prompt_tokens)) = (end, self.core.prompt_tokens(turn))
            && !usage.estimated
        {
            self.core.estimator.learn(prompt_tokens, usage.prompt);
        }
        if tokens > 0
            && let Some(channel) = self.core.channel_of(turn)
        {
            let spent = if end.is_ok() { usage } else { estimated(tokens) };
            self.observer.spent(now, self.chosen.model.name(), channel, spent);
        }
        self.look_at_budget(now);
        self.tell_model();
    }

    fn cut(&mut self, turn: TurnId) {
        let Some(running) = self.turns.get_mut(&turn) else { return };
        running.tasks.drain(..).for_each(|task| task.abort());
        if let Some((ask, _)) = &running.reserved {
            let (ask, end) = (*ask, Err(ModelFailure { message: "cut".into(), budget: false, spent: None }));
            self.settle_tokens(turn, ask, &end);
        }
    }

    fn finish(&mut self, mut report: TurnReport) {
        if let Some(running) = self.turns.remove(&report.turn) {
            report.notes.extend(running.notes.iter().cloned());
            running.abort();
            self.observer.finished(&report, running.prompts);
        }
        self.tell(Live::TurnFinished(Box::new(report)));
    }

    fn tell_next_beats(&mut self) {
        let now = clock::now();
        let channels: Vec<ChannelId> = self.guests.channels().iter().map(|channel| channel.id).collect();
        for channel in channels {
            let at = self.core.mood(now, channel).and_then(|mood| mood.next_beat);
            if self.next_beats.insert(channel, at).flatten() != at {
                self.tell(Live::NextBeat { channel, at });
            }
        }
    }
}

/// A call that told no usage is written down as what had been promised to it.
fn estimated(tokens: u64) -> crate::core::report::Usage {
    crate::core::report::Usage {
        prompt: u32::try_from(tokens).unwrap_or(u32::MAX),
        estimated: true,
        ..Default::default()
    }
}

/// The oldest message the prompt shows: what came before it can be recalled.
fn shown_from(lane: &Lane) -> Option<MessageId> {
    lane.window.first().or_else(|| lane.timeline().messages().next().map(|said| said.message.id))
}
