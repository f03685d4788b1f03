//! What the model writes, piece by piece: kept for the report, read into calls.

use super::answer::AnswerProgress;
use super::endless_repetition::is_repeating;
use super::executor::RoundExecutor;
use super::round::NextRoundNeed;
use super::turn_step::TurnStep;
use crate::call::ToolCall;
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::protocol::{AnswerParser, ToolDelta};
use crate::report::{ModelFailure, TokenUsage};

impl RoundExecutor<'_> {
    pub(super) fn read_text(&mut self, text: &str) {
        self.read_piece(text, |parser| parser.feed(text.as_bytes()));
    }

    pub(super) fn read_tool_delta(&mut self, delta: ToolDelta) {
        self.read_piece(&delta.to_text(), |parser| parser.feed_tool(delta));
    }

    /// Nothing is read any more once the driver was told to hang up.
    fn read_piece(&mut self, text: &str, feed: impl FnOnce(&mut AnswerParser) -> Vec<ToolCall>) {
        let AnswerProgress::Writing {
            parser,
            is_hung_up: is_hung_up @ false,
        } = &mut self.round.answer
        else {
            return;
        };
        let report = self.record.history.current_mut();
        let waited = self.context.now - report.asked_at;
        report.first_delta_ms.get_or_insert(waited);
        report.raw.push_str(text);
        self.record.typing.begin_writing(self.context.now);
        let calls = feed(parser);
        // Its tokens are not waited and paid for where the answer is complete and the model writes on.
        let why = if parser.is_over() {
            Some("hung up on the model: its answer was complete, and it went on writing")
        } else if is_repeating(&report.raw) {
            Some("hung up on the model: it wrote the same words again and again")
        } else {
            None
        };
        if let Some(why) = why {
            *is_hung_up = true;
            self.effects.push(Effect::StopAnswer {
                turn: self.record.identity.id,
                ask: report.ask,
            });
            self.add_note(why);
        }
        self.enqueue_calls(calls);
    }

    fn enqueue_calls(&mut self, calls: Vec<ToolCall>) {
        self.round
            .steps
            .extend(calls.into_iter().map(TurnStep::Call));
    }

    pub(super) fn end_answer(&mut self, end: Result<TokenUsage, ModelFailure>) {
        let (parser, is_hung_up) =
            match std::mem::replace(&mut self.round.answer, AnswerProgress::Dropped) {
                AnswerProgress::Writing { parser, is_hung_up } => (parser, is_hung_up),
                over => return self.round.answer = over,
            };
        let report = self.record.history.current_mut();
        report.ended_ms = Some(self.context.now - report.asked_at);
        match end {
            Ok(mut usage) => {
                // What was hung up on before its end lacks it.
                usage.truncated |= is_hung_up && !parser.is_over();
                self.finish_answer(*parser, usage);
            }
            Err(failure) => {
                report.failure = Some(failure.clone());
                self.round.answer = AnswerProgress::Failed(failure);
            }
        }
    }

    /// Reads what only the end of the answer completes, and everything in it besides calls.
    fn finish_answer(&mut self, mut parser: AnswerParser, usage: TokenUsage) {
        match usage.truncated {
            true => parser.mark_cut(),
            // Nothing is missing but its end: the text says what was meant.
            false => parser.mark_stopped(),
        }
        let (calls, answer) = parser.finish();
        let report = self.record.history.current_mut();
        report.usage = Some(usage);
        report.thoughts = answer.thoughts.clone();
        report.repairs = answer.repairs.iter().map(ToString::to_string).collect();
        if !answer.thoughts.is_empty() {
            let thoughts = WorkingItem::Thoughts(answer.thoughts.clone());
            self.remember(thoughts);
        }
        if answer.wants_another_round {
            self.round.need_next_round(NextRoundNeed::Always);
        }
        for problem in &answer.problems {
            self.add_note(problem.in_language(self.record.language()));
        }
        self.round.answer = AnswerProgress::Complete(answer);
        self.enqueue_calls(calls);
    }
}
