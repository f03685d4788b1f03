//! The words the protocols are made of, and the tools that are known. Finds the tool or parameter a misspelt name
//! means, and only where exactly one can be meant.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use kith_language::{PhraseList, WordSet, word_lists, word_table};
use unicode_normalization::UnicodeNormalization;

use crate::call::ToolSpec;
use crate::schema::{Param, ParamType};
use crate::transcript_roles;

word_table! {
    /// Names of tags and keys, folded.
    #[derive(Debug)]
    pub(super) struct AnswerWords {
        thinking: PhraseList,
        quoted: WordSet,
        params: PhraseList,
        name_keys: Vec<&'static str>,
        text: WordSet,
        line: WordSet,
        saying: WordSet,
        speaker: WordSet,
        manner: WordSet,
        done: WordSet,
        final_answers: WordSet,
        calling: PhraseList,
        others: WordSet,
        placeholders: WordSet,
    }
}

pub(super) static ANSWER_WORDS: LazyLock<AnswerWords> =
    LazyLock::new(|| AnswerWords::from_lists(word_lists("answer_words")));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagMeaning {
    Turn,
    /// `<thoughts>`: part of the protocol.
    Thoughts,
    /// `<think>` and its kin: a reasoning model's own block.
    Think,
    Tool(usize),
    /// Holds calls and means nothing itself.
    Wrapper,
    /// A call whose tool is named in an attribute or a child.
    GenericCall,
    /// The parameters of a call that was named before.
    Params,
    Heartbeat,
    /// Words of somebody else, or only shown: never part of the answer.
    Quoted,
    /// Means nothing, whatever it stands around.
    Markup,
    Other,
}

pub(super) const TURN: &str = "turn";
const THOUGHTS: &[&str] = &[
    "thoughts",
    "thought",
    "innerthoughts",
    "innerthought",
    "innermonologue",
];
#[rustfmt::skip]
const WRAPPERS: &[&str] = &[
    "actions", "calls", "toolcalls", "functioncalls", "functions", "tools", "commands", "response", "output",
    "answer", "final", "finalanswer", "root", "xml",
];
/// Markup of documents and chat: neither calls nor thoughts, whatever they stand around.
#[rustfmt::skip]
const MARKUP: &[&str] = &[
    "html", "body", "head", "main", "section", "div", "p", "br", "pre", "code", "b", "i", "u", "s", "em", "strong",
    "a", "span", "small", "big", "ul", "ol", "li", "json", "text", "content", "assistant", "message",
];
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "action", "call", "toolcall", "functioncall", "invoke", "function", "tool", "tooluse", "command", "toolname",
    "functionname", "actionname",
];
const HEARTBEAT: &[&str] = &["requestheartbeat", "heartbeat"];
const PARAM: &[&str] = &["parameter", "param", "argument", "arg"];

/// Whether a name is one of a block of thoughts, the protocol's or a reasoning model's own.
pub(super) fn is_thinking(name: &str) -> bool {
    let folded = fold_name(name);
    matches!(&*folded, "plan" | "planning")
        || folded != "reason"
            && (ANSWER_WORDS.thinking.is_within(&folded)
                || THOUGHTS.iter().any(|part| folded.contains(part)))
}

pub(super) fn is_wrapper(name: &str) -> bool {
    WRAPPERS.contains(&&*fold_name(name))
}

pub(super) fn is_params(name: &str) -> bool {
    let folded = fold_name(name);
    ANSWER_WORDS.params.is_suffix_of(&folded)
}

/// Whether a name is one for a single parameter, which has its own name beside it.
pub(super) fn is_param(name: &str) -> bool {
    PARAM.contains(&&*fold_name(name))
}

/// Whether what stands under this name is no part of the answer.
pub(super) fn is_quoted(name: &str) -> bool {
    ANSWER_WORDS.quoted.contains(&fold_name(name))
}

/// The tools that are known here, findable by name.
#[derive(Clone, Debug, Default)]
pub(super) struct ToolNames {
    pub(super) tools: Arc<[ToolSpec]>,
    /// Their names folded, in order. There are few: looking through them is quicker than a map is made for one answer.
    folded: Vec<String>,
    /// What the companion itself is called, folded.
    own_names: Vec<String>,
    /// What others are called whose words it is shown.
    others_names: Vec<String>,
}

impl ToolNames {
    pub(super) fn new(tools: Arc<[ToolSpec]>) -> Self {
        let folded = tools
            .iter()
            .map(|tool| fold_name(&tool.name).into_owned())
            .collect();
        Self {
            tools,
            folded,
            ..Self::default()
        }
    }

    /// The same for a companion and for others that are called so.
    pub(super) fn with_people(mut self, own_names: &[String], others_names: &[String]) -> Self {
        let fold = |names: &[String]| -> Vec<String> {
            let folded = names.iter().map(|name| fold_name(name).into_owned());
            folded.filter(|name| !name.is_empty()).collect()
        };
        (self.own_names, self.others_names) = (fold(own_names), fold(others_names));
        self
    }

