//! `find_tools`: where a channel has more tools than a prompt should hold, the others are found by words and are on offer
//! from then on to the end of the turn.

use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext, tool_rendering};
use kith_core::call::{ToolExposure, ToolKind, ToolResult, ToolSpec, TrustedText};

const MOST: usize = 5;
/// From which likeness on a word counts as another one misspelt.
const ALIKE: f64 = 0.85;

#[derive(Deserialize, JsonSchema)]
struct FindTools {
    query: String,
}

/// `find_tools`. A channel has it where it has something to be found.
pub(super) fn tool() -> Tool {
    Tool::new(
        "find_tools",
        ToolKind::Tool,
        tool_descriptions::find_tools(),
        run,
    )
    .primary("query")
    .read_only()
}

async fn run(params: FindTools, context: ToolContext) -> ToolResult {
    let language = context.language();
    let wanted = split_words(&params.query);
    let hidden = || {
        context
            .tools
            .iter()
            .filter(|spec| spec.offer == ToolExposure::Found)
    };
    let mut found: Vec<(usize, &ToolSpec)> = hidden()
        .map(|spec| (compute_likeness(&wanted, spec), spec))
        .filter(|(likeness, _)| *likeness > 0)
        .collect();
    // Stable, so that of equals those that stand first in the list come first.
    found.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
    found.truncate(MOST);
    if found.is_empty() {
        let names: Vec<&str> = hidden()
            .map(|spec| spec.name.as_str())
            .take(MOST * 10)
            .collect();
        let names = names.join(", ");
        return ToolResult::ok(tools::no_tool_found(names).in_language(language));
    }
    let mut lines: Vec<String> = found
        .iter()
        .map(|(_, spec)| tool_rendering::render_tool(spec, context.protocol, language))
        .collect();
    let specs = found.iter().map(|(_, spec)| *spec);
    lines.push(tool_rendering::render_server_notes(specs, language));
    let offers = found.iter().map(|(_, spec)| spec.name.clone()).collect();
    #[expect(
        clippy::disallowed_methods,
        reason = "prompts show signatures as they are"
    )]
    let guide = TrustedText::vouch(lines.join("\n").trim_end());
    ToolResult {
        guide,
        offers,
        ..ToolResult::default()
    }
}

/// Lower-case words, and each character of Chinese as one.
fn split_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut words: Vec<String> = Vec::new();
    for part in lower.split(|c: char| !c.is_alphanumeric()) {
        let (wide, narrow): (Vec<char>, Vec<char>) = part.chars().partition(|c| *c >= '\u{2e80}');
        words.extend(wide.into_iter().map(String::from));
        if !narrow.is_empty() {
            words.push(narrow.into_iter().collect());
        }
    }
    words
}

/// How much of what is wanted a tool's name and description say; a word of the name counts three times.
fn compute_likeness(wanted: &[String], spec: &ToolSpec) -> usize {
    let (name, about) = (split_words(&spec.name), split_words(&spec.description));
    let has = |words: &[String], wanted: &String| {
        words.iter().any(|word| {
            word == wanted || word.len() > 3 && strsim::jaro_winkler(word, wanted) >= ALIKE
        })
    };
    wanted
        .iter()
        .map(|word| 3 * usize::from(has(&name, word)) + usize::from(has(&about, word)))
        .sum()
}
