//! The marks, other than tags, between which models were trained to think.

use std::ops::Range;

use super::names;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkerKind {
    /// Thoughts, up to the first of these.
    Begins(&'static [&'static str]),
    Ends,
}

const MARKS: &[(&str, &[&str])] = &[
    ("[THINK]", &["[/THINK]"]),
    ("◁think▷", &["◁/think▷"]),
    ("<|begin_of_thought|>", &["<|end_of_thought|>"]),
    ("<|START_THINKING|>", &["<|END_THINKING|>"]),
    ("<|channel>", &["<channel|>"]),
    ("<|think|>", &["<|/think|>"]),
    ("<|inner_prefix|>", &["<|inner_suffix|>"]),
    ("<unused94>", &["<unused95>"]),
    ("<ctrl94>", &["<ctrl95>"]),
];

const MESSAGE_ENDS: &[&str] = &[
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|start|>",
    "<|channel|>",
];

pub(super) const CHANNEL: &str = "<|channel|>";
pub(super) const MESSAGE: &str = "<|message|>";
pub(super) const START: &str = "<|start|>";

/// What `written` is, which is one whole mark or none.
pub(super) fn parse_mark(written: &str) -> Option<MarkerKind> {
    let (mark, kind) = read_leading_mark(written)?;
    (mark == written).then_some(kind)
}

pub(super) fn read_leading_mark(text: &str) -> Option<(&'static str, MarkerKind)> {
    MARKS.iter().find_map(|(start, ends)| match text {
        _ if text.starts_with(start) => Some((*start, MarkerKind::Begins(ends))),
        _ => ends
            .iter()
            .find(|end| text.starts_with(**end))
            .map(|end| (*end, MarkerKind::Ends)),
    })
}

/// What a Harmony message with this header is: thoughts, but in `final`, and calls in `commentary`. None without a channel.
pub(super) fn parse_harmony_header(header: &str) -> Option<HarmonyMessage> {
    let (_, channel) = header.rsplit_once(CHANNEL)?;
    let name = channel
        .trim_start()
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    Some(match name {
        "final" => HarmonyMessage::Answer,
        "commentary" if header.contains("to=") => HarmonyMessage::Call,
        _ => HarmonyMessage::Thoughts(MESSAGE_ENDS),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HarmonyMessage {
    Answer,
    Call,
    Thoughts(&'static [&'static str]),
}

/// Where the first of `ends` in `text` from `from` on stands. One of Harmony's thoughts that begins what comes next is to be
/// read again, so nothing of it is taken.
pub(super) fn find_first_end(
    text: &str,
    from: usize,
    ends: &[&'static str],
) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    rest.match_indices(['<', '[', '◁']).find_map(|(at, _)| {
        let end = ends.iter().find(|end| rest[at..].starts_with(**end))?;
        let length = if matches!(*end, START | CHANNEL) {
            0
        } else {
            end.len()
        };
        Some(from + at..from + at + length)
    })
}

/// What else ends what a model has to say, or begins what somebody else does, as special tokens and tags.
#[rustfmt::skip]
const ANSWER_ENDS: &[&str] = &[
    "s", "eos", "bos", "inst", "imend", "imstart", "eot", "eotid", "startofturn", "startofturntoken",
    "startheaderid", "return", "user", "human", "system", "usertoken",
];

pub(super) fn is_answer_end(token: &str) -> bool {
    let name = names::fold_name(token);
    name.starts_with("endof") && !names::is_thinking(&name) || ANSWER_ENDS.contains(&&*name)
}

/// Whether the header of a message of Harmony says that somebody else speaks.
pub(super) fn is_foreign_header(header: &str) -> bool {
    let role = header
        .strip_prefix(START)
        .unwrap_or("assistant")
        .trim_start();
    !role.starts_with("assistant")
}
