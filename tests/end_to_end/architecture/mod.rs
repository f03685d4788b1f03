//! Keeps the code in order by reading its text, where Cargo does not: what of the standard library the core may use,
//! where SQL may stand, how many lines crates, files and functions have, how a file opens, that no two types have one name, that no
//! two modules need each other, that files which documents name exist, and that words of people stand in data. A broken
//! rule is named with file and line. The rules themselves are tested on broken examples.

mod cycles;
mod examples;
mod mentions;
mod paths;
mod people_words;
mod ratchet;
mod rules;
mod scan;

use std::cell::OnceCell;
use std::fs;
use std::path::Path;

use rules::find_broken_rules;
use scan::{Scan, scan_source};

/// A file of the project, its path from the root, with `/`.
struct File {
    path: String,
    text: String,
    scan: OnceCell<Scan>,
}

impl File {
    fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            scan: OnceCell::new(),
        }
    }

    /// The tokens of a Rust source, read once for all rules.
    fn scan(&self) -> &Scan {
        self.scan.get_or_init(|| scan_source(&self.text))
    }
}

#[test]
fn the_code_keeps_its_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "lab", "tests", "benches"] {
        let endings = ["rs", "js", "css", "html"];
        read_files(root, &root.join(folder), &endings, &mut files);
    }
    assert!(files.len() > 20, "the source is not where it should be");
    let mut broken = find_broken_rules(&files);
    let mut documents = Vec::new();
    read_files(root, &root.join("docs"), &["md"], &mut documents);
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = fs::read_to_string(root.join(name)).unwrap();
        documents.push(File::new(name, text));
    }
    broken.extend(mentions::find_missing_files(&documents, &files));
    broken.extend(mentions::find_missing_files(&files, &files));
    broken.extend(people_words::find_letters(&files));
    broken.extend(ratchet::find_changed_crates(&files));
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
    let mut lines: Vec<usize> = files
        .iter()
        .filter(|file| file.path.starts_with("src/"))
        .map(|file| file.text.lines().count())
        .collect();
    lines.sort_unstable();
    assert!(
        lines[lines.len() / 2] < 200,
        "half of the files have {} lines and more",
        lines[lines.len() / 2]
    );
}

fn read_files(root: &Path, folder: &Path, endings: &[&str], files: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_files(root, &path, endings, files);
        } else if path
            .extension()
            .is_some_and(|ending| endings.iter().any(|known| ending == *known))
        {
            let text = fs::read_to_string(&path).unwrap();
            let path = path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            files.push(File::new(path, text));
        }
    }
}
