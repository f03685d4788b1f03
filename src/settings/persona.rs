//! Reads persona files and checks everything a person can get wrong in one. The shipped personas are embedded.

use std::path::Path;

use chrono::NaiveTime;

use super::check::check_talkativeness;
use super::check_discord::check_picture;
use super::lines;
use super::problem::SettingProblem;
use super::strict::{self, ParsedFile};
use kith_core::persona::{Language, Persona};
use kith_core::willingness::{ThemeError, Themes};

/// The persona that is used where no file is named, as its file's text.
pub fn find_shipped(language: Language) -> (&'static str, &'static str) {
    language.find_own(
        ("persona/juno.toml", include_str!("../../persona/juno.toml")),
        [(
            "zh",
            ("persona/ayou.toml", include_str!("../../persona/ayou.toml")),
        )],
    )
}

/// The longest name and alias, in characters: Discord's longest nick.
const NAME_CHARACTERS: usize = 32;
/// The longest free text, in characters: about 1000 tokens, and it stands in every prompt.
const TEXT_CHARACTERS: usize = 4_000;
/// The longest block of core memory, in characters.
const BLOCK_CHARACTERS: usize = 10_000;

/// Reads a persona file.
///
/// # Errors
/// Every problem it has, with its line.
pub fn load(file: &Path) -> Result<Persona, Vec<SettingProblem>> {
    finish(file, strict::read_file(file))
}

/// Reads `text`, the content of `file`.
///
/// # Errors
/// As for [`load`].
pub fn parse(file: &Path, text: &str) -> Result<Persona, Vec<SettingProblem>> {
    finish(file, strict::read_text(file, text))
}

fn finish(file: &Path, mut read: ParsedFile<Persona>) -> Result<Persona, Vec<SettingProblem>> {
    let mut problems = std::mem::take(&mut read.problems);
    if let Some(mut persona) = read.value.take() {
        let folder = file.parent().unwrap_or(Path::new(""));
        persona.avatar = persona.avatar.map(|picture| folder.join(picture));
        check(file, &read, &persona, &mut problems);
        if problems.is_empty() {
            return Ok(persona);
        }
    }
    problems.sort_by_key(|problem| problem.line);
    Err(problems)
}

fn check(
    file: &Path,
    read: &ParsedFile<Persona>,
    persona: &Persona,
    problems: &mut Vec<SettingProblem>,
) {
    let wrong =
        |path: &str, message: String, cure: &str| read.make_problem(file, path, message, cure);

    if persona.name.trim().is_empty() {
        problems.push(wrong(
            "name",
            "`name` is empty".into(),
            "write the name its friends call it",
        ));
    }
    for (path, name) in std::iter::once(("name".to_string(), &persona.name)).chain(
        persona
            .aliases
            .iter()
            .enumerate()
            .map(|(index, alias)| (format!("aliases.{index}"), alias)),
    ) {
        if name.chars().count() > NAME_CHARACTERS {
            problems.push(wrong(
                &path,
                format!("\"{name}\" is too long for a name"),
                "write at most 32 characters",
            ));
        }
    }
    for (index, _) in persona
        .aliases
        .iter()
        .enumerate()
        .filter(|(_, alias)| alias.trim().is_empty())
    {
        problems.push(wrong(
            &format!("aliases.{index}"),
            "an alias is empty".into(),
            "remove it",
        ));
    }
    if let Some((picture, (unfit, cure))) = persona
        .avatar
        .as_deref()
        .and_then(|picture| Some((picture, check_picture(picture)?)))
    {
        problems.push(wrong(
            "avatar",
            format!("`avatar` cannot be {}: {unfit}", picture.display()),
            &cure,
        ));
    }
    for (path, text) in collect_one_line_texts(persona) {
        if let Some((unfit, cure)) = lines::check_one_line(text) {
            problems.push(wrong(&path, format!("`{path}` {unfit}"), cure));
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
        if let Some((unfit, cure)) = lines::check_printable(text) {
            problems.push(wrong(path, format!("`{path}` {unfit}"), cure));
        }
        if length > TEXT_CHARACTERS {
            let message = format!("`{path}` has {length} characters and stands in every prompt");
            problems.push(wrong(
                path,
                message,
                "shorten it to 4000 characters or less",
            ));
        }
    }
    for (list, themes) in [
        ("interests", &persona.interests),
        ("dislikes", &persona.dislikes),
    ] {
        for (index, theme) in themes.iter().enumerate() {
            let Err(reason) = Themes::check(theme) else {
                continue;
            };
            // That is told above.
            if theme.contains(char::is_control) {
                continue;
            }
            let (message, cure) = match reason {
                ThemeError::Expression(reason) => {
                    let reason = reason
                        .lines()
                        .last()
                        .unwrap_or_default()
                        .trim_start_matches("error: ");
                    let message = format!("\"{theme}\" is not a regular expression: {reason}");
                    (message, "mend it, or drop the slashes for plain words")
                }
                ThemeError::NoWord => {
                    let message =
                        format!("\"{theme}\" can never be noticed: there is no word in it");
                    (message, "write it in words, or drop it")
                }
            };
            problems.push(wrong(&format!("{list}.{index}"), message, cure));
        }
    }
    problems.extend(check_talkativeness(
        "talkativeness",
        persona.talkativeness,
        &|path, message, cure| wrong(path, message, &cure),
    ));
    for (index, part) in persona
        .schedule
        .iter()
        .flat_map(|schedule| &schedule.day)
        .enumerate()
    {
        for (name, time) in [("from", &part.from), ("to", &part.to)] {
            if time.len() != 5 || NaiveTime::parse_from_str(time, "%H:%M").is_err() {
                let message = format!("`{name}` is \"{time}\", which is no time of day");
                let path = format!("schedule.day.{index}.{name}");
                problems.push(wrong(
                    &path,
                    message,
                    "write it like \"07:30\", from 00:00 to 23:59",
                ));
            }
        }
        if part.opens && part.asleep {
            let message = "a part of the day in which it sleeps cannot open the talk".to_owned();
            problems.push(wrong(
                &format!("schedule.day.{index}.opens"),
                message,
                "remove `opens` or `asleep`",
            ));
        }
        if part.from == part.to {
            let message = format!(
                "a part of the day is empty: it goes from {0} to {0}",
                part.from
            );
            problems.push(wrong(
                &format!("schedule.day.{index}.to"),
                message,
                "write a later time",
            ));
        }
    }
    for (label, block) in &persona.core_memory {
        let path = format!("core_memory.{label}");
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if label.is_empty() || !label.chars().all(plain) || label.chars().count() > NAME_CHARACTERS
        {
            let message = format!("`{label}` is no label for a memory block");
            problems.push(wrong(
                &path,
                message,
                "write letters, digits and _, 32 at most",
            ));
        }
        if let Some((unfit, cure)) = lines::check_printable(&block.text) {
            problems.push(wrong(
                &format!("{path}.text"),
                format!("`{path}.text` {unfit}"),
                cure,
            ));
        }
        let length = block.text.chars().count();
        if block.limit == 0 || block.limit > BLOCK_CHARACTERS {
            let message = format!("`{path}.limit` is {}", block.limit);
            problems.push(wrong(
                &format!("{path}.limit"),
                message,
                "write 1 to 10000 characters",
            ));
        } else if length > block.limit {
            let message = format!(
                "`{path}` starts with {length} characters, more than its limit of {}",
                block.limit
            );
            problems.push(wrong(&path, message, "shorten the text or raise `limit`"));
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
