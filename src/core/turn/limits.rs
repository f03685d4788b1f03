//! How much one turn may do: a model that runs wild posts a thousand messages otherwise.

use super::Turn;
use super::failure_texts::FailureTexts;
use crate::call::{ToolCall, ToolKind, ToolSpec};
use crate::chat::Millis;
use crate::context::fill_pattern;
use crate::pacing::pack_messages;

/// The most things people see in one turn: messages, reactions, polls and the like.
pub const MOST_VISIBLE: usize = 8;
/// The most threads that are opened in one turn, sessions included.
pub const MOST_THREADS: usize = 2;
/// The most calls of one answer.
pub const MOST_CALLS: usize = 32;
/// The tools that open a thread.
const OPENS_THREAD: &[&str] = &["create_thread", "create_session"];

/// What a turn has done of what is limited.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TurnCounts {
    visible: usize,
    threads: usize,
    /// How many calls and messages were refused because there were enough.
    refused: usize,
}

impl Turn {
    /// What the model is told where a call would go beyond what one turn may do.
    pub(super) fn check_call_limit(&mut self, spec: &ToolSpec) -> Option<String> {
        let texts = FailureTexts::from_language(self.policy.persona.language);
        let is_visible = spec.kind == ToolKind::Visible && spec.name != "stay_silent";
        let (sentence, most) = if self.round_report().calls.len() >= MOST_CALLS {
            (texts.too_many_calls, MOST_CALLS)
        } else if is_visible && self.counts.visible >= MOST_VISIBLE {
            (texts.too_many_visible, MOST_VISIBLE)
        } else if OPENS_THREAD.contains(&spec.name.as_str()) && self.counts.threads >= MOST_THREADS
        {
            (texts.too_many_threads, MOST_THREADS)
        } else {
            return None;
        };
        Some(fill_pattern(sentence, &[&most.to_string()]))
    }

    /// Of the calls beyond the limit the model and the report are shown the first; the others are counted. None of them
    /// is a reason to ask again.
    pub(super) fn refuse_excess_call(
        &mut self,
        call: ToolCall,
        kind: ToolKind,
        sentence: String,
        now: Millis,
    ) {
        self.counts.refused += 1;
        if self.counts.refused == 1 {
            self.record_refused_call(call, Some(kind), sentence, now);
        }
    }

    /// Something that people see is about to be done.
    pub(super) fn count_visible(&mut self, name: &str) {
        self.counts.visible += 1;
        self.counts.threads += usize::from(OPENS_THREAD.contains(&name));
    }

    /// The messages of one call that may still be sent: many short ones become fewer long ones before any is left out.
    pub(super) fn limit_messages(&mut self, parts: Vec<String>) -> Vec<String> {
        let room = MOST_VISIBLE.saturating_sub(self.counts.visible);
        let mut parts = if parts.len() > room {
            pack_messages(&parts, room)
        } else {
            parts
        };
        self.counts.refused += parts.len().saturating_sub(room);
        parts.truncate(room);
        self.counts.visible += parts.len();
        parts
    }

    /// Tells the report and the next prompt what was refused.
    pub(super) fn report_limits(&mut self) {
        if self.counts.refused > 0 {
            let refused = self.counts.refused.to_string();
            let language = self.policy.persona.language;
            self.notes.push(format!(
                "{refused} more actions or messages were not done: too many for one turn"
            ));
            self.next_prompt_notes.push(fill_pattern(
                FailureTexts::from_language(language).refused_beyond,
                &[&refused],
            ));
        }
    }
}
