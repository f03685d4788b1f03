//! Messages and reactions: planned from a call, sent, and told to have arrived or not.

use super::emoji::find_emoji;
use super::executor::RoundExecutor;
use super::message_check::GuardedText;
use super::model_question::RoundKind;
use super::params::{find_message_id, read_text_param};
use super::round::NextRoundNeed;
use super::turn_step::TurnStep;
use super::turn_wait::{DeliveryContent, PendingStep, TurnSlot};
use crate::call::{ToolCall, ToolKind, ToolResult};
use crate::chat::{AuthorKind, MessageId};
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::report::{DeliveryFailure, FailureKind};
use kith_language::{failures, refusals};

/// An answer is marked as the reply it is where so many lines of others came between.
const OVERTAKEN_BY: usize = 3;

impl RoundExecutor<'_> {
    pub(super) fn plan_message(&mut self, call: ToolCall) {
        let text = read_text_param(&call, "text");
        let parts = match self.guard_message(&text) {
            GuardedText::Say(parts) => self.record.counts.limit_messages(parts),
            GuardedText::Silence => {
                self.choose_silence(&text);
                return self.record_done_call(call, ToolKind::Visible, "silent");
            }
            GuardedText::Hold(held) => return self.hold_back_message(call, held),
        };
        let reply_to = self.find_target(&call, "reply_to");
        let report = self.record_visible_call(call);
        for (index, text) in parts.into_iter().enumerate().rev() {
            let reply_to = if index == 0 { reply_to } else { None };
            self.round.steps.push_front(TurnStep::Say {
                text,
                reply_to,
                report,
            });
        }
    }

    pub(super) fn plan_reaction(&mut self, call: ToolCall) {
        let emoji = find_emoji(&read_text_param(&call, "emoji"));
        let refusal = match (emoji, self.find_target(&call, "to")) {
            (Some(emoji), Some(message)) => {
                self.record.counts.count_visible("react");
                let report = self.record_visible_call(call);
                return self.round.steps.push_front(TurnStep::React {
                    message,
                    emoji,
                    report,
                });
            }
            (None, _) => refusals::no_emoji(),
            (_, None) => refusals::no_such_line(),
        };
        self.refuse_call(call, Some(ToolKind::Visible), refusal);
    }

    /// Records a call that people will see, and answers with its place in the round's report.
    pub(super) fn record_visible_call(&mut self, call: ToolCall) -> usize {
        let (history, now) = (&mut self.record.history, self.context.now);
        history.record_call(call, ToolKind::Visible, None, now)
    }

    /// The message behind a short id. An unknown one is only noted: a message is worth sending without its reply mark.
    fn find_target(&mut self, call: &ToolCall, name: &str) -> Option<MessageId> {
        let value = call.params.get(name)?;
        let found = find_message_id(call, name, self.context.timeline);
        if found.is_none() && !value.is_null() {
            self.add_note(format!(
                "{} names line {value}, which is not there",
                call.name
            ));
        }
        found
    }

    pub(super) fn send_message(
        &mut self,
        text: String,
        reply_to: Option<MessageId>,
        report: usize,
    ) {
        self.record.obligations.record_reply(reply_to);
        let reply_to = reply_to.or_else(|| self.find_overtaken_question());
        let content = DeliveryContent::Message(text.clone());
        let part = self.begin_delivery(content, report);
        self.record.speech.sent_texts.push(text.clone());
        self.remember(WorkingItem::Said(text.clone()));
        let timeline = self.context.timeline;
        let to_come = self.round.steps.iter();
        let to_come = to_come.filter_map(|step| step.find_reply_target(timeline));
        self.effects.push(Effect::Send {
            turn: self.record.identity.id,
            channel: self.record.identity.channel,
            part,
            text,
            reply_to,
            cursor: self.record.obligations.advance_answered_cursor(
                self.record.cursor,
                to_come,
                timeline,
            ),
        });
    }

    /// What the first message of a turn answers, where so much was said since its prompt that it would seem to answer that.
    fn find_overtaken_question(&self) -> Option<MessageId> {
        let timeline = self.context.timeline;
        let since = timeline.messages().rev().map(|said| &said.message);
        let others = since
            .take_while(|message| message.arrival > self.record.cursor)
            .filter(|message| message.author.kind != AuthorKind::Companion)
            .count();
        let question = self.record.obligations.trigger().message?;
        let is_first = self.record.speech.sent_texts.is_empty();
        (is_first && others >= OVERTAKEN_BY && timeline.find(question).is_some())
            .then_some(question)
    }

    pub(super) fn send_reaction(&mut self, message: MessageId, emoji: String, report: usize) {
        self.record.obligations.record_reaction(message);
        let part = self.begin_delivery(DeliveryContent::Reaction, report);
        self.effects.push(Effect::React {
            turn: Some(self.record.identity.id),
            channel: self.record.identity.channel,
            part,
            message,
            emoji,
            cursor: self.record.cursor,
        });
    }

    /// Something goes out: it answers who is owed, and is waited for under the number that comes back.
    fn begin_delivery(&mut self, content: DeliveryContent, report: usize) -> u32 {
        self.record.speech.mark_begun();
        self.record.obligations.settle();
        let part = self.record.counts.number_part();
        self.round.wait = Some(PendingStep::Delivery {
            part,
            report,
            content,
            place: TurnSlot::keep_from(self.context.now),
        });
        part
    }

    /// A part is out, with the message it became where that is known, or it is not.
    pub(super) fn handle_delivery(
        &mut self,
        part: u32,
        result: Result<Option<MessageId>, DeliveryFailure>,
    ) {
        let is_this = |wait: &mut PendingStep| matches!(wait, PendingStep::Delivery { part: sent, .. } if *sent == part);
        let Some(PendingStep::Delivery {
            report, content, ..
        }) = self.round.wait.take_if(is_this)
        else {
            return;
        };
        self.record.typing.end_delivery(self.context.now);
        let (outcome, message, failure) = match result {
            Ok(message) => {
                self.confirm_delivery(&content, message);
                (ToolResult::ok("delivered"), message, None)
            }
            Err(failure) => {
                let kind = failure.kind;
                (
                    self.note_failed_delivery(content, failure),
                    None,
                    Some(kind),
                )
            }
        };
        if let Some(done) = self.record.history.current_mut().calls.get_mut(report) {
            done.hindrance = failure;
            done.message = done.message.or(message);
            done.result = Some(outcome);
        }
    }

    fn confirm_delivery(&mut self, content: &DeliveryContent, message: Option<MessageId>) {
        self.record.speech.mark_arrived();
        if message.is_none() {
            self.add_note("the delivery is not confirmed yet");
        }
        if matches!(content, DeliveryContent::Message(_)) {
            self.record.typing.mark_notice_gone();
        }
    }

    fn note_failed_delivery(
        &mut self,
        content: DeliveryContent,
        failure: DeliveryFailure,
    ) -> ToolResult {
        self.add_note(format!("not delivered: {}", failure.why));
        let language = self.record.language();
        let why = failure.describe(language);
        let outcome = ToolResult::error(&why);
        if let DeliveryContent::Message(said) = content {
            self.record.memory.retract_message(&said, &outcome);
            // Without its beginning nobody understands the rest; only another text may pass a filter.
            if failure.kind != FailureKind::Filter {
                self.drop_unsent();
            }
            let retries = &mut self.record.retries.refused_speech;
            let may_retry = retries.is_left() && self.round.question.kind != RoundKind::WrapUp;
            if failure.kind == FailureKind::Hook && may_retry {
                retries.spend();
                self.round.need_next_round(NextRoundNeed::Always);
                if !self.record.speech.has_arrived() {
                    self.record.obligations.reopen();
                }
            } else {
                let note = failures::message_undelivered(said, &why);
                let notes = &mut self.record.speech.next_prompt_notes;
                notes.push(note.in_language(language));
            }
        }
        outcome
    }
}
