//! What a definition makes of each result of its tool: the filter rewrites what everybody gets, the template says what
//! people are shown. Neither can run anything or read a file.

use kith_language::custom_tools;
use minijinja::value::{Serde, Value as Given};
use minijinja::{Error, context};
use serde_json::{Map, Value, json};

use super::definition::{ResultFilter, ToolDefinition};
use super::templates::create_environment;
use kith_core::call::{RENDERED, ToolResult};
use kith_core::persona::Language;

/// The result as the definition wants it; one that waits for a person stays as it is.
pub(super) fn shape_result(
    definition: &ToolDefinition,
    name: &str,
    params: &Map<String, Value>,
    result: ToolResult,
    language: Language,
) -> ToolResult {
    if result.is_pending {
        return result;
    }
    let mut result = match definition
        .filter
        .as_ref()
        .map(|filter| apply_filter(filter, params, result.clone()))
    {
        None => result,
        Some(Ok(result)) => result,
        // What it was to take away must not come through.
        Some(Err(error)) => {
            tracing::warn!(tool = name, %error, "a result's filter failed");
            {
                let why = custom_tools::result_unreadable(error.to_string(), name);
                ToolResult::error(why.in_language(language))
            }
        }
    };
    if let Some(template) = &definition.render {
        match create_environment().render_str(template, build_template_values(params, &result)) {
            Ok(text) => add_rendered_text(&mut result, text.trim()),
            Err(error) => {
                tracing::warn!(tool = name, %error, "its `render` failed; call and result are shown plain")
            }
        }
    }
    result
}

/// What templates and expressions see of a call.
fn build_template_values(params: &Map<String, Value>, result: &ToolResult) -> Given {
    let ToolResult {
        content,
        details,
        is_error,
        ..
    } = result;
    context! {
        arguments => Given::from(Serde(params)),
        content => content.as_str(),
        details => Given::from(Serde(details)),
        is_error => *is_error,
    }
}

fn apply_filter(
    filter: &ResultFilter,
    params: &Map<String, Value>,
    result: ToolResult,
) -> Result<ToolResult, Error> {
    let (templates, seen) = (create_environment(), build_template_values(params, &result));
    let value = |expression: &String| templates.compile_expression(expression)?.eval(&seen);
    let content = filter
        .content
        .as_ref()
        .map(|template| templates.render_str(template, &seen))
        .transpose()?;
    let details = filter.details.as_ref().map(value).transpose()?;
    let is_error = filter.is_error.as_ref().map(value).transpose()?;
    let end_turn = filter.end_turn.as_ref().map(value).transpose()?;
    Ok(ToolResult {
        content: content.unwrap_or_else(|| result.content.clone()),
        details: match details {
            Some(details) => Some(serde_json::to_value(&details).unwrap_or_default())
                .filter(|value| !value.is_null()),
            None => result.details.clone(),
        },
        is_error: is_error.map_or(result.is_error, |value| value.is_true()),
        ends_turn: end_turn.map_or(result.ends_turn, |value| value.is_true()),
        ..result
    })
}

/// Notes what people are shown. Details that are no object are kept beside it.
fn add_rendered_text(result: &mut ToolResult, text: &str) {
    let mut details = match result.details.take() {
        Some(Value::Object(details)) => details,
        Some(other) => Map::from_iter([("data".to_owned(), other)]),
        None => Map::new(),
    };
    details.insert(RENDERED.to_owned(), json!(text));
    result.details = Some(details.into());
}
