//! The whole of a link as one zlib stream, as Discord sends it with `compress=zlib-stream`.

use flate2::{Compress, Compression, FlushCompress};

/// What packs a link's messages, one after the other.
pub struct Packer(Compress);

impl Default for Packer {
    fn default() -> Self {
        Self(Compress::new(Compression::fast(), true))
    }
}

impl Packer {
    /// A message, with the empty block at its end by which the client knows that it is whole.
    pub fn pack(&mut self, text: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let begin = self.0.total_in();
        loop {
            packed.reserve(text.len() / 8 + 128);
            let read = (self.0.total_in() - begin) as usize;
            self.0
                .compress_vec(&text[read..], &mut packed, FlushCompress::Sync)
                .expect("a stream that goes on");
            if packed.len() < packed.capacity() {
                return packed;
            }
        }
    }
}
