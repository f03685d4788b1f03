//! What the model writes, piece by piece: kept for the report, read into calls.

use super::Turn;
use super::circles::is_repeating;
use super::problems::translate_problem;
use crate::chat::Millis;
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::protocol::{AnswerParser, ToolDelta};
use crate::report::TokenUsage;

impl Turn {
    pub(super) fn read_text(&mut self, text: &str, now: Millis) {
        self.record_written_text(text, now);
        let calls = self
            .parser
            .as_mut()
            .map(|parser| parser.feed(text.as_bytes()))
            .unwrap_or_default();
        self.enqueue_calls(calls);
    }

    /// A piece of a call that the provider hands over.
    pub(super) fn read_tool_delta(&mut self, delta: ToolDelta, now: Millis) {
        self.record_written_text(&delta.to_text(), now);
        let calls = self
            .parser
            .as_mut()
            .map(|parser| parser.feed_tool(delta))
            .unwrap_or_default();
        self.enqueue_calls(calls);
    }

    /// Where the answer is complete and the model writes on, or writes the same again and again, its tokens are not waited
    /// and paid for.
    pub(super) fn stop_finished_answer(&mut self, effects: &mut Vec<Effect>) {
        let why = if self.is_answer_over() {
            "hung up on the model: its answer was complete, and it went on writing"
        } else if is_repeating(&self.round_report().raw) {
            "hung up on the model: it wrote the same words again and again"
        } else {
            return;
        };
        self.stopped = true;
        self.notes.push(why.into());
        effects.push(Effect::StopAnswer {
            turn: self.id,
            ask: self.ask,
        });
    }

    fn is_answer_over(&self) -> bool {
        self.parser.as_ref().is_some_and(AnswerParser::is_over)
    }

    fn record_written_text(&mut self, text: &str, now: Millis) {
        let report = self.round_report();
        let waited = now - report.asked_at;
        report.first_delta_ms.get_or_insert(waited);
        report.raw.push_str(text);
        self.next_typing.get_or_insert(now);
    }

    /// The answer is over: what only its end completes, and everything in it besides calls.
    pub(super) fn finish_answer(&mut self, mut usage: TokenUsage) {
        // What was hung up on before its end lacks it.
        usage.truncated |= self.stopped && !self.is_answer_over();
        self.round_report().usage = Some(usage);
        let Some(mut parser) = self.parser.take() else {
            return;
        };
        match usage.truncated {
            true => parser.mark_cut(),
            // Nothing is missing but its end: the text says what was meant.
            false => parser.mark_stopped(),
        }
        let (calls, mut answer) = parser.finish();
        let language = self.policy.persona.language;
        answer
            .problems
            .iter_mut()
            .for_each(|problem| *problem = translate_problem(language, problem));
        let report = self.round_report();
        report.thoughts = answer.thoughts.clone();
        report.repairs = answer.repairs.iter().map(ToString::to_string).collect();
        if !answer.thoughts.is_empty() {
            self.working
                .push(WorkingItem::Thoughts(answer.thoughts.clone()));
        }
        self.wants_result |= answer.wants_another_round;
        self.notes.extend(answer.problems.iter().cloned());
        self.answer = Some(answer);
        self.enqueue_calls(calls);
    }
}
