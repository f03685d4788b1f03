//! What is remembered one by one: facts of people, and episodes of channels. Plain data; where it is kept and who may see
//! it is others' business.

use serde::{Deserialize, Serialize};

use crate::calendar;
use crate::chat::{ChannelId, DAY, MemoryId, MessageId, Millis, UserId};
use crate::recall::extract_terms;

/// The longest text of one memory, in characters: it may stand in every prompt.
pub const MEMORY_CHARACTERS: usize = 240;
/// What is weaker than this is forgotten.
pub const WEAKEST_KEPT: f64 = 0.05;
/// What was superseded is forgotten so many times as fast: it is kept only to show what was believed before.
const SUPERSEDED_SPEED: f64 = 4.0;
/// The share of its strength that even something of no importance has.
const LEAST_WEIGHT: f64 = 0.25;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    Name,
    /// What somebody told about themselves, or others told about them.
    About,
    /// How somebody stands to the companion or to another.
    Relation,
    /// How somebody likes to be spoken to.
    Manner,
    /// Something open or promised; it may be due at a time.
    Promise,
    Episode,
}

impl MemoryKind {
    /// The kinds that are about one person.
    pub const FACTS: [Self; 5] = [
        Self::Name,
        Self::About,
        Self::Relation,
        Self::Manner,
        Self::Promise,
    ];

    pub fn is_fact(self) -> bool {
        Self::FACTS.contains(&self)
    }

