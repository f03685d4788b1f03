//! People who are answered but not remembered: what they wrote is erased when its time is over, and what the companion
//! said and noted of it.

use std::collections::BTreeMap;

use crate::db::Database;
use crate::deleted_quotes::RewordedLine;
use crate::error::StoreError;
use crate::forget::person_traces::{AuthoredMessage, UnrememberedMessage};
use crate::forget::unfinished::ForgettingStep;
use crate::forget::{ForgetResult, quote_removal};
use crate::handle::{Store, walk_messages};
use crate::sql::SqlResult;
use crate::values::{ReadRow, params};
use crate::{erase, forget, preferences};
use kith_core::chat::{ChannelId, MessageId, Millis, UserId};

/// The most messages one call erases, and one commit: each is looked for in the turns.
const AT_ONCE: usize = 200;
const COMMITTED: usize = 10;

pub(crate) fn forget_unremembered(
    store: &Store,
    before: Millis,
) -> Result<ForgetResult, StoreError> {
    // What failed the last time.
    let is_of_quotes = |step: &ForgettingStep| matches!(step, ForgettingStep::RemoveQuotes(_));
    let (_, reworded) = forget::finish(store, is_of_quotes)?;
    let people = store.read(preferences::find_unremembered_people).wait()?;
    if people.is_empty() {
        return Ok(ForgetResult::default().after(reworded));
    }
    let from = store.write(|db| Ok(db.remembered_until)).wait()?;
    let (written, end) = find_written(store, from, people)?;
    let (mut old, young): (Vec<_>, Vec<_>) = written
        .into_iter()
        .partition(|message| message.authored.at < before);
    let later = old.split_off(old.len().min(AT_ONCE));
    // What is still young, or too much for one call, is looked at again; what a wish changed meanwhile, as well.
    let done = young
        .iter()
        .chain(&later)
        .map(|message| message.authored.arrival - 1)
        .min()
        .unwrap_or(end);
    let erased = match old.is_empty() {
        true => ForgetResult::default(),
        false => erase_written(store, old, before)?,
    };
    let moved = move |db: &mut Database| {
        if db.remembered_until == from {
            db.remembered_until = done;
        }
        Ok(())
    };
    store.write(moved).wait()?;
    Ok(erased.after(reworded))
}

/// Erases these messages, and what the companion said and noted of them.
fn erase_written(
    store: &Store,
    old: Vec<UnrememberedMessage>,
    before: Millis,
) -> Result<ForgetResult, StoreError> {
    let mut gone: BTreeMap<ChannelId, Vec<MessageId>> = BTreeMap::new();
    let mut reworded = Vec::new();
    // Once they are erased nothing else tells whose words are to be looked for.
    let record = quote_removal::begin(store, old.clone())?;
    for some in old.chunks(COMMITTED) {
        let some: Vec<_> = some
            .iter()
            .map(|message| (message.authored.channel, message.authored.id))
            .collect();
        some.iter()
            .for_each(|(channel, id)| gone.entry(*channel).or_default().push(*id));
        let erase = store.write(move |db| erase_messages(db, &some, before));
        reworded.extend(erase.wait()?);
    }
    reworded.extend(quote_removal::finish(store, old, &record)?);
    Ok(ForgetResult {
        messages: gone.into_iter().collect(),
        turns: Vec::new(),
        reworded,
    })
}

/// What these people wrote after an arrival number, and how far was looked.
fn find_written(
    store: &Store,
    from: i64,
    people: Vec<UserId>,
) -> Result<(Vec<UnrememberedMessage>, i64), StoreError> {
    walk_messages(store, from, move |conn, from, to| {
        let find = "SELECT arrival, author, author_name, channel, id, at, text FROM messages
             WHERE arrival > ?1 AND arrival <= ?2";
        let mut written = conn.map_all(find, params![from, to], |row| {
            let authored = AuthoredMessage {
                arrival: row.read(0)?,
                channel: row.read(3)?,
                id: row.read(4)?,
                at: row.read(5)?,
                text: row.read(6)?,
            };
            Ok(UnrememberedMessage {
                author: row.read(1)?,
                name: row.read(2)?,
                authored,
            })
        })?;
        written.retain(|it| people.contains(&it.author));
        Ok(written)
    })
}

/// Answers with the companion's lines that quoted them, with what they say now.
fn erase_messages(
    db: &mut Database,
    messages: &[(ChannelId, MessageId)],
    at: Millis,
) -> SqlResult<Vec<RewordedLine>> {
    let arrival = db.advance_arrival();
    let mut reworded = Vec::new();
    for (channel, id) in messages {
        reworded.extend(erase::delete_message(db, *channel, *id, arrival, at)?.reworded);
    }
    Ok(reworded)
}
