//! What the companion knows besides the history: this turn so far, unsent lines. Calls and results are
//! shown apart from people's lines, and nothing inside them can pass for either.

use super::display_names::DisplayNames;
use super::line::shorten;
use super::{PromptSources, TokenEstimator, WorkingItem, escape, intents, token_estimate};
use crate::call::ToolCall;
use crate::plan::TODO;
use crate::skill::ACTIVATE_SKILL;
use kith_language::{Language, prompt};

/// What stands before every line of foreign text.
pub(super) const QUOTE: &str = "| ";
/// Old results are not shown with fewer bytes than this; then they are a placeholder.
const SHORT_RESULT: usize = 240;
/// To how many bytes any item is shortened at the least.
const SHORTEST: usize = 60;

/// This turn so far, and how many items are shown short to fit the budget.
pub(super) fn render_working_memory(
    view: &PromptSources<'_>,
    language: Language,
    estimator: &TokenEstimator,
) -> (String, usize) {
    let tokens = view
        .policy
        .context
        .working_tokens
        .min(view.policy.context.prompt_tokens / 2);
    let (mut out, shortened) = render_items(
        view.working,
        view.seen_item_count,
        language,
        tokens,
        estimator,
    );
    if view.is_reminded {
        out.push_str(&prompt::todo_reminder().in_language(language));
        out.push('\n');
    }
    (out, shortened)
}

#[derive(Clone, Copy)]
enum Form {
    /// With so many bytes of each of its texts.
    Upto(usize),
    /// A result only as a note that there was one; what cannot be asked for again stays as it is.
    Placeholder,
}

struct RenderedItem {
    text: String,
    /// In hundredths of a token.
    size: u32,
}

impl RenderedItem {
    fn from_item(item: &WorkingItem, language: Language, form: Form) -> Self {
        let text = render_item(item, language, form);
        Self {
            size: token_estimate::estimate_hundredths(&text),
            text,
        }
    }
}

/// What happened, oldest first, and how many items are shown short to fit into `tokens`. The model has read the first
/// `shown_before`: their results go first, the oldest first, for it can call them again. What it has not read yet is cut
/// only when that is not enough, and then all of it to the same length, so that of two results none is lost for the
/// other. The skill it follows is cut after all others.
pub(super) fn render_items(
    all: &[WorkingItem],
    seen_item_count: usize,
    language: Language,
    tokens: u32,
    estimator: &TokenEstimator,
) -> (String, usize) {
    let room = estimator.to_hundredths(tokens);
    let whole = room as usize / 100 * 4;
    let show = |item: &WorkingItem, form| RenderedItem::from_item(item, language, form);
    let mut shown: Vec<RenderedItem> = all
        .iter()
        .map(|item| show(item, Form::Upto(whole)))
        .collect();
    let lengths: Vec<usize> = shown.iter().map(|item| item.text.len()).collect();
    let used = |shown: &[RenderedItem]| shown.iter().map(|item| item.size).sum::<u32>();
    if used(&shown) > room {
        let is_old = |index: &usize| *index < seen_item_count && !is_followed(&all[*index]);
        let old: Vec<usize> = (0..all.len()).filter(is_old).collect();
        let fresh: Vec<usize> = (seen_item_count.min(all.len())..all.len())
            .filter(|at| !is_followed(&all[*at]))
            .collect();
        for &at in &old {
            let least = show(&all[at], Form::Placeholder);
            if least.size < shown[at].size {
                shown[at] = least;
            }
        }
        let over = used(&shown) > room;
        if over {
            let others = used(&shown) - fresh.iter().map(|at| shown[*at].size).sum::<u32>();
            let longest = find_longest_fit(SHORTEST, whole, |length| {
                let sizes = fresh
                    .iter()
                    .map(|at| show(&all[*at], Form::Upto(length)).size);
                others + sizes.sum::<u32>() <= room
            });
            fresh
                .iter()
                .for_each(|at| shown[*at] = show(&all[*at], Form::Upto(longest)));
        }
        // The newest of what was read gets back what is left.
        for &at in old.iter().rev() {
            let left = room.saturating_sub(used(&shown) - shown[at].size);
            let fits = |length| show(&all[at], Form::Upto(length)).size <= left;
            if !over && fits(SHORT_RESULT) {
                shown[at] = show(
                    &all[at],
                    Form::Upto(find_longest_fit(SHORT_RESULT, whole, fits)),
                );
            }
        }
        // Everything there is, when even that is too much.
        for (at, item) in all.iter().enumerate() {
            if used(&shown) <= room {
                break;
            }
            let least = show(item, Form::Upto(SHORTEST));
            if least.size < shown[at].size {
                shown[at] = least;
            }
        }
    }
    let shortened = shown
        .iter()
        .zip(lengths)
        .filter(|(item, length)| item.text.len() < *length)
        .count();
    let mut out: String = shown.into_iter().map(|item| item.text).collect();
    if matches!(all.last(), Some(WorkingItem::Called { .. })) {
        out.push_str(&prompt::go_on().in_language(language));
        out.push('\n');
    }
    (out, shortened)
}

