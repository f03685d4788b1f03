//! What models write around a message and not for anybody: private thoughts and labels before it, notes on its wording
//! and other versions behind it, lines between. Thoughts may be about a member, so that what cannot be told apart from
//! them is held back; of everything else only what is plainly no part of the message is taken off.

use super::line_opening::SPOKEN;
use super::{GuardReason, mark_code_lines};
use crate::non_speech::{self, NoteLabel, SpeakerNames};

/// Brackets that may hold a thought or a note.
#[rustfmt::skip]
const BRACKETS: &[(char, char)] = &[
    ('(', ')'), ('（', '）'), ('[', ']'), ('【', '】'), ('〔', '〕'), ('*', '*'),
];
/// From so many equal marks on a line is only a rule.
const RULE: usize = 3;
const RULE_MARKS: &[char] = &['-', '—', '–', '*', '_', '=', '─', '━'];

/// What is left for people of a text.
///
/// # Errors
/// It only thinks, or what of it is thought cannot be known.
pub(super) fn strip_notes(
    text: &str,
    names: SpeakerNames<'_>,
    changes: &mut Vec<String>,
) -> Result<String, GuardReason> {
    if mark_code_lines(text).any(|(_, is_code)| is_code) {
        // Whoever shows code shows it with what stands around it; only what comes before may be thoughts.
        let before = text.split("```").next().unwrap_or_default();
        let is_thought = |line: &str| {
            non_speech::split_label(line, names)
                .is_some_and(|(label, _)| label == NoteLabel::Thought)
        };
        return if before.lines().any(is_thought) {
            Err(GuardReason::Thoughts)
        } else {
            Ok(text.to_owned())
        };
    }
    let mut note_change = |change: &str| changes.push(change.to_owned());
    let mut text = text.to_owned();
    while let Some(shorter) = strip_bracketed_thought(&text, names) {
        text = shorter;
        note_change("took out thoughts in brackets");
    }
    if let Some(shorter) = strip_thoughts(&text, names)? {
        text = shorter;
        note_change("took out thoughts");
    }
    if text.trim().is_empty() {
        return Err(GuardReason::Thoughts);
    }
    while let Some(shorter) = strip_note(&text, names) {
        if shorter.is_empty() {
            return Err(GuardReason::Thoughts);
        }
        text = shorter;
        note_change("took off a note on the message");
    }
    if let Some(shorter) = keep_first_version(&text, names) {
        text = shorter;
        note_change("kept the first of several versions");
    }
    if let Some((from, to)) = non_speech::find_retraction(&text, names)
        && [&text[..from], &text[to..]]
            .iter()
            .all(|part| part.contains(char::is_alphanumeric))
    {
        text.truncate(text[..from].trim_end().len());
        note_change("kept what stood before it began anew");
    }
    let ruled: Vec<&str> = text
        .lines()
        .map(|line| if is_rule(line) { "" } else { line })
        .collect();
    if ruled.iter().any(|line| !line.is_empty()) && text.lines().any(is_rule) {
        text = ruled.join("\n").trim().to_owned();
        note_change("took out a line that is only a rule");
    }
    if let Some((NoteLabel::Answer, rest)) = non_speech::split_label(&text, names)
        && !rest.is_empty()
    {
        text = rest.to_owned();
        note_change("took a label off the beginning");
    }
    Ok(text.trim().to_owned())
}

/// A text without one bracket that holds thoughts: `(thinking: …)`, `【内心】…【/内心】`.
fn strip_bracketed_thought(text: &str, names: SpeakerNames<'_>) -> Option<String> {
    text.char_indices().find_map(|(at, c)| {
        let (open, close) = BRACKETS.iter().find(|(open, _)| *open == c)?;
        let inside = &text[at + open.len_utf8()..];
        let end = inside.find(*close)?;
        let (inside, after) = (&inside[..end], &inside[end + close.len_utf8()..]);
        let is_thought = |label| label == Some(NoteLabel::Thought);
        let labelled =
            non_speech::split_label(inside, names).filter(|(_, thought)| !thought.is_empty());
        let behind = if is_thought(labelled.map(|(label, _)| label)) {
            after.to_owned()
        } else if is_thought(non_speech::classify_label(inside, names)) && open != close {
            let ends = [format!("{open}/{inside}{close}"), format!("{open}/{close}")];
            let marked = ends
                .iter()
                .find_map(|end| after.find(end).map(|at| &after[at + end.len()..]));
            // Without an end that is marked it is a label with other signs.
            marked.map_or_else(
                || {
                    format!(
                        "\n{}: {}",
                        inside.trim_end_matches([':', '：']),
                        after.trim_start_matches([':', '：', ' '])
                    )
                },
                str::to_owned,
            )
        } else {
            return None;
        };
        Some(
            format!("{}{behind}", text[..at].trim_end_matches(' '))
                .trim()
                .to_owned(),
        )
    })
}

