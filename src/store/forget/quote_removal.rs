//! What the companion said and noted of messages that are erased because their author does not want to be remembered:
//! their words go from its lines, and lines of core memory that name or quote them go whole. The person stays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::person_traces::{AuthoredMessage, PersonTraces, UnrememberedMessage, set_reach};
use super::unfinished::{self, ForgettingStep, RecordKey};
use super::{MESSAGES, noted_texts, others_lines, run_in_commits, small_tables, track_erasure};
use crate::db::Database;
use crate::deleted_quotes::{CompanionLine, RewordedLine};
use crate::error::StoreError;
use crate::handle::Store;
use crate::leaving::identifying_trace::IdentifyingTrace;
use crate::leaving::target::ForgetTarget;
use crate::memories;
use crate::values::params;
use kith_core::chat::{AuthorKind, ChannelId, Millis, UserId};
use kith_core::quotes::{ErasedPassages, extract_distinctive_words};

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
    let mut traces = PersonTraces {
        messages,
        names,
        ..PersonTraces::default()
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
    let quoted = Arc::new(IdentifyingTrace::new(
        user,
        &[],
        texts.clone(),
        words.clone(),
    ));
    let known = IdentifyingTrace::new(user, &names, texts, words);

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
        Ok((said, noted_texts::read_noted_texts(conn)?))
    });
    texts.wait()
}
