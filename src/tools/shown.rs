//! Tools in as few tokens as make them usable: each is shown the way it is written, then described in one line.

use kith_language::tools;
use serde_json::Value;

use kith_core::call::{ToolExposure, ToolKind, ToolSpec};
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::schema::{Param, ParamType};

/// Stands for a text.
const ANY_TEXT: &str = "\"…\"";

/// The tools by kind, each kind under a line that says what it means. Those that are on offer only later are left out, so
/// that the prompt's beginning stays as it is; who has them found is told of them there and then.
pub fn render_tools(tools: &[ToolSpec], protocol: OutputProtocol, language: Language) -> String {
    let mut out = String::new();
    for kind in [ToolKind::Visible, ToolKind::Tool, ToolKind::Quiet] {
        let is_told = |tool: &&ToolSpec| tool.kind == kind && tool.offer == ToolExposure::Always;
        let mut of_kind = tools.iter().filter(is_told).peekable();
        if of_kind.peek().is_some() {
            out.push_str(&select_heading(kind, language));
            out.push('\n');
        }
        if protocol == OutputProtocol::Native {
            // The provider is handed their descriptions; here only stands what their kinds mean.
            let names: Vec<&str> = of_kind.map(|tool| tool.name.as_str()).collect();
            if !names.is_empty() {
                out.push_str(&names.join(", "));
                out.push('\n');
            }
            continue;
        }
        for tool in of_kind {
            out.push_str(&render_tool(tool, protocol, language));
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn select_heading(kind: ToolKind, language: Language) -> String {
    let heading = match kind {
        ToolKind::Visible => tools::heading_visible(),
        ToolKind::Tool => tools::heading_tools(),
        ToolKind::Quiet => tools::heading_quiet(),
    };
    heading.in_language(language)
}

/// `<react to="N" emoji="…"/> Put an emoji on line `to`.`, or the same as `react {"to": "N", "emoji": "…"}`. The form is one
/// that can be carried out as it stands, for small models copy it letter by letter: what may be left out is told behind.
pub fn render_tool(tool: &ToolSpec, protocol: OutputProtocol, language: Language) -> String {
    let (required, mut optional): (Vec<&Param>, Vec<&Param>) =
        tool.schema.params.iter().partition(|param| param.required);
    // Twice would cost tokens in every prompt.
    optional.retain(|param| {
        render_optional(param) != param.name || !is_mentioned(&tool.description, &param.name)
    });
    let form = match protocol {
        OutputProtocol::Xml => render_element(tool, &required),
        OutputProtocol::Json | OutputProtocol::Native => {
            format!("{} {}", tool.name, render_object(required.iter().copied()))
        }
    };
    let mut out = format!(
        "{form} {}",
        add_full_stop(tool.description.trim(), language)
    );
    let descriptions: Vec<String> = required
        .iter()
        .filter_map(|param| Some(format!(" {}: {}", param.name, trim_description(param)?)))
        .collect();
    out.push_str(&add_full_stop(&descriptions.join(";"), language));
    if !optional.is_empty() {
        let optional: Vec<String> = optional.into_iter().map(render_optional).collect();
        out.push_str(&tools::optional_parameters().in_language(language));
        out.push_str(&optional.join(", "));
    }
    out
}

/// With a stop at its end, so that what follows begins anew.
fn add_full_stop(text: &str, language: Language) -> String {
    let is_open =
        text.ends_with(|last: char| last.is_alphanumeric() || matches!(last, ')' | '"' | '`'));
    if is_open {
        text.to_owned() + &tools::full_stop().in_language(language)
    } else {
        text.to_owned()
    }
}

/// The element: the text is the main parameter where that comes first or is called so, everything else an attribute.
fn render_element(tool: &ToolSpec, required: &[&Param]) -> String {
    let name = &tool.name;
    let is_text = |(place, param): &(usize, &&Param)| {
        tool.primary.as_ref() == Some(&param.name) && (*place == 0 || param.name == "text")
    };
    let text = required
        .iter()
        .enumerate()
        .find(is_text)
        .map(|(_, param)| *param);
    let attributes = required
        .iter()
        .filter(|param| text.is_none_or(|text| text.name != param.name));
    let attribute = |param: &&Param| match render_value(param) {
        text if text.starts_with(['[', '{']) => format!(" {}='{text}'", param.name),
        text => format!(" {}=\"{}\"", param.name, text.trim_matches('"')),
    };
    let attributes: String = attributes.map(attribute).collect();
    let Some(text) = text else {
        return format!("<{name}{attributes}/>");
    };
    let inside = match render_value(text) {
        // What it is has to be said; but what people would read is never spelt out, for somebody would post it.
        value if value == ANY_TEXT && text.name != "text" => text.name.to_uppercase(),
        value => value.trim_matches('"').to_owned(),
    };
    format!("<{name}{attributes}>{inside}</{name}>")
}

fn render_object<'a>(params: impl Iterator<Item = &'a Param>) -> String {
    let pairs: Vec<String> = params
        .map(|param| format!("\"{}\": {}", param.name, render_value(param)))
        .collect();
    format!("{{{}}}", pairs.join(", "))
}

/// What stands for a value of a parameter.
fn render_value(param: &Param) -> String {
    match param.kind {
        _ if !param.choices.is_empty() => format!("\"{}\"", render_choices(param)),
        ParamType::String => ANY_TEXT.into(),
        ParamType::Integer | ParamType::Number => "\"N\"".into(),
        ParamType::Boolean => "true".into(),
        ParamType::Array => format!(
            "[{}]",
            param
                .items
                .as_deref()
                .map_or_else(|| ANY_TEXT.into(), render_value)
        ),
        ParamType::Object => {
            render_object(param.properties.iter().filter(|property| property.required))
        }
    }
}

/// A parameter that may be left out: its name, with what it may be.
fn render_optional(param: &Param) -> String {
    let kind = match param.kind {
        _ if !param.choices.is_empty() => Some(render_choices(param)),
        ParamType::String | ParamType::Integer | ParamType::Number => None,
        ParamType::Boolean => Some("true|false".to_owned()),
        ParamType::Array | ParamType::Object => Some(render_value(param)),
    };
    let notes: Vec<String> = kind
        .into_iter()
        .chain(trim_description(param).map(str::to_owned))
        .collect();
    if notes.is_empty() {
        param.name.clone()
    } else {
        format!("{} ({})", param.name, notes.join(", "))
    }
}

/// Whether a description speaks of a parameter.
fn is_mentioned(description: &str, param: &str) -> bool {
    description
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word == param)
}

fn render_choices(param: &Param) -> String {
    let text = |choice: &Value| {
        choice
            .as_str()
            .map_or_else(|| choice.to_string(), str::to_owned)
    };
    param.choices.iter().map(text).collect::<Vec<_>>().join("|")
}

fn trim_description(param: &Param) -> Option<&str> {
    Some(param.description.trim().trim_end_matches(['.', '。'])).filter(|said| !said.is_empty())
}
