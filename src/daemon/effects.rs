//! Executing what the core asks for: each effect becomes a task, a row or a live event, and comes back as an event.

use std::time::Duration;

use serde_json::json;

use super::running::{OpenModelCall, RunningTurn};
use super::summaries::begun;
use super::{Daemon, LoopMessage};
use kith_agent::tasks;
use kith_core::RenderInputs;
use kith_core::call::ToolCall;
use kith_core::chat::{Author, Channel, ChannelId, GuildId, Millis, TurnId};
use kith_core::context::ShownPicture;
use kith_core::effect::Effect;
use kith_core::event::{Event, TurnEvent};
use kith_core::plan::{Plan, TODO};
use kith_core::report::{ModelFailure, PromptPart};
use kith_core::session::SessionBackground;
use kith_memory::{MemoryScope, RecallSources};
use kith_model::ModelRequest;
use kith_room::LiveEvent;
use kith_store::StoredPrompt;
use kith_system::clock;
use kith_tools::ToolContext;
use kith_tools::custom::SessionEvent;

/// How many of the newest lines say what may be worth recalling.
const LINES_FOR_RECALL: usize = 4;
/// The most lines recalled for a prompt.
const RECALLED: usize = 5;
/// How long the store may take to give what a prompt needs.
const GATHER_LIMIT: Duration = Duration::from_secs(10);

