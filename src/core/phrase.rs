//! Words and phrases in a text: as words of their own where words are written apart.

/// Whether a word or phrase stands in a text, in any case and with any spaces between its words. Where words are
/// written apart it stands as words of its own; Chinese, Japanese and Korean have no such bounds.
pub fn has_phrase(word: &str, text: &str) -> bool {
    has_phrase_as_written(&fold_text(word), &fold_text(text))
}

/// The same where the phrase is written just so, as a name that is an everyday word in small letters.
pub fn has_phrase_as_written(phrase: &str, text: &str) -> bool {
    if phrase.is_empty() {
        return false;
    }
    let joins = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| is_letter(a) && is_letter(b))
    };
    text.match_indices(phrase).any(|(start, found)| {
        let (before, after) = (&text[..start], &text[start + found.len()..]);
        !joins(before.chars().next_back(), found.chars().next())
            && !joins(found.chars().next_back(), after.chars().next())
    })
}

/// A text in small letters with single spaces.
pub(crate) fn fold_text(text: &str) -> String {
    text.to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a character belongs to a word that is written apart from others.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_stands_alone_in_any_case_and_chinese_stands_anywhere() {
        for (word, text) in [
            ("exam", "the EXAM went well"),
            ("the exam", "so The   Exam?"),
            ("exam", "exam"),
            ("考试", "明天考试啊"),
            ("考试", "明天KPI考试OK"),
            ("c++", "i like c++!"),
            ("straße", "STRASSE, straße"),
        ] {
            assert!(has_phrase(word, text), "{word} in {text}");
        }
        for (word, text) in [
            ("exam", "for example"),
            ("exam", "exams"),
            ("", "anything"),
            (" ", " "),
            ("考试", "考 试"),
        ] {
            assert!(!has_phrase(word, text), "{word} in {text}");
        }
    }

    #[test]
    fn what_is_written_just_so_is_found_in_no_other_case() {
        assert!(has_phrase_as_written("Will", "ask Will about it"));
        assert!(!has_phrase_as_written("Will", "it will rain on Williams"));
    }

    proptest! {
        #[test]
        fn any_word_and_any_text_can_be_compared(word in "\\PC{0,40}", before in "\\PC{0,60}", after in "\\PC{0,60}") {
            has_phrase(&word, &before);
            let alone = format!("{before} {word} {after}");
            let parts = format!("{} {} {}", fold_text(&before), fold_text(&word), fold_text(&after));
            prop_assert!(word.trim().is_empty() || has_phrase(&word, &alone) || fold_text(&alone) != parts);
        }
    }
}
