//! The tests of `image_size.rs`, of what nobody outside its crate can see.

use super::*;

#[test]
fn every_kind_of_file_tells_its_sides_and_half_a_head_tells_none() {
    let files: [&[u8]; 6] = [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x23\x28\0\0\x01\x02",
        b"GIF89a\x28\x23\x02\x01",
        b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x28\x23\x02\x01",
        b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x27\x63\x40\0",
        b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x27\x23\0\x01\x01\0",
        b"\xff\xd8\xff\xe0\0\x04..\xff\xff\xc2\0\x0b\x08\x01\x02\x23\x28",
    ];
    for file in files {
        assert_eq!(read_dimensions(file), Some([9_000, 258]), "{file:?}");
        for end in 0..file.len() {
            assert_eq!(read_dimensions(&file[..end]), None, "{end} of {file:?}");
        }
    }
}
