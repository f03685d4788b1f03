//! The turn as a machine: events of the running model call, tools and deliveries come in, effects go out.
//! One thing at a time and in the order the model wrote it. `steps.rs` executes the queue, `conclude.rs` decides
//! what the end of a round means. It knows neither what a prompt looks like nor what a tool does.

mod circles;
mod conclude;
mod dictated;
mod edited_messages;
mod emoji;
mod ending;
mod failure_texts;
mod forget;
mod guards;
mod interruption;
mod limits;
mod moderate;
mod offered;
mod problems;
mod steps;
mod wait;
mod waiting;
mod written;

pub use ending::FinishedTurn;
pub use failure_texts::list_failure_texts;
pub use interruption::Interruption;
pub use limits::{MOST_CALLS, MOST_THREADS, MOST_VISIBLE};
pub use offered::offered;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::call::{ToolCall, ToolKind, ToolResult};
use super::chat::{Channel, ChannelId, MessageId, Millis, TurnId};
use super::context::{DisplayNames, WorkingItem};
use super::effect::Effect;
use super::event::TurnEvent;
use super::intent::ScheduledIntent;
use super::policy::ChannelPolicy;
use super::protocol::{AnswerParser, ParsedAnswer};
use super::report::{CallReport, RoundReport, SelfTrigger, TurnOutcome, TurnTrigger};
use super::timeline::Timeline;

/// What kind of prompt the next model call gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundKind {
    /// The usual one.
    Normal,
    /// The answer before held no action: say so and ask again, once.
    Repair,
    /// The round limit is reached: no tools any more, bring it to an end.
    WrapUp,
}

/// What a turn sees of its channel while it handles an event.
pub struct TurnContext<'a> {
    /// Now.
    pub now: Millis,
    /// Where it runs.
    pub channel: &'a Channel,
    /// What was said there, its own lines included.
    pub timeline: &'a Timeline,
    /// What the companion waits for there.
    pub intentions: &'a [ScheduledIntent],
    /// The names people stand under in its prompts.
    pub names: &'a DisplayNames,
}

/// How far a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnProgress {
    /// It holds one of the places for turns in flight.
    Thinking,
    /// It goes on without one: messages are being typed and sent, or a tool takes long.
    Placeless,
    /// It has ended; its report is ready.
    Done,
}

/// A running turn.
#[derive(Debug)]
pub struct Turn {
    id: TurnId,
    channel: ChannelId,
    policy: Arc<ChannelPolicy>,
    started: Millis,
    wake: TurnTrigger,
    kind: RoundKind,
    /// The number of the current model call; answers to earlier ones are ignored.
    ask: u32,
    /// Rounds begun, repairs and restarts not counted.
    round: u32,
    /// The arrival number of the newest message the model was shown.
    cursor: u64,
    parser: Option<AnswerParser>,
    ended: bool,
    /// The driver was told to hang up: the answer was complete.
    stopped: bool,
    answer: Option<ParsedAnswer>,
    queue: VecDeque<steps::TurnStep>,
    waiting: Option<waiting::TurnWait>,
    /// A tool takes so long that others may think meanwhile.
    has_yielded_place: bool,
    next_call: u32,
    next_part: u32,
    /// When its hands were last free: it typed nothing, thinking began or a message went out.
    typing_free_since: Millis,
    next_typing: Option<Millis>,
    /// A message was posted since the typing notice was last asked for: platforms take it away then.
    typing_gone: bool,
    /// It asked for something it wants to know: that is worth another round.
    wants_result: bool,
    /// Something failed in a way the model can mend: that is worth another round while something is left to do.
    failed: bool,
    /// Why the last message of this round was held back.
    hold_reason: Option<guards::HoldReason>,
    /// Something of this round waits for a moderator, and whoever spoke to it may be told so.
    awaits_approval: bool,
    tool_written: bool,
    /// The tools that are on offer since a call of this turn named them.
    discovered_tools: BTreeSet<String>,
    /// It has started to do something people see: from then on it never starts over.
    acted: bool,
    /// Something people see has really arrived.
    delivered: bool,
    /// Direct addresses it was shown and has neither answered nor chosen to leave.
    unanswered: Vec<MessageId>,
    /// The messages that what it said replies to.
    replied_to: Vec<MessageId>,
    postponed: Vec<MessageId>,
    silence_reason: Option<String>,
    /// What it means to come back to, not taken over by its channel yet.
    new_intentions: Vec<ScheduledIntent>,
    repaired: bool,
    /// It was asked for other words than those that were held back.
    was_asked_again: bool,
    /// It woke to remind somebody.
    is_reminder_turn: bool,
    counts: limits::TurnCounts,
    restarted: bool,
    /// How often it started over because somebody it answers went on.
    followup_count: u32,
    /// It has started over for a message that was edited.
    restarted_for_edit: bool,
    /// Whether the current prompt was put together: until then what arrives is still in it.
    rendered: bool,
    /// Whether another model can be asked, should this one fail.
    has_fallback_model: bool,
    /// How much working memory held when the current question was put first.
    working_len_before: usize,
    sent_texts: Vec<String>,
    /// The message on its way out.
    text_in_delivery: Option<String>,
    unsent: Vec<String>,
    next_prompt_notes: Vec<String>,
    working: Vec<WorkingItem>,
    /// How many of them the prompt before the current one has shown.
    seen_item_count: usize,
    /// How many the current one shows.
    prompt_item_count: usize,
    rounds: Vec<RoundReport>,
    notes: Vec<String>,
    outcome: Option<TurnOutcome>,
}

