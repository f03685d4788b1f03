//! What the model writes, piece by piece: kept for the report, read into calls.

use super::Turn;
use super::circles::goes_in_circles;
use super::problems::problem_in;
use crate::chat::Millis;
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::protocol::{AnswerParser, ToolDelta};
use crate::report::TokenUsage;

impl Turn {
    pub(super) fn read(&mut self, text: &str, now: Millis) {
        self.wrote(text, now);
        let calls = self.parser.as_mut().map(|parser| parser.feed(text.as_bytes())).unwrap_or_default();
        self.enqueue(calls);
    }

    /// A piece of a call that the provider hands over.
    pub(super) fn read_tool(&mut self, delta: ToolDelta, now: Millis) {
        self.wrote(&delta.written(), now);
        let calls = self.parser.as_mut().map(|parser| parser.feed_tool(delta)).unwrap_or_default();
        self.enqueue(calls);
    }

    /// Where the answer is complete and the model writes on, or writes the same again and again, its tokens are not waited
    /// and paid for.
    pub(super) fn stop_at_the_end(&mut self, effects: &mut Vec<Effect>) {
        let why = if self.is_answer_over() {
            "hung up on the model: its answer was complete, and it went on writing"
        } else if goes_in_circles(&self.report().raw) {
            "hung up on the model: it wrote the same words again and again"
        } else {
            return;
        };
        self.stopped = true;
        self.notes.push(why.into());
        effects.push(Effect::StopAnswer { turn: self.id, ask: self.ask });
    }

    fn is_answer_over(&self) -> bool {
        self.parser.as_ref().is_some_and(AnswerParser::is_over)
    }

    fn wrote(&mut self, text: &str, now: Millis) {
        let report = self.report();
        let waited = now - report.asked_at;
        report.first_delta_ms.get_or_insert(waited);
        report.raw.push_str(text);
        self.next_typing.get_or_insert(now);
    }

    /// The answer is over: what only its end completes, and everything in it besides calls.
    pub(super) fn read_to_the_end(&mut self, mut usage: TokenUsage) {
        // What was hung up on before its end lacks it.
        usage.truncated |= self.stopped && !self.is_answer_over();
        self.report().usage = Some(usage);
        let Some(mut parser) = self.parser.take() else { return };
        match usage.truncated {
            true => parser.cut(),
            // Nothing is missing but its end: the text says what was meant.
            false => parser.stopped(),
        }
        let (calls, mut answer) = parser.finish();
        let language = self.policy.persona.language;
        answer.problems.iter_mut().for_each(|problem| *problem = problem_in(language, problem));
        let report = self.report();
        report.thoughts = answer.thoughts.clone();
        report.repairs = answer.repairs.iter().map(ToString::to_string).collect();
        if !answer.thoughts.is_empty() {
            self.working.push(WorkingItem::Thoughts(answer.thoughts.clone()));
        }
        self.informed |= answer.more;
        self.notes.extend(answer.problems.iter().cloned());
        self.answer = Some(answer);
        self.enqueue(calls);
    }
}
