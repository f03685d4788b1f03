//! Embeds the skills that ship with Kith: each folder of `prompts/skills` with its texts in every language. A new skill or
//! translation is new files; no code names them.

#![expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a build script by the environment where it is"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../prompts/skills");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = String::from("&[\n");
    for (name, folder) in list_entries(&root)? {
        writeln!(table, "    ({name:?}, &[")?;
        for (file, path) in list_entries(&folder)? {
            let path = path.canonicalize()?;
            writeln!(table, "        ({file:?}, include_str!({path:?})),")?;
        }
        table.push_str("    ]),\n");
    }
    table.push_str("]\n");
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("shipped_skills.rs"),
        table,
    )?;
    Ok(())
}

/// The names and paths of what is in a folder, sorted, so that each build is the same.
fn list_entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        entries.push((name, entry.path()));
    }
    entries.sort();
    Ok(entries)
}
