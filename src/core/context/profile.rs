//! What is known of the people a prompt shows or speaks of: a line each, below their names. Nothing of strangers.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::display_names::DisplayNames;
use super::line::find_timezone;
use super::prompt_words::to_local_time;
use super::rapport::format_duration;
use super::{PromptSources, TokenEstimator, escape, token_estimate};
use crate::chat::{DAY, Millis, UserId};
use crate::memory_entry::{MemoryContent, MemoryKind};
use kith_language::{Language, LocalizedMessage, prompt};

/// The most tokens all of it takes.
const PROFILE_TOKENS: u32 = 110;
/// As if there were at most so many people, who share that.
const SHARED_BY: u32 = 3;
/// Somebody seen less long ago has not been away.
const AWAY: Millis = DAY;
/// How people stand to each other may be otherwise after so long.
const MAY_HAVE_CHANGED: Millis = 30 * DAY;

#[derive(Clone, Debug, PartialEq)]
pub struct PersonProfile {
    pub id: UserId,
    /// The name they were last seen under.
    pub name: Arc<str>,
    /// When they last wrote where everybody here can read; None where that is long ago.
    pub last_seen: Option<Millis>,
    /// What is known, in the order it is told.
    pub facts: Vec<KnownFact>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct KnownFact {
    pub content: MemoryContent,
    /// The name of whose word it is, where that is somebody else's.
    pub teller: Option<Arc<str>>,
}

/// The lines about people, those who matter most first, and how many people are left out or told of in part.
pub(super) fn render_profiles(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    in_view: &BTreeSet<UserId>,
    estimator: &TokenEstimator,
) -> (String, usize) {
    let people: Vec<&PersonProfile> = view
        .people
        .iter()
        .filter(|person| person.id != view.me && !person.facts.is_empty())
        .collect();
    if people.is_empty() {
        return (String::new(), 0);
    }
    let mut out = format!("\n{}", prompt::what_you_know().in_language(language));
    let mut room =
        estimator.to_hundredths(PROFILE_TOKENS.min(view.policy.context.prompt_tokens / 16));
    let (empty, mut cut) = (out.len(), 0);
    for (index, person) in people.iter().enumerate() {
        let sharing = (people.len() - index).min(SHARED_BY as usize) as u32;
        let (line, is_whole) =
            render_person(view, language, names, (person, in_view), room / sharing);
        cut += usize::from(!is_whole);
        room = room.saturating_sub(token_estimate::estimate_hundredths(&line));
        out.push_str(&line);
    }
    if out.len() == empty {
        out.clear();
    }
    (out, cut)
}

/// A person's line in so many hundredths of a token, and whether it tells all. A fact's age takes the place of no other.
fn render_person(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    (person, in_view): (&PersonProfile, &BTreeSet<UserId>),
    room: u32,
) -> (String, bool) {
    let mut start = format!("\n- {}", find_name(names, person.id, &person.name));
    if !in_view.contains(&person.id) {
        start.push_str(&describe_absence(view, language, person));
    }
    start.push_str(&prompt::name_separator().in_language(language));
    let separator = prompt::profile_separator().in_language(language);
    let mut add_facts = |has_ages: bool| {
        let (mut line, mut told) = (start.clone(), 0);
        for fact in &person.facts {
            let mut longer = line.clone();
            if told > 0 {
                longer.push_str(&separator);
            }
            longer.push_str(&describe_fact(view, language, names, fact, has_ages));
            if token_estimate::estimate_hundredths(&longer) > room {
                continue;
            }
            line = longer;
            told += 1;
        }
        if told == 0 {
            line.clear();
        }
        (line, told == person.facts.len())
    };
    let dated = add_facts(true);
    if dated.1 { dated } else { add_facts(false) }
}

/// The name somebody stands under in the history, else one that nobody there has.
fn find_name(names: &mut DisplayNames, id: UserId, raw: &str) -> String {
    match names.find_mentioned_name(id) {
        Some(name) => name.to_string(),
        None => names.resolve_quoted_name(id, raw),
    }
}

/// Of somebody who is only spoken of: since when they are known, and when they were seen.
fn describe_absence(
    view: &PromptSources<'_>,
    language: Language,
    person: &PersonProfile,
) -> String {
    let known = view
        .rapport
        .people
        .iter()
        .find(|known| known.id == person.id);
    let known_for = known
        .and_then(|known| known.known_for)
        .filter(|time| *time >= DAY)
        .map(|time| prompt::known_for(format_duration(time)));
    let away = person
        .last_seen
        .map(|seen| view.now.saturating_sub(seen))
        .filter(|away| *away >= AWAY)
        .map(|away| prompt::last_seen(format_duration(away)));
    let facts: Vec<String> = [known_for, away]
        .into_iter()
        .flatten()
        .map(|fact| fact.in_language(language))
        .collect();
    if facts.is_empty() {
        return String::new();
    }
    let separator = prompt::fact_separator().in_language(language);
    prompt::known_person(facts.join(&separator)).in_language(language)
}

fn describe_fact(
    view: &PromptSources<'_>,
    language: Language,
    names: &mut DisplayNames,
    fact: &KnownFact,
    has_age: bool,
) -> String {
    let content = &fact.content;
    let mut text = String::new();
    escape::escape_line(&mut text, &content.text, &|id| {
        names.find_mentioned_name(id)
    });
    let text = match content.kind {
        MemoryKind::Promise => describe_promise(view, &text, content.due).in_language(language),
        MemoryKind::Name => prompt::goes_by(text).in_language(language),
        _ => text,
    };
    let teller = match (content.said_by, &fact.teller) {
        (Some(id), Some(teller)) => Some(find_name(names, id, teller)),
        _ => None,
    };
    let age = find_age(view, content).filter(|_| has_age);
    match (teller, age.map(format_duration)) {
        (Some(name), Some(age)) => prompt::hearsay_ago(age, name, text).in_language(language),
        (Some(name), None) => prompt::hearsay(name, text).in_language(language),
        (None, Some(age)) => prompt::said_ago(age, text).in_language(language),
        (None, None) => text,
    }
}

/// How long ago something was said that may be otherwise by now: how people stand to each other.
fn find_age(view: &PromptSources<'_>, content: &MemoryContent) -> Option<Millis> {
    let age = view.now.saturating_sub(content.at);
    (content.kind == MemoryKind::Relation && age >= MAY_HAVE_CHANGED).then_some(age)
}

/// Something open or promised, with when it is due.
fn describe_promise(view: &PromptSources<'_>, text: &str, due: Option<Millis>) -> LocalizedMessage {
    let Some(due) = due else {
        return prompt::open(text);
    };
    let zone = find_timezone(view);
    let (day, today) = (
        to_local_time(due, zone).date_naive(),
        to_local_time(view.now, zone).date_naive(),
    );
    match (day - today).num_days() {
        0 => prompt::open_today(text),
        1 => prompt::open_tomorrow(text),
        _ => prompt::open_on(day.format("%Y-%m-%d").to_string(), text),
    }
}
