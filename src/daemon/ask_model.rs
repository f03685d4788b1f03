//! Asking a turn's model: the prompt is rendered, its tokens are reserved, and its answer comes back in a task.

use std::ops::Range;

use serde_json::json;

use super::running_turn::{RunningTurn, TurnModelCall};
use super::state::Daemon;
use kith_agent::turn_tasks;
use kith_core::RenderInputs;
use kith_core::call::ToolCall;
use kith_core::chat::{Author, ChannelId, TurnId};
use kith_core::context::{OthersLine, PromptSections};
use kith_core::event::{Event, TurnEvent};
use kith_core::persona::Language;
use kith_core::report::{ModelFailure, PromptPart};
use kith_language::prompt;
use kith_model::{ChatLine, ModelChain, ModelRequest};
use kith_store::StoredPrompt;
use kith_system::clock;
use kith_tools::ToolContext;
use kith_tools::custom::SessionEvent;

impl Daemon {
    pub(super) fn is_asking(&self, turn: TurnId, channel: ChannelId, ask: u32) -> bool {
        let running = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.turn.as_ref());
        running.is_some_and(|running| {
            let round = running.current_round();
            running.id() == turn && round.is_some_and(|(current, _)| current == ask)
        })
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
                        end: Err(self.tell_host(failure)),
                    },
                });
            }
        }
    }

    /// Answers with the prompt's estimated tokens and whether another model can be asked, or why none was asked.
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
        let mut inputs = inputs.map_err(failed)?;
        inputs.lines_on_their_way = self.deliveries.list_lines(channel);
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
            lines: list_chat_lines(&round.sections, round.policy.persona.language),
            images,
            has_fallback: another,
            form: prompt.form,
            ..ModelRequest::default()
        };
        let strip = |user| round.sections.strip_descriptions(user);
        let (system, user) = self.redact_request(&request, strip);
        let request = request.redact_secrets(&self.redactor);
        let (image_tokens, with_images) = (request.image_tokens(), !request.images.is_empty());
        let mut parts = round.sections.measure_parts(text_tokens);
        parts.extend(with_images.then(|| PromptPart {
            name: "images".into(),
            tokens: image_tokens,
            left_out: 0,
        }));
        self.ensure_running_turn(turn, channel)
            .prompts
            .push(StoredPrompt {
                ask,
                model: model.name().to_owned(),
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
        let task = turn_tasks::forward_answer(call, (turn, ask), self.turn_event_sender.clone());
        let running = self.ensure_running_turn(turn, channel);
        running.tasks.push(task);
        running.call = Some(TurnModelCall {
            ask,
            hang_up,
            with_images,
        });
        Ok((text_tokens + image_tokens, another))
    }

    pub(super) fn run_call(
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
        let tool = what.name.clone();
        let task = turn_tasks::run_call(
            &self.tools.registry,
            what,
            context,
            turn,
            call,
            self.turn_event_sender.clone(),
        );
        self.record_running_call((turn, call), channel, tool, task);
    }
}

/// The lines of others, which can be left out where the model's provider does not let them pass.
fn list_chat_lines(sections: &PromptSections, language: Language) -> Vec<ChatLine> {
    let notice = prompt::refused_line().in_language(language);
    let text = |place: &Range<usize>| {
        let text = sections.history.text.get(place.clone());
        text.unwrap_or_default().to_owned()
    };
    let line = |line: &OthersLine| ChatLine {
        message: line.message.0,
        head: text(&line.head),
        words: text(&line.words),
        notice: notice.clone(),
    };
    sections.others.iter().map(line).collect()
}
