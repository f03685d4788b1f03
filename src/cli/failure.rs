//! Why a command failed, told in the language of the settings. Problems of settings are told in their own words: they name
//! keys, and are searched for by their text.

use std::process::ExitCode;

use kith_language::{Language, LocalizedMessage};

use super::{print_error, print_problems};
use crate::settings::{ImportFailure, SettingProblem};

#[derive(Debug)]
pub enum CommandFailure {
    Settings(Vec<SettingProblem>),
    /// Anything else, in a sentence.
    Message(LocalizedMessage),
}

impl CommandFailure {
    /// Tells it on standard error, and answers with the exit code.
    pub fn report(&self, language: Language) -> ExitCode {
        match self {
            Self::Settings(problems) => print_problems(problems),
            Self::Message(why) => print_error(why, language),
        }
        ExitCode::FAILURE
    }
}

impl From<ImportFailure> for CommandFailure {
    fn from(failure: ImportFailure) -> Self {
        match failure {
            ImportFailure::Message(why) => Self::Message(why),
            ImportFailure::Problems(problems) => Self::Settings(problems),
        }
    }
}

impl From<Vec<SettingProblem>> for CommandFailure {
    fn from(problems: Vec<SettingProblem>) -> Self {
        Self::Settings(problems)
    }
}

impl From<LocalizedMessage> for CommandFailure {
    fn from(why: LocalizedMessage) -> Self {
        Self::Message(why)
    }
}
