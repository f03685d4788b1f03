//! Forgetting a person in the lines of others: who calls them calls someone, and the companion neither names nor quotes
//! them any more.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::catalogue::{ColumnRole, select_texts};
use crate::db::Database;
use crate::deleted_quotes::RewordedLine;
use crate::error::StoreError;
use crate::forget::person_traces::PersonRecords;
use crate::forget::{MESSAGES, run_in_commits};
use crate::from_row::from_row;
use crate::handle::{Store, walk_messages};
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::leaving_people;
use crate::leavers::leaving_people::ForgottenIdentity;
use crate::leavers::target::ForgetTarget;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::text_index;
use crate::text_index::is_said_by_others;
use crate::values::{JsonColumn, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, UserId};
use kith_core::outgoing::VisibleAction;
use kith_core::quotes::{ErasedPassages, extract_distinctive_words};

/// What gives them away in what the companion wrote. Of their words only those count that nobody else said, so that the
/// companion does not lose half its vocabulary over somebody who talked much. From here on it is also known by what is
/// saved late.
pub(super) fn build_trace(
    store: &Store,
    target: &ForgetTarget,
    traces: &PersonRecords,
) -> Result<IdentityMatcher, StoreError> {
    let mut texts = ErasedPassages::default();
    let mut own_words: BTreeSet<String> = BTreeSet::new();
    for wrote in &traces.messages {
        texts.add(&wrote.text);
        own_words.extend(extract_distinctive_words(&wrote.text));
    }
    let (user, texts) = (target.user, Arc::new(texts));
    let names: Vec<String> = traces.names.iter().cloned().collect();
    let known = ForgottenIdentity::new(
        target,
        IdentityMatcher::new(user, &names, texts.clone(), Vec::new()),
        own_words.clone(),
    );
    let set_names = move |db: &mut Database| {
        leaving_people::set_known_names(&mut db.leaving_people, user, known.clone());
        Ok(())
    };
    // Before it is looked what was told of them: what is told later is cleaned on its way in.
    store.write(set_names).wait()?;
    let words = find_unique_words(
        store,
        &own_words,
        collect_companion_texts(store, traces)?.iter(),
    )?;
    Ok(IdentityMatcher::new(user, &names, texts, words))
}

/// Of these words of somebody those that stand in what was `told` and that nobody else said.
pub(super) fn find_unique_words<'a>(
    store: &Store,
    own_words: &BTreeSet<String>,
    texts: impl Iterator<Item = &'a String>,
) -> Result<Vec<String>, StoreError> {
    let told: BTreeSet<String> = texts
        .flat_map(|text| extract_distinctive_words(text))
        .collect();
    let both: Vec<String> = own_words.intersection(&told).cloned().collect();
    let words = store.read(move |conn| {
        let mut unique_words = Vec::new();
        for word in &both {
            if !is_said_by_others(conn, word)? {
                unique_words.push(word.clone());
            }
        }
        Ok(unique_words)
    });
    words.wait()
}

/// What the companion said where it may have seen them, what it remembers there, and what it is about to say.
fn collect_companion_texts(
    store: &Store,
    traces: &PersonRecords,
) -> Result<Vec<String>, StoreError> {
    let reach = traces.reach.clone();
    let (mut texts, _) = walk_messages(store, 0, move |conn, from, to| {
        let find = "SELECT channel, text FROM messages WHERE arrival > ?1 AND arrival <= ?2 AND author_kind = ?3";
        let lines =
            conn.read_all::<(ChannelId, String)>(find, params![from, to, AuthorKind::Companion])?;
        Ok(lines
            .into_iter()
            .filter(|(channel, _)| reach.contains(channel))
            .map(|(_, text)| text)
            .collect())
    })?;
    texts.extend(store.read(read_noted_texts).wait()?);
    texts.extend(
        store
            .pending_outbox()
            .wait()?
            .into_iter()
            .filter_map(|outgoing| match outgoing.action {
                VisibleAction::Send { text, .. } => Some(text),
                VisibleAction::React { .. } => None,
            }),
    );
    Ok(texts)
}

