//! What is kept no longer than the settings say: messages, turns and what hangs on them go, a bounded number at a time.
//! How often and from when is the daemon's business (`daemon/upkeep/prune.rs`).

use crate::catalogue::{self, AgeLoss};
use crate::db::Database;
use crate::erase::{ROW, Row, record_author, remove_message};
use crate::sql::SqlResult;
use crate::values::params;
use crate::{block_versions, former_authors};
use kith_core::chat::Millis;

/// The most messages one call of [`Store::prune`] takes, so that nobody waits long behind it.
const PRUNE_ROWS: usize = 500;

pub(crate) fn prune(db: &mut Database, before: Millis) -> SqlResult<usize> {
    let find = format!("{ROW} WHERE at < ?1 LIMIT ?2");
    let values = params![before, PRUNE_ROWS as i64];
    let outdated: Vec<Row> = db.conn.read_all(&find, values)?;
    if !outdated.is_empty() {
        let newest = "SELECT max(at) FROM messages";
        let newest: Option<Millis> = db.conn.read_one(newest, params![])?;
        for old in &outdated {
            record_author(db, old, newest.unwrap_or(old.at))?;
            remove_message(db, old)?;
        }
    }
    let old_turns = "SELECT turn FROM turns WHERE ended < ?1 ORDER BY ended, turn LIMIT ?2";
    let unlink = format!("UPDATE decisions SET turn = NULL WHERE turn IN ({old_turns})");
    db.conn
        .execute(&unlink, params![before, PRUNE_ROWS as i64])?;
    let mut turns = db
        .conn
        .prepare_cached(&format!("DELETE FROM turns WHERE turn IN ({old_turns})"))?;
    let turns = turns.execute(params![before, PRUNE_ROWS as i64])?;
    for table in catalogue::tables() {
        let name = table.name;
        let prune = match table.age {
            AgeLoss::Rows(of) => format!("DELETE FROM {name} WHERE {of}"),
            AgeLoss::Emptied(column, of) => {
                format!("UPDATE {name} SET {column} = NULL WHERE {column} IS NOT NULL AND {of}")
            }
            AgeLoss::Kept | AgeLoss::InSteps => continue,
        };
        db.conn.execute(&prune, params![before])?;
    }
    block_versions::prune(db, before)?;
    former_authors::prune(db, before)?;
    let gone = outdated.len() + turns;
    if gone == 0 {
        db.conn.execute(
            "DELETE FROM outbox WHERE journaled_at < ?1 AND state <> 0",
            params![before],
        )?;
    } else {
        db.erased = true;
    }
    Ok(gone)
}
