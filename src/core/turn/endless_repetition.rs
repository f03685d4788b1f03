//! A small model may write the same words over and over until its tokens are spent, a minute or two of typing for nothing.

/// The end of what was written, in bytes, that is looked for further up.
const PHRASE: usize = 64;
/// Rounds no longer than this are noticed, in bytes.
const LONGEST_ROUND: usize = 600;
/// So many rounds, and so many bytes, are the same to the letter. What only begins alike, as lines of a list do, is no circle.
const ROUNDS: usize = 6;
const LEAST: usize = 600;

/// Whether a text ends in words that it has been repeating for long.
pub(super) fn is_repeating(text: &str) -> bool {
    let bytes = text.as_bytes();
    let recent = &bytes[bytes.len().saturating_sub(LONGEST_ROUND + PHRASE)..];
    let Some(start) = recent.len().checked_sub(PHRASE) else {
        return false;
    };
    let phrase = &recent[start..];
    let Some(round) = (1..=start).find(|back| &recent[start - back..][..PHRASE] == phrase) else {
        return false;
    };
    let compared = (ROUNDS * round).max(LEAST);
    let Some(from) = bytes.len().checked_sub(compared + round) else {
        return false;
    };
    bytes[from..]
        .iter()
        .zip(&bytes[from + round..])
        .all(|(earlier, later)| earlier == later)
}
