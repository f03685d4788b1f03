//! A text in pieces: runs of characters of scripts without spaces, and what stands around them.

use super::recall::{is_cjk, split_by_kind};

pub enum TextPiece<'a> {
    Cjk(&'a str),
    /// What stands before, between and after such runs.
    Other(&'a str),
}

/// The text cut where runs of CJK characters begin and end.
pub fn split_pieces(text: &str) -> impl Iterator<Item = TextPiece<'_>> {
    split_by_kind(text, is_cjk).map(|piece| {
        if piece.starts_with(is_cjk) {
            TextPiece::Cjk(piece)
        } else {
            TextPiece::Other(piece)
        }
    })
}
