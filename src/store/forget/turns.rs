//! Forgetting a person in the turns: every one that may have been shown them keeps its bare numbers only.

use std::sync::Arc;

use serde_json::json;

use super::person_traces::PersonRecords;
use super::run_in_commits;
use crate::db::Database;
use crate::error::StoreError;
use crate::handle::Store;
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::target::ForgetTarget;
use crate::leavers::{leaving_people, stripped_turn};
use crate::sql::SqlResult;
use crate::values::{JsonColumn, ReadRow, params};
use crate::{erase, log_messages, turn_erasure};
use kith_core::chat::{ChannelId, Millis, TurnId, UserId};
use kith_core::report::TurnReport;

const TURNS: usize = 100;

/// Leaves the bare numbers of every turn that may have been shown them, and of those that tell of them all the same;
/// answers with these turns.
pub(super) fn strip_turns(
    store: &Store,
    target: &ForgetTarget,
    traces: &PersonRecords,
    trace: &Arc<IdentityMatcher>,
) -> Result<Vec<TurnId>, StoreError> {
    let user = target.user;
    let (target, trace) = (target.clone(), trace.clone());
    let reach = traces.reach.clone();
    let first = traces.first.map_or(Millis::MAX, erase::earliest_time_after);
    // As JSON writes them: the id in quotes, a name without.
    let mut hints = vec![leaving_people::quote_id(user)];
    let names = traces.names.iter().filter(|name| !name.trim().is_empty());
    hints.extend(names.map(|name| json!(name.trim()).to_string().trim_matches('"').to_owned()));
    let find = store.read(move |conn| {
        let mut find = conn.prepare_cached(conn.statements().find_telling_turns)?;
        let mut rows = find.query_paged(params![JsonColumn(&hints)])?;
        let mut found: Vec<TurnId> = Vec::new();
        while let Some(row) = rows.next()? {
            let channel: ChannelId = row.read(1)?;
            let shown = reach.contains(&channel) && row.read::<Millis>(2)? >= first;
            let tells = || -> SqlResult<bool> {
                let told = |json: Option<String>| {
                    json.is_some_and(|json| is_about_person(&trace, user, &json))
                };
                Ok(row.read(5)? && (told(row.read(3)?) || told(row.read(4)?)))
            };
            if shown || (reach.contains(&channel) || target.covers(channel)) && tells()? {
                found.push(row.read(0)?);
            }
        }
        Ok(found)
    });
    let turns = find.wait()?;
    run_in_commits(store, turns.iter().copied(), TURNS, move |db, turns| {
        turns
            .iter()
            .try_for_each(|turn| strip_turn(db, *turn, user))
    })?;
    Ok(turns)
}

/// Whether JSON tells of them. A line break is written as a letter there, which would be taken for one of the name.
fn is_about_person(trace: &IdentityMatcher, user: UserId, json: &str) -> bool {
    json.contains(&leaving_people::quote_id(user))
        || trace.redact(&json.replace("\\n", " ")).is_some()
}

fn strip_turn(db: &Database, turn: TurnId, user: UserId) -> SqlResult<()> {
    let find = "SELECT report, prompts IS NOT NULL FROM turns WHERE turn = ?1";
    let known: Option<(String, bool)> = db.conn.read_first(find, params![turn])?;
    let Some((json, has_prompts)) = known else {
        return Ok(());
    };
    let Ok(mut report) = serde_json::from_str::<TurnReport>(&json) else {
        return turn_erasure::drop_turn(db, turn);
    };
    stripped_turn::strip_report(&mut report, user);
    log_messages::mark_turn_due(db, turn)?;
    // Of most turns somebody who was forgotten before left no more than that.
    let is_bare = serde_json::to_string(&report).is_ok_and(|stripped| stripped == json);
    if is_bare && !has_prompts {
        return Ok(());
    }
    let update = "UPDATE turns SET report = ?2, prompts = NULL WHERE turn = ?1";
    db.conn.execute(update, params![turn, JsonColumn(report)])?;
    Ok(())
}
