//! Reads a TOML file into a strict struct and finds every problem in it, not only the first: what cannot be used is
//! cut out and the rest is read again. Never guesses and never fails: what could be read comes back with the
//! problems, which `setting_errors.rs` puts into words ("did you mean …?").

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::problem::SettingProblem;
use super::setting_errors;
use kith_core::text_encoding::decode_text;

#[derive(Debug)]
pub struct ParsedFile<T> {
    /// The file as a struct; none where it cannot be read at all.
    pub value: Option<T>,
    /// What of it can be used, as a table; none where it cannot be read at all.
    pub table: Option<toml::Table>,
    /// On which line each setting stands, by its dotted path.
    pub lines: BTreeMap<String, usize>,
    pub problems: Vec<SettingProblem>,
}

impl<T> ParsedFile<T> {
    fn from_problem(problem: SettingProblem) -> Self {
        Self {
            value: None,
            table: None,
            lines: BTreeMap::new(),
            problems: vec![problem],
        }
    }

    /// An error about the setting at `path` in `file`, on its line.
    pub fn make_problem(
        &self,
        file: &Path,
        path: &str,
        message: String,
        cure: impl Into<String>,
    ) -> SettingProblem {
        SettingProblem::error(message, cure).with_location(file, self.lines.get(path).copied())
    }
}

/// Reads a file from disk; see [`read_text`].
pub fn read_file<T: DeserializeOwned>(file: &Path) -> ParsedFile<T> {
    match read_text_file(file) {
        Ok(text) => read_text(file, &text),
        Err(problem) => ParsedFile::from_problem(problem),
    }
}

/// The text of a file, whatever its editor put in front of it.
pub fn read_text_file(file: &Path) -> Result<String, SettingProblem> {
    let bytes = std::fs::read(file).map_err(|error| explain_unreadable(file, &error))?;
    let text = decode_text(&bytes).map_err(|error| {
        let valid = error.valid_up_to();
        let line = count_line(&String::from_utf8_lossy(&bytes[..valid]), valid);
        let message = "the file holds bytes that are not UTF-8 text";
        SettingProblem::error(message, "save the file as UTF-8").with_location(file, Some(line))
    })?;
    Ok(text.into_owned())
}

pub fn explain_unreadable(file: &Path, error: &std::io::Error) -> SettingProblem {
    let (message, cure) = match error.kind() {
        std::io::ErrorKind::NotFound => (
            "there is no such file".to_string(),
            "check the path, or create the file",
        ),
        std::io::ErrorKind::PermissionDenied => (
            "the file may not be read".to_string(),
            "give the user that runs kith the right to read it",
        ),
        std::io::ErrorKind::IsADirectory => (
            "this is a folder, not a file".to_string(),
            "name the file in it",
        ),
        _ => (
            format!("the file cannot be read: {error}"),
            "check the path and the disk",
        ),
    };
    SettingProblem::error(message, cure).with_location(PathBuf::from(file), None)
}

/// Reads `text`, the content of `file`, into a `T` that denies unknown fields.
pub fn read_text<T: DeserializeOwned>(file: &Path, text: &str) -> ParsedFile<T> {
    let root = match DeTable::parse(text) {
        Ok(root) => root,
        Err(error) => return ParsedFile::from_problem(explain_syntax(file, text, &error)),
    };
    let mut lines = BTreeMap::new();
    collect_lines(root.get_ref(), "", text, &mut lines);
    let mut reader = TolerantReader {
        file,
        text,
        root,
        problems: Vec::new(),
    };
    let value = reader.read_value(&lines);
    reader.cut_too_large_numbers();
    let table = match toml::Table::deserialize(Deserializer::from(reader.root.clone())) {
        Ok(table) => Some(table),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            reader.report(&[], error.message(), count_line(text, at));
            None
        }
    };
    ParsedFile {
        value,
        table,
        lines,
        problems: reader.problems,
    }
}

/// A file that is valid TOML, from which what cannot be used is cut out.
struct TolerantReader<'a> {
    file: &'a Path,
    text: &'a str,
    root: Spanned<DeTable<'a>>,
    problems: Vec<SettingProblem>,
}

