//! Forgetting a person: their text, their id and their name go out of every table, index and file. What others said
//! stays theirs, but calls nobody by that name. Done in steps; whatever is saved meanwhile is cleaned, too.

mod others_lines;
pub(super) mod person_traces;
pub(super) mod small_tables;
mod turns;
pub(super) mod unfinished;
pub(super) mod unremembered;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use person_traces::{PersonRecords, find_traces};
use unfinished::{ForgettingStep, RecordKey, UnfinishedForgetting};

use crate::connection_threads::JobKind;
use crate::db::Database;
use crate::deleted_quotes::RewordedLine;
use crate::error::StoreError;
use crate::handle::Store;
use crate::leavers::target::ForgetTarget;
use crate::leavers::{leaving_people, tombstones};
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::params;
use crate::{erase, write_ahead_log};
use kith_core::chat::{ChannelId, MessageId, Millis, TurnId, UserId};
use kith_system::clock::monotonic;

/// Messages changed in one commit: an append waits no longer than that takes.
const MESSAGES: usize = 50;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgetResult {
    /// Their messages, by channel; of their direct messages the companion's lines as well.
    pub messages: Vec<(ChannelId, Vec<MessageId>)>,
    /// The turns of which only the bare numbers are left: where else they are shown, that must go.
    pub turns: Vec<TurnId>,
    /// Lines of others that called, named or quoted them, with what they say now.
    pub reworded: Vec<RewordedLine>,
}

impl ForgetResult {
    /// The same behind lines that were changed before.
    pub(super) fn after(mut self, mut reworded: Vec<RewordedLine>) -> Self {
        reworded.append(&mut self.reworded);
        Self { reworded, ..self }
    }
}

pub(crate) fn forget(
    store: &Store,
    target: &ForgetTarget,
    at: Millis,
) -> Result<ForgetResult, StoreError> {
    let forgotten = target.clone();
    // What was queued before this is stored then, and seen by what reads; nothing older comes in after it.
    let begin = store.write(move |db| {
        tombstones::record_forgotten(db, &forgotten, at)?;
        unfinished::begin(db, &forgotten, at)
    });
    let (key, record) = begin.wait()?;
    let traces = find_traces(store, target, 0)?;
    unfinished::record_traces(store, &key, record, &traces)?;
    forget_traces(store, target, traces, (at, &key))
}

/// Finishes the steps that are meant. Answers how many people are forgotten by it, and with lines that say something else
/// now.
pub(crate) fn finish(
    store: &Store,
    is_meant: impl Fn(&ForgettingStep) -> bool,
) -> Result<(usize, Vec<RewordedLine>), StoreError> {
    let (mut count, mut reworded) = (0, Vec::new());
    let all = unfinished::find_all(store)?.into_iter();
    for (key, step) in all.filter(|(_, step)| is_meant(step)) {
        match step {
            ForgettingStep::Erase(record) => {
                reworded.extend(finish_one(store, *record, &key)?.reworded);
                count += 1;
            }
            ForgettingStep::RemoveQuotes(messages) => {
                reworded.extend(unremembered::finish(store, messages, &key)?);
            }
            ForgettingStep::Rewrite => rewrite(store, &key)?,
        }
    }
    Ok((count, reworded))
}

fn finish_one(
    store: &Store,
    record: UnfinishedForgetting,
    key: &RecordKey,
) -> Result<ForgetResult, StoreError> {
    let target = ForgetTarget::new(
        record.user,
        record.channels.clone(),
        &store.channels().wait()?,
    );
    let (mut traces, at) = (find_traces(store, &target, 0)?, record.at);
    traces.leave_out_later(record.arrival, at);
    match record.traces {
        Some(known) => traces.add_known(known),
        None => unfinished::record_traces(store, key, record, &traces)?,
    }
    forget_traces(store, &target, traces, (at, key))
}

/// Erases what was found. It is on record, under this key, until that is done.
fn forget_traces(
    store: &Store,
    target: &ForgetTarget,
    traces: PersonRecords,
    (at, key): (Millis, &RecordKey),
) -> Result<ForgetResult, StoreError> {
    let (user, begun) = (target.user, monotonic());
    let reach = traces.reach.clone();
    let begin = move |db: &mut Database| {
        leaving_people::begin_leaving(&mut db.leaving_people, user, reach.clone());
        Ok(())
    };
    store.write(begin).wait()?;
    let outcome = erase(store, target, traces, (at, key));
    let elapsed = Millis::try_from(begun.elapsed().as_millis()).unwrap_or(Millis::MAX);
    let end = move |db: &mut Database| {
        leaving_people::end_leaving(&mut db.leaving_people, user, at.saturating_add(elapsed));
        Ok(())
    };
    store.write(end).wait()?;
    outcome
}

fn erase(
    store: &Store,
    target: &ForgetTarget,
    mut traces: PersonRecords,
    (at, key): (Millis, &RecordKey),
) -> Result<ForgetResult, StoreError> {
    let mut erased = erase_messages(store, target.user, &traces, at)?;
    // What arrived meanwhile, if it was written before.
    let mut late = find_traces(store, target, traces.end)?;
    late.messages.retain(|wrote| wrote.at <= at);
    erased.append(&mut erase_messages(store, target.user, &late, at)?);
    traces.messages.append(&mut late.messages);
    traces.names.append(&mut late.names);

    let trace = Arc::new(others_lines::build_trace(store, target, &traces)?);
    let turns = turns::strip_turns(store, target, &traces, &trace)?;
    let reworded = others_lines::clean_lines(store, target, &traces, &trace)?;
    let (target, record) = (target.clone(), key.clone());
    let small = store.write(move |db| {
        track_erasure(db, |db| {
            small_tables::clean_small_tables(db, &target, &traces, &trace)
        })?;
        // Before all is written anew: what is on record names them and holds what they wrote.
        unfinished::set_step(db, &record, &ForgettingStep::Rewrite)
    });
    small.wait()?;
    rewrite(store, key)?;

    let mut messages: BTreeMap<ChannelId, Vec<MessageId>> = BTreeMap::new();
    for (channel, id) in erased {
        messages.entry(channel).or_default().push(id);
    }
    Ok(ForgetResult {
        messages: messages.into_iter().collect(),
        turns,
        reworded,
    })
}

