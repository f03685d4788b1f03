//! Reads the files that define tools of the host's own. What a definition means is decided in `kith-tools`; here it gets
//! its line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::layers::ProblemList;
use super::problem::SettingProblem;
use super::{Settings, toml_reader};
use kith_tools::ToolOrigin;
use kith_tools::custom::{self, DefinedTool, DefinitionContext, OrderedTable, ToolDefinition};

const ENDING: &str = "toml";
/// The largest definition file, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads every definition that `tool_paths` names and every one of a skill into `settings.defined`.
pub fn read_definitions(
    settings: &mut Settings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    let (mut seen, mut defined) = (BTreeSet::new(), Vec::new());
    let secrets: Vec<String> = settings.secrets.keys().cloned().collect();
    for (index, path) in settings.tool_paths.iter().enumerate() {
        let place = format!("tool_paths.{index}");
        let files = match list_definition_files(path) {
            Ok(files) if files.is_empty() => {
                let message = format!("no file in {} ends in .{ENDING}", path.display());
                problems.warn(
                    &place,
                    message,
                    "put a definition there, or remove this path",
                );
                continue;
            }
            Ok(files) => files,
            Err(PathFault { message, cure }) => {
                problems.error(&place, message, cure);
                continue;
            }
        };
        for file in files {
            // The same file by another way is the same file.
            if seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
                read_file(
                    &file,
                    None,
                    &secrets,
                    environment,
                    &mut defined,
                    problems.all,
                );
            }
        }
    }
    for skill in settings.known_skills.all() {
        if let Some(file) = skill.tools_file() {
            read_file(
                &file,
                Some(&skill.name),
                &secrets,
                environment,
                &mut defined,
                problems.all,
            );
        }
    }
    for taken in custom::registry(&defined, Vec::new()).1 {
        let is_rejected =
            |one: &DefinedTool| one.name == taken.name && taken.rejected_origin == one.origin();
        let Some(at) = defined.iter().position(is_rejected) else {
            continue;
        };
        let mut message = format!(
            "the name `{}` is taken by {}",
            taken.name, taken.existing_origin
        );
        // Which of two files is meant, nobody knows; what ships is meant wherever a list names it.
        let is_left_out =
            taken.existing_origin == ToolOrigin::BuiltIn || defined[at].skill.is_some();
        if is_left_out {
            message.push_str(", so this tool is left out");
        }
        let problem = SettingProblem::error(message, "give this tool another name")
            .with_location(&*defined[at].file, Some(defined[at].line));
        if is_left_out {
            defined.remove(at);
            problems.all.push(problem.into_warning());
        } else {
            problems.all.push(problem);
        }
    }
    settings.defined = defined.into();
}

/// The variables of the environment that a definition would hand to a program and that hold a secret.
pub fn find_leaks(settings: &Settings) -> Vec<SettingProblem> {
    let redactor = settings.redactor();
    let mut problems = Vec::new();
    for one in settings.defined.iter() {
        let of_program = one
            .definition
            .command
            .iter()
            .flat_map(|command| &command.inherited);
        let of_server = one.definition.mcp.iter().flat_map(|mcp| &mcp.inherited);
        for (name, _) in of_program
            .chain(of_server)
            .filter(|(_, value)| redactor.has_match(value))
        {
            let message = format!("[{}]: {name} holds a secret of kith", one.name);
            let cure = "name it in [secrets] of the settings and in `secrets` here";
            problems.push(
                SettingProblem::error(message, cure).with_location(&*one.file, Some(one.line)),
            );
        }
    }
    problems
}

/// Whether a file in a folder of tools is named like a definition. Hidden ones are what editors leave behind.
pub fn is_definition(path: &Path) -> bool {
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    path.extension().is_some_and(|ending| ending == ENDING) && !is_hidden
}

struct PathFault {
    message: String,
    cure: &'static str,
}

/// The definition files at a path: itself, or those in the folder, by their names.
fn list_definition_files(path: &Path) -> Result<Vec<PathBuf>, PathFault> {
    if path.is_file() {
        let cure = "name a .toml file or a folder; other files are no tools";
        let unfit = || PathFault {
            message: format!("{} defines no tools", path.display()),
            cure,
        };
        return if is_definition(path) {
            Ok(vec![path.to_owned()])
        } else {
            Err(unfit())
        };
    }
    let entries = std::fs::read_dir(path).map_err(|error| {
        let message = format!(
            "cannot read {}: {}",
            path.display(),
            toml_reader::explain_unreadable(path, &error).message
        );
        PathFault {
            message,
            cure: "check the path; it is taken from the folder of this file",
        }
    })?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // Only real files: reading a pipe would wait for ever.
    files.retain(|path| is_definition(path) && path.is_file());
    files.sort();
    Ok(files)
}

fn read_file(
    file: &Path,
    skill: Option<&String>,
    secrets: &[String],
    environment: &BTreeMap<String, String>,
    defined: &mut Vec<DefinedTool>,
    problems: &mut Vec<SettingProblem>,
) {
    // A skill may come from anybody: what is wrong in it takes its tool away, and not the start.
    let mut tell = |problem: SettingProblem| {
        problems.push(match skill {
            Some(_) => problem.into_warning(),
            None => problem,
        });
    };
    if std::fs::metadata(file).is_ok_and(|about| about.len() > LARGEST) {
        let message = format!("the file has more than {} KiB", LARGEST >> 10);
        let cure = "define tools here and keep data elsewhere";
        return tell(SettingProblem::error(message, cure).with_location(file, None));
    }
    let mut read = toml_reader::read_file::<OrderedTable<ToolDefinition>>(file);
    read.problems.drain(..).for_each(&mut tell);
    let known = DefinitionContext {
        secrets,
        folder: file.parent().unwrap_or(Path::new("")),
    };
    for (name, mut definition) in read.value.take().unwrap_or_default().0 {
        if let Some(command) = &mut definition.command {
            command.inherit(environment);
        }
        if let Some(mcp) = &mut definition.mcp {
            mcp.inherit(environment);
        }
        let line = read.lines.get(&name).copied().unwrap_or(1);
        let one = DefinedTool {
            name,
            file: file.into(),
            line,
            skill: skill.cloned(),
            definition,
        };
        let faults = one.find_problems(&known);
        let is_left_out = skill.is_some() && faults.iter().any(|fault| !fault.is_warning);
        for wrong in faults {
            let line = find_line(&read.lines, &one.name, &wrong.at);
            let problem =
                SettingProblem::error(format!("[{}]: {}", one.name, wrong.message), wrong.cure)
                    .with_location(file, line);
            tell(if wrong.is_warning {
                problem.into_warning()
            } else {
                problem
            });
        }
        if !is_left_out {
            defined.push(one);
        }
    }
}

/// The line of a place in a tool's table, or of what it stands in.
fn find_line(lines: &BTreeMap<String, usize>, name: &str, at: &str) -> Option<usize> {
    let mut path = if at.is_empty() {
        name.to_owned()
    } else {
        format!("{name}.{at}")
    };
    loop {
        if let Some(line) = lines.get(&path) {
            return Some(*line);
        }
        path.truncate(path.rfind('.')?);
    }
}
