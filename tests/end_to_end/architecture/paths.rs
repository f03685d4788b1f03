//! Finds the paths written in a source, such as `std::fs`, whatever way an import groups them.

use super::scan::{Token, is_word, text_at};

/// Whether a path is the forbidden one, lies in it, or imports all of a module that holds it.
pub(super) fn is_within(path: &str, forbidden: &str) -> bool {
    let whole_module = path
        .strip_suffix("::*")
        .or_else(|| path.strip_suffix("::self"))
        .unwrap_or(path);
    let below =
        |inner: &str, outer: &str| inner == outer || inner.starts_with(&format!("{outer}::"));
    below(whole_module, forbidden)
        || (whole_module.contains("::")
            && whole_module != "chrono::Utc"
            && below(forbidden, whole_module))
}

/// A path in the code, `crate`, `self` and `super` resolved.
pub(super) struct WrittenPath {
    pub(super) line: usize,
    pub(super) path: Vec<String>,
}

/// All paths of two or more parts, groups of a `use` taken apart.
pub(super) fn find_paths(tokens: &[Token], module: &[String]) -> Vec<WrittenPath> {
    let text = |index| text_at(tokens, index);
    let mut found = Vec::new();
    // Inline modules, each with the brace depth it ends at: `super` in them is this file.
    let (mut inline, mut depth): (Vec<(usize, String)>, usize) = (Vec::new(), 0);
    let mut at = 0;
    while at < tokens.len() {
        match text(at) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inline.retain(|(ends, _)| *ends < depth + 1);
            }
            "mod" if text(at + 2) == "{" => inline.push((depth + 1, text(at + 1).to_owned())),
            word if is_word(word) => {
                let mut paths = Vec::new();
                at = read_path(tokens, at, &[], &mut paths);
                let here: Vec<String> = module
                    .iter()
                    .cloned()
                    .chain(inline.iter().map(|(_, name)| name.clone()))
                    .collect();
                found.extend(
                    paths
                        .into_iter()
                        .filter_map(|path| resolve_path(path, &here)),
                );
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads the path that starts at a word; answers where it ends.
fn read_path(
    tokens: &[Token],
    mut at: usize,
    prefix: &[String],
    found: &mut Vec<WrittenPath>,
) -> usize {
    let text = |index| text_at(tokens, index);
    let line = tokens[at].line;
    let mut path = prefix.to_vec();
    path.push(text(at).to_owned());
    at += 1;
    while text(at) == "::" {
        match text(at + 1) {
            "{" => {
                at += 2;
                while !["}", ""].contains(&text(at)) {
                    at = if is_word(text(at)) {
                        read_path(tokens, at, &path, found)
                    } else {
                        at + 1
                    };
                }
                return at + 1;
            }
            "*" => {
                path.push("*".into());
                at += 2;
                break;
            }
            word if is_word(word) => {
                path.push(word.to_owned());
                at += 2;
            }
            _ => break,
        }
    }
    found.push(WrittenPath { line, path });
    at
}

fn resolve_path(written: WrittenPath, here: &[String]) -> Option<WrittenPath> {
    let WrittenPath { line, path } = written;
    if path.len() < 2 {
        return None;
    }
    let ups = path.iter().take_while(|part| *part == "super").count();
    let rest = match path[0].as_str() {
        "crate" | "kith" => path[1..].to_vec(),
        "self" => [here, &path[1..]].concat(),
        "super" => [here.get(..here.len().checked_sub(ups)?)?, &path[ups..]].concat(),
        _ => return Some(WrittenPath { line, path }),
    };
    let path = std::iter::once("crate".to_owned()).chain(rest).collect();
    Some(WrittenPath { line, path })
}
