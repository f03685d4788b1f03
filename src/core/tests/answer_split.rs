//! An answer as several messages.

use kith_core::answer_split::split_messages;
use kith_core::message_split::MESSAGE_CHARACTERS;

#[test]
fn paragraphs_become_messages_and_code_stays_whole() {
    assert_eq!(
        split_messages("one\n\ntwo\nstill two\n\n\n"),
        ["one", "two\nstill two"]
    );
    assert_eq!(
        split_messages("look:\n```\na\n\nb\n```"),
        ["look:\n```\na\n\nb\n```"]
    );
    assert!(split_messages("  \n ").is_empty());
}

#[test]
fn a_long_text_is_cut_at_borders_and_loses_nothing() {
    let text = "A sentence of some length. ".repeat(200);
    let parts = split_messages(&text);
    assert!(
        parts
            .iter()
            .all(|part| part.chars().count() <= MESSAGE_CHARACTERS && part.ends_with('.'))
    );
    assert_eq!(parts.join(" "), text.trim());
}

#[test]
fn a_block_of_code_that_is_too_long_is_closed_and_opened_again() {
    let code = "let x = 1;\n\n".repeat(300);
    let parts = split_messages(&format!("look:\n```rust\n{code}```"));
    assert!(
        parts.len() > 1
            && parts
                .iter()
                .all(|part| part.chars().count() <= MESSAGE_CHARACTERS)
    );
    assert!(
        parts
            .iter()
            .all(|part| part.matches("```").count() == 2 && part.ends_with("```")),
        "{parts:?}"
    );
}
