//! Calls in the syntax of a program, as some open models were trained to write them: `[name(key="value"), …]`, or one a
//! line in a fence, printed, awaited or assigned. Read only where a text is nothing else, and only names that are known.

use serde_json::Value;

use super::collected_calls::CollectedCalls;
use super::names::ToolNames;
use super::outside_text::split_fence;
use super::params;
use super::spelled_text::SpelledText;

/// Words of a program before a call.
const WORDS: &[&str] = &["await", "return", "yield", "const", "let", "var", "print"];

pub(super) struct SpelledCalls {
    /// Names, and what stood in their brackets.
    calls: Vec<(String, Value)>,
    /// The text broke off inside a call.
    pub(super) cut: bool,
}

impl SpelledCalls {
    pub(super) fn add_calls(self, names: &ToolNames, found: &mut CollectedCalls) {
        for (name, held) in self.calls {
            let params = params::read_params(&name, held, names, found);
            found.add_call(names, &name, params);
        }
    }
}

/// The calls that `text` consists of, else none. Values without a name, as in talk of a function, count only in code.
pub(super) fn parse_calls(text: &str, is_code: bool, names: &ToolNames) -> Option<SpelledCalls> {
    let fenced = split_fence(text)
        .filter(|(_, around)| !around.contains(char::is_whitespace) || around.trim().is_empty());
    let is_code = is_code || fenced.is_some();
    let inner = fenced.map_or(text, |(inside, _)| inside).trim();
    let mut rest = SpelledText(inner.strip_prefix('[').unwrap_or(inner));
    let mut spelt = SpelledCalls {
        calls: Vec::new(),
        cut: false,
    };
    loop {
        rest.skip_comments();
        if rest.0.is_empty() {
            return (!spelt.calls.is_empty()).then_some(spelt);
        }
        let name = rest.take_word();
        if WORDS.contains(&name) || (names.find_tool(name).is_none() && rest.take_assignment()) {
            rest.take_sign("(");
            continue;
        }
        let known = names.find_tool(name).is_some() && !rest.0.is_empty();
        let bracketed = is_code && spelt.calls.is_empty() && rest.0.trim_end().ends_with(']');
        if known && bracketed && rest.take_sign("[") {
            let held = rest.0.trim_end().trim_end_matches(']').trim();
            spelt.calls.push((name.to_owned(), held.into()));
            return Some(spelt);
        }
        if known
            && let Some(tool) = names.find_tool_spec(name)
            && let Some(held) = rest.take_pairs(tool)
        {
            spelt.calls.push((name.to_owned(), Value::Object(held)));
            continue;
        }
        if !known || !rest.take_sign("(") {
            // A name that is cut off is no prose: whatever came before was calls only.
            spelt.cut = true;
            return (!spelt.calls.is_empty() && rest.0.is_empty()).then_some(spelt);
        }
        match rest.take_arguments(is_code, |_| true) {
            Some(held) => spelt.calls.push((name.to_owned(), held)),
            None => {
                spelt.cut = true;
                return rest.0.is_empty().then_some(spelt);
            }
        }
    }
}

/// Takes the calls that `text` consists of; false where it is anything else or broke off.
pub(super) fn read_calls(
    text: &str,
    is_code: bool,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> bool {
    let Some(spelt) = parse_calls(text, is_code, names).filter(|spelt| !spelt.cut) else {
        return false;
    };
    spelt.add_calls(names, found);
    true
}
