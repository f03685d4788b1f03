//! Reads the message catalogs (`data/messages/<language>/*.ftl`). The build script includes this file; the tests do, too.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use fluent_syntax::parser;

/// The language the others are compared with.
pub const REFERENCE: &str = "en";

const PLURAL_FORMS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// How the comment of a message begins that names variables it does not use, though another language does.
const LEAVES_OUT: &str = "Leaves out: ";

/// What a message does with one of its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableUse {
    /// It is shown, or chosen by as a text.
    Text,
    /// It chooses a form of a plural, so it must be a number.
    Count,
}

/// The variables of a message, in the order of the alphabet.
pub type MessageVariables = BTreeMap<String, VariableUse>;

#[derive(Debug)]
pub struct CatalogFile {
    /// Its name without `.ftl`: the module its functions are in.
    pub name: String,
    pub text: String,
    pub messages: BTreeMap<String, MessageVariables>,
}

/// Reads the catalogs of all languages: by language, then in the order of their names.
pub fn read_languages(root: &Path) -> Result<BTreeMap<String, Vec<CatalogFile>>, String> {
    let mut languages = BTreeMap::new();
    for folder in list_names(root)? {
        let mut files = Vec::new();
        for file in list_names(&root.join(&folder))? {
            let path = root.join(&folder).join(&file);
            let name = file
                .strip_suffix(".ftl")
                .ok_or_else(|| format!("{} is no .ftl file", path.display()))?;
            let text = fs::read_to_string(&path).map_err(|error| describe(&path, error))?;
            let messages = read_messages(&text).map_err(|why| describe(&path, why))?;
            files.push(CatalogFile {
                name: name.to_owned(),
                text,
                messages,
            });
        }
        languages.insert(folder, files);
    }
    Ok(languages)
}

/// The messages of a catalog with their variables. An attribute is the same text for another locale
/// of its language, without variables. Functions and references to other messages are refused:
/// a message that holds another is given it as an argument, so that code and catalogs agree on what is said.
pub fn read_messages(text: &str) -> Result<BTreeMap<String, MessageVariables>, String> {
    let resource = parser::parse(text).map_err(|(_, errors)| describe_errors(text, &errors))?;
    let mut messages = BTreeMap::new();
    for entry in resource.body {
        let Entry::Message(message) = entry else {
            continue;
        };
        let key = message.id.name;
        let Some(pattern) = message.value else {
            return Err(format!("{key} must have a text"));
        };
        let mut variant_variables = BTreeMap::new();
        for variant in &message.attributes {
            collect_variables(&variant.value, &mut variant_variables)?;
        }
        if !variant_variables.is_empty() {
            return Err(format!("{key} must have no variables in its attributes"));
        }
        let comment = message.comment.map(|comment| comment.content);
        let mut variables = read_left_out(&comment.unwrap_or_default());
        collect_variables(&pattern, &mut variables).map_err(|why| format!("{key}: {why}"))?;
        if messages.insert(key.to_owned(), variables).is_some() {
            return Err(format!("{key} is there twice"));
        }
    }
    Ok(messages)
}

/// What the comment of a message says that this language does not show: `# Leaves out: $error, $host`.
fn read_left_out(comment: &[&str]) -> MessageVariables {
    let lines = comment
        .iter()
        .filter_map(|line| line.strip_prefix(LEAVES_OUT));
    lines
        .flat_map(|names| names.split(','))
        .map(|name| {
            (
                name.trim().trim_start_matches('$').to_owned(),
                VariableUse::Text,
            )
        })
        .collect()
}

fn collect_variables(
    pattern: &Pattern<&str>,
    variables: &mut MessageVariables,
) -> Result<(), String> {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            collect_from_expression(expression, variables)?;
        }
    }
    Ok(())
}

fn collect_from_expression(
    expression: &Expression<&str>,
    variables: &mut MessageVariables,
) -> Result<(), String> {
    match expression {
        Expression::Inline(inline) => collect_from_inline(inline, VariableUse::Text, variables),
        Expression::Select { selector, variants } => {
            let is_number = |key: &VariantKey<&str>| match key {
                VariantKey::NumberLiteral { .. } => true,
                VariantKey::Identifier { name } => PLURAL_FORMS.contains(name),
            };
            let counts =
                variants.len() > 1 && variants.iter().all(|variant| is_number(&variant.key));
            let how = if counts {
                VariableUse::Count
            } else {
                VariableUse::Text
            };
            collect_from_inline(selector, how, variables)?;
            variants
                .iter()
                .try_for_each(|variant| collect_variables(&variant.value, variables))
        }
    }
}

fn collect_from_inline(
    inline: &InlineExpression<&str>,
    how: VariableUse,
    variables: &mut MessageVariables,
) -> Result<(), String> {
    match inline {
        InlineExpression::VariableReference { id } => {
            let known = variables.entry(id.name.to_owned()).or_insert(how);
            *known = how.max(*known);
            Ok(())
        }
        InlineExpression::Placeable { expression } => {
            collect_from_expression(expression, variables)
        }
        InlineExpression::StringLiteral { .. }
        | InlineExpression::NumberLiteral { .. }
        | InlineExpression::TermReference { .. } => Ok(()),
        InlineExpression::MessageReference { id, .. }
        | InlineExpression::FunctionReference { id, .. } => {
            Err(format!("{} is neither a variable nor a term", id.name))
        }
    }
}

fn describe_errors(text: &str, errors: &[parser::ParserError]) -> String {
    let describe_error = |error: &parser::ParserError| {
        let line = text[..error.pos.start].matches('\n').count() + 1;
        format!("line {line}: {}", error.kind)
    };
    errors
        .iter()
        .map(describe_error)
        .collect::<Vec<_>>()
        .join("; ")
}

fn describe(path: &Path, why: impl std::fmt::Display) -> String {
    format!("{}: {why}", path.display())
}

/// The names of what is in a folder, sorted, so that each build is the same.
pub fn list_names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| describe(folder, error))?;
    let mut names = entries
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<Vec<_>, std::io::Error>>()
        .map_err(|error| describe(folder, error))?;
    names.sort();
    Ok(names)
}
