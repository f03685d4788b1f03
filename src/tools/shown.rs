//! Tools in as few tokens as make them usable: each is shown the way it is written, then described in one line.

use crate::core::call::{Offer, ToolKind, ToolSpec};
use crate::core::persona::Language;
use crate::core::policy::Protocol;
use crate::core::schema::{Param, ParamType};

/// The tools by kind, each kind under a line that says what it means. Those that are on offer only later are left out, so
/// that the prompt's beginning stays as it is; who has them found is told of them there and then.
pub fn list(tools: &[ToolSpec], protocol: Protocol, language: Language) -> String {
    let mut out = String::new();
    for kind in [ToolKind::Visible, ToolKind::Tool, ToolKind::Quiet] {
        let is_told = |tool: &&ToolSpec| tool.kind == kind && tool.offer == Offer::Always;
        let mut of_kind = tools.iter().filter(is_told).peekable();
        if of_kind.peek().is_some() {
            out.push_str(heading(kind, protocol, language));
            out.push('\n');
        }
        if protocol == Protocol::Native {
            // The provider is handed their descriptions; here only stands what their kinds mean.
            let names: Vec<&str> = of_kind.map(|tool| tool.name.as_str()).collect();
            if !names.is_empty() {
                out.push_str(&names.join(", "));
                out.push('\n');
            }
            continue;
        }
        for tool in of_kind {
            out.push_str(&line(tool, protocol));
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn heading(kind: ToolKind, protocol: Protocol, language: Language) -> &'static str {
    match kind {
        ToolKind::Visible if protocol == Protocol::Native => language.pick("Actions people see:", "大家看得见的动作："),
        ToolKind::Visible => {
            language.pick("Actions people see (`?` means optional):", "大家看得见的动作（`?` 可省）：")
        }
        ToolKind::Tool => language.pick("Tools, their results come back to you:", "工具，结果会回到你这里："),
        ToolKind::Quiet => language.pick("Actions nobody sees:", "没人看见的动作："),
    }
}

/// `<get_time zone?/> The time now. zone: IANA zone`, or the same as `get_time{zone?}`.
pub fn line(tool: &ToolSpec, protocol: Protocol) -> String {
    let params = &tool.schema.params;
    let shape = match protocol {
        Protocol::Xml => {
            let is_primary = |param: &&Param| tool.primary.as_ref() == Some(&param.name);
            let attributes: String =
                params.iter().filter(|param| !is_primary(param)).map(|param| format!(" {}", shown(param))).collect();
            match params.iter().find(is_primary) {
                Some(primary) => format!("<{0}{attributes}>{1}</{0}>", tool.name, shown(primary)),
                None => format!("<{}{attributes}/>", tool.name),
            }
        }
        Protocol::Json | Protocol::Native => {
            let list: Vec<String> = params.iter().map(shown).collect();
            format!("{}{{{}}}", tool.name, list.join(", "))
        }
    };
    let mut out = format!("{shape} {}", tool.description.trim());
    for param in params.iter().filter(|param| !param.description.trim().is_empty()) {
        out.push_str(&format!(" {}: {};", param.name, param.description.trim().trim_end_matches(['.', '。'])));
    }
    out.truncate(out.trim_end_matches(';').len());
    out
}

/// A parameter's name, `?` if it may be left out, and its type where the name does not say it.
fn shown(param: &Param) -> String {
    let optional = if param.required { "" } else { "?" };
    let choices: Vec<String> =
        param.choices.iter().map(|choice| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned)).collect();
    let kind = match param.kind {
        _ if !choices.is_empty() => format!("={}", choices.join("|")),
        ParamType::String | ParamType::Integer | ParamType::Number => String::new(),
        ParamType::Boolean => "=true|false".into(),
        ParamType::Array => "[]".into(),
        ParamType::Object => {
            let inside: Vec<String> = param.properties.iter().map(shown).collect();
            format!("{{{}}}", inside.join(", "))
        }
    };
    format!("{}{optional}{kind}", param.name)
}
