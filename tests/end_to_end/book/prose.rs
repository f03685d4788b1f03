//! How long sentences are: a page whose sentences have more than eighteen words on average is work to read.

use std::sync::LazyLock;

use regex::Regex;

use super::{mark_code, read_pages};

/// The most words a sentence may have on the average of a page.
const MOST_WORDS: f64 = 18.0;

static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new("`[^`]*`").unwrap());
static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\[([^\]]*)\]\([^)]*\)").unwrap());
static SENTENCE_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[.!?]["”)*]*\s+|[\u{3002}\u{ff01}\u{ff1f}]["”\u{ff09}]*\s*"#).unwrap()
});

#[test]
fn sentences_are_short_on_every_page() {
    let mut long = Vec::new();
    for page in read_pages() {
        let lengths: Vec<f64> = collect_paragraphs(&page.text)
            .iter()
            .flat_map(|paragraph| measure_sentences(paragraph))
            .collect();
        let average = lengths.iter().sum::<f64>() / (lengths.len().max(1) as f64);
        if average > MOST_WORDS {
            long.push(format!("{}: {average:.1} words a sentence", page.path));
        }
    }
    assert!(long.is_empty(), "\n{}\n", long.join("\n"));
}

/// Paragraphs and items of lists, each in one line; no headings, tables, comments and code.
fn collect_paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for (_, line, is_code) in mark_code(text) {
        let trimmed = line.trim_start_matches(['>', ' ']);
        let is_indented_code =
            line.starts_with("    ") && paragraphs.last().is_some_and(String::is_empty);
        if is_code
            || is_indented_code
            || trimmed.is_empty()
            || trimmed.starts_with(['#', '|', '!', '<', '{'])
        {
            paragraphs.push(String::new());
            continue;
        }
        let numbered = trimmed
            .split_once(". ")
            .filter(|(number, _)| number.parse::<u8>().is_ok());
        let item = trimmed.strip_prefix("- ").or(trimmed.strip_prefix("* "));
        let item = item.or(numbered.map(|(_, rest)| rest));
        if item.is_some() {
            paragraphs.push(String::new());
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            *paragraph += item.unwrap_or(trimmed);
            paragraph.push(' ');
        }
    }
    paragraphs
}

/// The words of each sentence. A piece of code is a word, a link is its text, two Chinese characters are a word.
fn measure_sentences(paragraph: &str) -> Vec<f64> {
    let plain = CODE.replace_all(paragraph, "code");
    let plain = LINK.replace_all(&plain, "$1");
    let words = |sentence: &str| {
        let chinese = sentence.chars().filter(|c| is_chinese(*c)).count();
        let others = sentence
            .split(|c: char| c.is_whitespace() || is_chinese(c))
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .count();
        others as f64 + chinese as f64 / 2.0
    };
    SENTENCE_END
        .split(&plain)
        .map(words)
        .filter(|words| *words > 0.0)
        .collect()
}

fn is_chinese(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

#[test]
fn sentences_are_told_apart_and_code_is_one_word() {
    let text = "# A heading of many words\n\nOne two. Three `kith check --online` [four five](X.md)!\n\n- six\n- seven (eight.) Nine\n\
                | a | table |\n\n```sh\nno words\n```\n";
    let lengths: Vec<Vec<f64>> = collect_paragraphs(text)
        .iter()
        .map(|paragraph| measure_sentences(paragraph))
        .filter(|lengths| !lengths.is_empty())
        .collect();
    assert_eq!(lengths, [vec![2.0, 4.0], vec![1.0], vec![2.0, 1.0]]);
    let chinese = "\u{4f60}\u{597d}\u{3002}\u{518d}\u{89c1}\u{5417}\u{ff1f}";
    assert_eq!(measure_sentences(chinese), [1.0, 1.5]);
}
