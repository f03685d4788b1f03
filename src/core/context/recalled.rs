//! What came to mind, as a prompt shows it: talks of earlier days, each line once.

use super::display_names::DisplayNames;
use super::line::find_timezone;
use super::prompt_words::to_local_time;
use super::working_memory::QUOTE;
use super::{PromptSources, RecalledMessage, RecalledTalk, TokenEstimator, escape, token_estimate};

/// Memories that have lines in common are shown as the one talk they are of.
struct RecalledPlace<'a> {
    /// What came to mind of it.
    hits: Vec<&'a RecalledMessage>,
    /// The same with the lines around it.
    lines: Vec<&'a RecalledMessage>,
}

/// The memories that fit their budget, best first, and how many do not; without the lines around where that is too much.
pub(super) fn render_memories(
    view: &PromptSources<'_>,
    names: &mut DisplayNames,
    estimator: &TokenEstimator,
) -> (String, usize) {
    let budget = &view.policy.context;
    let mut room = estimator.to_hundredths(budget.recall_tokens.min(budget.prompt_tokens / 8));
    let mut out = String::new();
    let mut left_out = view.recalled.len();
    for place in join_talks(view.recalled) {
        let forms = [&place.lines, &place.hits].map(|lines| {
            let text = render_lines(lines, view, names);
            (token_estimate::estimate_hundredths(&text), text)
        });
        let Some((size, text)) = forms.into_iter().find(|(size, _)| *size <= room) else {
            break;
        };
        room -= size;
        left_out -= place.hits.len();
        out.push_str(&text);
    }
    (out, left_out)
}

fn join_talks(talks: &[RecalledTalk]) -> Vec<RecalledPlace<'_>> {
    let mut places: Vec<RecalledPlace<'_>> = Vec::new();
    for talk in talks {
        let is_here =
            |place: &&mut RecalledPlace<'_>| talk.lines().any(|line| place.lines.contains(&line));
        match places.iter_mut().find(is_here) {
            Some(place) => place.add_talk(talk),
            None => places.push(RecalledPlace {
                hits: vec![&talk.hit],
                lines: talk.lines().collect(),
            }),
        }
    }
    places
}

impl<'a> RecalledPlace<'a> {
    fn add_talk(&mut self, talk: &'a RecalledTalk) {
        self.hits.push(&talk.hit);
        for line in talk.lines() {
            if !self.lines.contains(&line) {
                self.lines.push(line);
            }
        }
        self.hits.sort_by_key(|line| line.at);
        self.lines.sort_by_key(|line| line.at);
    }
}

/// `2026-02-27 Anna: text`; what was said after it begins further in.
fn render_lines(
    lines: &[&RecalledMessage],
    view: &PromptSources<'_>,
    names: &mut DisplayNames,
) -> String {
    let mut out = String::new();
    let mut lead = lines.first().map_or_else(String::new, |first| {
        let date = to_local_time(first.at, find_timezone(view));
        date.format("%Y-%m-%d ").to_string()
    });
    for said in lines {
        if names.is_demo_line(said.author, &said.text) {
            continue;
        }
        let name = names.resolve_quoted_name(said.author, &said.name);
        out.push_str(&format!("{QUOTE}{lead}{name}: "));
        escape::escape_line(&mut out, &said.text, &|id| names.find_mentioned_name(id));
        out.push('\n');
        lead = "  ".to_owned();
    }
    out
}
