//! Earlier versions of core memory's blocks, so that an edit can be undone, and when each line was written. The newest
//! version of a block says what the block says.

use crate::db::Database;
use crate::from_row::from_row;
use crate::recent_erasures::ON_ITS_WAY;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::stored_prompt::PROMPTS_KEPT;
use crate::values::{JsonColumn, params};
use kith_core::chat::Millis;

/// So many versions of a block can be seen and undone, the newest.
pub(crate) const SEEN: i64 = 12;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockVersion {
    /// Counted from 1; the newest is what the block says now.
    pub number: u32,
    /// When it was written; 0 for what the persona began with.
    pub at: Millis,
    pub text: String,
    /// When each of its lines was written; None of a line the persona began with.
    pub dates: Vec<Option<Millis>>,
}

from_row! { BlockVersion { number, at, text, dates: json } }

pub(crate) fn undo(db: &mut Database, scope: &str, label: &str) -> SqlResult<Option<BlockVersion>> {
    let find = "SELECT number, at, text, dates FROM core_memory_versions
         WHERE scope = ?1 AND label = ?2 ORDER BY number DESC LIMIT 2";
    let newest: Vec<BlockVersion> = db.conn.read_all(find, params![scope, label])?;
    let [undone, before] = &newest[..] else {
        return Ok(None);
    };
    let version = row! { scope, label, number: undone.number };
    db.conn.delete_rows("core_memory_versions", version)?;
    let now = row! { text: before.text, updated_at: before.at };
    db.conn
        .update_rows("core_memory", row! { scope, label }, now)?;
    db.erased = true;
    Ok(Some(before.clone()))
}

/// A block was written: that is its newest version. A line it had before keeps its date.
pub(super) fn add_version(
    db: &Database,
    scope: &str,
    label: &str,
    text: &str,
    at: Millis,
) -> SqlResult<()> {
    let find = "SELECT number, at, text, dates FROM core_memory_versions
         WHERE scope = ?1 AND label = ?2 ORDER BY number DESC LIMIT 1";
    let before: Option<BlockVersion> = db.conn.read_first(find, params![scope, label])?;
    let number = before.as_ref().map_or(0, |version| version.number) + 1;
    let dates = date_lines(before.as_ref(), text, at);
    let version = row! { scope, label, number, at, text, dates: JsonColumn(dates) };
    db.conn.insert_row("core_memory_versions", version)?;
    prune(db, at - ON_ITS_WAY)
}

/// Drops the versions that are not seen, as far as no prompt shows them: while one does, what they say is still looked for
/// when a message is deleted. Turns that began since then may yet be saved.
pub(super) fn prune(db: &Database, since: Millis) -> SqlResult<()> {
    let find = "SELECT min(started) FROM (SELECT started FROM turns ORDER BY ended DESC LIMIT ?1) AS newest";
    let oldest_prompt: Option<Millis> = db.conn.read_one(find, params![PROMPTS_KEPT])?;
    let shown_since = oldest_prompt.map_or(since, |oldest| oldest.min(since));
    let of_block = "FROM core_memory_versions v
         WHERE v.scope = core_memory_versions.scope AND v.label = core_memory_versions.label";
    let prune = format!(
        "DELETE FROM core_memory_versions WHERE number <= (SELECT max(v.number) - ?1 {of_block})
             AND number < (SELECT max(v.number) {of_block} AND v.at < ?2)"
    );
    db.conn.execute(&prune, params![SEEN, shown_since])?;
    Ok(())
}

fn date_lines(before: Option<&BlockVersion>, text: &str, at: Millis) -> Vec<Option<Millis>> {
    let known: Vec<(&str, Option<Millis>)> = before
        .map(|version| {
            let dates = version.dates.iter().copied();
            version.text.lines().map(str::trim).zip(dates).collect()
        })
        .unwrap_or_default();
    let date = |line: &str| match known.iter().find(|(known, _)| *known == line.trim()) {
        Some((_, date)) => *date,
        None => (at != 0).then_some(at),
    };
    text.lines().map(date).collect()
}

/// Takes lines out of all versions in the scopes that are meant: those that tell of somebody. Answers with these.
pub(super) fn remove_lines(
    conn: &SqlConnection,
    is_meant: impl Fn(&str) -> bool,
    tells: impl Fn(&str) -> bool,
) -> SqlResult<Vec<String>> {
    type Dates = Vec<Option<Millis>>;
    let find = "SELECT scope, label, number, text, dates FROM core_memory_versions";
    let all: Vec<(String, String, u32, String, JsonColumn<Dates>)> =
        conn.read_all(find, params![])?;
    let mut gone = Vec::new();
    for (scope, label, number, text, JsonColumn(dates)) in all {
        if !is_meant(&scope) {
            continue;
        }
        let dates = dates.into_iter().chain(std::iter::repeat(None));
        let lines = text.lines().zip(dates);
        let (told, kept): (Vec<_>, Vec<_>) = lines.partition(|(line, _)| tells(line));
        if !told.is_empty() {
            gone.extend(told.into_iter().map(|(line, _)| line.to_owned()));
            let (lines, dates): (Vec<&str>, Dates) = kept.into_iter().unzip();
            let update = "UPDATE core_memory_versions SET text = ?4, dates = ?5
                 WHERE scope = ?1 AND label = ?2 AND number = ?3";
            let text = lines.join("\n");
            let dates = JsonColumn(dates);
            conn.execute(update, params![scope, label, number, text, dates])?;
        }
    }
    Ok(gone)
}
