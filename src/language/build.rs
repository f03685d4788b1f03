//! Embeds the message catalogs (see `build_messages.rs`) and the word lists: every file under `data/words/<language>/`
//! becomes an entry of a table in the program. A new language is a new folder; no code names it.

#![expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a build script by the environment where it is"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "build_messages.rs"]
mod build_messages;
#[path = "catalog_files.rs"]
mod catalog_files;
#[path = "missing_messages.rs"]
mod missing_messages;

fn main() -> Result<(), Box<dyn Error>> {
    let project = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    build_messages::write_messages(&project, &out)?;
    let root = project.join("data/words");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = String::from("&[\n");
    for (language, folder) in list_entries(&root)? {
        if !folder.is_dir() {
            continue;
        }
        for (name, file) in list_entries(&folder)? {
            let Some(name) = name.strip_suffix(".txt") else {
                return Err(format!("{} is no .txt file", file.display()).into());
            };
            writeln!(
                table,
                "    WordList {{ language: {language:?}, name: {name:?}, text: include_str!({:?}) }},",
                file.canonicalize()?
            )?;
        }
    }
    table.push_str("]\n");
    fs::write(out.join("word_lists.rs"), table)?;
    Ok(())
}

/// The names and paths of what is in a folder, sorted, so that each build is the same.
fn list_entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push((
            entry.file_name().to_string_lossy().into_owned(),
            entry.path(),
        ));
    }
    entries.sort();
    Ok(entries)
}
