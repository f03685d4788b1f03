//! `[profiles.NAME]` and `[sessions]`: what must be right in them, what a profile's template says with a model's values in
//! it, and what the model is told of profiles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::Value;

use super::Settings;
use super::layers::ProblemList;
use kith_core::call::ToolSpec;
use kith_core::context::escape;
use kith_core::session::{PromptMode, SessionProfile, SessionStart};
use kith_tools::CREATE_SESSION;

/// The longest name of a profile, in characters.
const LONGEST_NAME: usize = 40;
/// The longest value of a variable, in characters.
const LONGEST_VALUE: usize = 500;

pub(super) fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    for (name, profile) in &settings.profiles {
        let table = format!("profiles.{name}");
        let mut problem = |field: &str, message: String, cure: &str| {
            let path = if field.is_empty() {
                table.clone()
            } else {
                format!("{table}.{field}")
            };
            problems.error(&path, message, cure);
        };
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(is_plain) {
            let cure = "write letters, digits, - and _, at most 40 of them";
            problem(
                "",
                format!("[{table}]: a model cannot write this name"),
                cure,
            );
        }
        check_context(&table, profile, &mut problem);
        if let Some(why) = profile
            .system_prompt
            .as_deref()
            .and_then(|template| check_template(template).err())
        {
            let cure = "mend it; {{ name }} stands for a value the model gives";
            problem(
                "system_prompt",
                format!("`{table}.system_prompt` cannot be filled: {why}"),
                cure,
            );
        }
        if profile.system_prompt.is_none() && profile.mode != PromptMode::default() {
            let message = format!(
                "`{table}.mode` says how `{table}.system_prompt` is used, and there is none"
            );
            problem(
                "mode",
                message,
                "write a system_prompt, or remove this line",
            );
        }
    }
}

/// What a session begins with is made by one of a program and a model.
fn check_context(
    table: &str,
    profile: &SessionProfile,
    problem: &mut impl FnMut(&str, String, &str),
) {
    let has_program = !profile.context_program.is_empty();
    if profile.summary_prompt.is_some()
        && (has_program || profile.context != Some(SessionStart::Summary))
    {
        let message = format!("`{table}.summary_prompt` is for sessions a model sums up for");
        let cure = "write context = \"summary\" and no context_program, or remove this line";
        problem("summary_prompt", message, cure);
    }
    let program = profile.context_program.first().map(Path::new);
    if let Some(program) = program.filter(|path| path.is_absolute() && !path.is_file()) {
        let message = format!("there is no program {}", program.display());
        let cure = "check the path; it is taken from the folder of this file";
        problem("context_program", message, cure);
    }
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

fn build_environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
}

fn find_value_names(template: &str) -> Result<BTreeSet<String>, String> {
    let environment = build_environment();
    let template = environment
        .template_from_str(template)
        .map_err(|error| describe_error(&error))?;
    Ok(template.undeclared_variables(false).into_iter().collect())
}

/// Whether a template can be filled when all of its values are given.
fn check_template(template: &str) -> Result<(), String> {
    let values: BTreeMap<String, String> = find_value_names(template)?
        .into_iter()
        .map(|name| (name, "x".to_owned()))
        .collect();
    build_environment()
        .render_str(template, values)
        .map(drop)
        .map_err(|error| describe_error(&error))
}

fn describe_error(error: &minijinja::Error) -> String {
    let what = error.detail().map_or_else(
        || error.kind().to_string(),
        |detail| format!("{}: {detail}", error.kind()),
    );
    error.line().map_or_else(
        || what.clone(),
        |line| format!("{what}, in its line {line}"),
    )
}

/// A profile's text with these values, each one escaped line: a model wrote them. The error names missing values.
pub fn fill_template(template: &str, vars: &BTreeMap<String, String>) -> Result<String, String> {
    let missing: Vec<String> = find_value_names(template)?
        .into_iter()
        .filter(|name| !vars.contains_key(name))
        .collect();
    if !missing.is_empty() {
        return Err(missing.join(", "));
    }
    let short = |value: &String| value.trim().chars().take(LONGEST_VALUE).collect::<String>();
    let values: BTreeMap<String, String> = vars
        .iter()
        .map(|(name, value)| {
            let mut escaped = String::new();
            escape::escape_line(&mut escaped, &short(value), &|_| None);
            (name.clone(), escaped)
        })
        .collect();
    build_environment()
        .render_str(template, values)
        .map_err(|error| describe_error(&error))
}

impl Settings {
    pub fn find_profile(&self, name: &str) -> Option<&SessionProfile> {
        self.profiles.get(name)
    }

    /// `create_session` as these settings have it: profiles are named where there are any.
    pub(super) fn with_profiles(&self, mut spec: ToolSpec) -> ToolSpec {
        if spec.name != CREATE_SESSION {
            return spec;
        }
        if self.profiles.is_empty() {
            spec.schema
                .params
                .retain(|param| !matches!(param.name.as_str(), "profile" | "vars"));
        }
        let values: Vec<String> = self
            .profiles
            .iter()
            .filter_map(|(name, profile)| {
                let names = find_value_names(profile.system_prompt.as_deref()?).ok()?;
                let list = names.into_iter().collect::<Vec<_>>().join(", ");
                (!list.is_empty()).then(|| format!("{name}: {{{list}}}"))
            })
            .collect();
        if values.is_empty() {
            spec.schema.params.retain(|param| param.name != "vars");
        }
        for param in &mut spec.schema.params {
            match param.name.as_str() {
                "profile" => {
                    param.choices = self.profiles.keys().cloned().map(Value::String).collect()
                }
                "vars" => param.description = values.join("; "),
                _ => {}
            }
        }
        spec
    }
}
