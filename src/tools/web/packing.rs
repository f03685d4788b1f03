//! Unpacks the bodies that servers pack although they were asked for plain ones, within a bound.

use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// What every gzip file begins with, and no text.
const GZIP_MARK: [u8; 2] = [0x1f, 0x8b];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Not at all, or as gzip, which some servers send without a word.
    PlainOrGzip,
    /// As zlib, or bare deflate: servers send both under this name.
    Deflate,
}

impl Packing {
    /// What a `Content-Encoding` names; none where nothing here reads it.
    pub(super) fn parse(encoding: &str) -> Option<Self> {
        match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" | "gzip" | "x-gzip" => Some(Self::PlainOrGzip),
            "deflate" => Some(Self::Deflate),
            _ => None,
        }
    }

    /// At most this many bytes of what is packed, and whether that is all. What is broken ends where it breaks.
    pub(super) fn unpack(self, bytes: Vec<u8>, most: usize) -> (Vec<u8>, bool) {
        let packed = bytes.as_slice();
        let reader: &mut dyn Read = match self {
            Self::PlainOrGzip if packed.starts_with(&GZIP_MARK) => &mut MultiGzDecoder::new(packed),
            Self::PlainOrGzip => return (bytes, true),
            Self::Deflate if is_zlib(packed) => &mut ZlibDecoder::new(packed),
            Self::Deflate => &mut DeflateDecoder::new(packed),
        };
        let mut text = Vec::new();
        let read = reader.take(most as u64 + 1).read_to_end(&mut text);
        let is_all = read.is_ok() && text.len() <= most;
        text.truncate(most);
        (text, is_all)
    }
}

/// Whether it begins with a header of zlib (RFC 1950, 2.2).
fn is_zlib(packed: &[u8]) -> bool {
    matches!(packed, [method, flags, ..]
        if method & 0x0f == 8 && u16::from_be_bytes([*method, *flags]) % 31 == 0)
}
