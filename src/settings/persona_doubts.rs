//! What works in a persona file but is probably not meant; told by `kith check` only.

use std::path::Path;

use kith_core::persona::{DailyRoutine, Persona};
use kith_core::word::is_ordinary;

use super::problem::SettingProblem;
use super::toml_reader::ParsedFile;

pub fn find_doubts(
    file: &Path,
    read: &ParsedFile<Persona>,
    persona: &Persona,
) -> Vec<SettingProblem> {
    let mut doubts = Vec::new();
    let mut doubt = |path: &str, message: String, cure: &str| {
        let problem = read.make_problem(file, path, message, cure);
        doubts.push(problem.into_warning());
    };
    if persona.identity.trim().is_empty() {
        doubt(
            "name",
            "`identity` is missing: it does not know who it is".to_owned(),
            "say it in a sentence or two",
        );
    }
    let aliases = persona.aliases.iter().enumerate();
    let aliases = aliases.map(|(index, alias)| (format!("aliases.{index}"), alias));
    for (path, name) in std::iter::once(("name".to_owned(), &persona.name)).chain(aliases) {
        if is_ordinary(name.trim()) {
            doubt(
                &path,
                format!("\"{name}\" is an everyday word"),
                "it counts only as an @ or at the start with a comma; choose a rarer one if it should be known anywhere",
            );
        }
    }
    let day: &[DailyRoutine] = persona
        .schedule
        .as_ref()
        .map_or(&[], |schedule| &schedule.day);
    for (index, part) in day.iter().enumerate() {
        let overlaps = |other: &&DailyRoutine| other.overlaps(part);
        if let Some(earlier) = day[..index].iter().find(overlaps) {
            doubt(
                &format!("schedule.day.{index}"),
                format!(
                    "the part of the day from {} to {} overlaps that from {} to {}, which counts where both do",
                    part.from, part.to, earlier.from, earlier.to
                ),
                "let one end where the other begins",
            );
        }
    }
    doubts
}
