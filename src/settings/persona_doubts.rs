//! What works in a persona file but is probably not meant; told by `kith check` only.

use std::path::Path;

use chrono::{NaiveTime, Timelike};
use kith_core::persona::{DailyRoutine, Persona};
use kith_core::word::is_ordinary;

use super::problem::SettingProblem;
use super::toml_reader::ParsedFile;

const DAY_MINUTES: u32 = 24 * 60;

/// Every doubt about `persona`, which was read from `file`.
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
        let overlaps = |other: &&DailyRoutine| is_overlapping(other, part);
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

/// Whether two parts of the day share a minute.
fn is_overlapping(one: &DailyRoutine, other: &DailyRoutine) -> bool {
    let (Some(one), Some(other)) = (find_minutes(one), find_minutes(other)) else {
        return false;
    };
    let begins_in =
        |(start, length): (u32, u32), at: u32| (at + DAY_MINUTES - start) % DAY_MINUTES < length;
    begins_in(one, other.0) || begins_in(other, one.0)
}

/// When a part of the day begins and how long it is, in minutes; none where it has no times.
fn find_minutes(part: &DailyRoutine) -> Option<(u32, u32)> {
    let minute = |clock: &str| {
        let time = NaiveTime::parse_from_str(clock, "%H:%M").ok()?;
        Some(time.hour() * 60 + time.minute())
    };
    let (from, to) = (minute(&part.from)?, minute(&part.to)?);
    Some((from, (to + DAY_MINUTES - from) % DAY_MINUTES))
}
