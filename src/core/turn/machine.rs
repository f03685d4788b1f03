//! The turn as a machine: events of the running model call, tools and deliveries come in, effects go out.

use std::sync::Arc;

use super::dictated_call::ShownWords;
use super::executor::RoundExecutor;
use super::model_question::RoundKind;
use super::phase::TurnPhase;
use super::record::TurnRecord;
use super::turn_context::TurnContext;
use crate::call::ToolSpec;
use crate::chat::{MessageId, Millis, TurnId, UserId};
use crate::context::{PromptSections, WorkingItem};
use crate::effect::Effect;
use crate::event::TurnEvent;
use crate::intent::ScheduledIntent;
use crate::policy::ChannelPolicy;
use crate::report::{CallReport, TurnOutcome, TurnTrigger};
use crate::timeline::Timeline;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnProgress {
    /// It holds one of the places for turns in flight.
    Thinking,
    /// It goes on without one: messages are being typed and sent, or a tool takes long.
    Placeless,
    Done,
}

#[derive(Debug)]
pub struct Turn {
    pub(super) record: TurnRecord,
    pub(super) phase: TurnPhase,
}

impl Turn {
    pub fn start(
        id: TurnId,
        policy: Arc<ChannelPolicy>,
        trigger: TurnTrigger,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> Self {
        let mut record = TurnRecord::new(id, policy, trigger, context);
        let question = record.put_question(RoundKind::Normal, context.now, effects);
        Self {
            record,
            phase: TurnPhase::Rendering(question),
        }
    }

    pub fn handle_event(
        &mut self,
        event: TurnEvent,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        match event {
            TurnEvent::JudgeDeclined { why } => self.stop(&why, effects),
            TurnEvent::StopRequested => self.stop("somebody stopped it", effects),
            TurnEvent::PromptRendered {
                prompt_tokens,
                has_fallback,
            } => {
                if let Some(question) = self.phase.question_mut() {
                    question.has_fallback_model = has_fallback;
                    self.record.history.current_mut().prompt_tokens = prompt_tokens;
                }
                self.tick(context, effects);
            }
            TurnEvent::Delta { ask, .. }
            | TurnEvent::ToolDelta { ask, .. }
            | TurnEvent::AnswerEnded { ask, .. } => {
                // Answers to earlier questions are ignored.
                if ask == self.record.history.current().ask {
                    self.begin_round(ShownWords::default());
                    self.drive_round(context, effects, |executor| {
                        executor.handle_event(event);
                    });
                }
            }
            TurnEvent::CallDone { .. }
            | TurnEvent::Delivered { .. }
            | TurnEvent::DeliveryUnconfirmed { .. } => {
                self.drive_round(context, effects, |executor| executor.handle_event(event));
            }
        }
    }

    /// A deadline was reached: a pause before a message is over, or the typing notice runs out.
    pub fn tick(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        self.drive_round(context, effects, |_| {});
    }

    /// Lets the running round take something in, and executes it as far as it goes.
    pub(super) fn drive_round(
        &mut self,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
        take_in: impl FnOnce(&mut RoundExecutor<'_>),
    ) {
        match &mut self.phase {
            TurnPhase::Rendering(_) => self.record.renew_typing(true, context.now, effects),
            TurnPhase::Running(round) => {
                let mut executor = RoundExecutor {
                    record: &mut self.record,
                    round,
                    context,
                    effects,
                };
                take_in(&mut executor);
                if let Some(phase) = executor.run_steps() {
                    self.phase = phase;
                }
            }
            TurnPhase::Done(_) => {}
        }
    }

    /// The prompt is put together, or the model call is over before.
    fn begin_round(&mut self, shown: ShownWords) {
        if let TurnPhase::Rendering(question) = &self.phase {
            let round = self.record.begin_round(*question, shown);
            self.phase = TurnPhase::Running(Box::new(round));
        }
    }

    /// Abandons the model call and asks again with fresh context, for a reason that people are told.
    pub(super) fn start_over(
        &mut self,
        why: &str,
        kind: RoundKind,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        if let TurnPhase::Running(round) = &mut self.phase {
            self.record.abandon_round(round);
        }
        self.record.history.current_mut().cut = true;
        self.record.history.add_note(why);
        effects.push(Effect::CancelTurn {
            turn: self.record.identity.id,
        });
        self.phase = TurnPhase::Rendering(self.record.ask_model(kind, now, effects));
    }

    /// It may not go on: nothing further is said, and what its calls are doing is given up.
    pub fn stop(&mut self, reason: &str, effects: &mut Vec<Effect>) {
        let is_delivering = match &mut self.phase {
            TurnPhase::Done(_) => return,
            TurnPhase::Rendering(_) => false,
            TurnPhase::Running(round) => {
                self.record.abandon_round(round);
                round.is_delivering()
            }
        };
        self.record.obligations.settle();
        effects.push(Effect::CancelTurn {
            turn: self.record.identity.id,
        });
        self.phase = if self.record.speech.has_arrived() || is_delivering {
            self.record.history.add_note(reason);
            TurnPhase::Done(TurnOutcome::Acted)
        } else {
            TurnPhase::silent(reason)
        };
    }

    /// The prompt is rendered up to this arrival number; `addressed` are the fresh direct addresses in it.
    pub fn record_rendered_prompt(&mut self, cursor: u64, addressed: Vec<MessageId>) {
        self.record.begin_clean_prompt();
        self.record.cursor = cursor;
        self.record.obligations.add_addressed(addressed);
    }

    /// The model is asked with these sections, in which people stand under these names and have `typed` this.
    pub fn begin_answer(
        &mut self,
        sections: &PromptSections,
        typed: Vec<String>,
        names: Vec<String>,
    ) {
        self.begin_round(ShownWords::new(
            sections,
            typed,
            self.record.memory.items(),
            names,
        ));
    }

    pub fn progress(&self) -> TurnProgress {
        match &self.phase {
            TurnPhase::Done(_) => TurnProgress::Done,
            TurnPhase::Running(round) if round.is_placeless() => TurnProgress::Placeless,
            TurnPhase::Rendering(_) | TurnPhase::Running(_) => TurnProgress::Thinking,
        }
    }

    pub fn deadline(&self) -> Option<Millis> {
        let wait = match &self.phase {
            TurnPhase::Running(round) => round.deadline(),
            TurnPhase::Rendering(_) | TurnPhase::Done(_) => None,
        };
        let notice = self.record.typing.next_notice();
        [wait, notice].into_iter().flatten().min()
    }

    /// Whether something is on its way to people that cannot be taken back.
    pub(super) fn is_delivering(&self) -> bool {
        matches!(&self.phase, TurnPhase::Running(round) if round.is_delivering())
    }

    pub fn is_typing(&self) -> bool {
        matches!(&self.phase, TurnPhase::Running(round) if round.is_typing())
    }

    /// What kind of question may be put again with fresh context: none before its prompt is rendered, until then what
    /// arrives is still in it, and none where what is being done must not be done twice.
    pub(super) fn restartable_kind(&self) -> Option<RoundKind> {
        match &self.phase {
            TurnPhase::Running(round) if !round.is_uninterruptible() => Some(round.question.kind),
            _ => None,
        }
    }

    /// Whether it could end now without a trace: nothing was done that people see or that must not be done twice.
    pub fn may_be_given_up(&self) -> bool {
        let is_open = match &self.phase {
            TurnPhase::Rendering(_) => true,
            TurnPhase::Running(round) => !round.is_uninterruptible(),
            TurnPhase::Done(_) => false,
        };
        is_open && !self.has_acted() && !self.is_delivering()
    }

    /// Whether it has started to do something people see.
    pub fn has_acted(&self) -> bool {
        self.record.speech.has_acted()
    }

    /// Up to which arrival number everything is answered by what was said so far, or is on its way; none before that.
    pub fn answered_cursor(&self) -> Option<u64> {
        self.record.obligations.answered_cursor()
    }

    pub fn id(&self) -> TurnId {
        self.record.identity.id
    }

    /// The number of the current model call, and what kind of prompt it gets; none when the turn is over.
    pub fn current_round(&self) -> Option<(u32, RoundKind)> {
        let kind = self.phase.kind()?;
        Some((self.record.history.current().ask, kind))
    }

    /// When the current prompt began to be put together: what is said in it was so then.
    pub fn asked_at(&self) -> Millis {
        self.record.history.current().asked_at
    }

    /// The tools of the current round; none when the turn is over.
    pub fn offered(&self) -> Option<Arc<[ToolSpec]>> {
        self.phase.kind().map(|kind| self.record.offered(kind))
    }

    pub fn wake(&self) -> &TurnTrigger {
        self.record.obligations.trigger()
    }

    /// This turn's thoughts, calls and results so far.
    pub fn working_items(&self) -> &[WorkingItem] {
        self.record.memory.items()
    }

    /// How many of them an earlier prompt has shown.
    pub fn seen_item_count(&self) -> usize {
        self.record.memory.seen_item_count()
    }

    /// Its settings: those of the moment it started.
    pub fn policy(&self) -> &Arc<ChannelPolicy> {
        &self.record.identity.policy
    }

    /// The arrival number of the newest message the model was shown.
    pub fn cursor(&self) -> u64 {
        self.record.cursor
    }

    /// The lines it was kept from saying before it started over; shown once.
    pub fn take_unsent(&mut self) -> Vec<String> {
        self.record.remove_quotes();
        std::mem::take(&mut self.record.speech.unsent)
    }

    /// What was intended since this was asked the last time.
    pub fn take_new_intentions(&mut self) -> Vec<ScheduledIntent> {
        std::mem::take(&mut self.record.new_intentions)
    }

    /// The estimated size of the current prompt, in tokens; none before it is rendered.
    pub fn prompt_tokens(&self) -> Option<u32> {
        Some(self.record.history.current().prompt_tokens).filter(|tokens| *tokens > 0)
    }

    /// Whether somebody waits for an answer, or for the reminder they asked for.
    pub fn is_answer_due(&self) -> bool {
        self.record.is_answer_due()
    }

    pub fn find_unanswered_users(&self, timeline: &Timeline) -> Vec<UserId> {
        self.record.obligations.find_unanswered_users(timeline)
    }

    pub fn postponed_messages(&self) -> &[MessageId] {
        self.record.obligations.postponed()
    }

    /// Whether a tool of the round was not called with success for so many rounds.
    pub fn is_tool_unused(&self, name: &str, rounds: usize) -> bool {
        let is_done = |done: &CallReport| {
            done.call.name == name && done.result.as_ref().is_some_and(|result| !result.is_error)
        };
        let earlier = self.record.history.earlier().iter().rev();
        let since = earlier
            .filter(|round| !round.is_retried())
            .take_while(|round| !round.calls.iter().any(is_done))
            .count();
        let tools = self.offered().unwrap_or_default();
        since >= rounds && tools.iter().any(|tool| tool.name == name)
    }
}
