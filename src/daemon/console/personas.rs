//! The persona files that the settings name: their text, what is wrong with another one, and writing it. Other files are
//! neither read nor written here.

use std::path::{Path, PathBuf};

use crate::daemon::reply::{refuse_bad_request, refuse_missing};
use crate::daemon::state::Daemon;
use crate::settings::{self, SettingProblem, Settings, Severity};
use kith_language::{room_refusals, setup};
use kith_room::{ConsoleAnswer, PersonaCheckResult, PersonaFile, PersonaProblem, RequestRefusal};

impl Daemon {
    /// The file, where the settings name it.
    pub(super) fn require_persona_file(&self, file: &Path) -> Result<PathBuf, RequestRefusal> {
        let named = self.settings.persona_files.get_key_value(file);
        named
            .map(|(file, _)| file.clone())
            .ok_or_else(|| refuse_missing(room_refusals::no_persona_file()))
    }
}

pub(super) fn list_personas(settings: &Settings) -> ConsoleAnswer {
    let files = settings.persona_files.iter();
    let mut personas: Vec<PersonaFile> = files
        .map(|(file, persona)| PersonaFile {
            file: file.clone(),
            name: persona.name.clone(),
        })
        .collect();
    personas.sort_by(|a, b| a.file.cmp(&b.file));
    ConsoleAnswer::Personas { personas }
}

pub(super) fn read_persona(file: &Path) -> Result<ConsoleAnswer, RequestRefusal> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(ConsoleAnswer::Persona { text }),
        Err(error) => Err(RequestRefusal::unavailable(
            settings::explain_unreadable(file, &error).to_string(),
        )),
    }
}

pub(super) fn check_persona(file: &Path, text: &str) -> ConsoleAnswer {
    ConsoleAnswer::PersonaCheck(inspect(file, text))
}

/// Writes the text where it can be used. The settings are read again by themselves, as after any change of the file.
pub(super) fn save_persona(file: &Path, text: &str) -> Result<ConsoleAnswer, RequestRefusal> {
    let mut result = inspect(file, text);
    if result.name.is_some() {
        settings::replace_file(file, text).map_err(|error| {
            refuse_bad_request(setup::settings_unwritable(
                file.display().to_string(),
                error.to_string(),
            ))
        })?;
        result.saved = true;
    }
    Ok(ConsoleAnswer::PersonaCheck(result))
}

fn inspect(file: &Path, text: &str) -> PersonaCheckResult {
    let (persona, problems) = settings::inspect_persona_text(file, text);
    PersonaCheckResult {
        name: persona.map(|persona| persona.name),
        problems: problems.into_iter().map(to_persona_problem).collect(),
        saved: false,
    }
}

fn to_persona_problem(problem: SettingProblem) -> PersonaProblem {
    PersonaProblem {
        line: problem.line,
        error: problem.severity == Severity::Error,
        text: match &*problem.cure {
            "" => problem.message,
            cure => format!("{}; {cure}", problem.message),
        },
    }
}
