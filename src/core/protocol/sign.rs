//! The signs that tags and CDATA marks are made of, in each way they are written.

/// The word of a CDATA mark.
pub(super) const CDATA: &[char] = &['C', 'D', 'A', 'T', 'A'];
/// The most signs before it.
pub(super) const MOST_SIGNS: usize = 5;

/// The length of the mark of a CDATA section that `text` begins with, however it is written.
pub(super) fn measure_cdata_mark(text: &str) -> Option<usize> {
    let signs = text
        .bytes()
        .take(MOST_SIGNS)
        .take_while(|byte| b"<![ ".contains(byte))
        .count();
    let (word, behind) = text[signs..].split_at_checked(CDATA.len())?;
    let is_cdata = word
        .chars()
        .zip(CDATA)
        .all(|(c, letter)| c.eq_ignore_ascii_case(letter));
    let bracket = usize::from(behind.starts_with('['));
    (is_cdata && (bracket == 1 || text.starts_with("<!"))).then_some(signs + CDATA.len() + bracket)
}

/// Whether `c` closes what the quote `open` opened.
pub(super) fn is_closing_quote(open: char, c: char) -> bool {
    match open {
        '"' => c == '"' || c == '＂',
        '\'' => c == '\'',
        '“' | '”' => matches!(c, '“' | '”' | '"'),
        _ => matches!(c, '‘' | '’' | '\''),
    }
}

/// Whether the name of a tag may begin with it.
pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || is_unseen(c)
}

/// Whether the name of a tag may hold it.
pub(super) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.') || is_unseen(c)
}

/// Whether a character within a name shows nothing.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\0')
}

/// The ASCII sign a full-width one, or one of a model's own, stands for inside a tag.
pub(super) fn to_half_width(c: char) -> char {
    match c {
        '＜' | '◁' => '<',
        '＞' | '▷' => '>',
        '／' => '/',
        '＝' => '=',
        '＂' => '"',
        '＇' => '\'',
        '｜' => '|',
        '＿' => '_',
        _ => c,
    }
}
