//! Says where bytes that should be gone still stand: in which row, or in which unused part of which file.

use memchr::memmem;

use super::*;

/// Every place in the database's folder that holds these bytes; empty if none does.
pub fn find_leaks(path: &Path, wanted: &[u8]) -> Vec<String> {
    let files = files_holding(path, wanted);
    if files.is_empty() {
        return Vec::new();
    }
    let rows = find_rows(path, wanted).expect("read");
    if rows.is_empty() { files } else { rows }
}

/// The rows that hold these bytes: table, column, and all of the row.
pub fn find_rows(path: &Path, wanted: &[u8]) -> rusqlite::Result<Vec<String>> {
    if let Some(rows) = find_server_rows(path, wanted) {
        return Ok(rows);
    }
    let conn = rusqlite::Connection::open(path)?;
    let mut found = Vec::new();
    let mut tables = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    let tables: Vec<String> = tables
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for table in tables {
        let mut rows = conn.prepare(&format!("SELECT * FROM \"{table}\""))?;
        let columns: Vec<String> = rows.column_names().map(str::to_owned).collect();
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let cells: Vec<Vec<u8>> = (0..columns.len())
                .map(|column| read_bytes(row, column))
                .collect::<rusqlite::Result<_>>()?;
            let is_held = |column: &usize| memmem::find(&cells[*column], wanted).is_some();
            for column in (0..columns.len()).filter(is_held) {
                let cells: Vec<_> = cells
                    .iter()
                    .map(|cell| String::from_utf8_lossy(cell))
                    .collect();
                found.push(format!("{table}.{}: {cells:?}", columns[column]));
            }
        }
    }
    Ok(found)
}

fn read_bytes(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Vec<u8>> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        ValueRef::Integer(number) => number.to_be_bytes().to_vec(),
        _ => Vec::new(),
    })
}
