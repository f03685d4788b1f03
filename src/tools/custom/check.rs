//! What is wrong with a definition, told to whoever wrote it: what, in which of its tables, and how to mend it.

use serde_json::{Map, Value};

use super::defined_tool::{DefinedTool, KINDS, ToolImplementation};
use super::definition::{DESCRIPTION, OrderedTable, ParameterDefinition, ToolDefinition};
use super::definition_fault::{DefinitionContext, DefinitionFault};
use super::hook_check::find_hook_problems;
use super::templates::create_environment;
use kith_core::call::ToolKind;
use kith_core::schema::ParamType;

/// Names that mean something else where calls and tools are written.
const RESERVED: &[&str] = &[
    "default",
    "turn",
    "thoughts",
    "thought",
    "inner_thoughts",
    "actions",
    "request_heartbeat",
];
/// The longest name, in characters: providers of native calls take no longer one.
const NAME_CHARACTERS: usize = 64;
/// The longest description, in characters: it stands in every prompt.
const DESCRIPTION_CHARACTERS: usize = 1_000;
const DEEPEST: usize = 6;
const SECONDS: std::ops::RangeInclusive<f32> = 0.1..=600.0;
const CHARACTERS: std::ops::RangeInclusive<usize> = 100..=40_000;

impl DefinedTool {
    pub fn find_problems(&self, known: &DefinitionContext<'_>) -> Vec<DefinitionFault> {
        let mut wrong = Vec::new();
        if !is_snake_case(&self.name) || self.name.chars().count() > NAME_CHARACTERS {
            let cure = "write small letters, digits and _, a letter first, 64 characters at most";
            wrong.push(DefinitionFault::new(
                "",
                format!("`{}` is no name for a tool", self.name),
                cure,
            ));
        } else if RESERVED.contains(&self.name.as_str()) {
            wrong.push(DefinitionFault::new(
                "",
                format!("`{}` means something else", self.name),
                "choose another name",
            ));
        }
        check_kind(&self.definition, &mut wrong);
        check_limits(&self.definition, &mut wrong);
        check_texts(&self.definition, &mut wrong);
        check_parameters(
            "parameters",
            &self.definition.parameters,
            DEEPEST,
            &mut wrong,
        );
        check_primary(&self.definition, &mut wrong);
        check_templates(&self.definition, &mut wrong);
        wrong.extend(find_hook_problems(&self.definition));
        if let Some(kind) = self.definition.kind() {
            wrong.extend(kind.find_problems(self, known));
        }
        wrong
    }
}

fn is_snake_case(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn check_kind(definition: &ToolDefinition, wrong: &mut Vec<DefinitionFault>) {
    let kinds = definition.kinds();
    match kinds.as_slice() {
        [_] => {}
        [] => wrong.push(DefinitionFault::new(
            "",
            "nothing says what runs",
            format!("add one of the tables {KINDS}"),
        )),
        [_, other, ..] => {
            let names: Vec<&str> = kinds.iter().map(ToolImplementation::name).collect();
            let message = format!(
                "a tool is of one kind, and this one has {}",
                names.join(" and ")
            );
            wrong.push(DefinitionFault::new(
                other.name(),
                message,
                "make two tools of it",
            ));
        }
    }
    if definition.read_only && definition.action != ToolKind::Tool {
        let message = "an action changes something, so it cannot be `read_only`";
        wrong.push(DefinitionFault::new(
            "read_only",
            message,
            "remove `read_only`, or `action`",
        ));
    }
}

fn check_limits(definition: &ToolDefinition, wrong: &mut Vec<DefinitionFault>) {
    if let Some(seconds) = definition
        .time_out_seconds
        .filter(|seconds| !SECONDS.contains(seconds))
    {
        let message = format!("`time_out_seconds` is {seconds}");
        wrong.push(DefinitionFault::new(
            "time_out_seconds",
            message,
            "write 0.1 to 600 seconds",
        ));
    }
    if let Some(characters) = definition
        .result_characters
        .filter(|characters| !CHARACTERS.contains(characters))
    {
        let message = format!("`result_characters` is {characters}");
        wrong.push(DefinitionFault::new(
            "result_characters",
            message,
            "write 100 to 40000",
        ));
    }
}

fn check_texts(definition: &ToolDefinition, wrong: &mut Vec<DefinitionFault>) {
    let is_told = definition.mcp.is_none() && definition.hook.is_none();
    if !definition.description.has_original() && is_told {
        let cure = "add a line `description = \"…\"` that says what it does";
        wrong.push(DefinitionFault::new(
            "description",
            "no `description`: the model would not know what it is for",
            cure,
        ));
    }
    for (at, text) in definition.description.fields(DESCRIPTION) {
        check_text(&at, text, wrong);
    }
    check_text("title", &definition.title, wrong);
}

fn check_text(at: &str, text: &str, wrong: &mut Vec<DefinitionFault>) {
    let length = text.chars().count();
    if length > DESCRIPTION_CHARACTERS {
        let message = format!("`{at}` has {length} characters and stands in every prompt");
        wrong.push(DefinitionFault::new(
            at,
            message,
            "shorten it to 1000 characters or less",
        ));
    }
    if text.contains(|c: char| c.is_control() && !c.is_whitespace()) {
        wrong.push(DefinitionFault::new(
            at,
            format!("`{at}` holds a control character"),
            "remove it; it cannot be seen",
        ));
    }
}

fn check_parameters(
    at: &str,
    parameters: &OrderedTable<ParameterDefinition>,
    deep: usize,
    wrong: &mut Vec<DefinitionFault>,
) {
    for (name, parameter) in &parameters.0 {
        let at = format!("{at}.{name}");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_name =
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_plain);
        if !is_name || RESERVED.contains(&name.as_str()) {
            let cure = "write letters, digits and _, a letter first";
            wrong.push(DefinitionFault::new(
                &at,
                format!("`{name}` is no name for a parameter"),
                cure,
            ));
        }
        check_parameter(&at, parameter, deep, wrong);
    }
}

