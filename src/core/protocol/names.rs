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
        let folded = fold(name);
        if folded == "turn" {
            return Word::Turn;
        }
        if let Some(place) = self.exact(name, &folded) {
            return Word::Tool(place);
        }
        let is = |words: &[&str]| words.contains(&&*folded);
        match () {
            () if is(THOUGHTS) => Word::Thoughts,
            () if is(THINK) => Word::Think,
            () if is(WRAPPERS) => Word::Wrapper,
            () if is(GENERIC) => Word::GenericCall,
            () if is(HEARTBEAT) => Word::Heartbeat,
            () => Word::Other,
        }
    }

    fn exact(&self, name: &str, folded: &str) -> Option<usize> {
        let mut same = self.folded.iter().enumerate().filter(|(_, known)| *known == folded);
        let first = same.next()?.0;
        match same.next() {
            None => Some(first),
            Some(_) => self.tools.iter().position(|tool| tool.name == name),
        }
    }

    /// The tool of exactly this name, whatever its case and separators.
    pub(super) fn tool(&self, name: &str) -> Option<usize> {
        self.exact(name, &fold(name))
    }

    /// The tool this name means: its own, or the only one within a typing slip or two.
    pub(super) fn near_tool(&self, name: &str) -> Option<usize> {
        let folded = fold(name);
        self.exact(name, &folded).or_else(|| {
            let mut near = self.folded.iter().enumerate().filter(|(_, known)| is_slip(&folded, known));
            let first = near.next()?.0;
            near.next().is_none().then_some(first)
        })
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
    let name = name.trim();
    let name = name.rfind([':', '.', '/']).map_or(name, |at| &name[at + 1..]);
    let is_folded = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if name.bytes().all(is_folded) {
        return Cow::Borrowed(name);
    }
    if name.is_ascii() {
        let kept = name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase()));
        return Cow::Owned(kept.collect());
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