struct OthersLine {
    arrival: i64,
    channel: ChannelId,
    id: MessageId,
    author: AuthorKind,
    text: String,
    mentions: Option<JsonColumn<Vec<UserId>>>,
}

from_row! { OthersLine { arrival, channel, author, text, mentions, id } }

impl OthersLine {
    fn redact(&self, trace: &IdentityMatcher) -> Option<String> {
        if self.author == AuthorKind::Companion {
            trace.redact(&self.text)
        } else {
            trace.redact_mentions(&self.text)
        }
    }

    fn has_mention(&self, user: UserId) -> bool {
        self.mentions
            .as_ref()
            .is_some_and(|JsonColumn(mentioned)| mentioned.contains(&user))
    }
}

/// Takes their name, their words and their id out of the lines of others; answers with the lines that say something else
/// now.
pub(super) fn clean_lines(
    store: &Store,
    target: &ForgetTarget,
    traces: &PersonRecords,
    trace: &Arc<IdentityMatcher>,
) -> Result<Vec<RewordedLine>, StoreError> {
    let (scope, reach, sought) = (target.clone(), traces.reach.clone(), trace.clone());
    let (lines, _) = walk_messages(store, 0, move |conn, from, to| {
        let find = "SELECT arrival, channel, author_kind, text, mentions, id FROM messages WHERE arrival > ?1 AND arrival <= ?2
             AND (author_kind = ?3 OR mentions IS NOT NULL OR instr(text, '@') > 0 OR instr(text, ?4) > 0)";
        let user = scope.user;
        let values = params![from, to, AuthorKind::Companion, user.to_string()];
        let mut lines: Vec<OthersLine> = conn.read_all(find, values)?;
        lines.retain(|line| scope.covers(line.channel) || reach.contains(&line.channel));
        let mut found: Vec<(i64, Option<RewordedLine>)> = Vec::new();
        for line in lines {
            let reworded = line
                .redact(&sought)
                .map(|text| (line.channel, line.id, text.into()));
            if reworded.is_some() || line.has_mention(user) {
                found.push((line.arrival, reworded));
            }
        }
        Ok(found)
    })?;
    let (user, trace) = (target.user, trace.clone());
    let arrivals = lines.iter().map(|(arrival, _)| *arrival);
    run_in_commits(store, arrivals, MESSAGES, move |db, lines| {
        lines
            .iter()
            .try_for_each(|arrival| clean_line(db, *arrival, &trace, user))
    })?;
    Ok(lines
        .into_iter()
        .filter_map(|(_, reworded)| reworded)
        .collect())
}

pub(super) fn clean_line(
    db: &Database,
    arrival: i64,
    trace: &IdentityMatcher,
    user: UserId,
) -> SqlResult<()> {
    let find =
        "SELECT arrival, channel, author_kind, text, mentions, id FROM messages WHERE arrival = ?1";
    let Some(line) = db.conn.read_first::<OthersLine>(find, params![arrival])? else {
        return Ok(());
    };
    if let Some(text) = line.redact(trace) {
        text_index::remove_text(&db.conn, arrival, line.channel, &line.text)?;
        text_index::add_text(&db.conn, arrival, line.channel, &text)?;
        let of = row! { arrival };
        db.conn.update_rows("messages", of, row! { text })?;
    }
    if line.has_mention(user)
        && let Some(JsonColumn(mut mentioned)) = line.mentions
    {
        mentioned.retain(|mentioned| *mentioned != user);
        let mentions = (!mentioned.is_empty()).then_some(JsonColumn(mentioned));
        let of = row! { arrival };
        db.conn.update_rows("messages", of, row! { mentions })?;
    }
    Ok(())
}

/// The texts. A line break is written as a letter in JSON, which would be taken for one of a word.
pub(super) fn read_noted_texts(conn: &SqlConnection) -> SqlResult<Vec<String>> {
    let texts = select_texts(&[ColumnRole::Words, ColumnRole::Note]);
    let texts: Vec<String> = conn.read_all(&texts, params![])?;
    Ok(texts
        .into_iter()
        .map(|text| text.replace("\\n", " "))
        .collect())
}
