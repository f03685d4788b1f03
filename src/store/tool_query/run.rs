//! Running a query on its own connection, within its bounds.

use rusqlite::types::{ToSqlOutput, Value as Sql, ValueRef};
use rusqlite::{Connection, ErrorCode, Statement};
use serde_json::Value;

use super::check::{list_parameters, prepare};
use super::views::VALUE_BYTES;
use super::{QueryError, QueryRows, ToolQuery, confine};
use kith_system::clock::monotonic;

/// After so many steps of SQLite's machine the time is looked at: some microseconds.
const STEPS: i32 = 1_000;

pub fn run_query(mut conn: Connection, query: &ToolQuery) -> Result<QueryRows, QueryError> {
    let explain = |error| explain(&error, query);
    let refused = confine(&mut conn, &query.reach).map_err(explain)?;
    let end = monotonic() + query.time;
    conn.progress_handler(STEPS, Some(move || monotonic() >= end))
        .map_err(explain)?;
    let mut statement = prepare(&conn, &refused, &query.sql).map_err(QueryError::Wrong)?;
    bind(&mut statement, query)?;
    let mut answer = QueryRows {
        columns: statement.column_names().map(str::to_owned).collect(),
        ..QueryRows::default()
    };
    let (width, mut bytes) = (answer.columns.len(), 0);
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(explain)? {
        if answer.rows.len() >= query.rows {
            answer.is_cut = true;
            break;
        }
        let mut cells = Vec::with_capacity(width);
        for column in 0..width {
            let (cell, size) = to_cell(row.get_ref(column).map_err(explain)?);
            bytes += size;
            cells.push(cell);
        }
        if bytes > query.bytes {
            answer.is_cut = true;
            break;
        }
        answer.rows.push(cells);
    }
    Ok(answer)
}

fn bind(statement: &mut Statement<'_>, query: &ToolQuery) -> Result<(), QueryError> {
    for (index, name) in list_parameters(statement).into_iter().enumerate() {
        let given = query
            .params
            .iter()
            .find(|(given, _)| name.as_ref() == Some(given))
            .map(|(_, value)| value);
        let value = to_sql_value(given.unwrap_or(&Value::Null));
        if matches!(&value, Sql::Text(text) if text.len() > VALUE_BYTES as usize) {
            return Err(QueryError::TooLarge);
        }
        statement
            .raw_bind_parameter(index + 1, ToSqlOutput::Owned(value))
            .map_err(|error| explain(&error, query))?;
    }
    Ok(())
}

fn to_sql_value(value: &Value) -> Sql {
    match value {
        Value::Null => Sql::Null,
        Value::Bool(flag) => Sql::Integer((*flag).into()),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Sql::Integer(whole),
            (None, Some(real)) => Sql::Real(real),
            (None, None) => Sql::Null,
        },
        Value::String(text) => Sql::Text(text.clone()),
        Value::Array(_) | Value::Object(_) => Sql::Text(value.to_string()),
    }
}

/// A value of the answer and how many bytes it takes.
fn to_cell(value: ValueRef<'_>) -> (Value, usize) {
    match value {
        ValueRef::Null => (Value::Null, 4),
        ValueRef::Integer(whole) => (whole.into(), 8),
        ValueRef::Real(real) => (real.into(), 8),
        ValueRef::Text(text) => (String::from_utf8_lossy(text).into(), text.len()),
        ValueRef::Blob(bytes) => (format!("[{} bytes]", bytes.len()).into(), 16),
    }
}

fn explain(error: &rusqlite::Error, query: &ToolQuery) -> QueryError {
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => QueryError::TooSlow(query.time),
        Some(ErrorCode::TooBig | ErrorCode::OutOfMemory) => QueryError::TooLarge,
        _ => QueryError::Failed(error.to_string()),
    }
}