    fn half_life(self) -> Millis {
        match self {
            Self::Name => 720 * DAY,
            Self::About | Self::Relation | Self::Manner => 360 * DAY,
            Self::Episode => 120 * DAY,
            Self::Promise => 30 * DAY,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryOrigin {
    Companion,
    Consolidation,
    /// The person it is about, by a command of theirs.
    Person,
    Host,
}

impl MemoryOrigin {
    /// Whether it was taken from messages, and has to name them.
    pub fn needs_sources(self) -> bool {
        matches!(self, Self::Companion | Self::Consolidation)
    }
}

/// What a memory says, and how it is known.
///
/// All its sources stand in its channel, so that whoever may see that channel now may see it, and nobody else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryContent {
    pub kind: MemoryKind,
    pub channel: ChannelId,
    /// Whom a fact is about; None of an episode.
    pub person: Option<UserId>,
    pub people: Vec<UserId>,
    /// Whose word it is, where that is one person's. Another than `person` makes it hearsay.
    pub said_by: Option<UserId>,
    /// One line, without the name of whom it is about.
    pub text: String,
    /// When the newest of its sources was said; without sources, when it was written down.
    pub at: Millis,
    pub due: Option<Millis>,
    /// How sure it is, 0 … 1.
    pub confidence: f64,
    /// How much it matters, 0 … 1.
    pub importance: f64,
    pub origin: MemoryOrigin,
    pub sources: Vec<MessageId>,
}

impl MemoryContent {
    pub fn new(kind: MemoryKind, channel: ChannelId, origin: MemoryOrigin) -> Self {
        Self {
            kind,
            channel,
            person: None,
            people: Vec::new(),
            said_by: None,
            text: String::new(),
            at: 0,
            due: None,
            confidence: 0.5,
            importance: 0.5,
            origin,
            sources: Vec::new(),
        }
    }

    pub fn is_hearsay(&self) -> bool {
        self.said_by.is_some() && self.person.is_some() && self.said_by != self.person
    }

    /// Everybody it names by id, once.
    pub fn involved_people(&self) -> Vec<UserId> {
        let named = self.person.iter().chain(&self.said_by).chain(&self.people);
        let mut people: Vec<UserId> = named.copied().collect();
        people.sort_unstable();
        people.dedup();
        people
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct MemoryDraft {
    pub content: MemoryContent,
    pub supersedes: Vec<MemoryId>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryEntry {
    pub id: MemoryId,
    #[serde(flatten)]
    pub content: MemoryContent,
    pub superseded_by: Option<MemoryId>,
    /// In how many prompts it was of use, and when last.
    pub uses: u32,
    pub used_at: Option<Millis>,
}

/// A memory that was looked for by words, with what its score is made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundMemory {
    #[serde(flatten)]
    pub entry: MemoryEntry,
    /// How well it fits, comparable within one answer: the sum of what its words add. 0 where nothing was looked for.
    pub score: f64,
    /// The words of the question it holds, as they are compared.
    pub words: Vec<MatchedWord>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchedWord {
    pub word: String,
    /// More the fewer of the memories hold it.
    pub adds: f64,
}

impl MemoryEntry {
    /// How strongly it is remembered, 0 … 1: by its importance and how sure it is, halved with each half-life of its
    /// kind since it was said or used last; what was used often lasts longer. A promise counts from when it is due.
    ///
    /// Forgetting as half-lives that grow with each use is half-life regression (Settles and Meeder, ACL 2016) with its
    /// numbers set by hand; a companion's memory that fades by Ebbinghaus's curve and is renewed by use is MemoryBank's
    /// (Zhong et al., AAAI 2024). Uses count by their logarithm, so that no number of them makes a memory last for ever.
    pub fn strength(&self, now: Millis) -> f64 {
        let content = &self.content;
        let newest = [Some(content.at), content.due, self.used_at];
        let since = newest.into_iter().flatten().max().unwrap_or(content.at);
        let age = now.saturating_sub(since).max(0) as f64;
        let slowed = 1.0 + f64::from(self.uses).ln_1p();
        let speed = self.superseded_by.map_or(1.0, |_| SUPERSEDED_SPEED);
        let half_lives = age * speed / (content.kind.half_life() as f64 * slowed);
        let weight = LEAST_WEIGHT + (1.0 - LEAST_WEIGHT) * content.importance;
        content.confidence * weight * 0.5_f64.powf(half_lives)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryOutcome {
    Kept(MemoryId),
    /// It was known; now it is known again from newer words.
    Renewed(MemoryId),
    Refused(MemoryRefusal),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryRefusal {
    Malformed,
    NoSource,
    /// A message it was taken from, or repeats, was deleted.
    SourceGone,
    /// A message it was taken from says something else since.
    SourceEdited,
    /// Somebody in it does not want to be remembered, or is being forgotten.
    Unwilling,
    /// It tells of somebody's health, sexuality, religion, politics or whereabouts, and they did not ask for that.
    Sensitive,
    TooLong,
}

/// Whether a newer text says of the same thing that it is otherwise: it says the same, but for days, dates and numbers. Of
/// other words nobody knows which can be true together, so that whoever writes them down has to say what they replace.
pub fn is_contradicted(old: &str, new: &str) -> bool {
    let is_date =
        |term: &String| term.starts_with(|c: char| c.is_numeric()) || calendar::is_date_name(term);
    let split = |text: &str| -> (Vec<String>, Vec<String>) {
        let mut terms = extract_terms(text);
        terms.sort_unstable();
        terms.dedup();
        terms.into_iter().partition(is_date)
    };
    let ((old_dates, old_words), (new_dates, new_words)) = (split(old), split(new));
    let has_dates = !old_dates.is_empty() && !new_dates.is_empty();
    has_dates && !new_words.is_empty() && old_words == new_words && old_dates != new_dates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: MemoryKind) -> MemoryEntry {
        MemoryEntry {
            id: MemoryId(1),
            content: MemoryContent {
                kind,
                channel: ChannelId(1),
                person: Some(UserId(1)),
                people: vec![UserId(2)],
                said_by: Some(UserId(1)),
                text: "plays the cello".into(),
                at: 0,
                due: None,
                confidence: 0.8,
                importance: 0.5,
                origin: MemoryOrigin::Companion,
                sources: vec![MessageId(1)],
            },
            superseded_by: None,
            uses: 0,
            used_at: None,
        }
    }

    #[test]
    fn a_memory_fades_by_its_kind_and_use_keeps_it() {
        let (about, episode) = (entry(MemoryKind::About), entry(MemoryKind::Episode));
        assert_eq!(about.strength(0), 0.5);
        assert_eq!(about.strength(360 * DAY), 0.25);
        assert!(about.strength(DAY) > about.strength(2 * DAY));
        assert!(episode.strength(360 * DAY) < about.strength(360 * DAY));
        let used = MemoryEntry {
            uses: 3,
            ..entry(MemoryKind::About)
        };
        assert!(used.strength(360 * DAY) > about.strength(360 * DAY));
        let fresh = MemoryEntry {
            used_at: Some(300 * DAY),
            ..used.clone()
        };
        assert!(fresh.strength(360 * DAY) > used.strength(360 * DAY));
        let superseded = MemoryEntry {
            superseded_by: Some(MemoryId(2)),
            ..entry(MemoryKind::About)
        };
        assert!(superseded.strength(360 * DAY) < WEAKEST_KEPT);
    }

    #[test]
    fn a_promise_is_kept_until_it_is_due_and_a_while_longer() {
        let mut promise = entry(MemoryKind::Promise);
        assert!(promise.strength(120 * DAY) < WEAKEST_KEPT);
        promise.content.due = Some(100 * DAY);
        assert!(promise.strength(120 * DAY) > WEAKEST_KEPT);
    }

    #[test]
    fn another_date_for_the_same_thing_contradicts_and_another_thing_does_not() {
        for (old, new) in [
            ("has an exam on Friday", "the exam is on Monday"),
            ("exam on May 5", "exam on May 9"),
            ("owes Ben 20 euros", "owes Ben 50 euros"),
            ("考试是5月3日", "考试是5月9日"),
        ] {
            assert!(is_contradicted(old, new), "{old} / {new}");
        }
        for (old, new) in [
            ("has a cat called Miso", "has a cat called Bean"),
            ("plays the cello", "plays the guitar"),
            ("has an exam on Friday", "has an exam on friday!"),
            ("has an exam", "has an exam on Friday"),
            ("exam on Friday", "concert on Monday"),
        ] {
            assert!(!is_contradicted(old, new), "{old} / {new}");
        }
    }

    #[test]
    fn what_another_says_of_somebody_is_hearsay() {
        let mut about = entry(MemoryKind::About);
        assert!(!about.content.is_hearsay());
        about.content.said_by = Some(UserId(2));
        assert!(about.content.is_hearsay());
        assert_eq!(about.content.involved_people(), [UserId(1), UserId(2)]);
    }
}
