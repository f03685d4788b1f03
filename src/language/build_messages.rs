//! Writes what the program needs of the message catalogs: the table of languages with their catalogs and prompt
//! templates, and one function for each message, whose arguments are its variables. So a message that is not there, or
//! an argument too many or too few, does not compile.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::catalog_files::{CatalogFile, REFERENCE, VariableUse, list_names, read_languages};
use super::missing_messages::find_differences;

/// The catalogs of the room's page and of the console, which fill their messages in themselves: they need no functions.
const PAGES: [&str; 2] = ["page", "console"];

/// The catalog of the command line's help, which asks for its texts by the names of commands and arguments.
const HELP: &str = "cli_help";

type Languages = BTreeMap<String, Vec<CatalogFile>>;

/// Reads what a project has of each language, and writes `languages.rs` and `messages.rs`.
pub fn write_messages(project: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let root = project.join("data/messages");
    println!("cargo::rerun-if-changed={}", root.display());
    let languages = read_languages(&root)?;
    let reference = languages
        .get(REFERENCE)
        .ok_or_else(|| format!("{} has no folder {REFERENCE}", root.display()))?;
    let differences: Vec<String> = languages
        .iter()
        .flat_map(|(language, files)| find_differences(reference, language, files))
        .collect();
    if !differences.is_empty() {
        return Err(format!("the message catalogs differ:\n{}", differences.join("\n")).into());
    }
    fs::write(
        out.join("languages.rs"),
        render_languages(&languages, &project.join("prompts"))?
            + &render_page_messages(reference)?
            + &render_personas(&languages, &project.join("persona"))?,
    )?;
    fs::write(
        out.join("messages.rs"),
        render_functions(&languages, reference)?,
    )?;
    Ok(())
}

/// A constant for each language, and the tables `Language` looks into.
fn render_languages(languages: &Languages, prompts: &Path) -> Result<String, Box<dyn Error>> {
    let (mut constants, mut catalogs, mut templates) =
        (String::new(), String::new(), String::new());
    let expected = list_names(&prompts.join(REFERENCE))?;
    for (index, (language, files)) in languages.iter().enumerate() {
        writeln!(
            constants,
            "    /// The language of `data/messages/{language}`.\n    pub const {}: Self = Self({index});",
            language.to_uppercase().replace('-', "_")
        )?;
        let texts: Vec<(&str, &str)> = files
            .iter()
            .map(|file| (file.name.as_str(), file.text.as_str()))
            .collect();
        writeln!(catalogs, "    &{texts:?},")?;
        let folder = prompts.join(language);
        println!("cargo::rerun-if-changed={}", folder.display());
        let names = list_names(&folder)?;
        if names != expected {
            let folder = folder.display();
            return Err(format!("{folder} must have the templates {expected:?}").into());
        }
        let texts = names
            .into_iter()
            .map(|name| Ok((fs::read_to_string(folder.join(&name))?, name)))
            .map(|read| read.map(|(text, name)| (name, text)))
            .collect::<Result<Vec<_>, std::io::Error>>()?;
        writeln!(templates, "    &{texts:?},")?;
    }
    let codes: Vec<&String> = languages.keys().collect();
    Ok(format!(
        "impl Language {{\n{constants}}}\n\
         const CODES: &[&str] = &{codes:?};\n\
         const CATALOGS: &[&[(&str, &str)]] = &[\n{catalogs}];\n\
         const TEMPLATES: &[&[(&str, &str)]] = &[\n{templates}];\n"
    ))
}

/// The table of shipped personas: of each language the first file that says `language = "CODE"`.
fn render_personas(languages: &Languages, folder: &Path) -> Result<String, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut personas = Vec::new();
    for name in list_names(folder)? {
        let text = fs::read_to_string(folder.join(&name))?;
        personas.push((format!("persona/{name}"), text));
    }
    let find_persona = |language: &str| {
        let says = format!("language = {language:?}");
        personas
            .iter()
            .find(|(_, text)| text.lines().any(|line| line.trim() == says))
    };
    let mut table = String::from("const PERSONAS: &[(&str, &str)] = &[\n");
    for language in languages.keys() {
        let (name, text) = find_persona(language)
            .or_else(|| find_persona(REFERENCE))
            .ok_or("no persona speaks the reference language")?;
        writeln!(table, "    ({name:?}, {text:?}),")?;
    }
    table.push_str("];\n");
    Ok(table)
}

/// The table of the messages that the pages say, each with its catalog and its variables. A page asks for a message by
/// its key alone, so no two may have the same.
fn render_page_messages(reference: &[CatalogFile]) -> Result<String, Box<dyn Error>> {
    let pages = reference
        .iter()
        .filter(|file| PAGES.contains(&file.name.as_str()));
    let (mut rows, mut keys) = (String::new(), BTreeSet::new());
    for CatalogFile { name, messages, .. } in pages {
        for (key, variables) in messages {
            if !keys.insert(key) {
                return Err(format!("{name}.ftl: another page has a message `{key}`, too").into());
            }
            let variables: Vec<&String> = variables.keys().collect();
            writeln!(rows, "    ({name:?}, {key:?}, &{variables:?}),")?;
        }
    }
    Ok(format!(
        "const PAGE_MESSAGES: &[(&str, &str, &[&str])] = &[\n{rows}];\n"
    ))
}

/// A module for each catalog with a function for each of its messages.
fn render_functions(
    languages: &Languages,
    reference: &[CatalogFile],
) -> Result<String, Box<dyn Error>> {
    let mut functions = String::new();
    let has_functions = |file: &&CatalogFile| file.name != HELP && !PAGES.contains(&&*file.name);
    for CatalogFile { name, messages, .. } in reference.iter().filter(has_functions) {
        writeln!(
            functions,
            "/// The messages of `{name}.ftl`.\npub mod {name} {{"
        )?;
        for (key, variables) in messages {
            let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
            for variable in variables.keys() {
                let argument = if is_counted(languages, name, key, variable) {
                    parameters.push(format!("{variable}: impl Into<crate::Count>"));
                    format!("({variable:?}, crate::Argument::Count({variable}.into()))")
                } else {
                    parameters.push(format!("{variable}: impl Into<crate::Argument>"));
                    format!("({variable:?}, {variable}.into())")
                };
                arguments.push(argument);
            }
            let function = key.replace('-', "_");
            let (parameters, arguments) = (parameters.join(", "), arguments.join(", "));
            write!(
                functions,
                "    /// `{key}`\n    pub fn {function}({parameters}) -> crate::LocalizedMessage {{\n        \
                 crate::LocalizedMessage::from_catalog({name:?}, {key:?}, vec![{arguments}])\n    }}\n"
            )?;
        }
        functions.push_str("}\n");
    }
    Ok(functions)
}

/// Whether any language counts by a variable: one may show what another counts, and then it must be a number.
fn is_counted(languages: &Languages, file: &str, key: &str, variable: &str) -> bool {
    let files = languages.values().flatten();
    files
        .filter(|other| other.name == file)
        .filter_map(|other| other.messages.get(key)?.get(variable))
        .any(|how| *how == VariableUse::Count)
}