impl Turn {
    /// Starts a turn and asks for its first model call.
    pub fn start(
        id: TurnId,
        policy: Arc<ChannelPolicy>,
        wake: TurnTrigger,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> Self {
        let mut turn = Self {
            id,
            channel: context.channel.id,
            policy,
            started: context.now,
            wake,
            kind: RoundKind::Normal,
            ask: 0,
            round: 0,
            cursor: context.timeline.cursor(),
            parser: None,
            ended: false,
            stopped: false,
            answer: None,
            queue: VecDeque::new(),
            waiting: None,
            has_yielded_place: false,
            next_call: 0,
            next_part: 0,
            typing_free_since: context.now,
            next_typing: None,
            typing_gone: false,
            wants_result: false,
            failed: false,
            hold_reason: None,
            awaits_approval: false,
            tool_written: false,
            discovered_tools: BTreeSet::new(),
            acted: false,
            delivered: false,
            unanswered: Vec::new(),
            replied_to: Vec::new(),
            postponed: Vec::new(),
            silence_reason: None,
            new_intentions: Vec::new(),
            repaired: false,
            was_asked_again: false,
            is_reminder_turn: false,
            counts: limits::TurnCounts::default(),
            restarted: false,
            followup_count: 0,
            restarted_for_edit: false,
            rendered: false,
            has_fallback_model: false,
            working_len_before: 0,
            sent_texts: Vec::new(),
            text_in_delivery: None,
            unsent: Vec::new(),
            next_prompt_notes: Vec::new(),
            working: Vec::new(),
            seen_item_count: 0,
            prompt_item_count: 0,
            rounds: Vec::new(),
            notes: Vec::new(),
            outcome: None,
        };
        turn.unanswered.clone_from(&turn.wake.addressed);
        turn.is_reminder_turn = turn.is_reminder(context);
        turn.ask_model(RoundKind::Normal, context.now, effects);
        turn
    }

    /// Handles what came of an effect.
    pub fn handle_event(
        &mut self,
        event: TurnEvent,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        if self.outcome.is_some() {
            return;
        }
        match event {
            TurnEvent::PromptRendered {
                prompt_tokens,
                has_fallback: another,
            } => {
                self.round_report().prompt_tokens = prompt_tokens;
                self.has_fallback_model = another;
            }
            TurnEvent::Delta { ask, text } if ask == self.ask && !self.ended && !self.stopped => {
                self.read_text(&text, context.now);
                self.stop_finished_answer(effects);
            }
            TurnEvent::ToolDelta { ask, delta }
                if ask == self.ask && !self.ended && !self.stopped =>
            {
                self.read_tool_delta(delta, context.now);
                self.stop_finished_answer(effects);
            }
            TurnEvent::AnswerEnded { ask, end } if ask == self.ask && !self.ended => {
                self.ended = true;
                let waited = context.now - self.round_report().asked_at;
                self.round_report().ended_ms = Some(waited);
                match end {
                    Ok(usage) => self.finish_answer(usage),
                    Err(failure) => {
                        self.parser = None;
                        self.round_report().failure = Some(failure);
                    }
                }
            }
            TurnEvent::CallDone { call, result } => self.handle_call_result(call, result),
            TurnEvent::Delivered { part, result } => {
                self.handle_delivery(part, result.map(Some), context.now)
            }
            TurnEvent::DeliveryUnconfirmed { part } => {
                self.handle_delivery(part, Ok(None), context.now)
            }
            TurnEvent::JudgeDeclined { why } => return self.stop(&why, effects),
            TurnEvent::StopRequested => return self.stop("somebody stopped it", effects),
            TurnEvent::Delta { .. }
            | TurnEvent::ToolDelta { .. }
            | TurnEvent::AnswerEnded { .. } => return,
        }
        self.run_steps(context, effects);
    }

    /// A deadline was reached: a pause before a message is over, or the typing notice runs out.
    pub fn tick(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        if self.outcome.is_none() {
            self.run_steps(context, effects);
        }
    }

    /// Somebody spoke to the companion while the turn runs (Law 1, Law 2): before anything visible was done the
    /// turn starts over with fresh context, once; later, what is not sent yet is dropped and the turn ends, unless it is
    /// for others. A call that must not be done twice is waited for either way: the round after it sees the new message.
    pub fn handle_interruption(
        &mut self,
        interruption: Interruption,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        if self.outcome.is_some() || !self.rendered {
            return;
        }
        if !self.acted && !self.restarted && !self.is_uninterruptible() {
            self.restarted = true;
            self.start_over(
                "started over because somebody spoke to it",
                self.kind,
                context.now,
                effects,
            );
        } else if self.acted
            && self.queue.iter().any(steps::TurnStep::is_message)
            && self.should_yield_to(interruption, context.timeline)
        {
            self.postpone_rest();
            self.drop_unsent();
            self.round_report().cut = true;
            self.notes
                .push("stopped between two messages because somebody spoke to it".into());
            if !self.is_uninterruptible() {
                effects.push(Effect::CancelTurn { turn: self.id });
                self.waiting = None;
            }
            self.parser = None;
            self.ended = true;
            (self.wants_result, self.failed) = (false, false);
            self.run_steps(context, effects);
        }
    }

    /// A member asked for quiet: what nobody asked for ends here, an answer to somebody does not.
    pub fn handle_quiet_request(&mut self, effects: &mut Vec<Effect>) {
        if self.wake.address.is_none() && self.unanswered.is_empty() {
            self.stop("somebody asked for quiet", effects);
        }
    }

    /// It may not go on: nothing further is said, and what its calls are doing is given up.
    pub fn stop(&mut self, reason: &str, effects: &mut Vec<Effect>) {
        if self.outcome.is_some() {
            return;
        }
        self.abandon_calls();
        self.drop_unsent();
        self.unanswered.clear();
        effects.push(Effect::CancelTurn { turn: self.id });
        self.outcome = Some(if self.delivered || self.is_delivering() {
            self.notes.push(reason.to_owned());
            TurnOutcome::Acted
        } else {
            TurnOutcome::Silent(reason.to_owned())
        });
    }

    /// Whether it has started to do something people see.
    pub fn has_acted(&self) -> bool {
        self.acted
    }

    pub fn id(&self) -> TurnId {
        self.id
    }

    /// The current model call and what kind of prompt it gets.
    pub fn current_round(&self) -> (u32, RoundKind) {
        (self.ask, self.kind)
    }

    /// Why it woke.
    pub fn wake(&self) -> &TurnTrigger {
        &self.wake
    }

    /// This turn's thoughts, calls and results so far.
    pub fn working_items(&self) -> &[WorkingItem] {
        &self.working
    }

    /// How many of them an earlier prompt has shown.
    pub fn seen_item_count(&self) -> usize {
        self.seen_item_count
    }

    /// Its settings: those of the moment it started.
    pub fn policy(&self) -> &Arc<ChannelPolicy> {
        &self.policy
    }

    /// The prompt of the current round was rendered up to this arrival number; `addressed` are the fresh direct
    /// addresses in it.
    pub fn record_rendered_prompt(&mut self, cursor: u64, addressed: Vec<MessageId>) {
        self.cursor = cursor;
        self.rendered = true;
        for id in addressed {
            if !self.wake.addressed.contains(&id) {
                self.wake.addressed.push(id);
                self.unanswered.push(id);
            }
        }
    }

    /// The arrival number of the newest message the model was shown.
    pub fn cursor(&self) -> u64 {
        self.cursor
    }

    /// The lines it was kept from saying before it started over; shown once.
    pub fn take_unsent(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unsent)
    }

