//! What holds for the guard whatever a model writes.

use kith_core::context::DisplayNames;
use kith_core::message_guard::MessageGuard;
use proptest::prelude::*;

use super::{inspect, policy, timeline};

/// A piece of a text as a model may write it: frame lines, names, decoration, words.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "Anna",
        "anna",
        "Ben",
        "Ben 🌸",
        "Cleo",
        "阿本",
        "Juno",
        "junes",
        ":",
        "：",
        ": ",
        "： ",
        " ",
        "\n",
        "\n\n",
        "**",
        "*",
        "_",
        "`",
        "12",
        "13>12",
        "[14:05]",
        "[14:05] ",
        "#",
        "# Now",
        "# Chat",
        "| ",
        "…（还有22字）",
        "your message, or one <turn>",
        "User",
        "<|im_end|>",
        "hey",
        "哈哈",
        "lol",
        "(",
        ")",
        "\"",
        "> ",
        "- ",
        "```",
        "¶",
        "@",
        "<",
        ">",
        "says",
        "2",
    ]);
    prop_oneof![6 => fixed.prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

/// Whether a line is one of the history, or of the prompt's frame, by a plain reading that is not the guard's own.
fn is_told_by_another(line: &str) -> bool {
    let bare = line
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit() || "*_` ".contains(c));
    let lower = bare.to_lowercase();
    let names = [
        "anna",
        "ben 🌸",
        "ben",
        "cleo marsh",
        "cleo",
        "阿本",
        "小安",
        "x_dee_x",
    ];
    names
        .iter()
        .filter_map(|name| lower.strip_prefix(name))
        .any(|rest| rest.starts_with(": ") || rest.starts_with('：'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nothing_gets_through_that_begins_as_a_members_line_or_holds_a_frame_line(pieces in prop::collection::vec(piece(), 0..12)) {
        let text: String = pieces.concat();
        let guard = MessageGuard::new(&policy(), &timeline(), &DisplayNames::default());
        if let Ok(clean) = guard.inspect(&text) {
            // What stands in a block of code is shown, not said.
            if !text.contains("```") {
                for line in clean.text.lines() {
                    prop_assert!(!is_told_by_another(line), "{text:?} -> {:?}", clean.text);
                    let line = line.trim();
                    let is_frame = line.starts_with("| ") || matches!(line, "# Now" | "# Chat" | "[14:05]");
                    prop_assert!(!is_frame, "{text:?} -> {:?}", clean.text);
                }
                prop_assert!(!clean.text.contains("your message, or one") && !clean.text.contains("（还有22字"), "{text:?}");
            }
            prop_assert!(!clean.text.trim().is_empty());
            // Once through, it goes through again as it is.
            prop_assert_eq!(guard.inspect(&clean.text).map(|again| again.text), Ok(clean.text.clone()));
        }
    }

    #[test]
    fn ordinary_words_go_through_as_they_are(text in "[a-z]{1,8}( [a-z]{1,8}){0,8}[.!?]?") {
        prop_assume!(text.len() < 60);
        prop_assert_eq!(inspect(&text), Ok(text.clone()));
    }
}
