//! Forgetting a person in the small tables, all in one commit, as the catalogue says of each.

use super::person_traces::PersonRecords;
use super::unfinished;
use crate::catalogue::{self, ColumnRole, PersonLoss, Table};
use crate::db::Database;
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::leaving_people::{remove_from_channel_state, remove_person};
use crate::leavers::target::ForgetTarget;
use crate::row_words::{FoundRow, RowPlace, find_rows};
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use crate::{approvals, journal, memories, sessions};
use kith_core::manual_override::OverrideScope;

pub(super) fn clean_small_tables(
    db: &mut Database,
    target: &ForgetTarget,
    traces: &PersonRecords,
    trace: &IdentityMatcher,
) -> SqlResult<()> {
    for table in catalogue::tables() {
        for loss in table.person {
            clean_table(db, table, *loss, (target, traces, trace))?;
        }
    }
    Ok(())
}

/// Takes a person out of what the companion notes line by line where they are meant.
pub(super) fn clean_notes(
    db: &mut Database,
    target: &ForgetTarget,
    trace: &IdentityMatcher,
) -> SqlResult<()> {
    for (table, _) in catalogue::columns_of(ColumnRole::Note) {
        for loss in table.person {
            // What goes whole with its channel is made anew without them.
            if let PersonLoss::Telling(_) | PersonLoss::All("scope") = loss {
                clean_table(db, table, *loss, (target, &PersonRecords::default(), trace))?;
            }
        }
    }
    Ok(())
}

fn clean_table(
    db: &mut Database,
    table: &Table,
    loss: PersonLoss,
    (target, traces, trace): (&ForgetTarget, &PersonRecords, &IdentityMatcher),
) -> SqlResult<()> {
    let user = target.user;
    let is_own = |row: &FoundRow| is_covered(target, &row.place);
    let is_meant = |row: &FoundRow| is_own(row) || is_reached(traces, &row.place);
    let find_own = |db: &Database, person: &str, place| {
        let condition = format!("{person} = ?1");
        find_rows(&db.conn, table, (place, &[]), (&condition, params![user]))
    };
    let find_all = |db: &Database, place, texts: &[&str]| {
        find_rows(&db.conn, table, (place, texts), ("1 = 1", params![]))
    };
    match loss {
        PersonLoss::Own(person, place) => {
            let rows = find_own(db, person, place)?;
            let mut rows = rows.iter().filter(|row| is_own(row));
            rows.try_for_each(|row| row.delete(&db.conn, table))
        }
        PersonLoss::Unnamed(person, place) => {
            let rows = find_own(db, person, place)?;
            let mut rows = rows.iter().filter(|row| is_own(row));
            rows.try_for_each(|row| row.update(&db.conn, table, &[person], &[None]))
        }
        PersonLoss::All(place) => {
            let rows = find_all(db, place, &[])?;
            let mut rows = rows.iter().filter(|row| is_meant(row));
            rows.try_for_each(|row| row.delete(&db.conn, table))
        }
        PersonLoss::Telling(place) => {
            let rows = find_all(db, place, table.words.columns())?;
            let redact = |text: &str| redact_person(target, trace, text);
            let mut rows = rows.iter().filter(|row| is_meant(row));
            rows.try_for_each(|row| row.remove_words(&db.conn, table, &redact).map(drop))
        }
        PersonLoss::Ids(column, place) => {
            let rows = find_all(db, place, &[column])?;
            for row in rows.iter().filter(|row| is_meant(row)) {
                let state = row.texts().next();
                if let Some(state) = state.and_then(|state| remove_from_channel_state(state, user))
                {
                    row.update(&db.conn, table, &[column], &[Some(state)])?;
                }
            }
            Ok(())
        }
        PersonLoss::Memories => memories::forget_person(db, target, &traces.reach, trace),
        PersonLoss::Proposals => approvals::forget_person(db, target, trace),
        PersonLoss::Sessions => sessions::forget_person(db, target, &traces.reach, trace),
        PersonLoss::Outbox => clean_outbox(db, target, trace),
        PersonLoss::Meta | PersonLoss::People if traces.has_other_messages => Ok(()),
        PersonLoss::Meta => clean_meta(db, target),
        PersonLoss::People => db.conn.delete_rows("people", row! { id: user }).map(drop),
        // A direct channel is named after whom it is with.
        PersonLoss::DirectNames => traces.direct_channels.iter().try_for_each(|channel| {
            db.conn.update_rows(
                "channels",
                row! { id: channel },
                row! { name: "", topic: "" },
            )
        }),
        PersonLoss::InSteps => Ok(()),
    }
}

fn is_covered(target: &ForgetTarget, place: &RowPlace) -> bool {
    match place {
        RowPlace::Place(place) => target.covers_place(*place),
        RowPlace::Scope(scope) => target.covers_scope(scope),
    }
}

fn is_reached(traces: &PersonRecords, place: &RowPlace) -> bool {
    match place {
        RowPlace::Place(OverrideScope::Channel(channel)) => traces.reach.contains(channel),
        RowPlace::Place(OverrideScope::Guild(_)) | RowPlace::Scope(_) => false,
    }
}

/// A tool may keep no more than an id.
pub fn redact_person(target: &ForgetTarget, trace: &IdentityMatcher, text: &str) -> Option<String> {
    match text == target.user.to_string() {
        true => Some(String::new()),
        false => trace.redact(text),
    }
}

/// The rows of a table that belong where somebody is meant, with these texts.
pub fn find_covered_rows(
    conn: &SqlConnection,
    table: &str,
    (place, texts): (&str, &[&str]),
    target: &ForgetTarget,
) -> SqlResult<Vec<FoundRow>> {
    let mut rows = Vec::new();
    for table in catalogue::tables().filter(|known| known.name == table) {
        rows.extend(find_rows(
            conn,
            table,
            (place, texts),
            ("1 = 1", params![]),
        )?);
    }
    rows.retain(|row| is_covered(target, &row.place));
    Ok(rows)
}

/// A block of core memory: its scope, its label and its text.
pub type CoreMemoryText = (String, String, String);

/// The core memory that such a person may stand in, as it is and as it was: scope, label, text.
pub fn find_core_memory(
    conn: &SqlConnection,
    target: &ForgetTarget,
) -> SqlResult<Vec<CoreMemoryText>> {
    let find = "SELECT scope, label, text FROM core_memory UNION SELECT scope, label, text FROM core_memory_versions
        ORDER BY scope, label";
    let mut blocks: Vec<CoreMemoryText> = conn.read_all(find, params![])?;
    blocks.retain(|(scope, ..)| target.covers_scope(scope));
    Ok(blocks)
}

/// What was not sent yet and tells of them is not sent any more.
fn clean_outbox(db: &Database, target: &ForgetTarget, trace: &IdentityMatcher) -> SqlResult<()> {
    for (nonce, channel, text) in journal::find_pending_messages(&db.conn)? {
        if target.covers(channel) && trace.redact(&text).is_some() {
            journal::withdraw_action(db, &nonce)?;
        }
    }
    Ok(())
}

/// The room keeps its people in one. What is on record of forgetting somebody is not touched: it goes when that is done.
fn clean_meta(db: &Database, target: &ForgetTarget) -> SqlResult<()> {
    let find = "SELECT key, value FROM meta WHERE substr(key, 1, length(?1)) <> ?1";
    let values: Vec<(String, String)> = db.conn.read_all(find, params![unfinished::KEY])?;
    for (key, value) in values {
        if let Some(value) = remove_person(&value, target.user) {
            db.conn.update_rows("meta", row! { key }, row! { value })?;
        }
    }
    Ok(())
}
