//! Cards in PNG pictures: the text chunks that hold a card, and the picture without them. Written by hand, for a decoder
//! of pictures reads the text behind the pixels only after it has unpacked all pixels, and here nobody looks at them.

use std::io::Read;

use flate2::read::ZlibDecoder;
use kith_language::cards;

use crate::bounds::{JSON_BYTES, LONGEST_SIDE, MOST_CHUNKS, PICTURE_BYTES, TEXT_BYTES};
use crate::card_error::CardError;

pub(crate) const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The most texts of a picture that are tried.
const MOST_TEXTS: usize = 4;

struct PngChunk<'a> {
    kind: &'a [u8],
    data: &'a [u8],
    /// All of it, with length and check sum.
    whole: &'a [u8],
}

/// Reads the chunks up to the end of the picture; an error is a chunk that claims more than there is.
fn read_chunks(picture: &[u8]) -> Result<Vec<PngChunk<'_>>, CardError> {
    let broken = || CardError(cards::broken_card_picture());
    let mut rest = picture.get(PNG_SIGNATURE.len()..).unwrap_or_default();
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let (length, _) = rest.split_first_chunk::<4>().ok_or_else(broken)?;
        let length = u32::from_be_bytes(*length) as usize;
        let whole = rest.get(..length.saturating_add(12)).ok_or_else(broken)?;
        if chunks.len() == MOST_CHUNKS {
            return Err(broken());
        }
        let (kind, data) = (&whole[4..8], &whole[8..8 + length]);
        chunks.push(PngChunk { kind, data, whole });
        if kind == b"IEND" {
            break;
        }
        rest = &rest[whole.len()..];
    }
    Ok(chunks)
}

/// The packed texts of the card that the picture holds, the newest version first.
pub(crate) fn find_card_texts(
    picture: &[u8],
) -> Result<Vec<Result<Vec<u8>, CardError>>, CardError> {
    let chunks = read_chunks(picture)?;
    let with = |keyword: &'static str| {
        let texts = chunks.iter().filter_map(split_text_chunk);
        texts.filter(move |(found, ..)| found.eq_ignore_ascii_case(keyword.as_bytes()))
    };
    let texts = with("ccv3").chain(with("chara")).take(MOST_TEXTS);
    Ok(texts
        .map(|(_, form, text)| unpack_text(form, text))
        .collect())
}

#[derive(Clone, Copy)]
enum TextForm {
    Plain,
    Compressed,
}

/// The keyword of a text chunk, how its text is packed, and the text.
fn split_text_chunk<'a>(chunk: &PngChunk<'a>) -> Option<(&'a [u8], TextForm, &'a [u8])> {
    let (keyword, rest) = split_at_zero(chunk.data)?;
    match chunk.kind {
        b"tEXt" => Some((keyword, TextForm::Plain, rest)),
        b"zTXt" => Some((keyword, TextForm::Compressed, rest.get(1..)?)),
        b"iTXt" => {
            let is_packed = *rest.first()? == 1;
            let (_, rest) = split_at_zero(rest.get(2..)?)?;
            let (_, text) = split_at_zero(rest)?;
            let form = if is_packed {
                TextForm::Compressed
            } else {
                TextForm::Plain
            };
            Some((keyword, form, text))
        }
        _ => None,
    }
}

fn split_at_zero(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

fn unpack_text(form: TextForm, text: &[u8]) -> Result<Vec<u8>, CardError> {
    let mut unpacked = Vec::new();
    let limit = TEXT_BYTES as u64 + 1;
    let read = match form {
        TextForm::Plain => text.take(limit).read_to_end(&mut unpacked),
        TextForm::Compressed => ZlibDecoder::new(text)
            .take(limit)
            .read_to_end(&mut unpacked),
    };
    read.map_err(|_| CardError(cards::broken_card_picture()))?;
    if unpacked.len() > TEXT_BYTES {
        let limit = JSON_BYTES as u64 >> 20;
        return Err(CardError(cards::card_json_too_large(limit)));
    }
    Ok(unpacked)
}

/// The picture without its texts, so that nobody gets the card from it; none where it is no valid PNG or too large.
pub(crate) fn strip_texts(picture: &[u8]) -> Option<Vec<u8>> {
    let chunks = read_chunks(picture).ok()?;
    let header = chunks.first().filter(|chunk| chunk.kind == b"IHDR")?;
    let side = |from: usize| {
        let bytes = header.data.get(from..from + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    };
    let can_be_shown = [side(0)?, side(4)?]
        .iter()
        .all(|side| (1..=LONGEST_SIDE).contains(side));
    let has_pixels = chunks.iter().any(|chunk| chunk.kind == b"IDAT");
    let mut kept = PNG_SIGNATURE.to_vec();
    for chunk in &chunks {
        if !matches!(chunk.kind, b"tEXt" | b"zTXt" | b"iTXt" | b"eXIf") {
            kept.extend_from_slice(chunk.whole);
        }
    }
    (can_be_shown && has_pixels && kept.len() < PICTURE_BYTES).then_some(kept)
}
