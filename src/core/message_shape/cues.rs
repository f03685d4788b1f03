//! What a message's words say about the talk: that it closes, asks for something, tells of trouble. The phrases stand in
//! `data/words/<language>/cue_*.txt`, one file a cue. Text goes in as hashes, a set of cues comes out.

use std::collections::HashMap;
use std::sync::LazyLock;

use kith_language::word_lists;
use serde::{Deserialize, Serialize};

use super::hash_phrase;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogueCue {
    /// It closes the talk: thanks, a good night, a goodbye.
    Closing,
    /// It only acknowledges: "ok", "fair enough".
    Acknowledgement,
    /// It asks for a service, an opinion, a guess.
    Request,
    /// Something is wrong with its author or somebody they care for.
    Distress,
    GoodNews,
    /// It turns to several people, or to whoever reads it.
    Room,
    /// It ends in the middle: the author will go on.
    Trailing,
    LeaveBe,
    Question,
    You,
    Personal,
    /// It holds laughing, acknowledgements or signs only.
    Slight,
    /// It names the companion, whatever for.
    NamesMe,
    /// It is meant for somebody else by name, mention or reply.
    NamesOther,
    /// It turns to two people: "you two".
    YouTwo,
    /// It is loud: exclamation marks or capitals.
    Loud,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CueSet(u16);

impl CueSet {
    pub fn has(self, cue: DialogueCue) -> bool {
        self.0 & (1 << cue as u16) != 0
    }

    pub fn add(&mut self, cue: DialogueCue, there: bool) {
        self.0 |= u16::from(there) << cue as u16;
    }

    #[must_use]
    pub fn without(self, cue: DialogueCue) -> CueSet {
        CueSet(self.0 & !(1 << cue as u16))
    }

    /// The cues with what is known of whom the line names. "You two" is said to the last two who spoke: `is_of_two` is
    /// whether the companion is one of them, none where there are no two.
    #[must_use]
    pub fn with_names(mut self, me: bool, other: bool, is_of_two: Option<bool>) -> CueSet {
        self.add(DialogueCue::NamesMe, me);
        self.add(DialogueCue::NamesOther, other);
        match is_of_two {
            Some(false) if self.has(DialogueCue::YouTwo) => {
                self.add(DialogueCue::NamesOther, true);
                self
            }
            None => self.without(DialogueCue::YouTwo),
            Some(_) => self,
        }
    }

    #[must_use]
    pub fn union(self, other: CueSet) -> CueSet {
        CueSet(self.0 | other.0)
    }
}

/// The cues that are phrases, each with the name of its word lists.
const LISTS: [(DialogueCue, &str); 9] = [
    (DialogueCue::Closing, "cue_closing"),
    (DialogueCue::Acknowledgement, "cue_acknowledgement"),
    (DialogueCue::Request, "cue_request"),
    (DialogueCue::Distress, "cue_distress"),
    (DialogueCue::GoodNews, "cue_good_news"),
    (DialogueCue::Room, "cue_room"),
    (DialogueCue::Trailing, "cue_trailing"),
    (DialogueCue::YouTwo, "cue_you_two"),
    (DialogueCue::LeaveBe, "cue_leave_be"),
];

type Phrase = Vec<u32>;

/// The phrases by the hash of their first word, the longest first.
static PHRASES: LazyLock<HashMap<u32, Vec<(DialogueCue, Phrase)>>> = LazyLock::new(|| {
    let mut phrases: HashMap<u32, Vec<(DialogueCue, Phrase)>> = HashMap::new();
    for (cue, name) in LISTS {
        for phrase in word_lists(name)
            .flat_map(|list| list.entries())
            .map(hash_phrase)
            .filter(|phrase| !phrase.is_empty())
        {
            phrases.entry(phrase[0]).or_default().push((cue, phrase));
        }
    }
    for starting in phrases.values_mut() {
        starting.sort_by_key(|(_, phrase)| std::cmp::Reverse(phrase.len()));
    }
    phrases
});

/// The cues among words, and how many of the words acknowledgements make up. Laughing words are told by `laughs`.
pub(super) fn read_cues(all: &[u32], laughs: impl Fn(usize) -> bool) -> CueSet {
    let mut cues = CueSet::default();
    let mut slight_until = 0;
    let mut slight = true;
    for at in 0..all.len() {
        let rest = &all[at..];
        if laughs(at) {
            slight_until = slight_until.max(at + 1);
        }
        for (cue, phrase) in PHRASES.get(&rest[0]).into_iter().flatten() {
            if !rest.starts_with(phrase) {
                continue;
            }
            match cue {
                DialogueCue::Acknowledgement => slight_until = slight_until.max(at + phrase.len()),
                // Only what stands at the end is left open.
                DialogueCue::Trailing => {
                    cues.add(DialogueCue::Trailing, rest.len() == phrase.len())
                }
                cue => cues.add(*cue, true),
            }
        }
        slight &= slight_until > at;
    }
    cues.add(DialogueCue::Slight, slight);
    cues
}