/// Writes the database anew; then nothing is left to be done. Where somebody else has a part of it, it stays on record.
fn rewrite(store: &Store, key: &RecordKey) -> Result<(), StoreError> {
    // One after the other: what was queued meanwhile is stored in between.
    let parts = store.write_as(JobKind::Upkeep, |db| Ok(db.unwritten.clone()));
    for part in parts.wait()? {
        let rewrite = move |db: &mut Database| write_ahead_log::rewrite_part(db, part);
        store.write_as(JobKind::Upkeep, rewrite).wait()?;
    }
    let end = store.write_as(JobKind::Upkeep, write_ahead_log::end_rewriting);
    if end.wait()? {
        return unfinished::remove(store, key);
    }
    tracing::warn!(
        "what was erased may still be in the files of tables that somebody else reads; trying again later"
    );
    Ok(())
}

fn erase_messages(
    store: &Store,
    user: UserId,
    traces: &PersonRecords,
    at: Millis,
) -> Result<BTreeSet<(ChannelId, MessageId)>, StoreError> {
    let mut messages: BTreeSet<_> = traces
        .messages
        .iter()
        .map(|wrote| (wrote.channel, wrote.id))
        .collect();
    for &channel in &traces.direct_channels {
        let all = store.read(move |conn| {
            let find = "SELECT channel, id FROM messages WHERE channel = ?1";
            conn.read_all::<(ChannelId, MessageId)>(find, params![channel])
        });
        messages.extend(all.wait()?);
    }
    let written = messages.iter().copied();
    run_in_commits(store, written, MESSAGES, move |db, written| {
        let arrival = db.advance_arrival();
        let mut written = written.iter();
        written.try_for_each(|(channel, id)| {
            erase::delete_message_only(db, *channel, *id, arrival, at)
        })
    })?;
    let reacted = traces.reactions.iter().map(|it| (it.0, it.1));
    run_in_commits(store, reacted, MESSAGES, move |db, reacted| {
        reacted.iter().try_for_each(|(channel, message)| {
            let reaction = row! { channel, message, user };
            db.conn.delete_rows("reactions", reaction).map(drop)
        })
    })?;
    Ok(messages)
}

/// Runs `work`, and keeps in mind whether it erased anything: where nothing was, nothing has to be written anew.
fn track_erasure(
    db: &mut Database,
    work: impl FnOnce(&mut Database) -> SqlResult<()>,
) -> SqlResult<()> {
    let before = db.conn.count_changes();
    db.erased = true;
    work(db)?;
    if db.conn.count_changes() > before {
        db.unwritten.extend((db.conn.statements().parts)());
    }
    Ok(())
}

/// Runs `work` over all items, so many in each commit.
pub(super) fn run_in_commits<T: Clone + Send + 'static>(
    store: &Store,
    items: impl Iterator<Item = T>,
    together: usize,
    work: impl Fn(&mut Database, &[T]) -> SqlResult<()> + Clone + Send + 'static,
) -> Result<(), StoreError> {
    let items: Vec<T> = items.collect();
    for some in items.chunks(together) {
        let (some, work) = (some.to_vec(), work.clone());
        let write = store.write(move |db| track_erasure(db, |db| work(db, &some)));
        write.wait()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_core::chat::{Author, AuthorKind, Message};
    use kith_core::event::ChatEvent;

    /// Makes unused pages, and answers how many are left after a person was forgotten.
    fn unused_after(store: &Store, user: UserId) -> i64 {
        let fill = "INSERT INTO meta VALUES ('long', hex(zeroblob(50000))); DELETE FROM meta WHERE key = 'long'";
        store
            .write(move |db| db.conn.execute_batch(fill))
            .wait()
            .expect("filled");
        store
            .forget_person(user, None, 1)
            .wait()
            .expect("forgotten");
        let unused = store.read(|conn| conn.read_one("PRAGMA freelist_count", params![]));
        unused.wait().expect("counted")
    }

    #[test]
    fn everything_is_written_anew_only_where_something_was_erased() {
        let store = Store::open_in_memory().expect("opened");
        assert_eq!(
            unused_after(&store, UserId(7)),
            0,
            "how the last run ended nobody knows"
        );
        assert!(
            unused_after(&store, UserId(7)) > 0,
            "there was nothing of them"
        );
        let message = Message {
            id: MessageId(1),
            channel: ChannelId(1),
            arrival: 0,
            at: 2,
            author: Author {
                id: UserId(7),
                name: "Anna".into(),
                kind: AuthorKind::Person,
            },
            text: "hi".into(),
            reply_to: None,
            mentions: Vec::new(),
        };
        store
            .append(vec![ChatEvent::Message(message)])
            .wait()
            .expect("stored");
        assert_eq!(unused_after(&store, UserId(7)), 0);
    }
}
