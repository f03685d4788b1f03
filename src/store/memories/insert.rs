//! Keeping memories. What may not be kept is refused here, in the commit that would keep it: a message may have gone, and a
//! person with it, while a model thought about them.

use crate::db::Database;
use crate::leavers::tombstones;
use crate::preferences;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::params;
use kith_core::chat::{ChannelId, MemoryId, MessageId, Millis, UserId};
use kith_core::memory_entry::{MemoryContent, MemoryDraft, MemoryOutcome, MemoryRefusal};
use kith_core::preference::PersonPreference;
use kith_core::similarity::extract_letters;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryBatch {
    pub drafts: Vec<MemoryDraft>,
    /// When what it was made from was read: what was changed or erased since is not remembered.
    pub begun: Millis,
    /// The channel it was made from, and the last message that was looked at there; None where that does not count.
    pub consolidated: Option<(ChannelId, MessageId)>,
}

pub(super) fn put_batch(db: &mut Database, batch: &MemoryBatch) -> SqlResult<Vec<MemoryOutcome>> {
    if let Some((channel, until)) = batch.consolidated {
        db.conn.raise_row("consolidated", row! { channel, until })?;
    }
    batch
        .drafts
        .iter()
        .map(|draft| put_draft(db, draft, batch.begun))
        .collect()
}

fn put_draft(db: &Database, draft: &MemoryDraft, begun: Millis) -> SqlResult<MemoryOutcome> {
    let content = &draft.content;
    let sources = match find_sources(db, content, begun)? {
        Ok(sources) => sources,
        Err(refusal) => return Ok(MemoryOutcome::Refused(refusal)),
    };
    if is_repeating_erased_text(db, content, begun) {
        return Ok(MemoryOutcome::Refused(MemoryRefusal::SourceGone));
    }
    if is_anybody_unwilling(db, content, &sources, begun)? {
        return Ok(MemoryOutcome::Refused(MemoryRefusal::Unwilling));
    }
    let at = sources
        .iter()
        .map(|source| source.at)
        .max()
        .unwrap_or(content.at);
    let (id, outcome) = match find_repeated(db, content)? {
        Some(known) => {
            renew_entry(db, known, content, at, &sources)?;
            (known, MemoryOutcome::Renewed(known))
        }
        None => {
            let id = insert_entry(db, content, at)?;
            insert_sources(db, id, content.channel, &sources)?;
            (id, MemoryOutcome::Kept(id))
        }
    };
    // Not what it renews itself, and not in a circle.
    let supersede = "UPDATE memories SET superseded_by = ?2 WHERE id = ?1 AND id <> ?2 AND superseded_by IS NULL";
    for old in &draft.supersedes {
        db.conn.execute(supersede, params![old, id])?;
    }
    Ok(outcome)
}

pub(super) struct MemorySource {
    id: MessageId,
    at: Millis,
    author: UserId,
}

/// The messages a draft is taken from, or why it cannot be.
fn find_sources(
    db: &Database,
    content: &MemoryContent,
    begun: Millis,
) -> SqlResult<Result<Vec<MemorySource>, MemoryRefusal>> {
    if content.kind.is_fact() != content.person.is_some() || content.text.trim().is_empty() {
        return Ok(Err(MemoryRefusal::Malformed));
    }
    if content.sources.is_empty() && content.origin.needs_sources() {
        return Ok(Err(MemoryRefusal::NoSource));
    }
    let find = "SELECT at, author, edited FROM messages WHERE channel = ?1 AND id = ?2";
    let mut sources = Vec::new();
    for &id in &content.sources {
        let known: Option<(_, _, Option<Millis>)> =
            db.conn.read_first(find, params![content.channel, id])?;
        let Some((at, author, edited)) = known else {
            return Ok(Err(MemoryRefusal::SourceGone));
        };
        if edited.is_some_and(|edited| edited >= begun) {
            return Ok(Err(MemoryRefusal::SourceEdited));
        }
        sources.push(MemorySource { id, at, author });
    }
    Ok(Ok(sources))
}

