//! A model's account of a talk, and what of it is believed: only what its sources say, of the people who are in them.
//! Whatever was said in the talk, and whatever the model was talked into, nothing else is kept.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::extract::rate_importance;
use super::talk_end::TalkMessage;
use super::transcript::{Speaker, TalkTranscript};
use crate::chat::{ChannelId, MessageId, UserId};
use crate::context::strip_name_prefix;
use crate::memory_entry::{
    MEMORY_CHARACTERS, MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin,
};
use crate::phrase::has_phrase;
use crate::recall::extract_terms;
use crate::sensitive_topics::is_sensitive;
use crate::truncate::truncate_line;

/// What a model writes that found nothing to keep.
const NOTHING: &str = "NOTHING";
/// What a line begins with.
const EPISODE: &str = "EPISODE";
const FACT: &str = "FACT";
const NOTE: &str = "NOTE";
/// The most that is kept of one talk.
const EPISODES: usize = 3;
const FACTS: usize = 6;
/// The most sources of one line.
const SOURCES: usize = 12;
/// The share of its telling words that the sources of a fact must hold, and of an episode, told in words of its own.
const FACT_SHARE: f64 = 0.6;
const EPISODE_SHARE: f64 = 0.4;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TalkEpisode {
    /// Episodes and facts.
    pub drafts: Vec<MemoryDraft>,
    /// What everybody in the group should always know, for core memory.
    pub note: Option<GroupNote>,
    /// How many lines of the model's were not believed.
    pub refused: usize,
}

/// A line for core memory.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupNote {
    pub text: String,
    pub sources: Vec<MessageId>,
}

#[derive(Clone, Debug, PartialEq)]
enum AccountLine {
    Episode {
        lines: Vec<usize>,
        text: String,
    },
    Fact {
        lines: Vec<usize>,
        person: String,
        kind: MemoryKind,
        text: String,
    },
    Note {
        lines: Vec<usize>,
        text: String,
    },
}

impl TalkEpisode {
    /// Reads a model's answer about a talk; None where it is no such answer.
    pub fn read(
        channel: ChannelId,
        talk: &[TalkMessage],
        transcript: &TalkTranscript<'_>,
        answer: &str,
    ) -> Option<Self> {
        let lines: Vec<AccountLine> = answer.lines().filter_map(parse_line).collect();
        if lines.is_empty() {
            return answer.contains(NOTHING).then(Self::default);
        }
        let mut account = Self::default();
        let importance = rate_importance(talk);
        for line in lines {
            let checker = SourceChecker {
                channel,
                transcript,
            };
            let kept = match line {
                AccountLine::Episode { lines, text } => checker
                    .check_episode(&lines, &text, importance)
                    .filter(|_| account.count(false) < EPISODES)
                    .map(|draft| account.drafts.push(draft)),
                AccountLine::Fact {
                    lines,
                    person,
                    kind,
                    text,
                } => checker
                    .check_fact(&lines, &person, kind, &text)
                    .filter(|_| account.count(true) < FACTS)
                    .map(|draft| account.drafts.push(draft)),
                AccountLine::Note { lines, text } => checker
                    .check_note(&lines, &text)
                    .filter(|_| account.note.is_none())
                    .map(|note| account.note = Some(note)),
            };
            account.refused += usize::from(kept.is_none());
        }
        Some(account)
    }

    pub fn has_episode(&self) -> bool {
        self.count(false) > 0
    }

    fn count(&self, is_fact: bool) -> usize {
        let kinds = self.drafts.iter().map(|draft| draft.content.kind);
        kinds.filter(|kind| kind.is_fact() == is_fact).count()
    }
}

/// Reads `FACT | 3, 7 | Anna | about | plays the cello`, with whatever small models put around it.
fn parse_line(line: &str) -> Option<AccountLine> {
    let line = line.replace('｜', "|");
    let start = line.find(|c: char| c.is_ascii_uppercase())?;
    // A bullet or a number, but no words.
    if line[..start].chars().any(char::is_alphabetic) {
        return None;
    }
    let mut parts = line[start..]
        .split('|')
        .map(|part| part.trim_matches(is_ornament));
    let keyword = parts.next()?;
    let lines = parse_numbers(parts.next()?);
    let rest: Vec<&str> = parts.collect();
    let text = |parts: &[&str]| Some(parts.join(" | ")).filter(|text| !text.is_empty());
    match (keyword, &rest[..]) {
        (EPISODE, parts) => Some(AccountLine::Episode {
            lines,
            text: text(parts)?,
        }),
        (NOTE, parts) => Some(AccountLine::Note {
            lines,
            text: text(parts)?,
        }),
        (FACT, [person, kind, parts @ ..]) => Some(AccountLine::Fact {
            lines,
            person: (*person).to_owned(),
            kind: parse_kind(kind)?,
            text: text(parts)?,
        }),
        _ => None,
    }
}

fn is_ornament(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '`' | '"' | '[' | ']' | '<' | '>')
}

fn parse_kind(name: &str) -> Option<MemoryKind> {
    Some(match name.to_ascii_lowercase().as_str() {
        "name" => MemoryKind::Name,
        "about" => MemoryKind::About,
        "relation" => MemoryKind::Relation,
        "manner" => MemoryKind::Manner,
        "promise" => MemoryKind::Promise,
        _ => return None,
    })
}

