//! What a channel's session adds to a prompt: what it is for, and what was said before it. The host's words stand as they
//! are written; a model's are quoted as its own note, and what people said is quoted as everywhere.

use super::display_names::DisplayNames;
use super::line::find_timezone;
use super::prompt_words::to_local_time;
use super::{PromptSources, TokenEstimator, escape, token_estimate};
use crate::session::ShownPromptPiece;
use kith_language::{Language, LocalizedMessage, prompt};

/// What stands before every line of foreign text.
const QUOTE: &str = "| ";
/// The share of the prompt, and of the history's budget, that what was said before may take.
const PROMPT_SHARE: u32 = 4;
const HISTORY_SHARE: u32 = 2;

pub(super) fn render_session_prompt(view: &PromptSources<'_>, language: Language) -> String {
    let pieces = view
        .session_background
        .prompt
        .iter()
        .map(|piece| match piece {
            ShownPromptPiece::Host(text) => text.trim().to_owned(),
            ShownPromptPiece::Model(text) => quote_note(text, prompt::session_note(), language),
            ShownPromptPiece::Person(text) => {
                quote_note(text, prompt::session_note_of_person(), language)
            }
        });
    pieces
        .filter(|piece| !piece.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn quote_note(text: &str, title: LocalizedMessage, language: Language) -> String {
    let mut out = format!("{}\n", title.in_language(language));
    escape::escape_block(&mut out, text, QUOTE);
    out.trim_end().to_owned()
}

/// What was said before it, oldest first, and how many lines do not fit: the oldest go first.
pub(super) fn render_background(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    estimator: &TokenEstimator,
) -> (String, usize) {
    if let Some(summary) = &view.session_background.summary {
        let mut out = format!("{}\n", prompt::summed_up().in_language(language));
        escape::escape_block(&mut out, summary, QUOTE);
        return (out, 0);
    }
    let budget = &view.policy.context;
    let room = (budget.history_tokens / HISTORY_SHARE).min(budget.prompt_tokens / PROMPT_SHARE);
    let mut room = estimator.to_hundredths(room);
    let mut kept = Vec::new();
    for line in view.session_background.lines.iter().rev() {
        if names.is_demo_line(line.author, &line.text) {
            continue;
        }
        let date = to_local_time(line.at, find_timezone(view)).format("%Y-%m-%d %H:%M");
        let mut text = format!(
            "{QUOTE}{date} {}: ",
            names.resolve_line_name(line.author, &line.name)
        );
        escape::escape_line(&mut text, &line.text, &|id| names.find_mentioned_name(id));
        text.push('\n');
        match room.checked_sub(token_estimate::estimate_hundredths(&text)) {
            Some(left) => room = left,
            None => break,
        }
        kept.push(text);
    }
    let left_out = view.session_background.lines.len() - kept.len();
    kept.reverse();
    (kept.concat(), left_out)
}
