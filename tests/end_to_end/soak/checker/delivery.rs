//! Nothing is lost, nothing is said twice, nothing waits for ever, and nobody is answered who took back what they said.

use std::collections::{BTreeMap, BTreeSet};

use super::{MINUTE, SECOND, answer_of};
use crate::discord::fake_discord::{Id, Millis};
use crate::soak::record::{SaidMessage, SoakRecord, marks_in, words_in};

/// How long an action may wait for Discord before it is given up.
const OUTBOX_LIFE: Millis = 10 * MINUTE;
/// How long a prompt may be under way that was begun before a message was deleted, in real time.
const TURN: Millis = 8 * SECOND;
/// How long a change may be on its way into the store, in real time. Where something goes wrong meanwhile, it may never have
/// been heard.
const BEING_STORED: Millis = 30 * SECOND;

/// What stands in Discord and is not in the store.
pub fn find_lost(record: &SoakRecord) -> Vec<String> {
    let messages = record.messages_by_number();
    let stored: BTreeSet<_> = record
        .stored
        .iter()
        .map(|line| (line.channel, line.id))
        .collect();
    let said = record
        .said
        .iter()
        .filter(|message| message.deleted.is_none() && !record.is_forgotten(message))
        .map(|message| (message.channel, message.id, "said by a person"));
    let posts = record
        .posts
        .iter()
        .filter(|post| !is_about_forgotten(record, &messages, &post.text))
        .map(|post| (post.channel, post.id, "said by the companion"));
    said.chain(posts)
        .filter(|(channel, id, _)| !stored.contains(&(*channel, *id)))
        .map(|(channel, id, who)| format!("message {id} in {channel}, {who}, is lost"))
        .collect()
}

/// A line of the companion's that quotes somebody who was forgotten may be forgotten with them.
fn is_about_forgotten(
    record: &SoakRecord,
    messages: &BTreeMap<u32, &SaidMessage>,
    text: &str,
) -> bool {
    let quoted = words_in(text);
    quoted
        .iter()
        .filter_map(|number| messages.get(number))
        .any(|message| record.is_forgotten(message))
}

/// What is in the store and never stood in Discord, or was taken back and the companion knew it.
pub fn find_invented(record: &SoakRecord) -> Vec<String> {
    let said = record
        .said
        .iter()
        .map(|message| (message.channel, message.id));
    let posts = record.posts.iter().map(|post| (post.channel, post.id));
    let known: BTreeSet<_> = said.chain(posts).collect();
    let forgotten = record
        .said
        .iter()
        .filter(|message| record.is_forgotten(message));
    let forgotten: BTreeSet<_> = forgotten
        .map(|message| (message.channel, message.id))
        .collect();
    let mut wrong = Vec::new();
    for line in &record.stored {
        let place = (line.channel, line.id);
        if !known.contains(&place) {
            wrong.push(format!(
                "message {} in {} is stored and was never said: {:?}",
                line.id, line.channel, line.text
            ));
        } else if forgotten.contains(&place) {
            wrong.push(format!(
                "message {} in {} is stored though its author is forgotten or ignored",
                line.id, line.channel
            ));
        } else if record.tombstones.contains_key(&place) {
            wrong.push(format!(
                "message {} in {} is stored though it is known to be deleted",
                line.id, line.channel
            ));
        }
    }
    wrong
}

/// What stands in the store as it was before it was edited or deleted, though that was told and nothing went wrong.
pub fn find_unchanged(record: &SoakRecord) -> Vec<String> {
    let stored: BTreeMap<_, _> = record
        .stored
        .iter()
        .map(|line| ((line.channel, line.id), &line.text))
        .collect();
    let is_disturbed = |told: Millis| {
        let mut later = record.troubles.iter().filter(|trouble| **trouble >= told);
        later.any(|trouble| record.time.between(told, *trouble) < BEING_STORED)
    };
    let heard = record
        .said
        .iter()
        .filter(|message| message.change_told.is_some_and(|told| !is_disturbed(told)));
    heard
        .filter_map(|message| {
            let kept = stored.get(&(message.channel, message.id))?;
            let is_kept_as_it_was = match &message.edited {
                _ if message.deleted.is_some() => true,
                Some(edited) => edited != *kept,
                None => false,
            };
            is_kept_as_it_was.then(|| {
                format!(
                    "message {} in {} is stored as {kept:?}, though it was deleted at {:?} or changed to {:?}",
                    message.id, message.channel, message.deleted, message.edited
                )
            })
        })
        .collect()
}

/// Parts of answers that stand in Discord more than once.
pub fn find_repeated(record: &SoakRecord) -> Vec<String> {
    let mut times: BTreeMap<(u32, u32), Vec<(Id, Millis)>> = BTreeMap::new();
    for post in &record.posts {
        for mark in marks_in(&post.text) {
            times.entry(mark).or_default().push((post.id, post.at));
        }
    }
    times
        .into_iter()
        .filter(|(_, posts)| posts.len() > 1)
        .map(|((answer, part), posts)| {
            format!("part {part} of answer {answer} was said twice or more: {posts:?}")
        })
        .collect()
}

/// Actions that neither happened nor were given up in their time.
pub fn find_left_open(record: &SoakRecord) -> Vec<String> {
    record
        .open_actions
        .iter()
        .filter(|action| action.journaled_at + OUTBOX_LIFE < record.ended)
        .map(|action| {
            format!(
                "action {} in {} still waits in the outbox",
                action.nonce, action.channel
            )
        })
        .collect()
}

/// Replies to messages of which the companion knew, when the turn began, that they are deleted.
pub fn find_replies_to_deleted(record: &SoakRecord) -> Vec<String> {
    let prompts = record.prompts_by_answer();
    let mut wrong = Vec::new();
    for post in &record.posts {
        let Some(message) = post.reply_to else {
            continue;
        };
        let asked_at = answer_of(post)
            .and_then(|answer| prompts.get(&answer))
            .map_or(post.at, |prompt| prompt.at);
        let gone = record.tombstones.get(&(post.channel, message));
        if gone.is_some_and(|gone| record.time.between(*gone, asked_at) > TURN) {
            wrong.push(format!(
                "post {} in {} replies to {message}, which was deleted before",
                post.id, post.channel
            ));
        }
    }
    wrong
}