    /// The estimated size of the current prompt, in tokens; none before it is rendered.
    pub fn prompt_tokens(&self) -> Option<u32> {
        self.rounds
            .last()
            .map(|round| round.prompt_tokens)
            .filter(|tokens| *tokens > 0)
    }

    /// Abandons the model call and asks again with fresh context.
    fn start_over(&mut self, why: &str, kind: RoundKind, now: Millis, effects: &mut Vec<Effect>) {
        self.abandon_calls();
        self.drop_unsent();
        self.round_report().cut = true;
        self.notes.push(why.to_owned());
        self.waiting = None;
        effects.push(Effect::CancelTurn { turn: self.id });
        self.ask_model(kind, now, effects);
    }

    fn ask_model(&mut self, kind: RoundKind, now: Millis, effects: &mut Vec<Effect>) {
        self.kind = kind;
        self.ask += 1;
        if kind == RoundKind::Normal && self.rounds.last().is_none_or(|round| !round.is_retried()) {
            self.round += 1;
        }
        if self.rounds.last().is_none_or(|round| !round.is_retried()) {
            self.seen_item_count = self.prompt_item_count;
        }
        self.prompt_item_count = self.working.len();
        self.working_len_before = if kind == RoundKind::Repair {
            self.working_len_before
        } else {
            self.working.len()
        };
        self.has_fallback_model = false;
        self.parser = Some(AnswerParser::with_own_names(
            self.policy.protocol,
            self.offered(),
            &self.policy.names,
        ));
        self.ended = false;
        self.stopped = false;
        self.rendered = false;
        self.silence_reason = None;
        self.answer = None;
        self.queue.clear();
        self.was_asked_again |= self.hold_reason.take().is_some();
        (self.wants_result, self.failed) = (false, false);
        self.awaits_approval = false;
        self.tool_written = false;
        self.typing_free_since = now;
        self.rounds.push(RoundReport {
            ask: self.ask,
            asked_at: now,
            ..RoundReport::default()
        });
        // Who spoke to it sees at once that it was heard, however long the model thinks. Unasked it may still choose
        // silence, so nothing is shown before it writes.
        self.next_typing = (!self.unanswered.is_empty()).then(|| self.next_typing.unwrap_or(now));
        self.renew_typing(now, effects);
        effects.push(Effect::AskModel {
            turn: self.id,
            channel: self.channel,
            ask: self.ask,
        });
    }

