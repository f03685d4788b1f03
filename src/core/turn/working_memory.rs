//! What the model is shown of its own turn: its thoughts, its calls and their results.

use serde_json::Map;

use super::model_question::RoundKind;
use crate::call::{ToolCall, ToolResult, ToolSpec};
use crate::context::WorkingItem;
use crate::persona::Language;
use crate::quotes::{QuoteRedactor, change_params};
use crate::report::{CallReport, RoundReport};
use kith_language::refusals;

#[derive(Debug, Default)]
pub(super) struct WorkingMemory {
    items: Vec<WorkingItem>,
    /// How many of them the prompt before the current one has shown.
    seen_item_count: usize,
    /// How many the current one shows.
    prompt_item_count: usize,
    /// How many there were when the current question was put first.
    question_item_count: usize,
}

impl WorkingMemory {
    pub(super) fn items(&self) -> &[WorkingItem] {
        &self.items
    }

    pub(super) fn seen_item_count(&self) -> usize {
        self.seen_item_count
    }

    pub(super) fn push(&mut self, item: WorkingItem) {
        self.items.push(item);
    }

    /// A message was not delivered: the model is shown why in its place.
    pub(super) fn retract_message(&mut self, said: &str, outcome: &ToolResult) {
        let is_it =
            |item: &&mut WorkingItem| matches!(item, WorkingItem::Said(text) if text == said);
        if let Some(item) = self.items.iter_mut().rev().find(is_it) {
            *item = WorkingItem::Called {
                call: ToolCall::new_message(said),
                result: outcome.clone(),
            };
        }
    }

    /// A question is put, or one that failed is put once more.
    pub(super) fn begin_prompt(&mut self, kind: RoundKind, is_retry: bool) {
        if !is_retry {
            self.seen_item_count = self.prompt_item_count;
        }
        self.prompt_item_count = self.items.len();
        if kind != RoundKind::Repair {
            self.question_item_count = self.items.len();
        }
    }

    /// Adds what came of calls, by their places in the round's report, in the order they were written.
    pub(super) fn remember_calls(&mut self, mut done: Vec<usize>, round: &RoundReport) {
        done.sort_unstable();
        self.items.extend(done.into_iter().filter_map(|report| {
            let CallReport { call, result, .. } = round.calls.get(report)?;
            Some(WorkingItem::Called {
                call: call.clone(),
                result: result.clone()?,
            })
        }));
    }

    /// Drops what the current question's answers said; what they did stays.
    pub(super) fn drop_failed_answers(&mut self) {
        let since = self
            .items
            .split_off(self.question_item_count.min(self.items.len()));
        let is_deed = |item: &WorkingItem| {
            !matches!(
                item,
                WorkingItem::Thoughts(_) | WorkingItem::NoAction(_) | WorkingItem::Unread { .. }
            )
        };
        self.items.extend(since.into_iter().filter(is_deed));
    }

    /// What is shown of calls, results and thoughts repeats no message that is gone.
    pub(super) fn remove_quotes(&mut self, quotes: &QuoteRedactor) {
        let mut change = |text: &mut String| quotes.clean(text);
        for item in &mut self.items {
            match item {
                WorkingItem::Thoughts(text)
                | WorkingItem::Said(text)
                | WorkingItem::NoAction(text) => change(text),
                WorkingItem::Unread { text, problems } => {
                    change(text);
                    change(problems);
                }
                WorkingItem::Called { call, result } => {
                    change_params(&mut call.params, &mut change);
                    change(&mut result.content);
                }
            }
        }
    }

    /// Of what was done the names of those tools stay that must not run again; everything else is forgotten.
    pub(super) fn forget_details(&mut self, tools: &[ToolSpec], language: Language) {
        let stopped = refusals::stopped().in_language(language);
        let done = refusals::done().in_language(language);
        self.items.retain_mut(|item| {
            let WorkingItem::Called { call, result } = item else {
                return false;
            };
            let repeats = |name: &str| {
                tools
                    .iter()
                    .any(|tool| tool.name == name && tool.annotations.may_be_repeated())
            };
            let name = std::mem::take(&mut call.name);
            let stays = !repeats(&name) && (!result.is_error || result.content == stopped);
            (*call, *result) = (
                ToolCall {
                    name,
                    params: Map::new(),
                },
                ToolResult::ok(&done),
            );
            stays
        });
    }
}
