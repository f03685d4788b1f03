//! Tools that are programs on this machine. A program gets JSON on standard input and answers on standard output; it
//! sees an almost empty environment, works in a folder of its own, and ends with everything it has started.

mod call;
mod input;
mod log;
mod output;
mod process_group;
mod question;
mod run;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

pub(crate) use run::run_program;
pub(super) use run::{ProgramGuard, create_workspace, launch};

use super::definition_fault::{DefinitionContext, DefinitionFault, missing_secret_fault};
use super::session_event::SessionEvent;

pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// What is set by Kith and cannot be asked for.
const OURS: &[&str] = &["PATH", "HOME", process_group::MARK];

/// `[NAME.command]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CommandTool {
    /// The program and its arguments, run as they are: there is no shell. What begins with `./` or `../` is a path
    /// from the definition's folder.
    pub argv: Vec<String>,
    pub env: Vec<String>,
    /// Further variables, each with the name of a secret in the settings.
    pub secrets: BTreeMap<String, String>,
    /// Whether it asks while it runs: its standard input stays open for the answers.
    pub asks: bool,
    /// What happens to sessions that it wants to be told.
    pub on_session: Vec<SessionEvent>,
    /// The names under which other tools publish data that it wants to be told.
    pub on_publish: Vec<String>,
    /// The variables that `env` names, as they are; filled in by who reads the environment.
    #[serde(skip)]
    pub inherited: BTreeMap<String, String>,
}

impl CommandTool {
    pub fn inherit(&mut self, environment: &BTreeMap<String, String>) {
        let known = self
            .env
            .iter()
            .filter_map(|name| Some((name.clone(), environment.get(name)?.clone())));
        self.inherited = known.collect();
    }

    pub(super) fn find_problems(
        &self,
        table: &str,
        known: &DefinitionContext<'_>,
    ) -> Vec<DefinitionFault> {
        let mut wrong = Vec::new();
        match self.argv.first() {
            None => {
                let cure =
                    "write the program and its arguments like argv = [\"python3\", \"./news.py\"]";
                wrong.push(DefinitionFault::new(
                    format!("{table}.argv"),
                    "`argv` is empty",
                    cure,
                ));
            }
            Some(program) if program.trim().is_empty() => {
                wrong.push(DefinitionFault::new(
                    format!("{table}.argv.0"),
                    "the program has no name",
                    "write the program's name",
                ));
            }
            Some(program) if !program.contains('/') && find_program(program).is_none() => {
                let message = format!("there is no program `{program}` in {PATH}");
                let cure = "install it, or write its whole path";
                wrong.push(
                    DefinitionFault::new(format!("{table}.argv.0"), message, cure).into_warning(),
                );
            }
            Some(_) => {}
        }
        for (index, argument) in self.argv.iter().enumerate() {
            let at = format!("{table}.argv.{index}");
            if argument.contains('\0') {
                wrong.push(DefinitionFault::new(
                    &at,
                    "an argument holds a zero byte",
                    "remove it",
                ));
            } else if let Some(path) = resolve_relative_path(argument, known.folder)
                && !path.exists()
            {
                let message = format!("there is no file {}", path.display());
                wrong.push(DefinitionFault::new(
                    &at,
                    message,
                    "check the path; it is taken from the folder of this file",
                ));
            } else if index == 0 && argument.starts_with('/') && !Path::new(argument).exists() {
                wrong.push(
                    DefinitionFault::new(
                        &at,
                        format!("there is no program {argument}"),
                        "check the path",
                    )
                    .into_warning(),
                );
            }
        }
        for (index, name) in self.on_publish.iter().enumerate() {
            if name.trim().is_empty() {
                let cure = "write the name that a tool publishes under, such as \"chart\"";
                let at = format!("{table}.on_publish.{index}");
                wrong.push(DefinitionFault::new(at, "the name is empty", cure));
            }
        }
        for (index, name) in self.env.iter().enumerate() {
            wrong.extend(check_variable(&format!("{table}.env.{index}"), name));
        }
        for (name, secret) in &self.secrets {
            let at = format!("{table}.secrets.{name}");
            wrong.extend(check_variable(&at, name));
            if !known.secrets.contains(secret) {
                wrong.push(missing_secret_fault(at, secret));
            }
        }
        wrong
    }
}

fn check_variable(at: &str, name: &str) -> Option<DefinitionFault> {
    if OURS.contains(&name) {
        return Some(DefinitionFault::new(
            at,
            format!("`{name}` is set by kith"),
            "remove it",
        ));
    }
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (!is_name).then(|| {
        DefinitionFault::new(
            at,
            format!("`{name}` is no name of a variable"),
            "write letters, digits and _",
        )
    })
}

/// The path that an argument means, where it means one beside the definition.
fn resolve_relative_path(argument: &str, folder: &Path) -> Option<PathBuf> {
    (argument.starts_with("./") || argument.starts_with("../")).then(|| folder.join(argument))
}

fn find_program(program: &str) -> Option<PathBuf> {
    PATH.split(':')
        .map(|folder| Path::new(folder).join(program))
        .find(|path| path.is_file())
}
