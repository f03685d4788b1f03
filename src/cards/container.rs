//! Finds the card in a file: the JSON itself, a PNG picture with a card in its text chunks, or a CHARX archive. Nothing is
//! unpacked beyond its bound, whatever lengths the file claims.

use std::fmt::Display;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use kith_core::text_encoding::decode_text;
use kith_language::cards;
use serde_json::Value;

use crate::archive::CardArchive;
use crate::bounds::{CARD_BYTES, JSON_BYTES};
use crate::card_error::CardError;
use crate::picture::{self, PNG_SIGNATURE};

/// A card as JSON, with what stood around it.
#[derive(Debug)]
pub(crate) struct UnpackedCard<'a> {
    pub(crate) json: Value,
    pub(crate) picture: Option<&'a [u8]>,
    pub(crate) archive: Option<CardArchive<'a>>,
}

pub(crate) fn unpack_card(bytes: &[u8]) -> Result<UnpackedCard<'_>, CardError> {
    if bytes.len() as u64 > CARD_BYTES {
        return Err(CardError(cards::card_too_large(CARD_BYTES >> 20)));
    }
    if bytes.starts_with(PNG_SIGNATURE) {
        // The newest version that can be read.
        let mut found = picture::find_card_texts(bytes)?.into_iter().map(read_chunk);
        let first = found
            .next()
            .unwrap_or_else(|| Err(CardError(cards::no_card_in_picture())));
        return Ok(UnpackedCard {
            json: first.or_else(|error| found.find_map(Result::ok).ok_or(error))?,
            picture: Some(bytes),
            archive: None,
        });
    }
    if let Some(archive) = CardArchive::find(bytes)? {
        let json = archive
            .unpack("card.json", JSON_BYTES)?
            .ok_or_else(|| CardError(cards::no_card_in_archive()))?;
        return Ok(UnpackedCard {
            json: parse_json(&json)?,
            picture: None,
            archive: Some(archive),
        });
    }
    if !begins_json(bytes) {
        return Err(CardError(cards::no_card_file()));
    }
    Ok(UnpackedCard {
        json: parse_json(bytes)?,
        picture: None,
        archive: None,
    })
}

/// The card in the text of a chunk: base64, as it should be, or JSON as some programs write it.
fn read_chunk(text: Result<Vec<u8>, CardError>) -> Result<Value, CardError> {
    let text = text?;
    match begins_json(&text) {
        true => parse_json(&text),
        false => parse_json(&decode_base64(&text)?),
    }
}

fn begins_json(text: &[u8]) -> bool {
    decode_text(text).is_ok_and(|text| text.trim_start().starts_with('{'))
}

/// Reads JSON of bounded size, in the encodings that editors save it in; how deep it may be is bounded by the parser.
fn parse_json(text: &[u8]) -> Result<Value, CardError> {
    if text.len() > JSON_BYTES {
        let limit = JSON_BYTES as u64 >> 20;
        return Err(CardError(cards::card_json_too_large(limit)));
    }
    let broken = |error: &dyn Display| CardError(cards::broken_card_json(error.to_string()));
    let text = decode_text(text).map_err(|error| broken(&error))?;
    serde_json::from_str(&text).map_err(|error| broken(&error))
}

/// Reads base64 as programs write it: with line breaks, without its padding, in the alphabet for addresses.
pub(crate) fn decode_base64(packed: &[u8]) -> Result<Vec<u8>, CardError> {
    let plain = |byte: u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte,
    };
    let packed: Vec<u8> = packed
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | 0))
        .map(|byte| plain(*byte))
        .collect();
    let lenient = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, lenient)
        .decode(packed)
        .map_err(|_| CardError(cards::broken_card_base64()))
}