    pub(super) fn is_others_name(&self, name: &str) -> bool {
        let folded = fold_name(name);
        self.others_names.iter().any(|other| *other == folded) && !self.is_own_name(name)
    }

    /// Whether the companion is called so, or what a model calls who answers.
    pub(super) fn is_own_name(&self, name: &str) -> bool {
        let folded = fold_name(name);
        transcript_roles::is_assistant(&folded) || self.own_names.iter().any(|own| *own == folded)
    }

    /// The tool that is called exactly so.
    pub(super) fn find_named_tool(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// What the name of a tag stands for. A tool's name goes before the protocol's own words, except `turn`.
    pub(super) fn classify_name(&self, name: &str) -> TagMeaning {
        if name == TURN {
            return TagMeaning::Turn;
        }
        if let Some(place) = self.tools.iter().position(|tool| tool.name == name) {
            return TagMeaning::Tool(place);
        }
        let folded = fold_name(name);
        let is = |words: &[&str]| words.contains(&&*folded);
        match () {
            () if folded == TURN => TagMeaning::Turn,
            () if let Some(place) = self.find_only_tool(|known| known == folded) => {
                TagMeaning::Tool(place)
            }
            () if is(THOUGHTS) => TagMeaning::Thoughts,
            () if is(WRAPPERS) => TagMeaning::Wrapper,
            () if is(GENERIC) => TagMeaning::GenericCall,
            () if is(HEARTBEAT) => TagMeaning::Heartbeat,
            () if ANSWER_WORDS.quoted.contains(&folded) => TagMeaning::Quoted,
            () if is(MARKUP) => TagMeaning::Markup,
            () if is_params(&folded) => TagMeaning::Params,
            () if let Some(place) = self.find_tool(name) => TagMeaning::Tool(place),
            () if is_thinking(&folded) => TagMeaning::Think,
            () if ["tool", "function", "call"]
                .iter()
                .any(|part| folded.contains(part)) =>
            {
                TagMeaning::Wrapper
            }
            () => TagMeaning::Other,
        }
    }

    /// The tool of this name, in any case and with any separators, prefixes and numbers, where only one can be meant.
    pub(super) fn find_tool(&self, name: &str) -> Option<usize> {
        let is_sign = |c: char| c.is_alphanumeric() || "_-.:/@\\ ()".contains(c);
        self.tools
            .iter()
            .position(|tool| tool.name == name)
            .or_else(|| {
                let before = name.split("<|").next().map(str::trim);
                let name = before
                    .filter(|name| !name.is_empty())
                    .or_else(|| name.rsplit("|>").next().map(str::trim))
                    .filter(|name| name.len() <= LONGEST && name.chars().all(is_sign))?;
                let folded = fold_name(name);
                // `send_message.call`: a program's way to say what is done with it.
                let object = || {
                    name.rsplit_once('.').and_then(|(object, _)| {
                        self.find_only_tool(|known| known == fold_name(object))
                    })
                };
                self.find_only_tool(|known| known == folded)
                    .or_else(|| {
                        self.find_only_tool(|known| is_decorated_name(&folded, known, name))
                    })
                    .or_else(object)
            })
    }

    /// The tool this name means: its own, or the only one within a typing slip or two.
    pub(super) fn find_near_tool(&self, name: &str) -> Option<usize> {
        self.find_tool(name).or_else(|| {
            let folded = fold_name(name);
            self.find_only_tool(|known| is_typo(&folded, known))
        })
    }

    pub(super) fn find_tool_spec(&self, name: &str) -> Option<&ToolSpec> {
        self.find_near_tool(name)
            .and_then(|place| self.tools.get(place))
    }

    /// What is known of the tool of this name; see [`ToolNames::find_tool`].
    pub(super) fn find_exact_tool(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.get(self.find_tool(name)?)
    }

    fn find_only_tool(&self, fits: impl Fn(&str) -> bool) -> Option<usize> {
        let names = self.folded.iter().enumerate();
        take_only(names.filter(|(_, known)| fits(known))).map(|(place, _)| place)
    }
}

/// The one of a list that has no others.
pub(super) fn take_only<T>(mut list: impl Iterator<Item = T>) -> Option<T> {
    list.next().filter(|_| list.next().is_none())
}

/// A tool's name as providers and models decorate it: `mcp__kith__send_message`, `send_message_1`, `SendMessageTool`.
fn is_decorated_name(folded: &str, known: &str, written: &str) -> bool {
    let Some(at) = folded.find(known) else {
        return false;
    };
    let (before, after) = (&folded[..at], &folded[at + known.len()..]);
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    const AROUND: [&str; 11] = [
        "", "tool", "tools", "function", "call", "action", "api", "use", "do", "run", "fn",
    ];
    let is_word = |rest: &str| rest == "mcp" || AROUND.contains(&rest);
    (is_word(before) || written.contains("__")) && is_word(after) && known.len() >= 4
}

/// The parameter of `tool` a name means, whatever its case and separators.
pub(super) fn find_param<'a>(tool: &'a ToolSpec, name: &str) -> Option<&'a Param> {
    let params = &tool.schema.params;
    params.iter().find(|param| param.name == name).or_else(|| {
        let folded = fold_name(name);
        let same = |param: &&Param| fold_name(&param.name) == folded;
        take_only(params.iter().filter(same))
    })
}

