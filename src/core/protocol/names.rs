//! The words the protocols are made of, and the tools that are known. Finds the tool or parameter a misspelt name
//! means, and only where exactly one can be meant.

use std::borrow::Cow;
use std::sync::Arc;

use super::repair::{Repair, Repairs};
use crate::core::call::ToolSpec;
use crate::core::schema::{Param, ParamType};

/// What a tag's name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Turn,
    /// `<thoughts>`: part of the protocol.
    Thoughts,
    /// `<think>` and its kin: a reasoning model's own block.
    Think,
    /// A tool, by its place in the list.
    Tool(usize),
    /// Holds calls and means nothing itself.
    Wrapper,
    /// A call whose tool is named in an attribute or a child.
    GenericCall,
    Heartbeat,
    Other,
}

const TURN: &str = "turn";
const THOUGHTS: &[&str] = &["thoughts", "thought", "innerthoughts", "innerthought", "innermonologue"];
const THINK: &[&str] =
    &["think", "thinking", "thinks", "reasoning", "reflection", "scratchpad", "thoughtprocess", "analysis", "plan"];
const WRAPPERS: &[&str] = &[
    "actions",
    "calls",
    "toolcalls",
    "functioncalls",
    "functions",
    "tools",
    "commands",
    "response",
    "output",
    "answer",
    "root",
    "xml",
];
const GENERIC: &[&str] =
    &["action", "call", "toolcall", "functioncall", "invoke", "function", "tool", "tooluse", "command"];
const HEARTBEAT: &[&str] = &["requestheartbeat", "heartbeat"];

/// Whether a name is one of a block of thoughts, the protocol's or a reasoning model's own.
pub(super) fn is_thinking(name: &str) -> bool {
    let folded = fold(name);
    THOUGHTS.contains(&&*folded) || THINK.contains(&&*folded)
}

/// Whether a name is one models put around an answer.
pub(super) fn is_wrapper(name: &str) -> bool {
    WRAPPERS.contains(&&*fold(name))
}

/// The tools that are known here, findable by name.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) tools: Arc<[ToolSpec]>,
    /// Their names folded, in order. There are few: looking through them is quicker than a map is made for one answer.
    folded: Vec<String>,
}

impl Names {
    pub(super) fn new(tools: Arc<[ToolSpec]>) -> Self {
        let folded = tools.iter().map(|tool| fold(&tool.name).into_owned()).collect();
        Self { tools, folded }
    }

    /// What the name of a tag stands for. A tool's name goes before the protocol's own words, except `turn`.
    pub(super) fn word(&self, name: &str) -> Word {
        let place = self.tool(name);
        if let Some(place) = place.filter(|place| self.folded.get(*place).is_some_and(|folded| folded != TURN)) {
            return Word::Tool(place);
        }
        let folded = fold(name);
        let is = |words: &[&str]| words.contains(&&*folded);
        match () {
            () if folded == TURN => Word::Turn,
            () if is(THOUGHTS) => Word::Thoughts,
            () if is(THINK) => Word::Think,
            () if is(WRAPPERS) => Word::Wrapper,
            () if is(GENERIC) => Word::GenericCall,
            () if is(HEARTBEAT) => Word::Heartbeat,
            () => Word::Other,
        }
    }

    /// The tool of this name, in any case and with any separators where only one can be meant.
    pub(super) fn tool(&self, name: &str) -> Option<usize> {
        self.tools.iter().position(|tool| tool.name == name).or_else(|| {
            let folded = fold(name);
            self.only(|known| known == folded)
        })
    }

    /// The tool this name means: its own, or the only one within a typing slip or two.
    pub(super) fn near_tool(&self, name: &str) -> Option<usize> {
        self.tool(name).or_else(|| {
            let folded = fold(name);
            self.only(|known| is_slip(&folded, known))
        })
    }

    /// The only tool whose folded name fits.
    fn only(&self, fits: impl Fn(&str) -> bool) -> Option<usize> {
        let mut fitting = self.folded.iter().enumerate().filter(|(_, known)| fits(known));
        let (first, _) = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    /// The name a call gets, with what had to be corrected.
    pub(super) fn resolve(&self, written: &str, repairs: &mut Repairs) -> (String, Option<&ToolSpec>) {
        match self.near_tool(written).and_then(|place| self.tools.get(place)) {
            Some(tool) => {
                if tool.name != written {
                    repairs.add(Repair::ToolName(shorten(written), tool.name.clone()));
                }
                (tool.name.clone(), Some(tool))
            }
            None => {
                repairs.add(Repair::UnknownTool(shorten(written)));
                (written.to_owned(), None)
            }
        }
    }
}

/// The parameter of `tool` a name means, whatever its case and separators.
pub(super) fn param<'a>(tool: &'a ToolSpec, name: &str) -> Option<&'a Param> {
    let params = &tool.schema.params;
    params.iter().find(|param| param.name == name).or_else(|| {
        let folded = fold(name);
        let mut same = params.iter().filter(|param| fold(&param.name) == folded);
        let first = same.next()?;
        same.next().is_none().then_some(first)
    })
}

/// Whether `tool` declares `name` as text.
pub(super) fn is_text_param(tool: &ToolSpec, name: &str) -> bool {
    tool.schema.params.iter().any(|param| param.name == name && param.kind == ParamType::String)
        || (tool.primary.as_deref() == Some(name) && param(tool, name).is_none())
}

/// Lower case, without separators and without the prefixes providers put before a tool's name.
pub(super) fn fold(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let name = name.trim();
    let prefix = name.bytes().rposition(|byte| matches!(byte, b':' | b'.' | b'/'));
    let name = prefix.map_or(name, |at| &name[at + 1..]);
    if name.is_ascii() {
        let mut folded = String::with_capacity(name.len());
        folded.extend(name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase())));
        return Cow::Owned(folded);
    }
    Cow::Owned(name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect())
}

/// Whether two folded names differ by a typing slip: none below five letters, one below eight, two from there.
pub(super) fn is_slip(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let allowed = match a.len().min(b.len()) {
        0..5 => 0,
        5..8 => 1,
        _ => 2,
    };
    allowed > 0 && a.len().abs_diff(b.len()) <= allowed && distance(a.as_bytes(), b.as_bytes()) <= allowed
}

/// Whether an end tag is a slip of the element's name it has to end: there is nothing else it could be, so one edit is
/// enough from four letters on.
pub(super) fn is_end_slip(written: &str, own: &str) -> bool {
    is_slip(written, own)
        || (written.len().max(own.len()) >= 4
            && written.len().abs_diff(own.len()) <= 1
            && distance(written.as_bytes(), own.as_bytes()) <= 1)
}

/// The longest name that is held against others, in bytes.
const LONGEST: usize = 64;

/// Edits between two short names, a swap of neighbours counted once (optimal string alignment).
fn distance(a: &[u8], b: &[u8]) -> usize {
    if b.len() > LONGEST {
        return usize::MAX;
    }
    let mut rows = [[0; LONGEST + 1]; 3];
    let [before, last, row] = &mut rows;
    let (mut before, mut last, mut row) = (before, last, row);
    last.iter_mut().enumerate().for_each(|(j, cost)| *cost = j);
    for (i, &x) in a.iter().enumerate() {
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let mut cost = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before[j - 1] + 1);
            }
            row[j + 1] = cost;
        }
        (before, last, row) = (last, row, before);
    }
    last[b.len()]
}

/// A name short enough for a report.
pub(super) fn shorten(name: &str) -> String {
    name.chars().take(60).collect()
}
