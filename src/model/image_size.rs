//! How large a picture is, by the first bytes of its file. None where they do not tell; nothing is decoded.

/// Width and height, in pixels.
pub(super) fn read_dimensions(file: &[u8]) -> Option<[u32; 2]> {
    match file {
        [0x89, b'P', b'N', b'G', ..] => {
            let read_u32 =
                |from: usize| Some(u32::from_be_bytes(*file.get(from..)?.first_chunk()?));
            Some([read_u32(16)?, read_u32(20)?])
        }
        [b'G', b'I', b'F', ..] => Some([read_u16_le(file, 6)?, read_u16_le(file, 8)?]),
        [b'R', b'I', b'F', b'F', ..] => read_webp_dimensions(file),
        [0xff, 0xd8, ..] => read_jpeg_dimensions(file),
        _ => None,
    }
}

fn read_u16_le(file: &[u8], from: usize) -> Option<u32> {
    Some(u16::from_le_bytes(*file.get(from..)?.first_chunk()?).into())
}

fn read_webp_dimensions(file: &[u8]) -> Option<[u32; 2]> {
    match file.get(12..16)? {
        b"VP8 " => Some([
            read_u16_le(file, 26)? & 0x3fff,
            read_u16_le(file, 28)? & 0x3fff,
        ]),
        b"VP8L" => {
            let bits = u32::from_le_bytes(*file.get(21..)?.first_chunk()?);
            Some([(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1])
        }
        b"VP8X" => {
            let read_side = |from: usize| {
                Some(read_u16_le(file, from)? + (u32::from(*file.get(from + 2)?) << 16) + 1)
            };
            Some([read_side(24)?, read_side(27)?])
        }
        _ => None,
    }
}

/// Goes from segment to segment up to the one that begins the picture.
fn read_jpeg_dimensions(file: &[u8]) -> Option<[u32; 2]> {
    let mut at = 2;
    loop {
        let [0xff, kind, long, short, ..] = *file.get(at..)? else {
            return None;
        };
        match kind {
            // Fill bytes.
            0xff => at += 1,
            0xc0..=0xcf if !matches!(kind, 0xc4 | 0xc8 | 0xcc) => {
                let side = |from: usize| {
                    Some(u16::from_be_bytes(*file.get(from..)?.first_chunk()?).into())
                };
                return Some([side(at + 7)?, side(at + 5)?]);
            }
            _ => at += 2 + usize::from(u16::from_be_bytes([long, short])),
        }
    }
}

#[cfg(test)]
#[path = "tests/unit/image_size.rs"]
mod tests;
