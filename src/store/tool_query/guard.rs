//! What a query may do: read the views, call functions that only compute. Everything else is refused while the statement
//! is prepared, by what it would do and not by how it is written.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

use super::views::{INNER, TABLES, VALUE_BYTES, VIEWS};
use crate::values::ReadRow;

/// All of SQLite's own that only compute. Not among them: what reads or writes files, loads code, tells of the
/// connection, or makes large values out of nothing.
const FUNCTIONS: &[&str] = &[
    "->",
    "->>",
    "abs",
    "avg",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "if",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_object",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "max",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "pow",
    "power",
    "printf",
    "quote",
    "random",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "time",
    "timediff",
    "total",
    "trim",
    "trunc",
    "typeof",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
];

/// Functions that stand in the place of a table.
const LISTS: &[&str] = &["json_each", "json_tree"];

/// What was refused first, as a sentence.
#[derive(Clone, Debug, Default)]
pub struct QueryRefusal(Arc<Mutex<Option<String>>>);

impl QueryRefusal {
    pub fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn record(&self, refused: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(refused);
    }
}

/// Bounds what a connection does from now on.
pub fn install_guard(conn: &mut Connection) -> rusqlite::Result<QueryRefusal> {
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 20_000),
        (Limit::SQLITE_LIMIT_COLUMN, 64),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 20),
        (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
        (Limit::SQLITE_LIMIT_FUNCTION_ARG, 32),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 64),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        conn.set_limit(limit, most)?;
    }
    let (refused, hidden) = (QueryRefusal::default(), find_hidden_names(conn)?);
    let told = refused.clone();
    conn.authorizer(Some(move |context: AuthContext<'_>| {
        match find_refusal(&context, &hidden) {
            None => Authorization::Allow,
            Some(why) => {
                told.record(why);
                Authorization::Deny
            }
        }
    }))?;
    Ok(refused)
}

/// All names but those of the views that mean something outside any schema, in small letters.
fn find_hidden_names(conn: &Connection) -> rusqlite::Result<HashSet<String>> {
    let mut find = conn.prepare(
        "SELECT lower(name) FROM (SELECT name FROM main.sqlite_schema UNION SELECT name FROM temp.sqlite_schema
                                  UNION SELECT name FROM pragma_module_list)",
    )?;
    let mut names = find
        .query_map([], |row| row.read(0))?
        .collect::<rusqlite::Result<HashSet<String>>>()?;
    names.retain(|name| !is_view(name) && !LISTS.contains(&name.as_str()));
    Ok(names)
}

fn is_view(name: &str) -> bool {
    VIEWS
        .iter()
        .any(|(view, ..)| view.eq_ignore_ascii_case(name))
}

/// Whether a table may be read, of which nothing is read but that it has rows. Such a read is told by the name that stands
/// in the statement, which may be one the statement gave itself: `WITH it AS … SELECT count(*) FROM it`.
fn can_count(name: &str, hidden: &HashSet<String>) -> bool {
    let name = name.to_lowercase();
    !hidden.contains(&name) && !name.starts_with("sqlite_") && !name.starts_with("pragma_")
}

fn find_refusal(context: &AuthContext<'_>, hidden: &HashSet<String>) -> Option<String> {
    let is_of_view = context.accessor == Some(INNER);
    match context.action {
        AuthAction::Select | AuthAction::Recursive => None,
        AuthAction::Function { function_name } if FUNCTIONS.contains(&function_name) => None,
        AuthAction::Function { function_name } => {
            Some(format!("it may not call `{function_name}`"))
        }
        AuthAction::Read {
            table_name,
            column_name,
        } => {
            let may_read = match context.database_name {
                None => column_name.is_empty() && can_count(table_name, hidden),
                Some("temp") if is_view(table_name) => true,
                Some(_) => {
                    LISTS.contains(&table_name) || is_of_view && TABLES.contains(&table_name)
                }
            };
            (!may_read).then(|| {
                let views: Vec<&str> = VIEWS.iter().map(|(name, ..)| *name).collect();
                format!("it may not read `{table_name}`, only {}", views.join(", "))
            })
        }
        _ => Some("it may only read: SELECT …".into()),
    }
}
