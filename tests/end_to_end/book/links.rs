//! Every page is in the book, and every link of a page leads to a file and a heading that exist. In the book only pages of
//! docs exist, so its pages link to nothing else of the repository.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;

use super::{Page, mark_code, read_pages, root};

#[test]
fn every_page_of_docs_is_in_the_summary_and_nothing_else() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = find_links(&summary)
        .into_iter()
        .map(|(_, target)| format!("docs/{target}"))
        .collect();
    let pages: BTreeSet<String> = read_pages()
        .into_iter()
        .map(|page| page.path)
        .filter(|path| path.starts_with("docs/") && path != "docs/SUMMARY.md")
        .collect();
    assert_eq!(listed, pages);
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let pages = read_pages();
    let mut broken = Vec::new();
    for page in &pages {
        for (line, target) in find_links(&page.text) {
            if let Some(problem) = find_problem(page, &target, &pages) {
                broken.push(format!("{}:{line}: {target}: {problem}", page.path));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

/// Pages of the root that are chapters, too, link into docs; in the book those addresses are sent on.
#[test]
fn links_of_chapters_from_the_root_are_sent_on_by_the_book() {
    let settings = fs::read_to_string(root().join("book.toml")).unwrap();
    let mut missing = Vec::new();
    for page in read_pages() {
        let stub = root().join("docs").join(&page.path);
        if page.path.contains('/') || !stub.exists() {
            continue;
        }
        for (line, target) in find_links(&page.text) {
            let file = target.split('#').next().unwrap_or_default();
            if let Some(inner) = file
                .strip_prefix("docs/")
                .and_then(|file| file.strip_suffix(".md"))
            {
                let up = "../".repeat(inner.split('/').count());
                let line_wanted = format!("\"/docs/{inner}.html\" = \"{up}{inner}.html\"");
                if !settings.contains(&line_wanted) {
                    missing.push(format!(
                        "{}:{line}: book.toml lacks {line_wanted}",
                        page.path
                    ));
                }
            } else if !file.is_empty() && !root().join("docs").join(file).exists() {
                missing.push(format!(
                    "{}:{line}: {file} is no page of the book",
                    page.path
                ));
            }
        }
    }
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}

/// Links and pictures outside of code, each with its line; addresses of the web are left out.
fn find_links(text: &str) -> Vec<(usize, String)> {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let code = Regex::new("`[^`]*`").unwrap();
    let mut found = Vec::new();
    for (number, line, is_code) in mark_code(text) {
        let line = code.replace_all(line, "");
        for target in link.captures_iter(&line).filter(|_| !is_code) {
            if !target[1].contains("://") && !target[1].starts_with("mailto:") {
                found.push((number, target[1].to_owned()));
            }
        }
    }
    found
}

fn find_problem(page: &Page, target: &str, pages: &[Page]) -> Option<String> {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = if file.is_empty() {
        page.path.clone()
    } else {
        join(folder, file)
    };
    if !root().join(&path).exists() {
        return Some("there is no such file".into());
    }
    if page.path.starts_with("docs/") && !path.starts_with("docs/") {
        return Some("the book has no such page: name the file without a link".into());
    }
    let other = pages.iter().find(|other| other.path == path)?;
    (!heading.is_empty() && !list_anchors(&other.text).contains(heading))
        .then(|| "there is no such heading".into())
}

/// `file` as seen from `folder`, without `..`.
fn join(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What headings are called in addresses, by a forge and by mdBook alike.
fn list_anchors(text: &str) -> BTreeSet<String> {
    let headings = mark_code(text).filter(|(_, line, is_code)| !is_code && line.starts_with('#'));
    let anchors = headings.map(|(_, line, _)| {
        let letters = line.trim_start_matches('#').trim().to_lowercase();
        let kept = letters
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    });
    anchors.collect()
}
