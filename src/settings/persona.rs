//! Reads persona files. The shipped personas are embedded.

use std::path::Path;

use super::problem::SettingProblem;
use super::toml_reader::{self, ParsedFile};
use super::{check_persona, lorebooks, persona_doubts};
use kith_core::persona::Persona;

pub fn load(file: &Path) -> Result<Persona, Vec<SettingProblem>> {
    check_parsed(file, &mut toml_reader::read_file(file))
}

/// Reads `text`, the content of `file`.
pub fn parse(file: &Path, text: &str) -> Result<Persona, Vec<SettingProblem>> {
    check_parsed(file, &mut toml_reader::read_text(file, text))
}

/// Everything that is wrong or doubtful in a persona file, and the persona where it can be used.
pub fn inspect(file: &Path) -> (Option<Persona>, Vec<SettingProblem>) {
    inspect_parsed(file, toml_reader::read_file(file))
}

/// The same of `text`, which is to become the content of `file`.
pub fn inspect_text(file: &Path, text: &str) -> (Option<Persona>, Vec<SettingProblem>) {
    inspect_parsed(file, toml_reader::read_text(file, text))
}

fn inspect_parsed(
    file: &Path,
    mut read: ParsedFile<Persona>,
) -> (Option<Persona>, Vec<SettingProblem>) {
    match check_parsed(file, &mut read) {
        Ok(persona) => {
            let doubts = persona_doubts::find_doubts(file, &read, &persona);
            (Some(persona), doubts)
        }
        Err(problems) => (None, problems),
    }
}

fn check_parsed(
    file: &Path,
    read: &mut ParsedFile<Persona>,
) -> Result<Persona, Vec<SettingProblem>> {
    let mut problems = std::mem::take(&mut read.problems);
    if let Some(mut persona) = read.value.take() {
        let folder = file.parent().unwrap_or(Path::new(""));
        persona.avatar = persona.avatar.map(|picture| folder.join(picture));
        problems.extend(check_persona::check(file, read, &persona));
        problems.extend(lorebooks::read_lorebooks(file, read, &mut persona));
        if problems.is_empty() {
            return Ok(persona);
        }
    }
    problems.sort_by_key(|problem| problem.line);
    Err(problems)
}
