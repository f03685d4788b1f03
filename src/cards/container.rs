//! Finds the card in a file: the JSON itself, a PNG picture with a card in its text chunks, or a CHARX archive. Nothing is
//! unpacked beyond its bound, whatever lengths the file claims.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
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
    /// The picture the card stood in.
    pub(crate) picture: Option<&'a [u8]>,
    /// The archive it stood in.
    pub(crate) archive: Option<CardArchive<'a>>,
}

/// Unpacks whatever kind of file it is.
pub(crate) fn unpack_card(bytes: &[u8]) -> Result<UnpackedCard<'_>, CardError> {
    if bytes.len() as u64 > CARD_BYTES {
        return Err(CardError(cards::card_too_large(CARD_BYTES >> 20)));
    }
    if bytes.starts_with(PNG_SIGNATURE) {
        let packed = picture::find_card_text(bytes)?;
        return Ok(UnpackedCard {
            json: parse_json(&decode_base64(&packed)?)?,
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
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let begins_json = text
        .iter()
        .find(|byte| !byte.is_ascii_whitespace())
        .is_some_and(|byte| *byte == b'{');
    if !begins_json {
        return Err(CardError(cards::no_card_file()));
    }
    Ok(UnpackedCard {
        json: parse_json(text)?,
        picture: None,
        archive: None,
    })
}

/// Reads JSON of bounded size; how deep it may be is bounded by the parser.
fn parse_json(text: &[u8]) -> Result<Value, CardError> {
    if text.len() > JSON_BYTES {
        let limit = JSON_BYTES as u64 >> 20;
        return Err(CardError(cards::card_json_too_large(limit)));
    }
    serde_json::from_slice(text)
        .map_err(|error| CardError(cards::broken_card_json(error.to_string())))
}

/// Reads base64, with the line breaks that some programs put into it.
pub(crate) fn decode_base64(packed: &[u8]) -> Result<Vec<u8>, CardError> {
    let packed: Vec<u8> = packed
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    STANDARD
        .decode(packed)
        .map_err(|_| CardError(cards::broken_card_base64()))
}
