//! Executing what the core asks for: each effect becomes a task, a row or a live event, and comes back as an event.

use std::time::Duration;

use serde_json::json;

use super::running::{RunningTurn, TurnModelCall};
use super::summaries::load_session_background;
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
use kith_model::{ModelChain, ModelRequest};
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
    pub(super) fn execute_effects(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.touched_channels.extend(find_effect_channel(&effect));
            match effect {
                Effect::ReportMessageDecision(decision) => {
                    self.observer.record_message_decision(&decision);
                    self.log_refusal(&decision);
                    self.start_permission_trial(&decision);
                    self.send_live_event(LiveEvent::Decision(*decision));
                }
                Effect::ReportDecision(decision_point) => {
                    self.observer.record_decision_report(&decision_point);
                    self.send_live_event(LiveEvent::Beat(*decision_point));
                }
                Effect::AskModel { turn, channel, ask } => {
                    self.gather_prompt_inputs(turn, channel, ask)
                }
                Effect::NextModel { turn } => {
                    if let Some(running) = self.turns.get_mut(&turn) {
                        running.models.advance();
                    }
                    self.record_retry(turn);
                }
                Effect::ReportHeldBack { channel, why } => {
                    self.tell_tools(
                        channel,
                        SessionEvent::RuleTriggered,
                        json!({ "rule": "guard", "why": why }),
                    );
                }
                Effect::Run {
                    turn,
                    channel,
                    call,
                    what,
                    causes,
                } => self.run_call(turn, channel, (call, what), causes),
                Effect::Moderate {
                    turn,
                    call,
                    action,
                    causes,
                } => self.propose_moderation(turn, call, *action, causes),
                Effect::Send { .. } | Effect::React { .. } => self.deliver_effect(effect),
                Effect::ShowTyping { channel } => self.show_typing(channel),
                Effect::SaveIntent { channel, intention } => {
                    self.store_intention(channel, *intention)
                }
                Effect::SaveFiredIntent {
                    channel,
                    id,
                    fired: came,
                } => self
                    .log_write_failure(channel, self.store.save_fired_intention(channel, id, came)),
                Effect::EndIntent {
                    channel,
                    id,
                    end: over,
                } => self.end_intention(channel, id, over),
                Effect::StopAnswer { turn, ask } => {
                    if let Some(running) = self.turns.get(&turn) {
                        running.stop_answer(ask);
                    }
                }
                Effect::CancelTurn { turn } => self.abort_turn_tasks(turn),
                Effect::Finish(report) => {
                    let channel = report.channel;
                    self.finish_turn(*report);
                    self.compact_if_due(channel);
                }
            }
        }
        self.publish_next_decisions();
    }

    /// The guild of a channel that all of the guild's members can read; none for others: what is remembered in them
    /// shows up nowhere else.
    pub(super) fn find_public_guild(&self, channel: &Channel) -> Option<GuildId> {
        let is_open = self
            .away
            .as_ref()
            .is_none_or(|platform| platform.discord.directory().is_open(channel.id));
        channel.guild.filter(|_| is_open)
    }

    fn show_typing(&self, channel: ChannelId) {
        match &self.away {
            Some(platform) => platform.discord.message_sender().show_typing(channel),
            None => self.send_live_event(LiveEvent::Typing {
                channel,
                user: self.companion_id,
            }),
        }
    }

    /// First half of a round: what its prompt needs from the store. Waits while it is not known which model answers.
    pub(super) fn gather_prompt_inputs(&mut self, turn: TurnId, channel: ChannelId, ask: u32) {
        if self.model_calls.hold((turn, channel, ask)) {
            return;
        }
        if !self.is_asking(turn, channel, ask) {
            return;
        }
        let Some(channel_state) = self.core.channel_state(channel) else {
            return;
        };
        let mut counted = None;
        if !self.turns.contains_key(&turn)
            && let Some(wake) = channel_state.turn.as_ref().map(|turn| turn.wake().clone())
        {
            // Counted for good before a model is asked: not even a crash makes it speak first twice, or answer for ever
            // what ends the process.
            counted = self.save_channel_state(channel, clock::now());
            self.send_live_event(LiveEvent::TurnStarted {
                turn,
                channel,
                at: clock::now(),
                wake,
            });
        }
        let Some(channel_state) = self.core.channel_state(channel) else {
            return;
        };
        let policy = channel_state.policy().clone();
        let newest: Vec<String> = channel_state
            .timeline()
            .messages()
            .rev()
            .take(LINES_FOR_RECALL)
            .map(|said| said.message.text.to_string())
            .collect();
        let channels = self.tool_host.find_readable_channels(channel);
        let begins_after = channel_state.state().begins_after;
        let sources = RecallSources {
            here: channel,
            channels,
            shown_from: channel_state.first_shown_message(),
            begins_after,
        };
        let scope =
            MemoryScope::from_channel(channel, self.find_public_guild(&channel_state.channel));
        let intentions = self.store.find_intentions(channel);
        let summary = self.store.summary(channel);
        let has_list = policy.tools.iter().any(|tool| tool.name == TODO);
        let todos = has_list.then(|| self.store.load_todos(channel));
        let (prompts, estimator) = (self.prompts.clone(), self.core.estimator);
        let (memory, loop_sender) = (self.memory.clone(), self.loop_sender.clone());
        self.ensure_running_turn(turn, channel);
        let fetching = self.fetch_pictures(turn, channel);
        let session = self.sessions.find_by_channel(channel).map(|_| {
            (
                self.store.clone(),
                loop_sender.clone(),
                sources.channels.clone(),
            )
        });
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
                memory.load_core_memory(scope, &policy.persona),
                memory.recall_for_prompt(&sources, &newest, &policy.names, RECALLED),
                fetching,
                async {
                    prompts
                        .estimate_fixed_tokens(&policy, &policy.tools, &estimator)
                        .unwrap_or_default()
                },
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
                Some(todos) => todos.await.map(|list| Plan::parse(&list).unwrap_or_default()).unwrap_or_else(|error| {
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
            let background = match session {
                // It may have to be summed up first, which takes what it takes.
                Some((store, loop_sender, readable)) => {
                    load_session_background(&store, &loop_sender, (channel, turn), &readable).await
                }
                None => Ok(SessionBackground::default()),
            };
            let background = background.unwrap_or_else(|error| {
                tracing::warn!(%error, "a prompt goes without its session");
                SessionBackground::default()
            });
            let gathered =
                tasks::run_with_limit(GATHER_LIMIT, "gathering a prompt", gathering).await;
            let gathered = gathered.map(|(inputs, fetched)| {
                (
                    RenderInputs {
                        session: background,
                        ..inputs
                    },
                    fetched,
                )
            });
            let _ = loop_sender
                .send(LoopMessage::InputsGathered {
                    turn,
                    channel,
                    ask,
                    inputs: gathered,
                })
                .await;
        });
        self.ensure_running_turn(turn, channel)
            .tasks
            .push(task.abort_handle());
    }

    /// Whether a turn still waits for this model call.
    pub(super) fn is_asking(&self, turn: TurnId, channel: ChannelId, ask: u32) -> bool {
        let running = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.turn.as_ref());
        running.is_some_and(|running| running.id() == turn && running.current_round().0 == ask)
    }

    pub(super) fn ensure_running_turn(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
    ) -> &mut RunningTurn {
        let other = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.policy().model.clone());
        let chosen = self.model_calls.selection();
        self.turns.entry(turn).or_insert_with(|| {
            let first = other.map_or_else(|| chosen.model.clone(), |name| chosen.named(&name));
            RunningTurn::new(channel, ModelChain::new(first, chosen.fallbacks.clone()))
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
                self.handle_event(Event::Turn {
                    turn,
                    event: TurnEvent::PromptRendered {
                        prompt_tokens,
                        has_fallback: another,
                    },
                });
            }
            Err(failure) => {
                self.update_budget_state(clock::now());
                self.handle_event(Event::Turn {
                    turn,
                    event: TurnEvent::AnswerEnded {
                        ask,
                        end: Err(failure),
                    },
                });
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
        let failed = |message: String| ModelFailure {
            message,
            ..ModelFailure::default()
        };
        let inputs = inputs.map_err(failed)?;
        let pictures = inputs.pictures.clone();
        let round = self
            .core
            .build_round_prompt(now, turn, inputs)
            .ok_or_else(|| failed("the turn is over".into()))?;
        self.mark_outcomes_told(channel);
        if round.is_reminded {
            self.tell_tools(channel, SessionEvent::TodoReminder, json!({}));
        }
        let prompt =
            self.prompts
                .render_round(&round.policy, &round.tools, round.kind, &round.sections);
        let prompt = prompt.map_err(|problem| failed(problem.to_string()))?;
        let text_tokens = prompt.estimate_tokens(&self.core.estimator);
        let running = self.ensure_running_turn(turn, channel);
        let another = running.models.pick(text_tokens)?;
        let model = running.model().clone();
        let images = self.build_attached_images(turn, channel, &model);
        let request = ModelRequest {
            system: prompt.system,
            messages: prompt.messages,
            stable_bytes: prompt.stable_bytes,
            prompt_tokens: text_tokens,
            images,
            has_fallback: another,
            form: prompt.form,
            ..ModelRequest::default()
        };
        let (system, user) = self.redact_request(&request);
        let request = request.redact_secrets(&self.redactor);
        let (image_tokens, with_images) = (request.image_tokens(), !request.images.is_empty());
        let prompt_tokens = text_tokens + image_tokens;
        let mut parts = round.sections.measure_parts(text_tokens);
        if with_images {
            parts.push(PromptPart {
                name: "images".into(),
                tokens: image_tokens,
                left_out: 0,
            });
        }
        let language = round.policy.persona.language;
        let bare = |user: String, one: &ShownPicture| {
            user.replace(&one.note(language), &one.render_bare_note(language))
        };
        let user = pictures.iter().fold(user, bare);
        let name = model.name().to_owned();
        self.ensure_running_turn(turn, channel)
            .prompts
            .push(StoredPrompt {
                ask,
                model: name,
                system,
                user,
                parts,
            });
        let attribution = self.attribute_turn_cost(turn, channel);
        let caller = self
            .model_calls
            .caller(attribution, Some(turn), self.core.estimator);
        let asked = caller.ask(&model, request);
        self.handle_ledger_changes();
        let call = asked?;
        let hang_up = call.hang_up();
        let task = tasks::forward_answer(call, (turn, ask), self.turn_event_sender.clone());
        let running = self.ensure_running_turn(turn, channel);
        running.tasks.push(task);
        running.call = Some(TurnModelCall {
            ask,
            hang_up,
            with_images,
        });
        Ok((prompt_tokens, another))
    }

    fn run_call(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        (call, what): (u32, ToolCall),
        causes: Vec<Author>,
    ) {
        let Some(context) = self.tool_context(channel) else {
            return;
        };
        let Some(policy) = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.policy().clone())
        else {
            return;
        };
        let (model, aside) = (
            self.ensure_running_turn(turn, channel)
                .model()
                .name()
                .into(),
            self.build_side_work(turn, channel, &policy),
        );
        let sessions = self.build_session_opener(channel, turn);
        let context = ToolContext {
            turn,
            causes,
            model,
            side_work: aside,
            sessions,
            ..context
        };
        let task = tasks::run_call(
            &self.registry,
            what,
            context,
            turn,
            call,
            self.turn_event_sender.clone(),
        );
        self.ensure_running_turn(turn, channel).tasks.push(task);
    }

    /// Tells the page when the channels something happened in will be looked at next, where that changed.
    fn publish_next_decisions(&mut self) {
        let now = clock::now();
        for channel in std::mem::take(&mut self.touched_channels) {
            let at = self
                .core
                .channel_snapshot(now, channel)
                .and_then(|snapshot| snapshot.next_beat);
            if self.next_decision_times.insert(channel, at).flatten() != at {
                self.send_live_event(LiveEvent::NextBeat { channel, at });
            }
        }
    }

    /// The channels whose next look, as far as the page knows, is over: the heartbeat may have moved it without a word.
    pub(super) fn find_overdue_channels(&self, now: Millis) -> Vec<ChannelId> {
        let overdue = self
            .next_decision_times
            .iter()
            .filter(|(_, at)| at.is_some_and(|at| at <= now));
        overdue.map(|(channel, _)| *channel).collect()
    }
}

fn find_effect_channel(effect: &Effect) -> Option<ChannelId> {
    match effect {
        Effect::ReportMessageDecision(decision) => Some(decision.channel),
        Effect::ReportDecision(decision_point) => Some(decision_point.channel),
        Effect::Finish(report) => Some(report.channel),
        Effect::Moderate { action, .. } => Some(action.channel),
        Effect::AskModel { channel, .. }
        | Effect::Run { channel, .. }
        | Effect::Send { channel, .. }
        | Effect::ReportHeldBack { channel, .. }
        | Effect::React { channel, .. }
        | Effect::SaveIntent { channel, .. }
        | Effect::SaveFiredIntent { channel, .. }
        | Effect::EndIntent { channel, .. }
        | Effect::ShowTyping { channel } => Some(*channel),
        // Comes with another effect of its channel.
        Effect::CancelTurn { .. } | Effect::StopAnswer { .. } | Effect::NextModel { .. } => None,
    }
}
