//! Words in the rows of any table, found and taken out as the catalogue says of it.

use rusqlite::ToSql;
use rusqlite::types::Value;
use serde_json::Value as JsonValue;

use crate::catalogue::{ColumnRole, Table, WordLoss};
use crate::row_writes::list_assignments;
use crate::sql::{SqlConnection, SqlParams, SqlResult, SqlRow};
use crate::values::{JsonColumn, ReadRow};
use kith_core::chat::ChannelId;
use kith_core::manual_override::OverrideScope;
use kith_core::quotes::change_strings;

/// A text without what is to go; none if it may stay as it is.
pub(crate) type Redaction<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Where a row belongs.
pub(crate) enum RowPlace {
    Place(OverrideScope),
    /// As core memory and the data of tools name it.
    Scope(String),
}

pub(crate) struct FoundRow {
    pub place: RowPlace,
    texts: Vec<Option<String>>,
    key: Vec<Value>,
}

impl RowPlace {
    pub fn channel(&self) -> Option<ChannelId> {
        match self {
            Self::Place(OverrideScope::Channel(channel)) => Some(*channel),
            Self::Place(OverrideScope::Guild(_)) | Self::Scope(_) => None,
        }
    }

    pub fn scope(&self) -> Option<&str> {
        match self {
            Self::Scope(scope) => Some(scope),
            Self::Place(_) => None,
        }
    }
}

impl WordLoss {
    pub fn columns(&self) -> &[&'static str] {
        match self {
            Self::None => &[],
            Self::Row(columns) | Self::Emptied(columns) | Self::Redacted(columns) => columns,
            Self::Lines(column) | Self::AllLines(column) => std::slice::from_ref(column),
        }
    }
}

