//! Tools in as few tokens as make them usable: each is shown the way it is written, then described in one line.

use kith_language::tools;
use serde_json::Value;

use kith_core::call::{ToolExposure, ToolKind, ToolSpec};
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::schema::{Param, ParamType};

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
    let is_told = |tool: &&ToolSpec| tool.offer == ToolExposure::Always;
    out.push_str(&render_server_notes(tools.iter().filter(is_told), language));
    out.truncate(out.trim_end().len());
    out
}

/// What the servers of these tools say of them, each once and quoted: they are strangers.
pub fn render_server_notes<'a>(
    tools: impl Iterator<Item = &'a ToolSpec>,
    language: Language,
) -> String {
    let mut notes: Vec<&str> = tools.map(|tool| tool.server_note.as_str()).collect();
    notes.retain(|note| !note.is_empty());
    notes.dedup();
    let mut out = String::new();
    for note in notes {
        if out.is_empty() {
            out = tools::server_notes().in_language(language) + "\n";
        }
        out.push_str(&format!("| {note}\n"));
    }
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
    let params = tool.schema.params.iter();
    let required: Vec<&Param> = params.filter(|param| param.required).collect();
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
    let mut notes = ParameterNotes::default();
    for param in &tool.schema.params {
        notes.add_parameter(&param.name, param, language);
    }
    // Twice would cost tokens in every prompt.
    let is_needed = |note: &String| !is_mentioned(&tool.description, note);
    notes.optional.retain(is_needed);
    out.push_str(&add_full_stop(&notes.required.join(";"), language));
    if !notes.optional.is_empty() {
        out.push_str(&tools::optional_parameters().in_language(language));
        out.push_str(&notes.optional.join(", "));
    }
    out
}

/// What is told behind the form: what it leaves out, and what its names do not say.
#[derive(Default)]
struct ParameterNotes {
    required: Vec<String>,
    optional: Vec<String>,
}

impl ParameterNotes {
    /// Adds a parameter and those inside it, under their paths: `place.country`, `stops[].at`.
    fn add_parameter(&mut self, path: &str, param: &Param, language: Language) {
        if !param.required {
            self.optional.push(render_optional(path, param, language));
        } else if let Some(description) = trim_description(param) {
            self.required.push(format!(" {path}: {description}"));
        }
        self.add_inner_parameters(path, param, language);
    }

    fn add_inner_parameters(&mut self, path: &str, param: &Param, language: Language) {
        if let Some(items) = &param.items {
            let path = format!("{path}[]");
            let description = trim_description(items).map(|told| format!(" {path}: {told}"));
            self.required.extend(description);
            self.add_inner_parameters(&path, items, language);
        }
        for property in &param.properties {
            self.add_parameter(&format!("{path}.{}", property.name), property, language);
        }
    }
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

/// A parameter that may be left out: its path, with what it may be and what it is then.
fn render_optional(path: &str, param: &Param, language: Language) -> String {
    let kind = match param.kind {
        _ if !param.choices.is_empty() => Some(render_choices(param)),
        ParamType::String | ParamType::Integer | ParamType::Number => None,
        ParamType::Boolean => Some("true|false".to_owned()),
        ParamType::Array | ParamType::Object => Some(render_value(param)),
    };
    let default = param.default.as_ref().map(render_choice);
    let default = default.filter(|value| !matches!(value.as_str(), "" | "[]" | "{}"));
    let notes: Vec<String> = kind
        .into_iter()
        .chain(default.map(|value| tools::default_value(value).in_language(language)))
        .chain(trim_description(param).map(str::to_owned))
        .collect();
    if notes.is_empty() {
        path.to_owned()
    } else {
        format!("{path} ({})", notes.join(", "))
    }
}

fn is_mentioned(description: &str, param: &str) -> bool {
    description
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word == param)
}

fn render_choices(param: &Param) -> String {
    let choices: Vec<String> = param.choices.iter().map(render_choice).collect();
    choices.join("|")
}

fn render_choice(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn trim_description(param: &Param) -> Option<&str> {
    Some(param.description.trim().trim_end_matches(['.', '。'])).filter(|said| !said.is_empty())
}
