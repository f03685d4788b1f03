//! Finding damage: in the database by SQLite's own check and by reading every row, in the write-ahead log by its
//! checksums. Mends nothing.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::schema;
use crate::values::ReadRow;

/// Databases up to so many bytes are checked before they are used; larger ones right after, beside everything else.
pub(crate) const CHECKED_AT_ONCE: u64 = 16 * 1024 * 1024;

/// What is given out anew must be above every number in use, or nothing more can be stored.
const COUNTED: &str = "
    SELECT max((SELECT coalesce(max(arrival), 0) FROM messages), (SELECT coalesce(max(id), 0) FROM words_docsize),
               (SELECT coalesce(max(arrival), 0) FROM tombstones), (SELECT coalesce(max(arrival), 0) FROM reactions))
           <= (SELECT arrival FROM counter)";

/// What is damaged in a database, if anything: pages, indexes, the full-text index, values that are none, the counter.
pub(crate) fn find_damage(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let found: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.read(0))?;
    if found != "ok" {
        return Ok(Some(found.replace('\n', " ")));
    }
    if !conn
        .prepare("SELECT 1 FROM sqlite_schema LIMIT 1")?
        .exists([])?
    {
        return Ok(None);
    }
    if let Some(part) = schema::find_missing(conn)? {
        return Ok(Some(format!("the {part} is missing")));
    }
    for table in schema::list_tables(conn)? {
        let kinds = schema::read_column_kinds(conn, &table)?;
        let mut all = conn.prepare(&format!("SELECT * FROM \"{table}\""))?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            for (column, kind) in kinds.iter().enumerate() {
                if !is_valid_value(row.get_ref(column)?, kind) {
                    return Ok(Some(format!("a value in the table {table} is none")));
                }
            }
        }
    }
    if conn.query_row(COUNTED, [], |row| row.read::<Option<bool>>(0))? != Some(true) {
        return Ok(Some("its counter of what arrived is too low".into()));
    }
    Ok(None)
}

/// Whether a value can stand in a column that was made for this kind; SQLite itself lets anything stand in most.
fn is_valid_value(value: ValueRef<'_>, kind: &str) -> bool {
    match value {
        // Where one is missing that must be there, SQLite says so.
        ValueRef::Null => true,
        ValueRef::Integer(_) => matches!(kind, "INTEGER" | "REAL"),
        ValueRef::Real(number) => kind == "REAL" && number.is_finite(),
        ValueRef::Text(bytes) => kind == "TEXT" && std::str::from_utf8(bytes).is_ok(),
        ValueRef::Blob(_) => kind == "BLOB",
    }
}

/// How many pages of a write-ahead log SQLite will leave out without a word, because they or what stands before them
/// cannot be read. Those of earlier rounds of the log, which it leaves out rightly, do not count.
///
/// See <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
pub(crate) fn count_lost_pages(log: &Path) -> std::io::Result<u64> {
    let mut file = match File::open(log) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut header = [0; 32];
    if file.read_exact(&mut header).is_err() {
        return Ok(0);
    }
    let word = |bytes: &[u8], at: usize| {
        u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    };
    let little = word(&header, 0) & 1 == 0;
    let mut sum = checksum(little, (0, 0), &header[..24]);
    let mut is_whole = sum == (word(&header, 24), word(&header, 28));
    let size = match usize::try_from(word(&header, 8)).unwrap_or(0) {
        size if is_whole && size.is_power_of_two() && size <= 64 * 1024 => size,
        // Whatever it said: this is what Kith's databases have.
        _ => schema::PAGE_BYTES,
    };
    let mut frame = vec![0; 24 + size];
    let mut lost = 0;
    while file.read_exact(&mut frame).is_ok() {
        let salts = [(8, 16), (12, 20)];
        // Both change with each round. One that differs in a pair is damage, not another round.
        let is_of_this_round = salts
            .iter()
            .any(|(at, known)| frame[*at..at + 4] == header[*known..known + 4]);
        sum = checksum(little, checksum(little, sum, &frame[..8]), &frame[24..]);
        is_whole &= frame[8..16] == header[16..24] && sum == (word(&frame, 16), word(&frame, 20));
        lost += u64::from(!is_whole && is_of_this_round);
    }
    Ok(lost)
}

fn checksum(little: bool, (mut first, mut second): (u32, u32), bytes: &[u8]) -> (u32, u32) {
    for pair in bytes.chunks_exact(8) {
        let word = |at: usize| {
            let bytes = [pair[at], pair[at + 1], pair[at + 2], pair[at + 3]];
            if little {
                u32::from_le_bytes(bytes)
            } else {
                u32::from_be_bytes(bytes)
            }
        };
        first = first.wrapping_add(word(0)).wrapping_add(second);
        second = second.wrapping_add(word(4)).wrapping_add(first);
    }
    (first, second)
}
