//! Whether a statement may be asked, found out before anybody asks it: against an empty database.

use std::fmt;

use rusqlite::{Connection, Statement};

use super::confine;
use super::guard::QueryRefusal;
use super::views::QueryScope;
use crate::sqlite::schema;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementFault {
    /// In which of its lines, counted from 1; none where it is no single place.
    pub line: Option<usize>,
    /// What, as a sentence without its beginning.
    pub reason: String,
}

impl StatementFault {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            line: None,
            reason: reason.into(),
        }
    }
}

impl fmt::Display for StatementFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} (line {line} of the query)", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// What is wrong with a statement whose values are called `names`; each of them has to stand in it, but for those in
/// `offered`, which may.
pub fn check_query(sql: &str, names: &[&str], offered: &[&str]) -> Vec<StatementFault> {
    let look = || -> rusqlite::Result<Vec<StatementFault>> {
        let mut conn = Connection::open_in_memory()?;
        schema::migrate(&mut conn)?;
        let refused = confine(&mut conn, &QueryScope::default())?;
        Ok(match prepare(&conn, &refused, sql) {
            Ok(statement) => find_parameter_faults(&statement, names, offered),
            Err(wrong) => vec![wrong],
        })
    };
    look().unwrap_or_else(|error| {
        vec![StatementFault::new(format!(
            "SQLite cannot look at it: {error}"
        ))]
    })
}

/// Prepares a statement on a confined connection, if it is one that may be asked.
pub fn prepare<'c>(
    conn: &'c Connection,
    refused: &QueryRefusal,
    sql: &str,
) -> Result<Statement<'c>, StatementFault> {
    let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some(at) = sql.find(is_odd) {
        return Err(StatementFault {
            line: Some(find_line(sql, at)),
            reason: "it holds a control character".into(),
        });
    }
    let statement = conn
        .prepare(sql)
        .map_err(|error| match (refused.take(), error) {
            (Some(reason), _) => StatementFault::new(reason),
            (None, rusqlite::Error::MultipleStatement) => {
                StatementFault::new("it must be one statement; this is more")
            }
            (None, rusqlite::Error::SqlInputError { msg, offset, .. }) => StatementFault {
                line: usize::try_from(offset).ok().map(|at| find_line(sql, at)),
                reason: msg,
            },
            (None, error) => {
                // A table that is not there has no place.
                let reason = error.to_string();
                let at = reason.rsplit(' ').next().and_then(|name| sql.find(name));
                StatementFault {
                    line: at.map(|at| find_line(sql, at)),
                    reason,
                }
            }
        })?;
    if statement.column_count() == 0 || statement.is_explain() != 0 || !statement.readonly() {
        return Err(StatementFault::new(
            "it must be a statement that answers with rows: SELECT …",
        ));
    }
    Ok(statement)
}

/// The names of the values that stand in a statement; none for one without a name, or of another form than `:name`.
pub fn list_parameters(statement: &Statement<'_>) -> Vec<Option<String>> {
    let name = |index| {
        statement
            .parameter_name(index)?
            .strip_prefix(':')
            .map(str::to_owned)
    };
    (1..=statement.parameter_count()).map(name).collect()
}

fn find_parameter_faults(
    statement: &Statement<'_>,
    names: &[&str],
    offered: &[&str],
) -> Vec<StatementFault> {
    let values = list_parameters(statement);
    let mut wrong = Vec::new();
    for value in &values {
        match value {
            None => wrong.push(StatementFault::new(
                "a value must be written as `:name`, after the parameter it takes",
            )),
            Some(name) if names.contains(&name.as_str()) || offered.contains(&name.as_str()) => {}
            Some(name) => {
                let known: Vec<String> = names
                    .iter()
                    .chain(offered)
                    .map(|name| format!(":{name}"))
                    .collect();
                wrong.push(StatementFault::new(format!(
                    "there is no parameter for `:{name}`; there are {}",
                    known.join(", ")
                )));
            }
        }
    }
    let is_used = |name: &&str| values.iter().flatten().any(|value| value == *name);
    let unused = names.iter().filter(|name| !is_used(name));
    wrong.extend(unused.map(|name| {
        StatementFault::new(format!(
            "its parameter `{name}` is not used; write `:{name}` in it"
        ))
    }));
    wrong
}

fn find_line(sql: &str, at: usize) -> usize {
    1 + sql.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
