//! What the companion knows besides the history: this turn so far, memories, unsent lines. Calls and results are
//! shown apart from people's lines, and nothing inside them can pass for either.

use super::line::{shorten, zone};
use super::words::{Words, fill, local};
use super::{Estimator, View, WorkingItem, escape, estimate, own};
use crate::core::call::Call;

/// What stands before every line of foreign text.
const QUOTE: &str = "| ";
/// To how many bytes old results are shortened when working memory is over its budget.
const SHORT_RESULT: usize = 240;
/// To how many bytes any item is shortened when that is not enough.
const SHORTEST: usize = 60;

/// This turn so far, oldest first, and how many items were shortened to fit the budget: the oldest first, the newest
/// only as far as it must be.
pub(super) fn working(view: &View<'_>, words: &Words, estimator: &Estimator) -> (String, usize) {
    let room = estimator.to_hundredths(view.policy.context.working_tokens.min(view.policy.context.prompt_tokens / 2));
    let whole = room as usize / 100 * 4;
    let mut items: Vec<String> = view.working.iter().map(|item| written(item, words, whole)).collect();
    let mut sizes: Vec<u32> = items.iter().map(|text| estimate::hundredths(text)).collect();
    let mut shortened = vec![false; items.len()];
    for longest in [SHORT_RESULT, SHORTEST] {
        for (index, item) in view.working.iter().enumerate() {
            if sizes.iter().sum::<u32>() <= room {
                break;
            }
            let shorter = written(item, words, longest);
            let size = estimate::hundredths(&shorter);
            if size < sizes[index] {
                (items[index], sizes[index], shortened[index]) = (shorter, size, true);
            }
        }
    }
    let mut out = items.concat();
    if matches!(view.working.last(), Some(WorkingItem::Called { .. })) {
        out.push_str(words.go_on);
    }
    (out, shortened.into_iter().filter(|shorter| *shorter).count())
}

fn written(item: &WorkingItem, words: &Words, longest: usize) -> String {
    let (heading, text) = match item {
        WorkingItem::Thoughts(text) => (words.thought.to_owned(), text),
        WorkingItem::Said(text) => (words.said.to_owned(), text),
        WorkingItem::NoAction(text) => (words.unreadable.to_owned(), text),
        WorkingItem::Unread { text, problems } => {
            let mut problem = String::new();
            escape::line(&mut problem, shorten(problems, longest).0, &|_| None);
            (fill(words.unread, &[problem.trim()]), text)
        }
        WorkingItem::Called { call, result } => {
            let pattern = if result.is_error { words.failed } else { words.called };
            (fill(pattern, &[&escape::name(&call.name), &params(call, longest)]), &result.content)
        }
    };
    let (text, missing) = shorten(text, longest);
    let mut out = heading + "\n";
    escape::block(&mut out, text, QUOTE);
    if missing > 0 {
        out.truncate(out.trim_end().len());
        out.push_str(&fill(words.shortened, &[&missing.to_string()]));
        out.push('\n');
    }
    out
}

/// `name=value` for each parameter.
fn params(call: &Call, longest: usize) -> String {
    let mut plain = String::new();
    for (name, value) in &call.params {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        plain.push_str(&format!("{name}={value} "));
    }
    let mut out = String::new();
    escape::line(&mut out, shorten(&plain, longest).0, &|_| None);
    out
}

/// The memories that fit their budget, best first, and how many do not.
pub(super) fn recalled(view: &View<'_>, estimator: &Estimator) -> (String, usize) {
    let budget = &view.policy.context;
    let room = estimator.to_hundredths(budget.recall_tokens.min(budget.prompt_tokens / 8));
    let mut out = String::new();
    let mut used = 0;
    for (index, memory) in view.recalled.iter().enumerate() {
        let date = local(memory.at, zone(view)).format("%Y-%m-%d");
        let mut line = format!("{QUOTE}{date} {}: ", escape::name(&memory.name));
        escape::line(&mut line, &memory.text, &|id| super::name_of(view, id));
        line.push('\n');
        used += estimate::hundredths(&line);
        if used > room {
            return (out, view.recalled.len() - index);
        }
        out.push_str(&line);
    }
    (out, 0)
}

/// Lines that were cut off before they were sent, and other notes.
pub(super) fn notes(view: &View<'_>, words: &Words) -> String {
    let mut out = String::new();
    if !view.unsent.is_empty() {
        out.push_str(words.unsent);
        out.push('\n');
        view.unsent.iter().for_each(|line| escape::block(&mut out, line, QUOTE));
    }
    view.notes.iter().for_each(|note| escape::block(&mut out, note, "- "));
    out.push_str(&own::waiting(view, words));
    out
}
