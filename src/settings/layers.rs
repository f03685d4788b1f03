//! The layers of settings: a file, and above it the single values of the environment (`environment.rs`) and of flags,
//! parsed by the type the setting declares, never by what the text looks like.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::Settings;
use super::problem::SettingProblem;
use super::setting_errors;

#[derive(Clone, Debug)]
pub struct SingleValue {
    /// What people know it by: a variable's or a flag's name.
    pub source: String,
    /// The setting's dotted path.
    pub path: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    File(PathBuf, Option<usize>),
    /// A variable or a flag, by name.
    Outside(String),
}

/// Where each setting that is not a default comes from, by dotted path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingOrigins(pub BTreeMap<String, SettingOrigin>);

impl SettingOrigins {
    /// An error about the setting at `path`, at the place that set it.
    pub fn make_problem(
        &self,
        path: &str,
        message: String,
        cure: impl Into<String>,
    ) -> SettingProblem {
        match self.0.get(path) {
            Some(SettingOrigin::File(file, line)) => {
                SettingProblem::error(message, cure).with_location(file.clone(), *line)
            }
            Some(SettingOrigin::Outside(by)) => {
                SettingProblem::error(format!("{by}: {message}"), cure)
            }
            None => SettingProblem::error(message, cure),
        }
    }
}

/// What is wrong with settings, each at the place that set it.
pub struct ProblemList<'a> {
    pub origins: &'a SettingOrigins,
    pub all: &'a mut Vec<SettingProblem>,
}

impl ProblemList<'_> {
    pub fn error(&mut self, path: &str, message: impl Into<String>, cure: impl Into<String>) {
        self.all
            .push(self.origins.make_problem(path, message.into(), cure));
    }

    pub fn warn(&mut self, path: &str, message: impl Into<String>, cure: impl Into<String>) {
        let problem = self.origins.make_problem(path, message.into(), cure);
        self.all.push(problem.into_warning());
    }
}

/// Parses a single value by the type its setting declares. The error names the variable or flag.
pub fn parse_value(single: &SingleValue) -> Result<toml::Value, SettingProblem> {
    let path: Vec<String> = single.path.split('.').map(String::from).collect();
    if path.len() > 2 && path[..2] == ["model", "extra_body"] {
        let message = format!(
            "{}: values of `model.extra_body` have no declared type",
            single.source
        );
        return Err(SettingProblem::error(message, "set it in kith.toml"));
    }
    let mut first_error = None;
    for value in parse_candidates(&single.text) {
        let table = nest_value(&path, value.clone());
        match Settings::deserialize(toml::Value::Table(table)) {
            Ok(_) => return Ok(value),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    let mut error = first_error
        .map(|error| error.message().to_string())
        .unwrap_or_default();
    // Where a number is wanted and one stands, its size is wrong and not its kind.
    if let (Ok(number), Some((_, wanted))) = (
        single.text.trim().parse::<i128>(),
        error.rsplit_once(", expected "),
    ) {
        error = format!("invalid value: integer `{number}`, expected {wanted}");
    }
    if error.ends_with("expected a sequence")
        || error.ends_with("expected a map")
        || error.contains("expected struct ")
    {
        let message = format!("{}: `{}` is not a single value", single.source, single.path);
        return Err(SettingProblem::error(message, "set it in kith.toml"));
    }
    let (message, cure) = setting_errors::explain(&path, &error);
    Err(SettingProblem::error(
        format!("{}: {message}", single.source),
        cure,
    ))
}

/// What a text can stand for. The text itself comes first: where a text is wanted, `007` stays `007`.
fn parse_candidates(text: &str) -> Vec<toml::Value> {
    let mut readings = vec![toml::Value::String(text.into())];
    readings.extend(text.trim().parse::<bool>().ok().map(toml::Value::Boolean));
    readings.extend(text.trim().parse::<i64>().ok().map(toml::Value::Integer));
    readings.extend(text.trim().parse::<f64>().ok().map(toml::Value::Float));
    readings
}

/// A table that holds `value` at `path`.
pub fn nest_value(path: &[String], value: toml::Value) -> toml::Table {
    match path {
        [] => toml::Table::new(),
        [name] => toml::Table::from_iter([(name.clone(), value)]),
        [name, below @ ..] => {
            toml::Table::from_iter([(name.clone(), toml::Value::Table(nest_value(below, value)))])
        }
    }
}

/// Puts the layers together, the weakest first. It fails only for a layer that was not checked before.
pub fn merge(layers: Vec<toml::Table>) -> Result<Settings, toml::de::Error> {
    let mut merged = toml::Table::new();
    for layer in layers {
        overlay(&mut merged, layer);
    }
    Settings::deserialize(date_to_text(merged.into()))
}

fn overlay(table: &mut toml::Table, stronger: toml::Table) {
    for (name, value) in stronger {
        match (table.get_mut(&name), value) {
            (Some(toml::Value::Table(table)), toml::Value::Table(stronger)) => {
                overlay(table, stronger);
            }
            (_, value) => drop(table.insert(name, value)),
        }
    }
}

/// No setting is a date, but a request's body may hold one, as text.
fn date_to_text(value: toml::Value) -> toml::Value {
    match value {
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Array(all) => toml::Value::Array(all.into_iter().map(date_to_text).collect()),
        toml::Value::Table(table) => {
            let entries = table.into_iter();
            toml::Value::Table(
                entries
                    .map(|(name, value)| (name, date_to_text(value)))
                    .collect(),
            )
        }
        value => value,
    }
}
