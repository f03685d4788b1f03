//! What a prompt is told of people: of those who talk, and of those they talk about. Only what everybody in the channel
//! may see, and nothing of strangers.

use std::collections::BTreeMap;

use kith_core::chat::{Author, AuthorKind, ChannelId, DAY, MemoryId, Millis, UserId};
use kith_core::context::{KnownFact, PersonProfile};
use kith_core::memory_entry::{MemoryEntry, MemoryKind};
use kith_core::phrase::{has_phrase, has_phrase_as_written};
use kith_core::similarity::extract_letters;
use kith_core::timeline::Timeline;
use kith_core::word::is_ordinary;
use kith_store::{MemorySearch, StoreError};

use super::Memory;

/// Who wrote one of so many of the newest lines is there.
const LINES_IN_VIEW: usize = 40;
/// So many people at most are told of.
const MOST_PEOPLE: usize = 6;
/// So many facts at most of each.
const MOST_FACTS: usize = 5;
/// So many facts of all of them are looked at, the newest.
const FACTS_LOOKED_AT: usize = 300;
/// What is due in less than this, or was due less than this ago, comes first; what was due earlier is over.
const SOON: Millis = 14 * DAY;

/// Whom a prompt may tell of.
#[derive(Clone, Debug, Default)]
pub struct ProfileQuestion<'a> {
    /// Who has a line in view, the newest speaker first.
    pub speakers: Vec<UserId>,
    /// The newest lines: who is named in one is spoken of.
    pub newest: &'a [&'a str],
    pub now: Millis,
}

/// The people who wrote the newest lines of a timeline, each once, the newest speaker first.
pub fn find_speakers(timeline: &Timeline) -> Vec<UserId> {
    let mut speakers = Vec::new();
    for said in timeline.messages().rev().take(LINES_IN_VIEW) {
        let author = &said.message.author;
        if author.kind == AuthorKind::Person && !speakers.contains(&author.id) {
            speakers.push(author.id);
        }
    }
    speakers
}

impl Memory {
    /// What is known of people where these channels may be seen: of the newest speaker first, then of who is spoken of,
    /// then of the others. Empty where nothing is known or the store fails: a prompt does without.
    pub async fn load_profiles(
        &self,
        channels: &[ChannelId],
        question: ProfileQuestion<'_>,
    ) -> Vec<PersonProfile> {
        let loaded = self.try_load_profiles(channels, question).await;
        loaded.unwrap_or_else(|error| {
            tracing::warn!(%error, "a prompt goes without what is known of people");
            Vec::new()
        })
    }

    async fn try_load_profiles(
        &self,
        channels: &[ChannelId],
        question: ProfileQuestion<'_>,
    ) -> Result<Vec<PersonProfile>, StoreError> {
        let known = self.store.find_known_people(channels.to_vec()).await?;
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let search = |people, kinds: &[MemoryKind]| MemorySearch {
            channels: channels.to_vec(),
            people,
            kinds: kinds.to_vec(),
            limit: FACTS_LOOKED_AT,
            ..MemorySearch::default()
        };
        let nicknames = search(Vec::new(), &[MemoryKind::Name]);
        let nicknames = self.store.find_memories(nicknames).await?;
        let people = choose_people(&known, &nicknames, &question);
        if people.is_empty() {
            return Ok(Vec::new());
        }
        let ids = people.iter().map(|person| person.id).collect();
        let found = self
            .store
            .find_memories(search(ids, &MemoryKind::FACTS))
            .await?;
        let mut by_person: BTreeMap<UserId, Vec<MemoryEntry>> = BTreeMap::new();
        for entry in found {
            if let Some(person) = entry.content.person {
                by_person.entry(person).or_default().push(entry);
            }
        }
        let mut profiles = Vec::new();
        let mut used: Vec<MemoryId> = Vec::new();
        for person in people {
            let facts = by_person.remove(&person.id).unwrap_or_default();
            let facts = choose_facts(facts, question.now);
            if facts.is_empty() {
                continue;
            }
            used.extend(facts.iter().map(|fact| fact.id));
            let is_away = !question.speakers.contains(&person.id);
            let last_seen = match is_away {
                true => {
                    let channels = channels.to_vec();
                    self.store.find_last_written(channels, person.id).await?
                }
                false => None,
            };
            profiles.push(PersonProfile {
                id: person.id,
                name: person.name.clone(),
                last_seen,
                facts: facts
                    .into_iter()
                    .filter_map(|fact| to_known_fact(fact, &known))
                    .collect(),
            });
        }
        // Nobody waits for it.
        drop(self.store.mark_memories_used(used, question.now));
        Ok(profiles)
    }
}