impl Daemon {
    pub(super) fn execute(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.touched.extend(channel_of(&effect));
            match effect {
                Effect::Decided(decision) => {
                    self.observer.decided(&decision);
                    self.log_refusal(&decision);
                    self.try_for(&decision);
                    self.tell(LiveEvent::Decision(*decision));
                }
                Effect::Beat(beat) => {
                    self.observer.beat(&beat);
                    self.tell(LiveEvent::Beat(*beat));
                }
                Effect::AskModel { turn, channel, ask } => self.gather(turn, channel, ask),
                Effect::NextModel { turn } => {
                    if let Some(running) = self.turns.get_mut(&turn) {
                        running.next_model();
                    }
                    self.asked_again(turn);
                }
                Effect::HeldBack { channel, why } => {
                    self.tell_tools(channel, SessionEvent::RuleTriggered, json!({ "rule": "guard", "why": why }));
                }
                Effect::Run { turn, channel, call, what, causes } => self.run_call(turn, channel, (call, what), causes),
                Effect::Moderate { turn, call, act, causes } => self.moderate(turn, call, *act, causes),
                Effect::Send { .. } | Effect::React { .. } => self.send_out(effect),
                Effect::ShowTyping { channel } => self.show_typing(channel),
                Effect::Intend { channel, intention } => self.intend(channel, *intention),
                Effect::Came { channel, id, came } => self.kept(channel, self.store.intention_came(channel, id, came)),
                Effect::IntentionOver { channel, id, over } => self.intention_over(channel, id, over),
                Effect::StopAnswer { turn, ask } => {
                    if let Some(running) = self.turns.get(&turn) {
                        running.hang_up(ask);
                    }
                }
                Effect::Cut { turn } => self.cut(turn),
                Effect::Finish(report) => {
                    let channel = report.channel;
                    self.finish(*report);
                    self.compact_in_time(channel);
                }
            }
        }
        self.tell_next_beats();
    }

    /// The guild of a channel that all of the guild's members can read; none for others: what is remembered in them
    /// shows up nowhere else.
    pub(super) fn open_guild(&self, channel: &Channel) -> Option<GuildId> {
        let is_open = self.away.as_ref().is_none_or(|away| away.discord.directory().is_open(channel.id));
        channel.guild.filter(|_| is_open)
    }

    fn show_typing(&self, channel: ChannelId) {
        match &self.away {
            Some(away) => away.discord.message_sender().show_typing(channel),
            None => self.tell(LiveEvent::Typing { channel, user: self.me }),
        }
    }

    /// First half of a round: what its prompt needs from the store. Waits while it is not known which model answers.
    pub(super) fn gather(&mut self, turn: TurnId, channel: ChannelId, ask: u32) {
        if let Some(held) = &mut self.held {
            return held.push((turn, channel, ask));
        }
        if !self.is_asking(turn, channel, ask) {
            return;
        }
        let Some(lane) = self.core.lane(channel) else { return };
        let mut counted = None;
        if !self.turns.contains_key(&turn)
            && let Some(wake) = lane.turn.as_ref().map(|turn| turn.wake().clone())
        {
            // Counted for good before a model is asked: not even a crash makes it speak first twice, or answer for ever
            // what ends the process.
            counted = self.save_lane(channel, clock::now());
            self.tell(LiveEvent::TurnStarted { turn, channel, at: clock::now(), wake });
        }
        let Some(lane) = self.core.lane(channel) else { return };
        let policy = lane.policy().clone();
        let newest: Vec<String> =
            lane.timeline().messages().rev().take(LINES_FOR_RECALL).map(|said| said.message.text.to_string()).collect();
        let channels = self.host.readable_in(channel);
        let begins_after = lane.state().begins_after;
        let sources = RecallSources { here: channel, channels, shown_from: lane.shown_from(), begins_after };
        let scope = MemoryScope::of(channel, self.open_guild(&lane.channel));
        let intentions = self.store.intentions(channel);
        let summary = self.store.summary(channel);
        let has_list = policy.tools.iter().any(|tool| tool.name == TODO);
        let todos = has_list.then(|| self.store.todos(channel));
        let (prompts, estimator) = (self.prompts.clone(), self.core.estimator);
        let (memory, inner) = (self.memory.clone(), self.inner.clone());
        self.running(turn, channel);
        let fetching = self.fetch_pictures(turn, channel);
        let session = self.sessions.at(channel).map(|_| (self.store.clone(), inner.clone(), sources.channels.clone()));
        let gathering = async move {
            let newest: Vec<&str> = newest.iter().map(String::as_str).collect();
            // While the store reads, the fixed part is measured.
            let counted = async {
                if let Some(counted) = counted
                    && let Err(error) = counted.await
                {
                    tracing::warn!(%error, %turn, "it is not on disk that this turn began: if it ends the process, that will not count");
                }
            };
            let (core_memory, recalled, pictures, fixed_tokens, ()) = tokio::join!(
                memory.core_memory(scope, &policy.persona),
                memory.recalled(&sources, &newest, &policy.names, RECALLED),
                fetching,
                async { prompts.fixed_tokens(&policy, &policy.tools, &estimator).unwrap_or_default() },
                counted,
            );
            let core_memory = core_memory.unwrap_or_else(|error| {
                tracing::warn!(%error, "a prompt goes without core memory");
                Vec::new()
            });
            let intentions = intentions.await.unwrap_or_else(|error| {
                tracing::warn!(%error, "a prompt goes without what is waited for");
                Vec::new()
            });
            let plan = match todos {
                Some(todos) => todos.await.map(|list| Plan::read(&list).unwrap_or_default()).unwrap_or_else(|error| {
                    tracing::warn!(%error, "a prompt goes without its list of what is to be done");
                    Plan::default()
                }),
                None => Plan::default(),
            };
            let summary = summary.await.unwrap_or_else(|error| {
                tracing::warn!(%error, "a prompt goes without what was summed up");
                None
            });
            let summary = summary.filter(|summary| summary.is_shown(begins_after));
            let inputs = RenderInputs {
                core_memory,
                recalled,
                intentions,
                plan,
                summary,
                fixed_tokens,
                ..RenderInputs::default()
            };
            (inputs, pictures)
        };
        let task = tokio::spawn(async move {
            let begun = match session {
                // It may have to be summed up first, which takes what it takes.
                Some((store, inner, readable)) => begun(&store, &inner, (channel, turn), &readable).await,
                None => Ok(SessionBackground::default()),
            };
            let begun = begun.unwrap_or_else(|error| {
                tracing::warn!(%error, "a prompt goes without its session");
                SessionBackground::default()
            });
            let gathered = tasks::within(GATHER_LIMIT, "gathering a prompt", gathering).await;
            let gathered = gathered.map(|(inputs, fetched)| (RenderInputs { begun, ..inputs }, fetched));
            let _ = inner.send(LoopMessage::Gathered { turn, channel, ask, gathered }).await;
        });
        self.running(turn, channel).tasks.push(task.abort_handle());
    }

    /// Whether a turn still waits for this model call.
    pub(super) fn is_asking(&self, turn: TurnId, channel: ChannelId, ask: u32) -> bool {
        let running = self.core.lane(channel).and_then(|lane| lane.turn.as_ref());
        running.is_some_and(|running| running.id() == turn && running.asking().0 == ask)
    }

    pub(super) fn running(&mut self, turn: TurnId, channel: ChannelId) -> &mut RunningTurn {
        let other = self.core.lane(channel).and_then(|lane| lane.policy().model.clone());
        let Self { turns, chosen, .. } = self;
        turns.entry(turn).or_insert_with(|| {
            let first = other.map_or_else(|| chosen.model.clone(), |name| chosen.named(&name));
            RunningTurn::new(channel, std::iter::once(first).chain(chosen.spares.iter().cloned()).collect())
        })
    }

    /// Second half of a round: render the prompt, take the cursor, reserve the tokens, ask.
    pub(super) fn ask_model(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        ask: u32,
        inputs: Result<RenderInputs, String>,
    ) {
        if !self.is_asking(turn, channel, ask) {
            return;
        }
        match self.try_asking(turn, channel, ask, inputs) {
            Ok((prompt_tokens, another)) => {
                self.handle(Event::Turn { turn, event: TurnEvent::Rendered { prompt_tokens, another } });
            }
            Err(failure) => {
                self.look_at_budget(clock::now());
                self.handle(Event::Turn { turn, event: TurnEvent::Ended { ask, end: Err(failure) } });
            }
        }
    }

    /// Answers with the size of the prompt in estimated tokens and whether another model could be asked the same, or why
    /// none was asked.
    fn try_asking(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        ask: u32,
        inputs: Result<RenderInputs, String>,
    ) -> Result<(u32, bool), ModelFailure> {
        let now = clock::now();
        let failed = |message: String| ModelFailure { message, ..ModelFailure::default() };
        let inputs = inputs.map_err(failed)?;
        let pictures = inputs.pictures.clone();
        let round = self.core.round(now, turn, inputs).ok_or_else(|| failed("the turn is over".into()))?;
        self.told_outcomes(channel);
        if round.is_reminded {
            self.tell_tools(channel, SessionEvent::TodoReminder, json!({}));
        }
        let prompt = self.prompts.fill(&round.policy, &round.tools, round.kind, &round.sections);
        let prompt = prompt.map_err(|problem| failed(problem.to_string()))?;
        let text_tokens = prompt.tokens(&self.core.estimator);
        let running = self.running(turn, channel);
        let another = running.pick(text_tokens)?;
        let model = running.model().clone();
        let images = self.attached(turn, channel, &model);
        let request = ModelRequest {
            system: prompt.system,
            messages: prompt.messages,
            settled: prompt.settled,
            prompt_tokens: text_tokens,
            images,
            another,
            form: prompt.form,
            ..ModelRequest::default()
        };
        let (system, user) = self.kept_of(&request);
        let request = request.without_secrets(&self.redactor);
        let (image_tokens, with_images) = (request.image_tokens(), !request.images.is_empty());
        let prompt_tokens = text_tokens + image_tokens;
        let mut parts = round.sections.parts(text_tokens);
        if with_images {
            parts.push(PromptPart { name: "images".into(), tokens: image_tokens, left_out: 0 });
        }
        let language = round.policy.persona.language;
        let bare = |user: String, one: &ShownPicture| user.replace(&one.note(language), &one.bare_note(language));
        let user = pictures.iter().fold(user, bare);
        let name = model.name().to_owned();
        self.running(turn, channel).prompts.push(StoredPrompt { ask, model: name, system, user, parts });
        if !model.is_stand_in() {
            let charge = self.charge(turn, channel);
            let reserved = self.budget.reserve(now, charge, model.price(), prompt_tokens, model.max_tokens());
            self.tell_reached(now, charge);
            let reservation = reserved?;
            self.running(turn, channel).call =
                Some(OpenModelCall { ask, reservation, anything_came: false, with_images });
        }
        let asked = tasks::ask(model, request, (turn, ask), self.core.estimator, self.ear.clone());
        let running = self.running(turn, channel);
        running.tasks.push(asked.task);
        running.asking = Some((ask, asked.hang_up));
        Ok((prompt_tokens, another))
    }

    fn run_call(&mut self, turn: TurnId, channel: ChannelId, (call, what): (u32, ToolCall), causes: Vec<Author>) {
        let Some(context) = self.tool_context(channel) else { return };
        let Some(policy) = self.core.lane(channel).map(|lane| lane.policy().clone()) else { return };
        let (model, aside) = (self.running(turn, channel).model().name().into(), self.aside(turn, channel, &policy));
        let sessions = self.session_door(channel, turn);
        let context = ToolContext { turn, causes, model, aside, sessions, ..context };
        let task = tasks::run(&self.registry, what, context, turn, call, self.ear.clone());
        self.running(turn, channel).tasks.push(task);
    }

    /// Tells the page when the channels something happened in will be looked at next, where that changed.
    fn tell_next_beats(&mut self) {
        let now = clock::now();
        for channel in std::mem::take(&mut self.touched) {
            let at = self.core.mood(now, channel).and_then(|mood| mood.next_beat);
            if self.next_beats.insert(channel, at).flatten() != at {
                self.tell(LiveEvent::NextBeat { channel, at });
            }
        }
    }

    /// The channels whose next look, as far as the page knows, is over: the heartbeat may have moved it without a word.
    pub(super) fn overdue_beats(&self, now: Millis) -> Vec<ChannelId> {
        let overdue = self.next_beats.iter().filter(|(_, at)| at.is_some_and(|at| at <= now));
        overdue.map(|(channel, _)| *channel).collect()
    }
}

fn channel_of(effect: &Effect) -> Option<ChannelId> {
    match effect {
        Effect::Decided(decision) => Some(decision.channel),
        Effect::Beat(beat) => Some(beat.channel),
        Effect::Finish(report) => Some(report.channel),
        Effect::Moderate { act, .. } => Some(act.channel),
        Effect::AskModel { channel, .. }
        | Effect::Run { channel, .. }
        | Effect::Send { channel, .. }
        | Effect::HeldBack { channel, .. }
        | Effect::React { channel, .. }
        | Effect::Intend { channel, .. }
        | Effect::Came { channel, .. }
        | Effect::IntentionOver { channel, .. }
        | Effect::ShowTyping { channel } => Some(*channel),
        // Comes with another effect of its channel.
        Effect::Cut { .. } | Effect::StopAnswer { .. } | Effect::NextModel { .. } => None,
    }
}