pub(super) fn has_param(tool: Option<&ToolSpec>, name: &str) -> bool {
    tool.is_some_and(|tool| find_param(tool, name).is_some())
}

/// Whether a name is one for the words of a message; of anything else a value or a string may be.
pub(super) fn is_text_word(name: &str) -> bool {
    let folded = fold_name(name);
    ANSWER_WORDS.text.contains(&folded) && !matches!(&*folded, "value" | "string")
}

/// The parameter that an undeclared `name` can only stand for: a slip, the same words reordered, or another word for it.
pub(super) fn find_similar_param<'a>(
    tool: &'a ToolSpec,
    name: &str,
    is_number: bool,
    is_free: impl Fn(&Param) -> bool,
) -> Option<&'a Param> {
    let folded = fold_name(name);
    let words = split_words(name);
    let only = |fits: &dyn Fn(&Param) -> bool| {
        let params = tool.schema.params.iter();
        take_only(params.filter(|param| is_free(param) && fits(param)))
    };
    let shares = |param: &Param| {
        let own = self::split_words(&param.name);
        let (few, many) = if own.len() < words.len() {
            (&own, &words)
        } else {
            (&words, &own)
        };
        few.iter().all(|word| many.contains(word)) && few.iter().any(|word| word.len() > 2)
    };
    // A bare number may only count the calls.
    let is_count = matches!(&*folded, "id" | "number");
    let is_number_of_line = |param: &Param| {
        param.kind == ParamType::Integer
            && is_line_param_name(&param.name)
            && is_line_param_name(name)
            && (param.required || !is_count)
    };
    let is_primary = |param: &Param| {
        // A value right behind the tool's name has none: `<send_message="hi">`.
        let other_word = folded.is_empty()
            || ANSWER_WORDS.text.contains(&folded)
            || folded.starts_with(&*fold_name(&tool.name));
        param.kind == ParamType::String && tool.primary.as_ref() == Some(&param.name) && other_word
    };
    only(&|param| is_typo(&folded, &fold_name(&param.name)))
        .or_else(|| only(&shares))
        .or_else(|| {
            if is_number {
                only(&is_number_of_line)
            } else {
                only(&is_primary)
            }
        })
}

pub(super) fn is_line_param_name(name: &str) -> bool {
    split_words(name)
        .iter()
        .all(|word| ANSWER_WORDS.line.contains(word))
}

fn split_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_ascii_uppercase() {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            last.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

pub(super) fn is_text_param(tool: &ToolSpec, name: &str) -> bool {
    tool.schema
        .params
        .iter()
        .any(|param| param.name == name && param.kind == ParamType::String)
        || (tool.primary.as_deref() == Some(name) && find_param(tool, name).is_none())
}

/// Lower case, letters of full width as others, without separators and without the prefixes and numbers providers put around a tool's name.
pub(super) fn fold_name(name: &str) -> Cow<'_, str> {
    if name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    {
        return Cow::Borrowed(name);
    }
    let mut parts = name
        .rsplit([':', '.', '/'])
        .filter(|part| part.contains(char::is_alphabetic));
    let name = parts.next().unwrap_or(name);
    if name.is_ascii() {
        let mut folded = String::with_capacity(name.len());
        folded.extend(
            name.bytes()
                .filter(u8::is_ascii_alphanumeric)
                .map(|byte| char::from(byte.to_ascii_lowercase())),
        );
        return Cow::Owned(folded);
    }
    Cow::Owned(
        name.nfkc()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect(),
    )
}

/// Whether two folded names differ by a typing slip: none below five letters, one below eight, two from there.
pub(super) fn is_typo(a: &str, b: &str) -> bool {
    let allowed = match a.len().min(b.len()) {
        0..5 => 0,
        5..8 => 1,
        _ => 2,
    };
    a == b || allowed > 0 && differs_by(a, b, allowed)
}

/// Whether an end tag is a slip of its element's name: it can be nothing else, so one edit from four letters on will do.
pub(super) fn is_end_tag_typo(written: &str, own: &str) -> bool {
    is_typo(written, own) || written.len().max(own.len()) >= 4 && differs_by(written, own, 1)
}

/// Whether so many edits make one name of the other, a swap of neighbours counted once.
fn differs_by(a: &str, b: &str, allowed: usize) -> bool {
    a.len().abs_diff(b.len()) <= allowed && strsim::osa_distance(a, b) <= allowed
}

/// The longest name that is held against others, in bytes.
const LONGEST: usize = 64;

pub(super) fn shorten_name(name: &str) -> String {
    name.chars().take(60).collect()
}
