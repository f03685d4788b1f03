//! Files in a CHARX archive, which is a ZIP. Written by hand: a general reader takes in the whole list of files, with
//! ZIP's 64-bit forms, before anybody can set a bound, and here one small file is wanted by its name and maybe a picture.
//! A name is only ever compared: no file is written where a name says.

use std::io::Read;

use flate2::read::DeflateDecoder;
use kith_language::cards;

use crate::bounds::MOST_FILES;
use crate::card_error::CardError;

/// The end of the list of files, which stands at the end of the archive before a comment.
const LIST_END: &[u8] = b"PK\x05\x06";
const LIST_ENTRY: &[u8] = b"PK\x01\x02";
const FILE_HEADER: &[u8] = b"PK\x03\x04";
const LIST_END_BYTES: usize = 22;
const LONGEST_COMMENT: usize = 65_535;

#[derive(Clone, Copy, Debug)]
struct PackedFile<'a> {
    name: &'a [u8],
    is_encrypted: bool,
    method: u16,
    packed_bytes: usize,
    /// Where its own header stands.
    at: usize,
}

#[derive(Debug)]
pub(crate) struct CardArchive<'a> {
    bytes: &'a [u8],
    files: Vec<PackedFile<'a>>,
}

impl<'a> CardArchive<'a> {
    /// Reads the list of files; none where this is no archive. A JPEG or any other file may stand before it.
    pub(crate) fn find(bytes: &'a [u8]) -> Result<Option<Self>, CardError> {
        let is_archive = bytes.starts_with(FILE_HEADER) || bytes.starts_with(b"\xff\xd8");
        let from = bytes.len().saturating_sub(LONGEST_COMMENT + LIST_END_BYTES);
        let end = bytes[from..]
            .windows(LIST_END.len())
            .rposition(|window| window == LIST_END);
        let Some(end) = end.filter(|_| is_archive) else {
            return Ok(None);
        };
        Self::read_list(bytes, from + end)
            .map(Some)
            .ok_or_else(|| CardError(cards::broken_card_archive()))
    }

    fn read_list(bytes: &'a [u8], end: usize) -> Option<Self> {
        let count = read_u16(bytes, end + 10)? as usize;
        let size = read_u32(bytes, end + 12)? as usize;
        let claimed = read_u32(bytes, end + 16)? as usize;
        // What stands before the archive moves all places in it.
        let from = end.checked_sub(size)?;
        let before = from.checked_sub(claimed)?;
        if count > MOST_FILES {
            return None;
        }
        let (mut at, mut files) = (from, Vec::new());
        for _ in 0..count {
            if bytes.get(at..at + 4)? != LIST_ENTRY {
                return None;
            }
            let name_bytes = read_u16(bytes, at + 28)? as usize;
            let further = read_u16(bytes, at + 30)? as usize + read_u16(bytes, at + 32)? as usize;
            files.push(PackedFile {
                name: bytes.get(at + 46..at + 46 + name_bytes)?,
                is_encrypted: read_u16(bytes, at + 8)? & 1 == 1,
                method: read_u16(bytes, at + 10)?,
                packed_bytes: read_u32(bytes, at + 20)? as usize,
                at: before.checked_add(read_u32(bytes, at + 42)? as usize)?,
            });
            at += 46 + name_bytes + further;
        }
        Some(Self { bytes, files })
    }

    /// Unpacks a file, of so many bytes at most; none where there is no file of that name.
    pub(crate) fn unpack(&self, name: &str, limit: usize) -> Result<Option<Vec<u8>>, CardError> {
        let Some(file) = self.files.iter().find(|file| file.name == name.as_bytes()) else {
            return Ok(None);
        };
        let packed = self
            .find_packed(file)
            .ok_or_else(|| CardError(cards::broken_card_archive()))?;
        if file.is_encrypted || !matches!(file.method, 0 | 8) {
            return Err(CardError(cards::strange_card_archive()));
        }
        let mut unpacked = Vec::new();
        let most = limit as u64 + 1;
        let read = match file.method {
            0 => packed.take(most).read_to_end(&mut unpacked),
            _ => DeflateDecoder::new(packed)
                .take(most)
                .read_to_end(&mut unpacked),
        };
        read.map_err(|_| CardError(cards::broken_card_archive()))?;
        if unpacked.len() > limit {
            return Err(CardError(cards::card_json_too_large(limit as u64 >> 20)));
        }
        Ok(Some(unpacked))
    }

    fn find_packed(&self, file: &PackedFile<'_>) -> Option<&'a [u8]> {
        let header = self.bytes.get(file.at..)?;
        if !header.starts_with(FILE_HEADER) {
            return None;
        }
        let before = 30 + read_u16(header, 26)? as usize + read_u16(header, 28)? as usize;
        header.get(before..before.checked_add(file.packed_bytes)?)
    }
}

fn read_u16(bytes: &[u8], at: usize) -> Option<u16> {
    let found = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(found.try_into().ok()?))
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let found = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(found.try_into().ok()?))
}
