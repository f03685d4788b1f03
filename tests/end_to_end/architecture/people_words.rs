//! What people say stands in `data/words` and `data/messages`, not in code. Chinese, Japanese and Korean show where it
//! does not: code itself is written in other letters. Signs are the parsers' own and may stand in code.

use std::collections::BTreeSet;

use super::File;
use super::scan::{Scan, text_at};

/// Every text or character in the sources, outside of tests, that holds such a letter.
pub(super) fn find_letters(files: &[File]) -> Vec<String> {
    let tests: BTreeSet<String> = files.iter().flat_map(list_test_modules).collect();
    let is_code = |file: &&File| {
        let stem = file.path.trim_end_matches(".rs");
        file.path.starts_with("src/")
            && file.path.ends_with(".rs")
            && !file.path.contains("/tests/")
            && !tests.contains(stem)
    };
    let mut broken = Vec::new();
    for file in files.iter().filter(is_code) {
        let scan = file.scan();
        let last = find_inline_tests(scan).unwrap_or(usize::MAX);
        for (line, literal) in scan.literals.iter().filter(|(line, _)| *line < last) {
            if literal.contains(is_letter) {
                broken.push(format!(
                    "{}:{line}: words of people stand in data/words or data/messages: {literal}",
                    file.path
                ));
            }
        }
    }
    broken
}

/// Han, kana and hangul; without marks of sentences and full-width forms of other letters.
fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        && matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The line at which the tests within a file begin.
fn find_inline_tests(scan: &Scan) -> Option<usize> {
    let at = (0..scan.tokens.len()).find(|at| {
        ["mod", "tests", "{"]
            .iter()
            .enumerate()
            .all(|(step, text)| text_at(&scan.tokens, at + step) == *text)
    })?;
    Some(scan.tokens[at].line)
}

/// The files, without `.rs`, that a file declares as modules for tests only.
fn list_test_modules(file: &File) -> Vec<String> {
    let stem = file.path.trim_end_matches(".rs");
    let folder = match stem.rsplit_once('/') {
        Some((folder, "mod" | "lib" | "main")) => folder,
        _ => stem,
    };
    let modules = file.text.split("#[cfg(test)]").skip(1);
    let names = modules.filter_map(|after| {
        let declared = after.trim_start().strip_prefix("mod ")?;
        declared.split_once(';').map(|(name, _)| name)
    });
    names.map(|name| format!("{folder}/{name}")).collect()
}

#[test]
fn words_of_people_in_code_are_found_and_in_tests_they_are_not() {
    let found = find_letters(&[
        File::new("src/core/mod.rs", "#[cfg(test)]\nmod toy;\nmod real;\n"),
        File::new("src/core/toy.rs", "const A: &str = \"你好\";"),
        File::new(
            "src/core/real.rs",
            "// 你好\nconst A: char = '好';\nconst B: &str = \"，。ＡＢ\";",
        ),
        File::new(
            "src/core/c.rs",
            "const A: u8 = 1;\n#[cfg(test)]\nmod tests { const B: &str = \"你好\"; }",
        ),
        File::new("src/core/tests/d.rs", "const A: &str = \"ヤホ\";"),
        File::new("src/core/e.rs", "const A: &str = \"a ネ\";"),
    ]);
    assert_eq!(
        found,
        [
            "src/core/real.rs:2: words of people stand in data/words or data/messages: '好'",
            "src/core/e.rs:1: words of people stand in data/words or data/messages: a ネ",
        ]
    );
}
