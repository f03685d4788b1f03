//! What a program may ask while it runs: what `sql` tools may, under the same scope and bounds, and the last lines of its
//! channel. Whatever it asks, it is answered, for it waits.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::ToolContext;
use crate::custom::sql::{MOST_ROWS, SqlTool};
use kith_language::{LocalizedMessage, custom_tools};
use kith_store::LAST_LINES_QUERY;

pub(super) const MOST_QUESTIONS: usize = 20;
/// What stands behind `ask`.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum ProgramQuestion {
    Sql {
        sql: String,
        #[serde(default)]
        params: Map<String, Value>,
    },
    Lines {
        lines: u32,
    },
}

/// The answer to what is the so-manieth question of its run: one JSON object.
pub(super) async fn answer_question(
    question: Value,
    number: usize,
    context: &ToolContext,
) -> Value {
    let rows = ask(question, number, context).await;
    match rows {
        Ok(answer) => answer,
        Err(why) => json!({ "error": why.in_language(context.language()) }),
    }
}

async fn ask(
    question: Value,
    number: usize,
    context: &ToolContext,
) -> Result<Value, LocalizedMessage> {
    if number > MOST_QUESTIONS {
        return Err(custom_tools::asked_too_often(MOST_QUESTIONS));
    }
    let (query, params) = match serde_json::from_value(question) {
        Ok(ProgramQuestion::Sql { sql, params }) => (sql, params),
        Ok(ProgramQuestion::Lines { lines }) => {
            let params = Map::from_iter([("lines".to_owned(), lines.into())]);
            (LAST_LINES_QUERY.to_owned(), params)
        }
        Err(_) => return Err(custom_tools::question_not_understood()),
    };
    let sql = SqlTool {
        query,
        max_rows: MOST_ROWS,
        ..SqlTool::default()
    };
    let answer = sql.ask(params, context).await?;
    Ok(json!({ "columns": answer.columns, "rows": answer.rows, "is_cut": answer.is_cut }))
}
