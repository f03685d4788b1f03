//! Writes what the program needs of the message catalogs: the table of languages, the catalogs themselves, and one
//! function for each message, whose arguments are its variables. So a message that is not there, or an argument too many
//! or too few, does not compile.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::catalog_files::{CatalogFile, REFERENCE, VariableUse, find_differences, read_languages};

/// Reads `data/messages` and writes `languages.rs` and `messages.rs`.
pub fn write_messages(root: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", root.display());
    let languages = read_languages(root)?;
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
    let mut table = String::from("/// The code of each language and its catalogs.\n");
    table.push_str("const EMBEDDED: &[(&str, &[(&str, &str)])] = &[\n");
    let mut constants = String::new();
    for (index, (language, files)) in languages.iter().enumerate() {
        writeln!(table, "    ({language:?}, &[")?;
        for CatalogFile { name, text, .. } in files {
            writeln!(table, "        ({name:?}, {text:?}),")?;
        }
        table.push_str("    ]),\n");
        writeln!(
            constants,
            "    /// The language of `data/messages/{language}`.\n    pub const {}: Self = Self({index});",
            language.to_uppercase().replace('-', "_")
        )?;
    }
    let codes: Vec<&String> = languages.keys().collect();
    writeln!(
        table,
        "];\nconst CODES: &[&str] = &{codes:?};\nimpl Language {{\n{constants}}}"
    )?;
    fs::write(out.join("languages.rs"), table)?;
    // A language may show what English does not count: what any of them counts by must be a number.
    let mut functions = String::new();
    for file in reference {
        writeln!(
            functions,
            "/// The messages of `{}.ftl`.\npub mod {} {{",
            file.name, file.name
        )?;
        for (key, variables) in &file.messages {
            let counts = |variable: &String| {
                let files = languages
                    .values()
                    .flatten()
                    .filter(|other| other.name == file.name);
                files
                    .filter_map(|other| other.messages.get(key)?.get(variable))
                    .any(|how| *how == VariableUse::Count)
            };
            let mut parameters = Vec::new();
            let mut arguments = Vec::new();
            for variable in variables.keys() {
                let name = variable.replace('-', "_");
                let kind = if counts(variable) {
                    "Count"
                } else {
                    "Argument"
                };
                parameters.push(format!("{name}: impl Into<crate::{kind}>"));
                let argument = if counts(variable) {
                    "crate::Argument::Count"
                } else {
                    ""
                };
                arguments.push(format!("({variable:?}, {argument}({name}.into()))"));
            }
            write!(
                functions,
                "\n    /// `{key}`\n    pub fn {}({}) -> crate::LocalizedMessage {{\n        crate::LocalizedMessage::from_catalog({:?}, {key:?}, vec![{}])\n    }}\n",
                key.replace('-', "_"),
                parameters.join(", "),
                file.name,
                arguments.join(", ")
            )?;
        }
        functions.push_str("}\n");
    }
    fs::write(out.join("messages.rs"), functions)?;
    Ok(())
}