/// A text without labelled thoughts. What follows them is said where the model marked it as its answer, or where it is
/// one line or paragraph: where thoughts of several lines end nobody knows.
fn strip_thoughts(text: &str, names: SpeakerNames<'_>) -> Result<Option<String>, GuardReason> {
    let lines: Vec<&str> = text.lines().collect();
    let label = |at: usize| non_speech::split_label(lines[at], names);
    let is_thought = |at: &usize| {
        let is_listed = *at > 0 && is_list_item(lines[at - 1], names);
        label(*at).is_some_and(|(label, _)| label == NoteLabel::Thought) && !is_listed
    };
    let Some(start) = (0..lines.len()).find(is_thought) else {
        return Ok(None);
    };
    if lines[..start].iter().any(|line| !line.trim().is_empty()) {
        return Ok(Some(lines[..start].join("\n").trim_end().to_owned()));
    }
    let answer = (start + 1..lines.len()).find_map(|at| match label(at) {
        Some((NoteLabel::Answer, rest)) => Some([&[rest], &lines[at + 1..]].concat().join("\n")),
        _ => None,
    });
    if let Some(answer) = answer {
        return Ok(Some(answer.trim().to_owned()));
    }
    let thought = label(start).map(|(_, rest)| rest).unwrap_or_default();
    let rest = [&[thought], &lines[start + 1..]].concat().join("\n");
    let paragraphs: Vec<&str> = rest
        .trim()
        .split("\n\n")
        .filter(|part| !part.trim().is_empty())
        .collect();
    let lines: Vec<&str> = rest
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    match (paragraphs.as_slice(), lines.as_slice()) {
        ([_, said], _) | (_, [_, said]) => Ok(Some(said.trim().to_owned())),
        _ => Err(GuardReason::Thoughts),
    }
}

/// Whether a line is one of a list of things by name, as in "outside: yes boss", "内心：no".
fn is_list_item(line: &str, names: SpeakerNames<'_>) -> bool {
    let Some((before, after)) = line.split_once([':', '：']) else {
        return false;
    };
    let is_label =
        !before.trim().is_empty() && before.chars().count() <= 12 && !after.trim().is_empty();
    is_label && non_speech::split_label(line, names).is_none()
}

/// A text without the note or the offer it ends with: in brackets, behind a label, or an offer as a line of its own.
fn strip_note(text: &str, names: SpeakerNames<'_>) -> Option<String> {
    let text = text.trim_end();
    for (open, close) in BRACKETS {
        let Some(inside) = text.strip_suffix(*close) else {
            continue;
        };
        let Some(at) = inside.rfind(*open) else {
            continue;
        };
        let inside = &inside[at + open.len_utf8()..];
        if is_note(inside, true, names) {
            return Some(text[..at].trim_end().to_owned());
        }
    }
    let starts = [
        text.rfind("\n\n").map(|at| at + 2),
        text.rfind('\n').map(|at| at + 1),
    ];
    let starts = starts.into_iter().flatten().filter(|at| *at > 0);
    starts
        .map(|at| text.split_at(at))
        .find(|(_, last)| is_note(last, false, names))
        .map(|(front, _)| front.trim_end().to_owned())
}

fn is_note(text: &str, is_bracketed: bool, names: SpeakerNames<'_>) -> bool {
    let rest = match non_speech::split_label(text, names) {
        Some((NoteLabel::Note, rest)) => Some(rest),
        _ => is_bracketed.then_some(text),
    };
    let counts = || {
        let text = text.trim_start_matches('*').trim_start();
        SPOKEN.counts.is_prefix_of(text)
    };
    rest.is_some_and(|rest| non_speech::is_note(rest, names))
        || counts() && non_speech::is_note(text, names)
        || non_speech::is_offer(text, names)
}

/// The first of several versions of a message. Versions that are announced or asked about are a list for people.
fn keep_first_version(text: &str, names: SpeakerNames<'_>) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let label = |at: usize| non_speech::split_label(lines[at], names);
    let has_label =
        |at: usize, wanted: NoteLabel| label(at).is_some_and(|(label, _)| label == wanted);
    let later = (1..lines.len()).find(|at| has_label(*at, NoteLabel::LaterVersion))?;
    if has_label(0, NoteLabel::FirstVersion) {
        let is_apart = |at: usize| lines[at].trim().is_empty() || is_rule(lines[at]);
        let is_version = |at: usize| {
            has_label(at, NoteLabel::FirstVersion) || has_label(at, NoteLabel::LaterVersion)
        };
        // Either every line is a version, or every paragraph.
        let begins = |at: usize| !is_apart(at) && (at == 0 || is_apart(at - 1));
        let only_versions = (0..lines.len()).all(|at| is_apart(at) || is_version(at))
            || is_apart(later - 1) && (0..lines.len()).filter(|at| begins(*at)).all(is_version);
        if !only_versions {
            return None;
        }
        let (_, first) = label(0)?;
        return Some(
            [&[first], &lines[1..later]]
                .concat()
                .join("\n")
                .trim()
                .to_owned(),
        )
        .filter(|text| !text.is_empty());
    }
    let first = (0..later).any(|at| has_label(at, NoteLabel::FirstVersion));
    (!first
        && is_rule(
            lines[..later]
                .iter()
                .rev()
                .find(|line| !line.trim().is_empty())?,
        ))
    .then(|| lines[..later].join("\n").trim().to_owned())
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let first = line.chars().next();
    line.chars().count() >= RULE
        && first
            .is_some_and(|first| RULE_MARKS.contains(&first) && line.chars().all(|c| c == first))
}
