//! People who are answered but not remembered: what they wrote is erased when its time is over. What the companion said
//! of it goes from its lines, and lines of core memory that name or quote it go whole. The person stays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::db::Database;
use crate::deleted_quotes::{CompanionLine, RewordedLine};
use crate::error::StoreError;
use crate::forget::person_traces::{
    AuthoredMessage, PersonRecords, UnrememberedMessage, set_reach,
};
use crate::forget::unfinished::{self, ForgettingStep, RecordKey};
use crate::forget::{
    ForgetResult, MESSAGES, others_lines, run_in_commits, small_tables, track_erasure,
};
use crate::handle::{Store, walk_messages};
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::target::ForgetTarget;
use crate::sql::SqlResult;
use crate::values::params;
use crate::{erase, forget, memories, preferences};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis, UserId};
use kith_core::quotes::{ErasedPassages, extract_distinctive_words};

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
    let record = begin(store, old.clone())?;
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
    reworded.extend(finish(store, old, &record)?);
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
        let find = "SELECT author, author_name, arrival, channel, id, at, text FROM messages
             WHERE arrival > ?1 AND arrival <= ?2";
        let mut written: Vec<UnrememberedMessage> = conn.read_all(find, params![from, to])?;
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

/// Before any of these messages is erased: it is written down whose words are to be looked for then.
pub fn begin(store: &Store, messages: Vec<UnrememberedMessage>) -> Result<RecordKey, StoreError> {
    let step = ForgettingStep::RemoveQuotes(messages);
    store
        .write(move |db| unfinished::begin_step(db, &step))
        .wait()
}

/// Takes these messages, which are erased by now, out of what the companion said of them; then nothing of them is on
/// record. Answers with its lines that say something else now.
pub fn finish(
    store: &Store,
    erased: Vec<UnrememberedMessage>,
    record: &RecordKey,
) -> Result<Vec<RewordedLine>, StoreError> {
    let mut by_person: BTreeMap<UserId, (BTreeSet<String>, Vec<AuthoredMessage>)> = BTreeMap::new();
    for message in erased {
        let (names, messages) = by_person.entry(message.author).or_default();
        names.insert(message.name);
        messages.push(message.authored);
    }
    let mut reworded = Vec::new();
    for (user, (names, messages)) in by_person {
        reworded.extend(remove_quotes(store, user, names, messages)?);
    }
    let record = record.clone();
    let remove = move |db: &mut Database| track_erasure(db, |db| unfinished::delete(db, &record));
    store.write(remove).wait()?;
    Ok(reworded)
}

/// Takes what one person wrote, which is erased by now, out of what the companion said since and remembers where it may
/// have been seen; answers with its lines that say something else now.
fn remove_quotes(
    store: &Store,
    user: UserId,
    names: BTreeSet<String>,
    messages: Vec<AuthoredMessage>,
) -> Result<Vec<RewordedLine>, StoreError> {
    let channels: BTreeSet<ChannelId> = messages.iter().map(|wrote| wrote.channel).collect();
    let known = store.channels().wait()?;
    let target = ForgetTarget::new(user, Some(channels.iter().copied().collect()), &known);
    let first = messages
        .iter()
        .map(|wrote| wrote.at)
        .min()
        .unwrap_or(Millis::MAX);
    let mut traces = PersonRecords {
        messages,
        names,
        ..PersonRecords::default()
    };
    set_reach(&mut traces, channels, &known);

    let (said, noted) = find_own_texts(store, first, traces.reach.clone())?;
    let own_texts = said.iter().map(|line| &line.text).chain(&noted);
    let mut texts = ErasedPassages::default();
    traces
        .messages
        .iter()
        .for_each(|wrote| texts.add(&wrote.text));
    let own_words = traces
        .messages
        .iter()
        .flat_map(|wrote| extract_distinctive_words(&wrote.text))
        .collect();
    let words = others_lines::find_unique_words(store, &own_words, own_texts)?;
    let (names, texts): (Vec<String>, _) =
        (traces.names.iter().cloned().collect(), Arc::new(texts));
    let quoted = Arc::new(IdentityMatcher::new(
        user,
        &[],
        texts.clone(),
        words.clone(),
    ));
    let known = IdentityMatcher::new(user, &names, texts, words);

    let lines = said.into_iter().filter_map(|line| {
        let text = quoted.redact(&line.text)?;
        Some((line.arrival, (line.channel, line.id, Arc::from(text))))
    });
    let (arrivals, reworded): (Vec<i64>, Vec<RewordedLine>) = lines.unzip();
    run_in_commits(store, arrivals.into_iter(), MESSAGES, move |db, lines| {
        lines
            .iter()
            .try_for_each(|arrival| others_lines::clean_line(db, *arrival, &quoted, user))
    })?;
    let noted = store.write(move |db| {
        track_erasure(db, |db| {
            small_tables::clean_notes(db, &target, &known)?;
            memories::forget_person(db, &target, &BTreeSet::new(), &known)
        })
    });
    noted.wait()?;
    Ok(reworded)
}

/// What the companion said from then on in channels the messages may have reached, and what it keeps.
fn find_own_texts(
    store: &Store,
    from: Millis,
    reach: BTreeSet<ChannelId>,
) -> Result<(Vec<CompanionLine>, Vec<String>), StoreError> {
    let texts = store.read(move |conn| {
        let find =
            "SELECT arrival, channel, id, text FROM messages WHERE at >= ?1 AND author_kind = ?2";
        let mut said: Vec<CompanionLine> =
            conn.read_all(find, params![from, AuthorKind::Companion])?;
        said.retain(|line| reach.contains(&line.channel));
        Ok((said, others_lines::read_noted_texts(conn)?))
    });
    texts.wait()
}