/// The largest length for which something fits; the least where nothing does.
fn find_longest_fit(least: usize, most: usize, fits: impl Fn(usize) -> bool) -> usize {
    if fits(most) {
        return most;
    }
    let (mut low, mut high) = (least, most.max(least));
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

/// Whether it says how to go on: a skill that is forgotten half-way is worse than one that was never read.
fn is_followed(item: &WorkingItem) -> bool {
    matches!(item, WorkingItem::Called { call, result } if call.name == ACTIVATE_SKILL && !result.is_error)
}

fn render_item(item: &WorkingItem, language: Language, form: Form) -> String {
    let longest = match form {
        Form::Upto(longest) => longest,
        Form::Placeholder => SHORT_RESULT,
    };
    let mut guide = "";
    let (heading, text) = match item {
        WorkingItem::Thoughts(text) => (prompt::you_thought().in_language(language), text.as_str()),
        WorkingItem::Said(text) => (prompt::you_said().in_language(language), text.as_str()),
        WorkingItem::NoAction(text) => (prompt::unreadable().in_language(language), text.as_str()),
        WorkingItem::Unread { text, problems } => {
            let mut problem = String::new();
            escape::escape_line(&mut problem, shorten(problems, longest).0, &|_| None);
            (
                prompt::unread(problem.trim()).in_language(language),
                text.as_str(),
            )
        }
        // The list stands in the prompt as it is now.
        WorkingItem::Called { call, result } if call.name == TODO && !result.is_error => (
            prompt::called_tool("…", TODO).in_language(language),
            result.content.lines().last().unwrap_or_default(),
        ),
        WorkingItem::Called { call, result } => {
            let (name, params) = (escape::name(&call.name), render_params(call, longest));
            let heading = if result.is_error {
                prompt::called_tool_failed(params, name)
            } else {
                prompt::called_tool(params, name)
            };
            let heading = heading.in_language(language);
            if matches!(form, Form::Placeholder) {
                let length = result.text().chars().count();
                return heading + "\n" + &prompt::left_out(length).in_language(language) + "\n";
            }
            guide = result.guide.as_str();
            (heading, result.content.as_str())
        }
    };
    let (guide, cut) = shorten(guide, longest);
    let (text, missing) = shorten(text, longest.saturating_sub(guide.len()));
    let missing = cut + missing;
    let mut out = heading + "\n";
    if !guide.is_empty() {
        out.push_str(guide);
        out.push('\n');
    }
    escape::escape_block(&mut out, text, QUOTE);
    if missing > 0 {
        out.truncate(out.trim_end().len());
        out.push_str(&prompt::shortened(missing).in_language(language));
        out.push('\n');
    }
    out
}

fn render_params(call: &ToolCall, longest: usize) -> String {
    let mut out = String::new();
    escape::escape_line(&mut out, shorten(&call.list_params(), longest).0, &|_| None);
    out
}

/// What it means to do step by step: while anything of it is to be done, and in the turn that did the last of it.
pub(super) fn render_plan(view: &PromptSources<'_>) -> String {
    let updated =
        |item: &WorkingItem| matches!(item, WorkingItem::Called { call, .. } if call.name == TODO);
    let is_shown =
        view.plan.is_open() || !view.plan.steps().is_empty() && view.working.iter().any(updated);
    if is_shown {
        view.plan.shown()
    } else {
        String::new()
    }
}

/// Lines that were cut off before they were sent, and other notes.
pub(super) fn render_notes(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
) -> String {
    let mut out = String::new();
    for (lines, heading) in [
        (view.unsent, prompt::unsent()),
        (view.lines_on_their_way, prompt::on_their_way()),
    ] {
        if lines.is_empty() {
            continue;
        }
        out.push_str(&heading.in_language(language));
        out.push('\n');
        let quoted = lines.iter();
        quoted.for_each(|line| escape::escape_block(&mut out, line, QUOTE));
    }
    view.notes
        .iter()
        .for_each(|note| escape::escape_block(&mut out, &note.render_text(names), "- "));
    out.push_str(&intents::render_pending_intentions(view, language, names));
    out
}

/// A list of what happened, oldest first, in so many estimated tokens: for prompts that are not a channel's.
/// The first `shown_before` were in an earlier one.
pub fn render_working_items(
    items: &[WorkingItem],
    seen_item_count: usize,
    language: Language,
    tokens: u32,
    estimator: &TokenEstimator,
) -> String {
    render_items(items, seen_item_count, language, tokens, estimator)
        .0
        .trim_end()
        .to_owned()
}
