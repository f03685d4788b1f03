//! Halves of characters in JSON. Servers escape a character beyond the basic plane as two halves, `\ud83d\ude02`, and some
//! cut their chunks between the two: strict JSON refuses half a character, and the whole answer would be lost with it. A
//! half without its other becomes U+FFFD; halves that come one after the other in two pieces become their character.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answer_piece::AnswerPiece;

/// Stands for the half U+D800 in a parsed text, and the 2,047 characters behind it for the others: private characters,
/// which no script uses. They never leave this file: one that was in the text stands as the marks of its two halves.
const FIRST_MARK: u32 = 0x0010_F000;
/// The first halves of the characters that are marks.
const MARKS_BEGIN: std::ops::RangeInclusive<u32> = 0xDBFC..=0xDBFD;
/// The halves that begin a character are followed by those that end one.
const HALVES: std::ops::RangeInclusive<u32> = 0xD800..=0xDFFF;
const ENDING: u32 = 0xDC00;

/// Reads JSON in which halves of characters may stand alone.
pub(super) fn parse_json(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(mark_lone_halves(text).as_deref().unwrap_or(text))
}

/// The text with every escaped half that stands alone marked, and every mark that was there before; none where there is
/// none of either.
fn mark_lone_halves(text: &str) -> Option<String> {
    let half_at = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u32::from_str_radix(digits, 16)
            .ok()
            .filter(|half| HALVES.contains(half))
    };
    let mark = |half: u32| char::from_u32(FIRST_MARK + half - HALVES.start());
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while let Some(found) = text[at..].find(|c| c == '\\' || decode_mark(c).is_some()) {
        let start = at + found;
        let first = text[start..].chars().next().unwrap_or_default();
        at = match (half_at(start), half_at(start + 6)) {
            (Some(half), Some(next))
                if half < ENDING && next >= ENDING && !MARKS_BEGIN.contains(&half) =>
            {
                start + 12
            }
            (Some(half), _) => {
                out.push_str(&text[copied..start]);
                out.extend(mark(half));
                copied = start + 6;
                copied
            }
            (None, _) if first != '\\' => {
                out.push_str(&text[copied..start]);
                out.extend(
                    first
                        .encode_utf16(&mut [0; 2])
                        .iter()
                        .filter_map(|half| mark(u32::from(*half))),
                );
                copied = start + first.len_utf8();
                copied
            }
            // The escaped character, whatever it is, begins no escape of its own.
            (None, _) => text[start + 1..]
                .chars()
                .next()
                .map_or(text.len(), |next| start + 1 + next.len_utf8()),
        };
    }
    out.push_str(&text[copied..]);
    (copied > 0).then_some(out)
}

fn decode_mark(mark: char) -> Option<u32> {
    let half = HALVES.start() + u32::from(mark).checked_sub(FIRST_MARK)?;
    HALVES.contains(&half).then_some(half)
}

/// Which text a piece goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TextStream {
    Text,
    Reasoning,
    Refusal,
    Arguments(u32),
}

/// Puts halves together that came in two pieces of one text.
#[derive(Debug, Default)]
pub(super) struct SurrogateJoiner {
    /// The half each text ended with.
    open: BTreeMap<TextStream, u32>,
}

impl SurrogateJoiner {
    /// The pieces without marks. A half at the end of a text is kept back until its next piece, or the end, is there.
    pub fn join_pieces(&mut self, pieces: Vec<AnswerPiece>) -> Vec<AnswerPiece> {
        let mut joined = Vec::with_capacity(pieces.len());
        for mut piece in pieces {
            let (stream, text) = match &mut piece {
                AnswerPiece::Text(text) => (TextStream::Text, text),
                AnswerPiece::Reasoning(text) => (TextStream::Reasoning, text),
                AnswerPiece::Refusal(text) => (TextStream::Refusal, text),
                AnswerPiece::Call(delta) => {
                    (TextStream::Arguments(delta.index), &mut delta.arguments)
                }
                AnswerPiece::Counted(_) => {
                    joined.push(piece);
                    continue;
                }
                AnswerPiece::Finish(_) | AnswerPiece::Done => {
                    joined.extend(self.finish());
                    joined.push(piece);
                    continue;
                }
            };
            let open = self.open.remove(&stream);
            if open.is_some() || text.chars().any(|c| decode_mark(c).is_some()) {
                let (clean, open) = replace_marks(text, open);
                *text = clean;
                self.open.extend(open.map(|half| (stream, half)));
            }
            if !matches!(&piece, AnswerPiece::Text(text) | AnswerPiece::Reasoning(text) | AnswerPiece::Refusal(text) if text.is_empty())
            {
                joined.push(piece);
            }
        }
        joined
    }

    /// What is left when nothing more comes: of what people would read, the half stays visible as one that was lost.
    pub fn finish(&mut self) -> Option<AnswerPiece> {
        let open = std::mem::take(&mut self.open);
        open.contains_key(&TextStream::Text)
            .then(|| AnswerPiece::Text(char::REPLACEMENT_CHARACTER.into()))
    }
}

/// A piece of text with whole characters in the place of marks, and the half it ends with; `open` is the half before it.
fn replace_marks(text: &str, mut open: Option<u32>) -> (String, Option<u32>) {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match (open.take(), decode_mark(c)) {
            (Some(first), Some(second)) if second >= ENDING => {
                out.extend(
                    char::decode_utf16([first as u16, second as u16])
                        .map(|c| c.unwrap_or_default()),
                );
            }
            (before, now) => {
                out.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
                match now {
                    Some(first) if first < ENDING => open = Some(first),
                    Some(_) => out.push(char::REPLACEMENT_CHARACTER),
                    None => out.push(c),
                }
            }
        }
    }
    (out, open)
}

#[cfg(test)]
#[path = "tests/unit/surrogates.rs"]
mod tests;
