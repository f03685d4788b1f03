//! The signs that tags and CDATA marks are made of, in each way they are written, and the search for them. Answers are long
//! stretches of text between few such signs, so whole blocks without one are passed over at once.

#[cfg(test)]
use super::work_counter;

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

pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || is_unseen(c)
}

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

const BLOCK: usize = 16;

/// Where `needle` begins within the first `most` bytes of `text`.
pub(super) fn find_in_prefix(text: &str, needle: &str, max_bytes: usize) -> Option<usize> {
    let near = &text[..text.floor_char_boundary(max_bytes)];
    #[cfg(test)]
    work_counter::count_bytes(near.len());
    near.find(needle)
}

/// `text` without the blanks at its end. Only they are gone over: a long line is not read again at each of its signs.
pub(super) fn trim_trailing_blanks(text: &str) -> &str {
    let before = text.trim_end_matches([' ', '\t']);
    #[cfg(test)]
    work_counter::count_bytes(text.len() - before.len() + 1);
    before
}

/// Whether nothing but blanks stands before the end of `text` in its line.
pub(super) fn is_at_line_start(text: &str) -> bool {
    let before = trim_trailing_blanks(text);
    before.is_empty() || before.ends_with('\n')
}

/// Where the first byte is that is looked for. Where `is` does not branch (`|`, not `||`), a block takes a few vector
/// instructions.
pub(super) fn find_first_byte(text: &str, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let empty =
        |block: &&[u8; BLOCK]| !block.iter().fold(false, |any, byte| any | is_wanted(*byte));
    let passed = BLOCK * blocks.iter().take_while(empty).count();
    let found = bytes[passed..]
        .iter()
        .position(|byte| is_wanted(*byte))
        .map(|offset| passed + offset);
    #[cfg(test)]
    work_counter::count_bytes(found.map_or(bytes.len(), |at| at + 1));
    found
}

pub(super) fn find_first_sign<const N: usize>(
    text: &str,
    signs: [char; N],
) -> Option<(usize, char)> {
    let leads = signs.map(|sign| sign.encode_utf8(&mut [0; 4]).as_bytes()[0]);
    let mut from = 0;
    loop {
        let at = from
            + find_first_byte(text.get(from..)?, |byte| {
                leads.iter().fold(false, |any, lead| any | (byte == *lead))
            })?;
        let c = text[at..].chars().next()?;
        if signs.contains(&c) {
            return Some((at, c));
        }
        from = at + c.len_utf8();
    }
}
