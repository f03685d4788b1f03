//! Skills: the folders they are read from, and the lists that name them.

use std::path::Path;

use super::Settings;
use super::layers::ProblemList;
use super::problem::SettingProblem;
use super::setting_errors::find_nearest;
use super::toml_reader;
use kith_core::persona::Persona;
use kith_core::setting::{SettingData, SettingRule};
use kith_tools::skills::{SkillProblem, Skills};

pub fn read_skills(settings: &mut Settings, problems: &mut ProblemList<'_>) {
    let (skills, wrong) = Skills::load(&settings.skill_paths);
    for problem in wrong {
        let SkillProblem {
            file,
            line,
            message,
            cure,
            is_warning,
        } = problem;
        let path = settings.skill_paths.iter().position(|path| *path == file);
        let setting_problem = match path {
            // Of a folder itself, the line that names it.
            Some(index) => {
                let message = format!("{}: {message}", file.display());
                problems
                    .origins
                    .make_problem(&format!("skill_paths.{index}"), message, cure)
            }
            None => SettingProblem::error(message, cure).with_location(file, line),
        };
        problems.all.push(if is_warning {
            setting_problem.into_warning()
        } else {
            setting_problem
        });
    }
    settings.known_skills = skills.into();
}

pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    let names: Vec<&str> = settings.known_skills.names().collect();
    for value in settings.values() {
        if let SettingData::Text(name) = value.data
            && value.field.has(SettingRule::SkillNames)
            && !settings.known_skills.may_be_named(name)
        {
            let path = value.list_path();
            let message = format!("`{path}` names \"{name}\", and there is no such skill");
            problems.error(&value.path, message, suggest_cure(name, &names));
        }
    }
    for (file, persona) in &settings.persona_files {
        let list = persona.skills.iter().flatten().enumerate();
        for (index, name) in list.filter(|(_, name)| !settings.known_skills.may_be_named(name)) {
            problems
                .all
                .push(make_persona_problem(file, index, name, &names));
        }
    }
}

fn make_persona_problem(file: &Path, index: usize, name: &str, names: &[&str]) -> SettingProblem {
    let message = format!("`skills` names \"{name}\", and there is no such skill");
    let read = toml_reader::read_file::<Persona>(file);
    read.make_problem(
        file,
        &format!("skills.{index}"),
        message,
        suggest_cure(name, names),
    )
}

fn suggest_cure(name: &str, names: &[&str]) -> String {
    match find_nearest(name, names) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!(
            "there are: {}; a folder of your own comes under `skill_paths`",
            names.join(", ")
        ),
    }
}
