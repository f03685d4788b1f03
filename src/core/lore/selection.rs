//! Which entries of lore a moment calls for. The same messages always give the same entries: where chance decides, it
//! is a draw that belongs to the message which holds the key, so an entry does not come and go while its message stays.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::key::{LoreKey, ScannedText};
use super::{LoreEntry, Lorebook, SecondaryKeyLogic};
use crate::chat::MessageId;
use crate::word::hash_word;

/// The most messages that are searched for keys.
pub const LONGEST_SCAN: usize = 50;
/// The most of a message that is searched, in bytes: a pasted text has thousands of words and is about few things.
const SCANNED_BYTES: usize = 1_000;
/// The most of all messages that is searched, in bytes: with as many keys as a file may have, that takes below 0.2 s in a
/// build for tests, and with a few hundred keys a few milliseconds.
const SCANNED_BYTES_IN_ALL: usize = 8_000;
/// How many times the entries that came in are searched for the keys of others: whoever is named in what is told of a
/// place, and no more of the whole world.
const RECURSION_STEPS: usize = 3;

#[derive(Clone, Copy, Debug)]
pub struct ScannedMessage<'a> {
    pub id: MessageId,
    /// What it says, unescaped.
    pub text: &'a str,
}

/// A text that is searched, and the message it stands for.
struct ScannedPlace<'a> {
    message: MessageId,
    text: ScannedText<'a>,
}

/// The entries for a chat whose messages are given newest first: those that are always there, then those whose keys are
/// written; the more an entry counts, the earlier.
pub fn select_entries<'a>(
    books: &'a [Lorebook],
    messages: &[ScannedMessage<'_>],
) -> Vec<&'a LoreEntry> {
    let mut left = SCANNED_BYTES_IN_ALL;
    let searched = messages.iter().take(LONGEST_SCAN).map_while(|message| {
        let text = truncate_text(message.text);
        left = left.checked_sub(text.len())?;
        Some(ScannedPlace {
            message: message.id,
            text: ScannedText::new(text),
        })
    });
    let searched: Vec<ScannedPlace<'_>> = searched.collect();
    let mut waiting: Vec<(&Lorebook, &LoreEntry)> = books
        .iter()
        .flat_map(|book| book.entries.iter().map(move |entry| (book, entry)))
        .filter(|(_, entry)| entry.enabled && !entry.text.trim().is_empty())
        .collect();
    let mut chosen: Vec<&LoreEntry> = Vec::new();
    let mut reached: Vec<ScannedPlace<'_>> = Vec::new();
    for step in 0..=RECURSION_STEPS {
        let mut came: Vec<(&Lorebook, &LoreEntry)> = Vec::new();
        waiting.retain(|(book, entry)| {
            if step > 0 && !entry.reached_by_entries {
                return false;
            }
            let depth = entry.scan_depth.unwrap_or(book.scan_depth) as usize;
            let near = &searched[..depth.min(searched.len())];
            let Some(trigger) = find_trigger(entry, near, &reached) else {
                return true;
            };
            if is_drawn(entry, trigger) {
                came.push((book, entry));
            }
            false
        });
        let newest = searched.first().map_or(MessageId(0), |place| place.message);
        let leads = came
            .iter()
            .filter(|(book, entry)| book.recursive && entry.leads_to_entries);
        let before = reached.len();
        reached.extend(leads.map(|(_, entry)| ScannedPlace {
            message: newest,
            text: ScannedText::new(truncate_text(&entry.text)),
        }));
        chosen.extend(came.into_iter().map(|(_, entry)| entry));
        if reached.len() == before {
            break;
        }
    }
    chosen.sort_by_key(|entry| (!entry.constant, std::cmp::Reverse(entry.order)));
    chosen
}

/// The newest message that calls for an entry; for one that other entries or nothing calls for, the newest of all.
fn find_trigger(
    entry: &LoreEntry,
    near: &[ScannedPlace<'_>],
    reached: &[ScannedPlace<'_>],
) -> Option<MessageId> {
    let newest = near.first().map_or(MessageId(0), |place| place.message);
    if entry.constant {
        return Some(newest);
    }
    let holds = |key: &LoreKey, place: &ScannedPlace<'_>| {
        key.is_in(&place.text, entry.case_sensitive, entry.whole_words)
    };
    let mut places = near.iter().chain(reached);
    let found = places.find(|place| entry.keys.iter().any(|key| holds(key, place)))?;
    let is_written = |key: &LoreKey| near.iter().chain(reached).any(|place| holds(key, place));
    let mut secondary = entry.secondary_keys.iter();
    let fits = entry.secondary_keys.is_empty()
        || match entry.secondary_logic {
            SecondaryKeyLogic::AnyOf => secondary.any(is_written),
            SecondaryKeyLogic::AllOf => secondary.all(is_written),
            SecondaryKeyLogic::NoneOf => !secondary.any(is_written),
            SecondaryKeyLogic::NotAllOf => !secondary.all(is_written),
        };
    fits.then_some(found.message)
}

/// The draw that belongs to an entry and a message.
fn is_drawn(entry: &LoreEntry, message: MessageId) -> bool {
    if entry.probability >= 100 {
        return true;
    }
    let seed = message.0 ^ (u64::from(hash_word(&entry.text)) << 32);
    ChaCha8Rng::seed_from_u64(seed).random_range(0..100) < entry.probability
}

fn truncate_text(text: &str) -> &str {
    &text[..text.floor_char_boundary(SCANNED_BYTES)]
}
