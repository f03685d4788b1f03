//! Forgetting a person in the small tables, all in one commit: people, names of direct channels, choices by hand, channels,
//! intentions, summaries, memories, lists, proposals, outbox, data of tools, stickers, core memory, small values.

use super::identifying_trace::IdentifyingTrace;
use super::leaving_people::{remove_from_channel_state, remove_person};
use super::person_traces::PersonTraces;
use super::target::ForgetTarget;
use super::unfinished;
use crate::db::Database;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow, params};
use crate::{
    approvals, block_versions, channel_names, departed_members, former_authors, intents, journal,
    memories, sessions, stickers, summaries, todos, tool_data,
};
use kith_core::chat::ChannelId;
use kith_core::manual_override::OverrideScope;

/// Takes a person out of all of them.
pub(super) fn clean_small_tables(
    db: &mut Database,
    target: &ForgetTarget,
    traces: &PersonTraces,
    trace: &IdentifyingTrace,
) -> SqlResult<()> {
    if !traces.has_other_messages {
        db.conn
            .prepare_cached("DELETE FROM people WHERE id = ?1")?
            .execute(params![target.user])?;
        clean_meta(db, target)?;
    }
    // A direct channel is named after whom it is with.
    let mut unname = db
        .conn
        .prepare_cached("UPDATE channels SET name = '', topic = '' WHERE id = ?1")?;
    traces
        .direct_channels
        .iter()
        .try_for_each(|channel| unname.execute(params![channel]).map(drop))?;
    drop(unname);
    departed_members::forget_person(db, target)?;
    former_authors::forget_person(db, target)?;
    let is_meant = |channel, _| target.covers(channel) || traces.reach.contains(&channel);
    channel_names::redact_names(&db.conn, is_meant, |name| trace.redact(name))?;
    clean_overrides(db, target)?;
    clean_channel_states(db, target, traces)?;
    intents::forget_person(db, target, &traces.reach)?;
    summaries::forget_person(db, target, &traces.reach)?;
    memories::forget_person(db, target, &traces.reach, trace)?;
    todos::forget_person(
        db,
        |channel| target.covers(channel) || traces.reach.contains(&channel),
        trace,
    )?;
    approvals::forget_person(db, target, trace)?;
    sessions::forget_person(db, target, traces, trace)?;
    clean_outbox(db, target, trace)?;
    tool_data::forget_person(db, target, trace)?;
    stickers::forget_person(db, target, trace)?;
    clean_core_memory(db, target, trace)
}

/// A block of core memory: its scope, its label and its text.
pub type CoreMemoryText = (String, String, String);

/// The core memory that such a person may stand in, as it is and as it was: scope, label, text.
pub fn find_core_memory(
    conn: &SqlConnection,
    target: &ForgetTarget,
) -> SqlResult<Vec<CoreMemoryText>> {
    let mut find =
        conn.prepare_cached(
            "SELECT scope, label, text FROM core_memory UNION SELECT scope, label, text FROM core_memory_versions
             ORDER BY scope, label",
        )?;
    let rows = find.query_map(params![], |row| {
        Ok((row.read(0)?, row.read(1)?, row.read(2)?))
    })?;
    rows.filter(|row| {
        row.as_ref().map_or(true, |(scope, ..): &(String, _, _)| {
            target.covers_scope(scope)
        })
    })
    .collect()
}

fn clean_overrides(db: &Database, target: &ForgetTarget) -> SqlResult<()> {
    let mut find = db
        .conn
        .prepare_cached("SELECT DISTINCT place FROM manual_overrides WHERE chosen_by = ?1")?;
    let places = find
        .query_map(params![target.user], |row| row.read(0))?
        .collect::<Result<Vec<JsonColumn<OverrideScope>>, _>>()?;
    let mut update = db.conn.prepare_cached(
        "UPDATE manual_overrides SET chosen_by = NULL WHERE chosen_by = ?1 AND place = ?2",
    )?;
    let covered = places
        .into_iter()
        .filter(|JsonColumn(place)| target.covers_place(*place));
    covered
        .into_iter()
        .try_for_each(|place| update.execute(params![target.user, place]).map(drop))
}

/// The core forgets by itself and saves again; a crash before that must leave nothing.
fn clean_channel_states(
    db: &Database,
    target: &ForgetTarget,
    traces: &PersonTraces,
) -> SqlResult<()> {
    let mut find = db
        .conn
        .prepare_cached("SELECT channel, state FROM channel_states")?;
    let states = find.query_map(params![], |row| Ok((row.read(0)?, row.read(1)?)))?;
    for (channel, state) in states.collect::<Result<Vec<(ChannelId, String)>, _>>()? {
        if !target.covers(channel) && !traces.reach.contains(&channel) {
            continue;
        }
        if let Some(state) = remove_from_channel_state(&state, target.user) {
            let mut update = db
                .conn
                .prepare_cached("UPDATE channel_states SET state = ?2 WHERE channel = ?1")?;
            update.execute(params![channel, state])?;
        }
    }
    Ok(())
}

/// What was not sent yet and tells of them is not sent any more.
fn clean_outbox(db: &Database, target: &ForgetTarget, trace: &IdentifyingTrace) -> SqlResult<()> {
    for (nonce, channel, text) in journal::find_pending_messages(&db.conn)? {
        if target.covers(channel) && trace.redact(&text).is_some() {
            journal::withdraw_action(db, &nonce)?;
        }
    }
    Ok(())
}

/// Lines that tell of them go whole.
pub(super) fn clean_core_memory(
    db: &Database,
    target: &ForgetTarget,
    trace: &IdentifyingTrace,
) -> SqlResult<()> {
    // What a block said before may tell of them in words that nobody can match any more.
    block_versions::remove_versions(&db.conn, |scope| target.covers_scope(scope))?;
    let mut find = db
        .conn
        .prepare_cached("SELECT scope, label, text FROM core_memory")?;
    let blocks = find
        .query_map(params![], |row| {
            Ok((row.read(0)?, row.read(1)?, row.read(2)?))
        })?
        .collect::<Result<Vec<CoreMemoryText>, _>>()?;
    for (scope, label, text) in blocks {
        if !target.covers_scope(&scope) {
            continue;
        }
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| trace.redact(line).is_none())
            .collect();
        if lines.len() < text.lines().count() {
            let mut update = db.conn.prepare_cached(
                "UPDATE core_memory SET text = ?3 WHERE scope = ?1 AND label = ?2",
            )?;
            update.execute(params![scope, label, lines.join("\n")])?;
        }
    }
    Ok(())
}

/// The room keeps its people in one. What is on record of forgetting somebody is not touched: it goes when that is done.
fn clean_meta(db: &Database, target: &ForgetTarget) -> SqlResult<()> {
    let mut find = db
        .conn
        .prepare_cached("SELECT key, value FROM meta WHERE substr(key, 1, length(?1)) <> ?1")?;
    let values = find.query_map(params![unfinished::KEY], |row| {
        Ok((row.read(0)?, row.read(1)?))
    })?;
    for (key, value) in values.collect::<Result<Vec<(String, String)>, _>>()? {
        if let Some(value) = remove_person(&value, target.user) {
            db.conn
                .prepare_cached("UPDATE meta SET value = ?2 WHERE key = ?1")?
                .execute(params![key, value])?;
        }
    }
    Ok(())
}