impl TolerantReader<'_> {
    /// Reads the file again and again, each time without the wrong entry. None where the error lies in no entry.
    fn read_value<T: DeserializeOwned>(&mut self, lines: &BTreeMap<String, usize>) -> Option<T> {
        loop {
            let error = match T::deserialize(Deserializer::from(self.root.clone())) {
                Ok(value) => return Some(value),
                Err(error) => error,
            };
            let span = error.span().unwrap_or(0..0);
            let path = cut_entry(self.root.get_mut(), &span);
            let place = path.clone().unwrap_or_default();
            // What was cut out is not missing.
            if !setting_errors::find_missing_field(&place, error.message())
                .is_some_and(|field| lines.contains_key(&field))
            {
                let line = path
                    .as_ref()
                    .map_or(1, |_| count_line(self.text, span.start));
                self.report(&place, error.message(), line);
            }
            path?;
        }
    }

    fn cut_too_large_numbers(&mut self) {
        let mut too_large = Vec::new();
        for value in self.root.get_ref().values() {
            find_too_large(value, &mut too_large);
        }
        for (span, given) in too_large {
            // None where the list it stands in was already cut out.
            if let Some(path) = cut_entry(self.root.get_mut(), &span) {
                let error = format!("invalid value: integer `{given}`, expected i64");
                self.report(&path, &error, count_line(self.text, span.start));
            }
        }
    }

    fn report(&mut self, path: &[String], error: &str, line: usize) {
        let (message, cure) = setting_errors::explain(path, error);
        let problem = SettingProblem::error(message, cure).with_location(self.file, Some(line));
        // What is left of a table whose entry was cut out may be wrong in the same way.
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// A problem for a text that is no TOML.
pub fn explain_syntax(file: &Path, text: &str, error: &toml::de::Error) -> SettingProblem {
    let start = error.span().map_or(0, |span| span.start);
    let before = &text[..floor_char_boundary(text, start)];
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let reason = error.message().replace('\n', " ");
    let message = format!("not valid TOML at column {column}: {reason}");
    let cure = "mend this line; text stands in quotes, lists in [ ]";
    SettingProblem::error(message, cure).with_location(file, Some(count_line(text, start)))
}

/// The line, from 1, on which the byte at `at` stands.
fn count_line(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[..at.min(text.len())];
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The largest character boundary not after `at`.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

fn collect_lines(
    table: &DeTable<'_>,
    above: &str,
    text: &str,
    lines: &mut BTreeMap<String, usize>,
) {
    for (key, value) in table {
        let path = if above.is_empty() {
            key.get_ref().to_string()
        } else {
            format!("{above}.{}", key.get_ref())
        };
        lines.insert(path.clone(), count_line(text, key.span().start));
        match value.get_ref() {
            DeValue::Table(table) => collect_lines(table, &path, text, lines),
            DeValue::Array(array) => {
                for (index, element) in array.iter().enumerate() {
                    let path = format!("{path}.{index}");
                    lines.insert(path.clone(), count_line(text, element.span().start));
                    if let DeValue::Table(table) = element.get_ref() {
                        collect_lines(table, &path, text, lines);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Finds the whole numbers that a type bears but TOML, with its 64 bits and a sign, does not.
fn find_too_large(value: &Spanned<DeValue<'_>>, found: &mut Vec<(Range<usize>, String)>) {
    match value.get_ref() {
        DeValue::Integer(number)
            if i64::from_str_radix(number.as_str(), number.radix()).is_err() =>
        {
            found.push((value.span(), number.to_string()));
        }
        DeValue::Array(array) => array
            .iter()
            .for_each(|element| find_too_large(element, found)),
        DeValue::Table(table) => table
            .values()
            .for_each(|value| find_too_large(value, found)),
        _ => {}
    }
}

/// Removes the innermost entry whose key or value stands at `span`, and answers with its path.
fn cut_entry(table: &mut DeTable<'_>, span: &Range<usize>) -> Option<Vec<String>> {
    for (key, value) in table.iter_mut() {
        if let Some(mut path) = cut_nested_entry(value, span) {
            path.insert(0, key.get_ref().to_string());
            return Some(path);
        }
    }
    let found = table
        .iter()
        .find(|(key, value)| key.span() == *span || is_at_span(value, span))
        .map(|(key, _)| key.clone())?;
    table.remove(&found);
    Some(vec![found.into_inner().into_owned()])
}

fn cut_nested_entry(value: &mut Spanned<DeValue<'_>>, span: &Range<usize>) -> Option<Vec<String>> {
    match value.get_mut() {
        DeValue::Table(table) => cut_entry(table, span),
        DeValue::Array(array) => array
            .iter_mut()
            .find_map(|element| cut_nested_entry(element, span)),
        _ => None,
    }
}

/// Whether a value, or an element of it, stands at `span`.
fn is_at_span(value: &Spanned<DeValue<'_>>, span: &Range<usize>) -> bool {
    value.span() == *span
        || matches!(value.get_ref(), DeValue::Array(array) if array.iter().any(|element| is_at_span(element, span)))
}