fn is_repeating_erased_text(db: &Database, content: &MemoryContent, begun: Millis) -> bool {
    db.recent_erasures
        .find_since(begun)
        .any(|gone| gone.is_repeated_in(&content.text))
}

/// Whether somebody in it wants no memories of them, was forgotten after its oldest source, or may have been forgotten
/// since it was begun.
fn is_anybody_unwilling(
    db: &Database,
    content: &MemoryContent,
    sources: &[MemorySource],
    begun: Millis,
) -> SqlResult<bool> {
    if db.may_hold_leaver(content.channel, begun) {
        return Ok(true);
    }
    let mut people = content.involved_people();
    people.extend(sources.iter().map(|source| source.author));
    let preferences = preferences::read_preferences(&db.conn)?;
    let oldest = sources
        .iter()
        .map(|source| source.at)
        .min()
        .unwrap_or(content.at);
    for person in people {
        if preferences.get(person) != PersonPreference::Remember
            || tombstones::is_person_forgotten(db, content.channel, person, oldest)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The entry that says the same of the same by the same word.
fn find_repeated(db: &Database, content: &MemoryContent) -> SqlResult<Option<MemoryId>> {
    let find = "SELECT id, text FROM memories WHERE channel = ?1 AND kind = ?2 AND person IS NOT DISTINCT FROM ?3
         AND said_by IS NOT DISTINCT FROM ?4 AND superseded_by IS NULL";
    let values = params![
        content.channel,
        content.kind,
        content.person,
        content.said_by
    ];
    let known: Vec<(MemoryId, String)> = db.conn.read_all(find, values)?;
    let wanted = fold_text(&content.text);
    let repeated = known
        .into_iter()
        .find(|(_, text)| fold_text(text) == wanted);
    Ok(repeated.map(|(id, _)| id))
}

/// A text without case, spaces and signs; one that is nothing but signs stays.
fn fold_text(text: &str) -> String {
    let letters = extract_letters(text);
    if letters.is_empty() {
        text.trim().to_owned()
    } else {
        letters
    }
}

/// Known again from newer words: those are its sources from now on, so that it lasts as long as they do. What is read a
/// second time changes nothing.
fn renew_entry(
    db: &Database,
    id: MemoryId,
    content: &MemoryContent,
    at: Millis,
    sources: &[MemorySource],
) -> SqlResult<()> {
    let renew =
        "UPDATE memories SET at = ?2, due = coalesce(?3, due), confidence = max(confidence, ?4),
             importance = max(importance, ?5) WHERE id = ?1 AND at <= ?2";
    let is_newer = db.conn.execute(
        renew,
        params![id, at, content.due, content.confidence, content.importance],
    )? > 0;
    if is_newer && !sources.is_empty() {
        db.conn.delete_rows("memory_sources", row! { memory: id })?;
        insert_sources(db, id, content.channel, sources)?;
    }
    insert_people(db, id, content)
}

pub(super) fn insert_entry(
    db: &Database,
    content: &MemoryContent,
    at: Millis,
) -> SqlResult<MemoryId> {
    let it = content;
    let new = row! {
        kind: it.kind, channel: it.channel, person: it.person, said_by: it.said_by, text: it.text.trim(), at, due: it.due,
        confidence: it.confidence, importance: it.importance, origin: it.origin, uses: 0_i64,
    };
    let id = db.conn.insert_numbered("memories", new)?;
    insert_people(db, id, content)?;
    Ok(id)
}

fn insert_people(db: &Database, id: MemoryId, content: &MemoryContent) -> SqlResult<()> {
    let mut people = content.people.iter();
    people.try_for_each(|person| {
        db.conn
            .add_row("memory_people", row! { memory: id, person })
            .map(drop)
    })
}

fn insert_sources(
    db: &Database,
    id: MemoryId,
    channel: ChannelId,
    sources: &[MemorySource],
) -> SqlResult<()> {
    sources.iter().try_for_each(|source| {
        let row = row! { channel, message: source.id, memory: id, author: source.author };
        db.conn.add_row("memory_sources", row).map(drop)
    })
}
