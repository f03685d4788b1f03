//! Checks everything a person can get wrong in a persona file that is valid TOML.

use std::path::Path;

use chrono::NaiveTime;
use kith_core::persona::{
    DailyRoutine, MemoryBlock, PERSONA_NAME_CHARACTERS, PERSONA_TEXT_CHARACTERS, Persona,
};
use kith_core::talkativeness;
use kith_core::willingness::{ThemeError, Themes};

use super::check_discord::check_picture;
use super::problem::SettingProblem;
use super::text_checks;
use super::toml_reader::ParsedFile;

/// The longest description of a block of core memory, in characters: it stands in every prompt.
const DESCRIPTION_CHARACTERS: usize = 120;
/// The longest block of core memory, in characters.
const BLOCK_CHARACTERS: usize = 10_000;

pub fn check(file: &Path, read: &ParsedFile<Persona>, persona: &Persona) -> Vec<SettingProblem> {
    let mut check = PersonaCheck {
        file,
        read,
        problems: Vec::new(),
    };
    check.check_names(persona);
    check.check_avatar(persona);
    check.check_texts(persona);
    check.check_themes("interests", &persona.interests);
    check.check_themes("dislikes", &persona.dislikes);
    check.check_talkativeness(persona);
    let day = persona.schedule.iter().flat_map(|schedule| &schedule.day);
    for (index, part) in day.enumerate() {
        check.check_day_part(index, part);
    }
    for (label, block) in &persona.core_memory {
        check.check_block(label, block);
    }
    check.problems
}

struct PersonaCheck<'a> {
    file: &'a Path,
    read: &'a ParsedFile<Persona>,
    problems: Vec<SettingProblem>,
}