/// Those of the people something is known of who talk or are spoken of, those who matter most first.
fn choose_people<'a>(
    known: &'a [Author],
    nicknames: &[MemoryEntry],
    question: &ProfileQuestion<'_>,
) -> Vec<&'a Author> {
    let is_spoken_of = |person: &Author| {
        let own = nicknames
            .iter()
            .filter(|entry| entry.content.person == Some(person.id))
            .map(|entry| entry.content.text.as_str());
        let mut names = std::iter::once(&*person.name).chain(own);
        names.any(|name| question.newest.iter().any(|text| is_named_in(name, text)))
    };
    let spoken_of = known.iter().filter(|person| is_spoken_of(person));
    let mut order: Vec<UserId> = question.speakers.iter().take(1).copied().collect();
    order.extend(spoken_of.map(|person| person.id));
    order.extend(question.speakers.iter().skip(1));
    let mut chosen: Vec<&Author> = Vec::new();
    for id in order {
        let is_new = chosen.iter().all(|person| person.id != id);
        if let Some(person) = known.iter().find(|person| person.id == id)
            && is_new
            && chosen.len() < MOST_PEOPLE
        {
            chosen.push(person);
        }
    }
    chosen
}

/// Whether a text holds a name as whole words, an everyday word only in its own case. One character names nobody.
fn is_named_in(name: &str, text: &str) -> bool {
    let name = name.trim();
    if name.chars().count() < 2 {
        return false;
    }
    match is_ordinary(name) {
        true => has_phrase_as_written(name, text),
        false => has_phrase(name, text),
    }
}

/// What is told of somebody: what is due, then what is remembered best; each thing once, by their own word if there is
/// one. In the order of kinds, hearsay last.
fn choose_facts(mut facts: Vec<MemoryEntry>, now: Millis) -> Vec<MemoryEntry> {
    let due_in = |fact: &MemoryEntry| fact.content.due.map(|due| due.saturating_sub(now));
    facts.retain(|fact| due_in(fact).is_none_or(|time| time > -SOON));
    let is_soon = |fact: &MemoryEntry| due_in(fact).is_some_and(|time| time < SOON);
    facts.sort_by(|a, b| {
        let by_word = a.content.is_hearsay().cmp(&b.content.is_hearsay());
        let by_due = is_soon(b).cmp(&is_soon(a));
        let by_strength = b.strength(now).total_cmp(&a.strength(now));
        by_due.then(by_word).then(by_strength)
    });
    let mut told: Vec<String> = Vec::new();
    facts.retain(|fact| {
        let letters = extract_letters(&fact.content.text);
        let is_new = !told.contains(&letters);
        told.push(letters);
        is_new
    });
    facts.truncate(MOST_FACTS);
    // Where there is no room for all, what others say goes first.
    facts.sort_by_key(|fact| (fact.content.is_hearsay(), fact.content.kind));
    facts
}

/// None of hearsay nobody knows whose: it must not pass for more.
fn to_known_fact(entry: MemoryEntry, known: &[Author]) -> Option<KnownFact> {
    let content = entry.content;
    let teller = match content.said_by.filter(|_| content.is_hearsay()) {
        Some(id) => Some(known.iter().find(|person| person.id == id)?.name.clone()),
        None => None,
    };
    Some(KnownFact { content, teller })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_a_word_of_its_own() {
        for (name, text) in [
            ("Anna", "has anyone seen anna?"),
            ("Will", "ask Will about it"),
            ("小安", "我看小安今天不来"),
            ("Ben B.", "that was Ben B. again"),
        ] {
            assert!(is_named_in(name, text), "{name}: {text}");
        }
        for (name, text) in [
            ("Anna", "bananas and Annabel"),
            ("Will", "it will rain"),
            ("安", "安全第一"),
            ("", "nobody"),
        ] {
            assert!(!is_named_in(name, text), "{name}: {text}");
        }
    }
}