/// The rows of which `condition` is true, each with where this column says it belongs and with its texts.
pub(crate) fn find_rows(
    conn: &SqlConnection,
    table: &Table,
    (place, texts): (&str, &[&str]),
    (condition, bound): (&str, SqlParams<'_>),
) -> SqlResult<Vec<FoundRow>> {
    let role = table.role_of(place);
    let columns = [&[place], texts, &[table.key()]].concat().join(", ");
    let find = format!(
        "SELECT {columns} FROM {} WHERE {condition} ORDER BY {}",
        table.name,
        table.key()
    );
    conn.map_all(&find, bound, |row| {
        let texts = 1..=texts.len();
        let key = texts.end() + 1..row.count_columns();
        let key = key.map(|column| Ok(row.get_value(column)?.try_into()?));
        Ok(FoundRow {
            place: read_place(row, role)?,
            texts: texts
                .map(|column| row.read(column))
                .collect::<SqlResult<_>>()?,
            key: key.collect::<SqlResult<_>>()?,
        })
    })
}

fn read_place(row: &SqlRow<'_>, role: Option<ColumnRole>) -> SqlResult<RowPlace> {
    Ok(match role {
        Some(ColumnRole::Scope) => RowPlace::Scope(row.read(0)?),
        Some(ColumnRole::Guild) => RowPlace::Place(OverrideScope::Guild(row.read(0)?)),
        Some(ColumnRole::Place) => RowPlace::Place(row.read::<JsonColumn<_>>(0)?.0),
        _ => RowPlace::Place(OverrideScope::Channel(row.read(0)?)),
    })
}

impl FoundRow {
    /// Its texts, in the order they were asked for.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().flatten().map(String::as_str)
    }

    /// Whether any of its texts tells: alone, all together, or within JSON, which writes a line break as a letter.
    pub fn tells(&self, redact: Redaction<'_>) -> bool {
        let is_telling = |text: &str| redact(text).is_some();
        let together = self.texts().collect::<Vec<_>>().join(" ");
        is_telling(&together)
            || self.texts().any(|text| {
                let mut json = serde_json::from_str(text).unwrap_or(JsonValue::Null);
                let mut tells = is_telling(text);
                change_strings(&mut json, &mut |text| tells |= is_telling(text));
                tells
            })
    }

    pub fn delete(&self, conn: &SqlConnection, table: &Table) -> SqlResult<()> {
        let condition = format_key(table, 0);
        let delete = format!("DELETE FROM {} WHERE {condition}", table.name);
        conn.execute(&delete, &bind_values(&self.key)).map(drop)
    }

    /// Puts these values in the place of those that stand in its columns.
    pub fn update(
        &self,
        conn: &SqlConnection,
        table: &Table,
        columns: &[&str],
        values: &[Option<String>],
    ) -> SqlResult<()> {
        let set = list_assignments(columns, 1).join(", ");
        let condition = format_key(table, columns.len());
        let update = format!("UPDATE {} SET {set} WHERE {condition}", table.name);
        let mut bound: Vec<&dyn ToSql> = values.iter().map(|value| value as &dyn ToSql).collect();
        bound.extend(bind_values(&self.key));
        conn.execute(&update, &bound).map(drop)
    }

    /// Takes out what tells, in the way of its table; answers with the lines that went.
    pub fn remove_words(
        &self,
        conn: &SqlConnection,
        table: &Table,
        redact: Redaction<'_>,
    ) -> SqlResult<Vec<String>> {
        let columns = table.words.columns();
        let change = |text: &Option<String>, column: &str| {
            let text = text.as_deref()?;
            match table.words {
                WordLoss::Lines(_) | WordLoss::AllLines(_) => {
                    remove_lines(text, |line| redact(line).is_some())
                }
                WordLoss::Redacted(_) => redact(text),
                WordLoss::Emptied(_) => redact(text).map(|_| String::new()),
                WordLoss::None | WordLoss::Row(_) => None,
            }
            .or_else(|| Some(text.to_owned()))
            .filter(|text| !text.is_empty() || table.is_required(column))
        };
        let new: Vec<Option<String>> = self
            .texts
            .iter()
            .zip(columns)
            .map(|(text, column)| change(text, column))
            .collect();
        let is_row_gone = match table.words {
            WordLoss::Row(_) => self.tells(redact),
            WordLoss::AllLines(_) => new.iter().flatten().all(String::is_empty),
            _ => false,
        };
        match (is_row_gone, new == self.texts) {
            (true, _) => self.delete(conn, table)?,
            (false, true) => return Ok(Vec::new()),
            (false, false) => self.update(conn, table, columns, &new)?,
        }
        let is_left = |line: &&str| {
            let mut left = new.iter().flatten().flat_map(|text| text.lines());
            !is_row_gone && left.any(|left| left == *line)
        };
        let lines = self.texts().flat_map(str::lines);
        Ok(lines
            .filter(|line| !is_left(line))
            .map(str::to_owned)
            .collect())
    }
}

fn format_key(table: &Table, before: usize) -> String {
    let key: Vec<&str> = table.key().split(", ").collect();
    list_assignments(&key, before + 1).join(" AND ")
}

pub(crate) fn bind_values(values: &[Value]) -> Vec<&dyn ToSql> {
    values.iter().map(|value| value as &dyn ToSql).collect()
}

/// The lines that do not tell; none if no line does.
pub(crate) fn remove_lines(text: &str, tells: impl Fn(&str) -> bool) -> Option<String> {
    let kept: Vec<&str> = text.lines().filter(|line| !tells(line)).collect();
    (kept.len() < text.lines().count()).then(|| kept.join("\n"))
}

/// Takes out what tells of the rows that are chosen; answers with the lines that went.
pub(crate) fn remove_words(
    conn: &SqlConnection,
    table: &Table,
    chosen: (&str, SqlParams<'_>),
    redact: Redaction<'_>,
) -> SqlResult<Vec<String>> {
    let place = table.columns().find(|column| {
        use ColumnRole::{Channel, Guild, Place, Scope};
        [Channel, Guild, Place, Scope].contains(&column.role)
    });
    let Some(place) = place else {
        return Ok(Vec::new());
    };
    let rows = find_rows(conn, table, (place.name, table.words.columns()), chosen)?;
    let mut gone = Vec::new();
    for row in &rows {
        gone.append(&mut row.remove_words(conn, table, redact)?);
    }
    Ok(gone)
}