impl PersonaCheck<'_> {
    fn report(&mut self, path: &str, message: impl Into<String>, cure: &str) {
        let problem = self
            .read
            .make_problem(self.file, path, message.into(), cure);
        self.problems.push(problem);
    }

    fn check_names(&mut self, persona: &Persona) {
        if persona.name.trim().is_empty() {
            self.report(
                "name",
                "`name` is empty",
                "write the name its friends call it",
            );
        }
        let aliases = persona.aliases.iter().enumerate();
        let aliases = aliases.map(|(index, alias)| (format!("aliases.{index}"), alias));
        let names = std::iter::once(("name".to_string(), &persona.name)).chain(aliases.clone());
        for (path, name) in names.clone() {
            if name.chars().count() > PERSONA_NAME_CHARACTERS {
                let message = format!("\"{name}\" is too long for a name");
                self.report(&path, message, "write at most 32 characters");
            }
        }
        let calls_all = |name: &str| {
            let word = name.trim().trim_start_matches('@').to_lowercase();
            ["everyone", "here"].contains(&word.as_str())
        };
        for (path, name) in names.filter(|(_, name)| calls_all(name)) {
            let message = format!("\"{name}\" calls everybody and is no name");
            self.report(&path, message, "write another one");
        }
        for (path, _) in aliases.filter(|(_, alias)| alias.trim().is_empty()) {
            self.report(&path, "an alias is empty", "remove it");
        }
    }

    fn check_avatar(&mut self, persona: &Persona) {
        if let Some(picture) = persona.avatar.as_deref()
            && let Some((unfit, cure)) = check_picture(picture)
        {
            let message = format!("`avatar` cannot be {}: {unfit}", picture.display());
            self.report("avatar", message, &cure);
        }
    }

    fn check_texts(&mut self, persona: &Persona) {
        for (path, text) in collect_one_line_texts(persona) {
            if let Some((unfit, cure)) = text_checks::check_one_line(text) {
                self.report(&path, format!("`{path}` {unfit}"), cure);
            }
        }
        let texts = [
            ("identity", &persona.identity),
            ("personality", &persona.personality),
            ("background", &persona.background),
            ("voice.style", &persona.voice.style),
        ];
        for (path, text) in texts {
            let length = text.chars().count();
            if let Some((unfit, cure)) = text_checks::check_printable(text) {
                self.report(path, format!("`{path}` {unfit}"), cure);
            }
            if length > PERSONA_TEXT_CHARACTERS {
                let message =
                    format!("`{path}` has {length} characters and stands in every prompt");
                self.report(path, message, "shorten it to 4000 characters or less");
            }
        }
    }

    fn check_themes(&mut self, list: &str, themes: &[String]) {
        for (index, theme) in themes.iter().enumerate() {
            let Err(reason) = Themes::check(theme) else {
                continue;
            };
            // The check of one-line texts reports these.
            if theme.contains(char::is_control) {
                continue;
            }
            let (message, cure) = match reason {
                ThemeError::Expression(reason) => {
                    let reason = reason.lines().last().unwrap_or_default();
                    let reason = reason.trim_start_matches("error: ");
                    (
                        format!("\"{theme}\" is not a regular expression: {reason}"),
                        "mend it, or drop the slashes for plain words",
                    )
                }
                ThemeError::UnknownFlags(flags) => (
                    format!("\"{theme}\" has the flags `{flags}`, and only `i` is known"),
                    "leave them out, or drop the first slash for plain words",
                ),
                ThemeError::NoWord => (
                    format!("\"{theme}\" can never be noticed: there is no word in it"),
                    "write it in words, or drop it",
                ),
            };
            self.report(&format!("{list}.{index}"), message, cure);
        }
    }

    fn check_talkativeness(&mut self, persona: &Persona) {
        let value = persona.talkativeness;
        if let Some(value) = value.filter(|value| !value.is_valid()) {
            let cure = format!("write {}", talkativeness::WANTED);
            self.report(
                "talkativeness",
                format!("`talkativeness` is {value}"),
                &cure,
            );
        }
    }

    fn check_day_part(&mut self, index: usize, part: &DailyRoutine) {
        let path = |field: &str| format!("schedule.day.{index}.{field}");
        for (name, time) in [("from", &part.from), ("to", &part.to)] {
            if time.len() != 5 || NaiveTime::parse_from_str(time, "%H:%M").is_err() {
                let message = format!("`{name}` is \"{time}\", which is no time of day");
                let cure = "write it like \"07:30\", from 00:00 to 23:59";
                self.report(&path(name), message, cure);
            }
        }
        if part.opens && part.asleep {
            let message = "a part of the day in which it sleeps cannot open the talk";
            self.report(&path("opens"), message, "remove `opens` or `asleep`");
        }
        if part.from == part.to {
            let message = format!(
                "a part of the day is empty: it goes from {0} to {0}",
                part.from
            );
            self.report(&path("to"), message, "write a later time");
        }
    }

    fn check_block(&mut self, label: &str, block: &MemoryBlock) {
        let path = format!("core_memory.{label}");
        let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let characters = label.chars().count();
        if !(1..=PERSONA_NAME_CHARACTERS).contains(&characters) || !label.chars().all(is_plain) {
            let message = format!("`{label}` is no label for a memory block");
            self.report(&path, message, "write letters, digits and _, 32 at most");
        }
        if let Some((unfit, cure)) = text_checks::check_printable(&block.description) {
            let text_path = format!("{path}.description");
            self.report(&text_path, format!("`{text_path}` {unfit}"), cure);
        }
        let described = block.description.chars().count();
        if described > DESCRIPTION_CHARACTERS || block.description.contains('\n') {
            let text_path = format!("{path}.description");
            let message = format!("`{text_path}` has {described} characters");
            self.report(
                &text_path,
                message,
                "write one line of 120 characters at most",
            );
        }
        if let Some((unfit, cure)) = text_checks::check_printable(&block.text) {
            let text_path = format!("{path}.text");
            self.report(&text_path, format!("`{text_path}` {unfit}"), cure);
        }
        let length = block.text.chars().count();
        if block.limit == 0 || block.limit > BLOCK_CHARACTERS {
            let limit_path = format!("{path}.limit");
            let message = format!("`{limit_path}` is {}", block.limit);
            self.report(&limit_path, message, "write 1 to 10000 characters");
        } else if length > block.limit {
            let message = format!(
                "`{path}` starts with {length} characters, more than its limit of {}",
                block.limit
            );
            self.report(&path, message, "shorten the text or raise `limit`");
        }
    }
}

/// The texts that become part of a line in the prompt or on the page, with their paths. A pattern stands in neither.
fn collect_one_line_texts(persona: &Persona) -> Vec<(String, &str)> {
    let mut shown = vec![("name".to_string(), persona.name.as_str())];
    let lists = [
        ("aliases", &persona.aliases),
        ("voice.examples", &persona.voice.examples),
        ("dislikes", &persona.dislikes),
    ];
    for (list, texts) in lists {
        shown.extend(
            texts
                .iter()
                .enumerate()
                .map(|(index, text)| (format!("{list}.{index}"), text.as_str())),
        );
    }
    let interests = persona
        .interests
        .iter()
        .enumerate()
        .filter(|(_, interest)| !interest.starts_with('/'));
    shown.extend(interests.map(|(index, text)| (format!("interests.{index}"), text.as_str())));
    let day = persona
        .schedule
        .iter()
        .flat_map(|schedule| &schedule.day)
        .enumerate();
    shown.extend(
        day.map(|(index, part)| (format!("schedule.day.{index}.doing"), part.doing.as_str())),
    );
    shown
}
