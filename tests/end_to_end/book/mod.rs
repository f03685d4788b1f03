//! The book and the pages around it: plain sentences, links that lead somewhere, commands that run as they are written, and
//! messages that the program really says.

mod commands;
mod console;
mod links;
mod messages;
mod prose;

use std::fs;
use std::path::Path;

/// A page that people read.
struct Page {
    /// From the root of the repository, with `/`.
    path: String,
    text: String,
}

/// Pages in the root. The changelog is a list of what was, and nobody reads it from end to end.
const ROOT_PAGES: [&str; 5] = [
    "README.md",
    "README.zh.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page of the root and of docs, by path.
fn read_pages() -> Vec<Page> {
    let mut paths: Vec<String> = ROOT_PAGES.map(str::to_owned).to_vec();
    collect_pages("docs", &mut paths);
    paths.sort_unstable();
    let read = |path: String| Page {
        text: fs::read_to_string(root().join(&path)).unwrap(),
        path,
    };
    paths.into_iter().map(read).collect()
}

fn collect_pages(folder: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect_pages(&path, paths);
        } else if path.ends_with(".md") {
            paths.push(path);
        }
    }
}

/// A page's lines with their numbers, each with whether it stands in a block of code.
fn mark_code(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut is_code = false;
    (1..).zip(text.lines()).map(move |(number, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (number, line, is_code || is_fence)
    })
}
