//! Pictures in a question: what kind a file is, by its own bytes and never by its name. What each
//! provider calls them is the business of its own file.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::image_size;

/// The most tokens any provider takes for a picture that is not made smaller before, and the least.
const TOKENS: std::ops::RangeInclusive<u32> = 85..=1_600;
/// Pixels a token, by Anthropic's formula; the others take fewer tokens.
const PIXELS_A_TOKEN: u64 = 750;
/// How many bytes at the end of a file its last mark is looked for in: cameras add some of their own.
const TAIL_BYTES: usize = 1 << 10;
/// The longest side a picture may have, in pixels: Anthropic refuses the whole question for a longer one.
const LONGEST_SIDE: u32 = 8_000;

/// A picture as it is sent: checked, and written in base64 once. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelImage {
    media: &'static str,
    data: Arc<str>,
    tokens: u32,
}

impl ModelImage {
    /// A whole PNG, JPEG, GIF or WebP file of a size that is taken everywhere; none for everything else. `pixels` is its
    /// width times its height, where that is known.
    pub fn from_bytes(bytes: &[u8], pixels: Option<u64>) -> Option<Self> {
        let tail = &bytes[bytes.len().saturating_sub(TAIL_BYTES)..];
        let ends = |mark: &[u8]| tail.windows(mark.len()).any(|window| window == mark);
        let media = match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] if ends(b"IEND") => "image/png",
            [0xff, 0xd8, 0xff, ..] if ends(&[0xff, 0xd9]) => "image/jpeg",
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] if ends(b";") => "image/gif",
            [
                b'R',
                b'I',
                b'F',
                b'F',
                a,
                b,
                c,
                d,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] if bytes.len() >= u32::from_le_bytes([*a, *b, *c, *d]).saturating_add(8) as usize => {
                "image/webp"
            }
            _ => return None,
        };
        if image_size::read_dimensions(bytes)
            .is_some_and(|sides| sides.into_iter().any(|side| side > LONGEST_SIDE))
        {
            return None;
        }
        let tokens = pixels.map_or(*TOKENS.end(), |pixels| {
            (pixels / PIXELS_A_TOKEN).min(u64::from(*TOKENS.end())) as u32
        });
        Some(Self {
            media,
            data: STANDARD.encode(bytes).into(),
            tokens: tokens.max(*TOKENS.start()),
        })
    }

    pub fn media_type(&self) -> &'static str {
        self.media
    }

    pub fn data(&self) -> &str {
        &self.data
    }

    pub fn tokens(&self) -> u32 {
        self.tokens
    }
}

impl fmt::Debug for ModelImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Image({}, {} bytes in base64)",
            self.media,
            self.data.len()
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedImage {
    pub label: String,
    pub image: ModelImage,
}

#[cfg(test)]
#[path = "tests/unit/image.rs"]
mod tests;