    /// Whether it woke to give a reminder.
    fn is_reminder(&self, context: &TurnContext<'_>) -> bool {
        let Some(SelfTrigger::Waited { id, .. }) = self.wake.own else {
            return false;
        };
        context
            .intentions
            .iter()
            .any(|intention| intention.id == id && intention.reminder.is_some())
    }

    fn round_report(&mut self) -> &mut RoundReport {
        if self.rounds.is_empty() {
            self.rounds.push(RoundReport::default());
        }
        let last = self.rounds.len() - 1;
        &mut self.rounds[last]
    }

    fn record_call(
        &mut self,
        call: ToolCall,
        kind: Option<ToolKind>,
        result: Option<ToolResult>,
        at: Millis,
    ) -> usize {
        let calls = &mut self.round_report().calls;
        calls.push(CallReport {
            call,
            kind,
            result,
            message: None,
            hindrance: None,
            at,
        });
        calls.len() - 1
    }

    fn drop_unsent(&mut self) {
        for step in self.queue.drain(..) {
            match step {
                steps::TurnStep::Say { text, .. } => self.unsent.push(text),
                steps::TurnStep::Call(call) if call.name == "send_message" => {
                    self.unsent.push(steps::read_text_param(&call, "text"))
                }
                steps::TurnStep::Call(_) | steps::TurnStep::React { .. } => {}
            }
        }
        if !self.is_uninterruptible() {
            self.waiting = None;
        }
    }
}