fn check_parameter(
    at: &str,
    parameter: &ParameterDefinition,
    deep: usize,
    wrong: &mut Vec<DefinitionFault>,
) {
    let below = |name: &str| format!("{at}.{name}");
    for (name, text) in parameter.description.fields(DESCRIPTION) {
        check_text(&below(&name), text, wrong);
    }
    if deep == 0 {
        return wrong.push(DefinitionFault::new(
            at,
            "parameters stand too deep in each other",
            "six levels are the most",
        ));
    }
    if parameter.items.is_some() && parameter.kind != ParamType::Array {
        wrong.push(DefinitionFault::new(
            below("items"),
            "only an array has `items`",
            "write type = \"array\" above it",
        ));
    }
    if !parameter.properties.0.is_empty() && parameter.kind != ParamType::Object {
        let cure = "write type = \"object\" above them";
        wrong.push(DefinitionFault::new(
            below("properties"),
            "only an object has `properties`",
            cure,
        ));
    }
    let plain = ParameterDefinition {
        default: None,
        choices: Vec::new(),
        required: true,
        ..parameter.clone()
    };
    for (index, choice) in parameter.choices.iter().enumerate() {
        if let Some(wanted) = find_mismatch(&plain, choice) {
            wrong.push(DefinitionFault::new(
                format!("{at}.enum.{index}"),
                format!("{choice} in `enum` is {wanted}"),
                CURE,
            ));
        }
    }
    if let Some(default) = &parameter.default {
        let chosen = ParameterDefinition {
            choices: parameter.choices.clone(),
            ..plain
        };
        if let Some(wanted) = find_mismatch(&chosen, default) {
            wrong.push(DefinitionFault::new(
                below("default"),
                format!("the default {default} is {wanted}"),
                CURE,
            ));
        }
        if parameter.required {
            let message = "it is required, so its default would never be taken";
            wrong.push(DefinitionFault::new(
                below("required"),
                message,
                "remove `required` or `default`",
            ));
        }
    }
    if let Some(items) = &parameter.items {
        check_parameter(&below("items"), items, deep - 1, wrong);
    }
    check_parameters(&below("properties"), &parameter.properties, deep - 1, wrong);
}

const CURE: &str = "write one that is, or mend `type`";

/// What is wrong with a value of a parameter, as written: none where it is taken and stays as it is.
fn find_mismatch(parameter: &ParameterDefinition, value: &Value) -> Option<String> {
    let holder = ToolDefinition {
        parameters: OrderedTable(vec![("x".to_owned(), parameter.clone())]),
        ..ToolDefinition::default()
    };
    let schema = holder.schema();
    let given = Map::from_iter([("x".to_owned(), value.clone())]);
    match schema.check(&given) {
        Ok(taken)
            if taken
                .get("x")
                .is_some_and(|taken| is_same_value(taken, value)) =>
        {
            None
        }
        Err(_) if !parameter.choices.is_empty() => Some("none of `enum`".to_owned()),
        _ => Some(format!(
            "not of type {}",
            serde_json::to_value(parameter.kind).unwrap_or_default()
        )),
    }
}

/// 1 and 1.0 are the same number.
fn is_same_value(one: &Value, other: &Value) -> bool {
    one == other || one.is_number() && one.as_f64() == other.as_f64()
}

fn check_primary(definition: &ToolDefinition, wrong: &mut Vec<DefinitionFault>) {
    let Some(primary) = &definition.primary else {
        return;
    };
    match definition
        .parameters
        .0
        .iter()
        .find(|(name, _)| name == primary)
    {
        None => {
            let names: Vec<&str> = definition
                .parameters
                .0
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            let cure = if names.is_empty() {
                "remove it".to_owned()
            } else {
                format!("write one of {}", names.join(", "))
            };
            wrong.push(DefinitionFault::new(
                "primary",
                format!("there is no parameter `{primary}`"),
                cure,
            ));
        }
        Some((_, parameter)) if matches!(parameter.kind, ParamType::Object | ParamType::Array) => {
            let message =
                format!("the text of an element cannot be `{primary}`: it is no single value");
            wrong.push(DefinitionFault::new(
                "primary",
                message,
                "name a parameter that is text or a number",
            ));
        }
        Some(_) => {}
    }
}

fn check_templates(definition: &ToolDefinition, wrong: &mut Vec<DefinitionFault>) {
    let templates = create_environment();
    let filter = definition.filter.clone().unwrap_or_default();
    for (at, template) in [
        ("render", &definition.render),
        ("filter.content", &filter.content),
    ] {
        let error = template
            .as_ref()
            .and_then(|template| templates.template_from_str(template).err());
        wrong.extend(error.map(|error| build_template_fault(at, "template", &error)));
    }
    for (at, expression) in [
        ("filter.details", &filter.details),
        ("filter.is_error", &filter.is_error),
        ("filter.end_turn", &filter.end_turn),
    ] {
        let error = expression
            .as_ref()
            .and_then(|expression| templates.compile_expression(expression).err());
        wrong.extend(error.map(|error| build_template_fault(at, "expression", &error)));
    }
}

fn build_template_fault(at: &str, what: &str, error: &minijinja::Error) -> DefinitionFault {
    let line = error
        .line()
        .filter(|line| *line > 1)
        .map_or(String::new(), |line| format!(" in its line {line}"));
    let why = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    DefinitionFault::new(
        at,
        format!("`{at}` is no {what}{line}: {why}"),
        "mend it; docs/TOOLS.md shows some",
    )
}
