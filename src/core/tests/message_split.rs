//! Long texts cut into messages: where, and that nothing of their markup is torn.

use kith_core::message_split::{MESSAGE_CHARACTERS, split_message, trim_to_sentence};

fn check(text: &str, ends: &[&str]) {
    let parts = split_message(text);
    assert_eq!(parts.len(), ends.len(), "{parts:?}");
    for (part, end) in parts.iter().zip(ends) {
        assert!(
            part.chars().count() <= MESSAGE_CHARACTERS && part.ends_with(end),
            "{end:?}: {part:?}"
        );
    }
}

#[test]
fn a_text_is_cut_where_it_hurts_least() {
    let words = |count: usize| "word ".repeat(count);
    check("", &[]);
    check("short", &["short"]);
    check(
        &format!("{}end.\n\n{}last", words(300), words(200)),
        &["end.", "last"],
    );
    check(
        &format!("{}end. {}last", words(300), words(200)),
        &["end.", "last"],
    );
    check(
        &format!("{}end.” {}last", words(300), words(200)),
        &["end.”", "last"],
    );
    check(
        &format!("{}3.14 {}last", words(300), words(200)),
        &["word", "last"],
    );
    check(
        &format!("{}。{}了", "字".repeat(1_500), "字".repeat(1_500)),
        &["。", "了"],
    );
    check(
        &format!("{}！”{}了", "字".repeat(1_500), "字".repeat(1_500)),
        &["！”", "了"],
    );
    check(
        &format!("{}，{}了", "字".repeat(1_500), "字".repeat(1_500)),
        &["，", "了"],
    );
    check(&"x".repeat(4_100), &["x", "x", "x"]);
    check(&"👩\u{200d}👩\u{200d}👧".repeat(900), &["👧", "👧", "👧"]);
}

#[test]
fn what_broke_off_ends_with_its_last_sentence_or_word() {
    for (text, kept) in [
        ("It was late. We went ho", "It was late."),
        ("version 3.5 is the bet", "version 3.5 is the"),
        ("雪停了。我们明天再", "雪停了。"),
        ("All is said.", "All is said."),
        ("word", "word"),
        ("", ""),
    ] {
        assert_eq!(trim_to_sentence(text), kept);
    }
}

#[test]
fn markup_is_never_torn() {
    let text = "<:smile:123456789012345678>".repeat(200);
    for part in split_message(&text) {
        assert!(
            part.starts_with("<:smile:") && part.ends_with("678>"),
            "{part}"
        );
    }
}

#[test]
fn a_block_of_code_that_is_cut_is_closed_and_opened_again() {
    let code = (0..400)
        .map(|line| format!("    let x{line} = 1;\n"))
        .collect::<String>();
    let parts = split_message(&format!("look:\n```rust\n{code}```\nnice"));
    assert!(parts.len() > 2);
    assert!(
        parts[1].starts_with("```rust\n    let x") && parts[1].ends_with(";\n```"),
        "{}",
        parts[1]
    );
    assert!(parts.last().unwrap().ends_with("```\nnice"));
    let lines = parts
        .iter()
        .flat_map(|part| part.lines())
        .filter(|line| line.starts_with("    let"))
        .count();
    assert_eq!(lines, 400);

    let parts = split_message(&format!(
        "```{}\nfor\n{}```",
        "x ".repeat(990),
        "y\n".repeat(600)
    ));
    assert!(
        parts[1].starts_with("```\n"),
        "a line is not taken for a language: {}",
        parts[1]
    );

    let parts = split_message(&format!(
        "{} ```for {}```",
        "y".repeat(1_900),
        "x".repeat(1_900)
    ));
    assert!(
        parts[0].ends_with(" ```for```"),
        "nor is a word: {}",
        parts[0]
    );

    let parts = split_message(&format!(
        "```\n{}\n```{}",
        "x".repeat(1_900),
        "y".repeat(1_900)
    ));
    assert!(
        parts[0].contains("x\n```y") && parts[1].starts_with('y'),
        "no empty block is opened again"
    );
}
