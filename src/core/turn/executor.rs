//! A running round with all it may change: steps are done until one has to be waited for.

use super::model_question::RoundKind;
use super::phase::TurnPhase;
use super::record::TurnRecord;
use super::round::{NextRoundNeed, Round};
use super::turn_context::TurnContext;
use super::turn_step::TurnStep;
use super::turn_wait::PendingStep;
use crate::call::{ToolCall, ToolKind, ToolResult};
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::event::TurnEvent;
use crate::policy::ChannelPolicy;
use crate::typing_time::estimate_typing_time;
use kith_language::LocalizedMessage;

/// How many calls that only read run at the same time.
const MOST_TOGETHER: usize = 8;

pub(super) struct RoundExecutor<'a> {
    pub(super) record: &'a mut TurnRecord,
    pub(super) round: &'a mut Round,
    pub(super) context: &'a TurnContext<'a>,
    pub(super) effects: &'a mut Vec<Effect>,
}

impl RoundExecutor<'_> {
    pub(super) fn handle_event(&mut self, event: TurnEvent) {
        match event {
            TurnEvent::Delta { text, .. } => self.read_text(&text),
            TurnEvent::ToolDelta { delta, .. } => self.read_tool_delta(delta),
            TurnEvent::AnswerEnded { end, .. } => self.end_answer(end),
            TurnEvent::CallDone { call, result } => self.handle_call_result(call, result),
            TurnEvent::Delivered { part, result } => {
                self.handle_delivery(part, result.map(Some));
            }
            TurnEvent::DeliveryUnconfirmed { part } => self.handle_delivery(part, Ok(None)),
            TurnEvent::PromptRendered { .. }
            | TurnEvent::StopRequested
            | TurnEvent::JudgeDeclined { .. } => {}
        }
    }

    /// Does steps until one has to be waited for, then judges the round. Answers with the next phase where it is over.
    pub(super) fn run_steps(&mut self) -> Option<TurnPhase> {
        if let Some(wait) = &mut self.round.wait {
            wait.yield_place_if_slow(self.context.now);
        }
        while self.may_take_step() {
            match self.round.steps.pop_front() {
                Some(step) => self.take_step(step),
                None if self.round.answer.is_over() => {
                    if let Some(phase) = self.conclude_round() {
                        return Some(phase);
                    }
                }
                None => break,
            }
        }
        let is_writing = self.round.is_writing();
        self.record
            .renew_typing(is_writing, self.context.now, self.effects);
        None
    }

    fn may_take_step(&mut self) -> bool {
        match &self.round.wait {
            Some(PendingStep::Pause { until }) if *until <= self.context.now => {
                self.round.wait = None;
                true
            }
            Some(PendingStep::Results {
                may_join: true,
                running,
                ..
            }) => running.len() < MOST_TOGETHER && self.is_next_read_only(),
            Some(_) => false,
            None => true,
        }
    }

    fn take_step(&mut self, step: TurnStep) {
        match step {
            TurnStep::Call(call) => self.begin_call(call),
            TurnStep::Say {
                text,
                reply_to,
                report,
            } => {
                let pacing = &self.record.identity.policy.pacing;
                let due = self.record.typing.free_since() + estimate_typing_time(&text, pacing);
                if due <= self.context.now {
                    return self.send_message(text, reply_to, report);
                }
                self.round.steps.push_front(TurnStep::Say {
                    text,
                    reply_to,
                    report,
                });
                self.round.wait = Some(PendingStep::Pause { until: due });
                self.record.typing.begin_pause(self.context.now);
            }
            TurnStep::React {
                message,
                emoji,
                report,
            } => self.send_reaction(message, emoji, report),
        }
    }

    /// Puts another question: the round is over.
    pub(super) fn ask_model(&mut self, kind: RoundKind) -> TurnPhase {
        if self.round.hold_reason.is_some() {
            self.record.retries.other_words.spend();
        }
        let now = self.context.now;
        TurnPhase::Rendering(self.record.ask_model(kind, now, self.effects))
    }

    /// Drops what is not said yet; the next prompt tells of it.
    pub(super) fn drop_unsent(&mut self) {
        self.record.speech.unsent.extend(self.round.drop_steps());
    }

    pub(super) fn policy(&self) -> &ChannelPolicy {
        &self.record.identity.policy
    }

    /// Notes what people should know of the turn besides its rounds.
    pub(super) fn add_note(&mut self, note: impl Into<String>) {
        self.record.history.add_note(note);
    }

    /// Adds to what the next prompt shows of the turn.
    pub(super) fn remember(&mut self, item: WorkingItem) {
        self.record.memory.push(item);
    }

    /// Records a call that is done, or was found not to be needed.
    pub(super) fn record_done_call(&mut self, call: ToolCall, kind: ToolKind, content: &str) {
        let (result, now) = (Some(ToolResult::ok(content)), self.context.now);
        self.record.history.record_call(call, kind, result, now);
    }

    /// Tells the model what was wrong with its call. That is worth another round while somebody is owed an answer, and
    /// whenever it asked for something it wants to know. No kind where there is no such tool.
    pub(super) fn refuse_call(
        &mut self,
        call: ToolCall,
        kind: Option<ToolKind>,
        refusal: impl Into<LocalizedMessage>,
    ) {
        self.round.need_next_round(match kind {
            Some(ToolKind::Tool) => NextRoundNeed::Always,
            _ => NextRoundNeed::UnlessSettled,
        });
        self.record_refused_call(call, kind, refusal);
    }

    /// The same without asking for another round.
    pub(super) fn record_refused_call(
        &mut self,
        call: ToolCall,
        kind: Option<ToolKind>,
        refusal: impl Into<LocalizedMessage>,
    ) {
        let sentence = refusal.into().in_language(self.record.language());
        let (result, now) = (ToolResult::error(sentence), self.context.now);
        let history = &mut self.record.history;
        history.record_call(call.clone(), kind, Some(result.clone()), now);
        self.record
            .memory
            .push(WorkingItem::Called { call, result });
    }
}
