//! Where a text goes on as a chat of its own: names alone on their lines as exported chats have them, `user:` and
//! `assistant:`, questions and answers. Says where it begins; a name called out and a riddle are speech.

use super::line_opening::{SPOKEN, strip_name};
use super::stamp::{LONGEST_NOTE, has_clock_time, split_leading_bracket, strip_clock};
use crate::non_speech::SpeakerNames;
use crate::transcript_roles::ROLES;

/// Who speaks, alone on a line, as what is left of a chat template.
const TEMPLATE_ROLES: [&str; 2] = ["user", "assistant"];

/// Whether a line is only the companion's own name, with or without a time.
pub(super) fn is_own_name(line: &str, names: SpeakerNames<'_>) -> bool {
    names
        .own
        .iter()
        .any(|name| match_lone_name(line, name).is_some())
}

/// The line where an exported chat begins: a member's name alone on a line with what they say below. Without a time, and
/// with words above, it may be somebody called by name, so that it takes two such names.
pub(super) fn find_transcript_start(
    lines: &[(&str, bool)],
    names: SpeakerNames<'_>,
) -> Option<usize> {
    let head = |at: usize| {
        let (line, is_code) = lines[at];
        let found = || {
            let members = names
                .members
                .iter()
                .find_map(|name| Some((name.as_str(), match_lone_name(line, name)?)));
            let role = || {
                TEMPLATE_ROLES
                    .iter()
                    .find(|role| line.trim() == **role && at > 0)
                    .map(|role| (*role, true))
            };
            members.or_else(role)
        };
        (!is_code && line.trim().chars().count() <= LONGEST_NOTE)
            .then(found)
            .flatten()
    };
    let heads: Vec<_> = (0..lines.len()).map(head).collect();
    let has_text = |at: usize| {
        at + 1 < lines.len() && heads[at + 1].is_none() && !lines[at + 1].0.trim().is_empty()
    };
    let said = |at: &usize| heads[*at].is_some() && has_text(*at);
    let timed = (0..lines.len())
        .filter(said)
        .find(|at| heads[*at].is_some_and(|(_, is_timed)| is_timed));
    let is_other = |at: &usize, first: usize| {
        heads[*at].map(|(name, _)| name) != heads[first].map(|(name, _)| name)
    };
    let is_own = |at: usize| !lines[at].1 && is_own_name(lines[at].0, names);
    let first = (0..lines.len()).find(said);
    let several = first.filter(|first| {
        (first + 1..lines.len()).any(|at| said(&at) && is_other(&at, *first) || is_own(at))
    });
    let opens = (!lines.is_empty() && said(&0)).then_some(0);
    timed.into_iter().chain(several).chain(opens).min()
}

/// What stands below the first line, where that is only one of these names.
pub(super) fn strip_name_line<'a>(text: &'a str, names: &[String]) -> Option<&'a str> {
    let (first, below) = text.split_once('\n')?;
    names
        .iter()
        .any(|name| first.trim() == name)
        .then_some(below)
}

/// Whether a line is only this name, and whether a time stands beside it. Without one it is written as the name is.
fn match_lone_name(line: &str, name: &str) -> Option<bool> {
    let line = line.trim();
    let timed = strip_time(line).map(str::trim_start);
    let rest = strip_name(timed.unwrap_or(line), name)?.trim();
    if rest.is_empty() {
        return (timed.is_some() || line == name).then_some(timed.is_some());
    }
    let is_timed = strip_time(rest).is_some_and(|rest| rest.trim().is_empty());
    is_timed.then_some(true)
}

/// What follows a time of day at the beginning, alone or in brackets.
fn strip_time(text: &str) -> Option<&str> {
    let bracketed = || {
        let (inside, rest) = split_leading_bracket(text)?;
        has_clock_time(inside).then_some(rest)
    };
    strip_clock(text).or_else(bracketed)
}

/// The line where a made-up exchange begins: `user:` above `assistant:`, or question and answer that nothing announces.
pub(super) fn find_exchange_start(lines: &[(&str, bool)]) -> Option<usize> {
    let opens = |at: usize, marks: &[&str]| {
        let line = lines[at].0.trim().to_lowercase();
        let rest = marks.iter().find_map(|mark| line.strip_prefix(mark));
        !lines[at].1 && rest.is_some_and(|rest| rest.trim_start().starts_with([':', '：']))
    };
    let pair = |first: &[&str], second: &[&str]| {
        let at = (0..lines.len()).find(|at| opens(*at, first))?;
        (at + 1..lines.len())
            .any(|later| opens(later, second))
            .then_some(at)
    };
    let is_announced = |at: usize| {
        let before = lines[..at]
            .iter()
            .rev()
            .map(|(line, _)| line.trim().to_lowercase())
            .find(|line| !line.is_empty());
        let has = |before: &str, word: &str| match word.is_ascii() {
            true => before
                .split(|c: char| !c.is_alphanumeric())
                .any(|other| other == word),
            false => before.contains(word),
        };
        before.is_none_or(|before| {
            before.ends_with([':', '：']) || SPOKEN.announces.iter().any(|word| has(&before, word))
        })
    };
    let roles = pair(&ROLES.user, &[&ROLES.assistant[..], &ROLES.model].concat());
    let questions = pair(&SPOKEN.questions, &SPOKEN.answers).filter(|at| !is_announced(*at));
    // A list of what somebody's machine is made of has such lines, too, one below the other.
    let is_listed = |at: usize| {
        let beside = [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .flatten()
            .filter_map(|at| lines.get(at));
        beside
            .into_iter()
            .any(|(line, _)| line.contains([':', '：']))
    };
    let system = (1..lines.len()).find(|at| opens(*at, &ROLES.system) && !is_listed(*at));
    roles.into_iter().chain(questions).chain(system).min()
}