/// `3, 7-9` as 3, 7, 8, 9.
fn parse_numbers(text: &str) -> Vec<usize> {
    let mut numbers = BTreeSet::new();
    for piece in text.split(|c: char| !c.is_ascii_digit() && c != '-') {
        let (first, last) = piece.split_once('-').unwrap_or((piece, piece));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            numbers.extend((first..=last).take(SOURCES));
        }
    }
    numbers.into_iter().take(SOURCES).collect()
}

/// Holds what a model wrote against the lines it names.
struct SourceChecker<'a, 'b> {
    channel: ChannelId,
    transcript: &'b TalkTranscript<'a>,
}

impl SourceChecker<'_, '_> {
    fn check_episode(&self, lines: &[usize], text: &str, importance: f64) -> Option<MemoryDraft> {
        let sources = self.find_sources(lines)?;
        let text = self.check_text(text, &sources, EPISODE_SHARE)?;
        let mut people: Vec<UserId> = self.find_people(&text).map(|speaker| speaker.id).collect();
        people.extend(list_authors(&sources));
        people.sort_unstable();
        people.dedup();
        Some(self.build_draft(&sources, |content| MemoryContent {
            people,
            text,
            confidence: 0.8,
            importance,
            ..content
        }))
    }

    fn check_fact(
        &self,
        lines: &[usize],
        person: &str,
        kind: MemoryKind,
        text: &str,
    ) -> Option<MemoryDraft> {
        let sources = self.find_sources(lines)?;
        let person = self.transcript.find_speaker(person)?;
        if !is_in_sources(person, &sources) {
            return None;
        }
        let is_same = |a: char, b: char| a.to_lowercase().eq(b.to_lowercase());
        let rest = strip_name_prefix(text, &person.name, is_same).map(str::trim_start);
        let text = self.check_text(rest.unwrap_or(text), &sources, FACT_SHARE)?;
        let authors = list_authors(&sources);
        let (said_by, confidence) = match authors[..] {
            [author] if author == person.id => (Some(author), 0.8),
            [author] => (Some(author), 0.5),
            _ => (None, 0.6),
        };
        let others = self.find_people(&text).map(|speaker| speaker.id);
        let people = others.filter(|other| *other != person.id).collect();
        Some(self.build_draft(&sources, |content| MemoryContent {
            kind,
            person: Some(person.id),
            people,
            said_by,
            text,
            confidence,
            ..content
        }))
    }

    fn check_note(&self, lines: &[usize], text: &str) -> Option<GroupNote> {
        let sources = self.find_sources(lines)?;
        let text = self.check_text(text, &sources, FACT_SHARE)?;
        let sources = sources.iter().map(|said| said.id).collect();
        Some(GroupNote { text, sources })
    }

    /// What people said in the lines that are named; None where a line is not there, or nobody said anything.
    fn find_sources(&self, lines: &[usize]) -> Option<Vec<&TalkMessage>> {
        let named: Option<Vec<&TalkMessage>> = lines
            .iter()
            .map(|line| self.transcript.find_line(*line))
            .collect();
        let mut sources = named?;
        // What the companion said itself proves nothing.
        sources.retain(|said| said.is_by_person);
        (!sources.is_empty()).then_some(sources)
    }

    /// A text as it is kept; None where its sources lack words, a number or a person of it, or it is sensitive.
    fn check_text(&self, text: &str, sources: &[&TalkMessage], share: f64) -> Option<String> {
        if is_sensitive(text)
            || !self
                .find_people(text)
                .all(|named| is_in_sources(named, sources))
        {
            return None;
        }
        let told: BTreeSet<String> = sources
            .iter()
            .flat_map(|said| extract_terms(&said.text))
            .collect();
        let names: BTreeSet<String> = self
            .transcript
            .speakers()
            .flat_map(|speaker| extract_terms(&speaker.name))
            .collect();
        let terms: BTreeSet<String> = extract_terms(text)
            .into_iter()
            .filter(|term| !names.contains(term))
            .collect();
        let is_number = |term: &&String| term.starts_with(|c: char| c.is_numeric());
        let held = terms.iter().filter(|term| told.contains(*term)).count();
        let is_told = held > 0
            && held as f64 >= share * terms.len() as f64
            && terms
                .iter()
                .filter(is_number)
                .all(|number| told.contains(number));
        let text = self.transcript.restore_names(text);
        is_told.then(|| truncate_line(&text, MEMORY_CHARACTERS))
    }

    fn find_people(&self, text: &str) -> impl Iterator<Item = &Speaker> {
        self.transcript
            .speakers()
            .filter(move |speaker| has_phrase(&speaker.name, text))
    }

    fn build_draft(
        &self,
        sources: &[&TalkMessage],
        fill: impl FnOnce(MemoryContent) -> MemoryContent,
    ) -> MemoryDraft {
        let content = MemoryContent {
            at: sources.iter().map(|said| said.at).max().unwrap_or_default(),
            sources: sources.iter().map(|said| said.id).collect(),
            ..MemoryContent::new(
                MemoryKind::Episode,
                self.channel,
                MemoryOrigin::Consolidation,
            )
        };
        MemoryDraft {
            content: fill(content),
            supersedes: Vec::new(),
        }
    }
}

fn list_authors(sources: &[&TalkMessage]) -> Vec<UserId> {
    let authors: BTreeSet<UserId> = sources.iter().map(|said| said.author).collect();
    authors.into_iter().collect()
}

/// Whether somebody wrote one of these lines, or is named in one.
fn is_in_sources(person: &Speaker, sources: &[&TalkMessage]) -> bool {
    sources
        .iter()
        .any(|said| said.author == person.id || has_phrase(&person.name, &said.text))
}
