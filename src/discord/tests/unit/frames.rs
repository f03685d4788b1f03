//! What is read out of frames, whole and in pieces.

use flate2::{Compress, Compression, FlushCompress};
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Packs messages as Discord does, each a frame of one stream.
struct Packer(Compress);

impl Packer {
    fn new() -> Self {
        Self(Compress::new(Compression::fast(), true))
    }

    fn pack(&mut self, text: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let begin = self.0.total_in();
        loop {
            packed.reserve(text.len() / 2 + 64);
            let read = usize::try_from(self.0.total_in() - begin).unwrap();
            self.0
                .compress_vec(&text[read..], &mut packed, FlushCompress::Sync)
                .unwrap();
            if packed.len() < packed.capacity() {
                return packed;
            }
        }
    }
}

fn read_all(
    frames: &mut FrameReader,
    bytes: &[u8],
    pieces: &[usize],
) -> Result<Vec<GatewayFrame>, GatewayStreamError> {
    let (mut read, mut rest) = (Vec::new(), bytes);
    for piece in pieces.iter().copied().chain([bytes.len()]) {
        let (now, later) = rest.split_at(piece.min(rest.len()));
        rest = later;
        if !now.is_empty() {
            read.push(frames.read(&Message::Binary(now.to_vec()))?);
        }
    }
    read.retain(|frame| *frame != GatewayFrame::Nothing);
    Ok(read)
}

fn said(text: &str) -> (Vec<u8>, GatewayFrame) {
    let payload = GatewayPayload {
        op: 0,
        s: Some(7),
        t: Some("X".into()),
        d: json!(text),
    };
    (
        json!({ "op": 0, "s": 7, "t": "X", "d": text })
            .to_string()
            .into(),
        GatewayFrame::Payload(payload),
    )
}

#[test]
fn a_message_that_unpacks_to_too_much_is_refused_without_being_unpacked() {
    let mut packer = Packer::new();
    let bomb = packer.pack(&vec![b' '; LONGEST_MESSAGE + 1]);
    assert!(bomb.len() < LONGEST_MESSAGE / 100);
    let mut frames = FrameReader::new();
    assert_eq!(
        frames.read(&Message::Binary(bomb)),
        Err(GatewayStreamError::TooLong)
    );
    assert!(frames.unpacked.capacity() <= LONGEST_MESSAGE);
}

#[test]
fn room_for_a_large_guild_is_given_back() {
    let mut packer = Packer::new();
    let (large, expected) = said(&"guild".repeat(1 << 20));
    let mut frames = FrameReader::new();
    assert_eq!(
        frames.read(&Message::Binary(packer.pack(&large))),
        Ok(expected)
    );
    assert!(frames.unpacked.capacity() <= KEPT);
}

#[test]
fn a_stream_that_breaks_off_or_ends_breaks_the_link() {
    let (text, _) = said("hi");
    let mut packed = Packer::new().pack(&text);
    packed[3] ^= 0xff;
    packed[5] ^= 0xff;
    let broken = FrameReader::new().read(&Message::Binary(packed));
    assert!(
        matches!(
            broken,
            Err(GatewayStreamError::Stream) | Ok(GatewayFrame::Unreadable(_))
        ),
        "{broken:?}"
    );
    assert_eq!(
        FrameReader::new().read(&Message::Binary(vec![0xff; 40])),
        Err(GatewayStreamError::Stream)
    );
    let mut ended = Vec::with_capacity(64);
    Compress::new(Compression::fast(), true)
        .compress_vec(&text, &mut ended, FlushCompress::Finish)
        .unwrap();
    assert_eq!(
        FrameReader::new().read(&Message::Binary(ended)),
        Err(GatewayStreamError::Stream)
    );
}

#[test]
fn an_end_that_is_marked_twice_is_one_end() {
    let (text, expected) = said("hi");
    let (mut packer, mut frames) = (Packer::new(), FrameReader::new());
    let packed = packer.pack(&text);
    assert_eq!(frames.read(&Message::Binary(packed)), Ok(expected));
    // A stored block of no bytes, as zlib writes where its output was full just then.
    assert_eq!(
        frames.read(&Message::Binary(vec![0, 0, 0, 0xff, 0xff])),
        Ok(GatewayFrame::Nothing)
    );
}

#[test]
fn what_is_no_payload_is_told_without_quoting_it() {
    let Ok(GatewayFrame::Unreadable(why)) =
        FrameReader::new().read(&Message::Text("{\"d\": secret}".into()))
    else {
        panic!()
    };
    assert!(!why.contains("secret"), "{why}");
}

proptest! {
    #[test]
    fn every_message_comes_out_as_it_went_in_however_it_was_cut(
        texts in prop::collection::vec("\\PC{0,300}", 1..6),
        pieces in prop::collection::vec(1..200_usize, 0..12),
    ) {
        let mut packer = Packer::new();
        let mut frames = FrameReader::new();
        for text in &texts {
            let (said, expected) = said(text);
            let packed = packer.pack(&said);
            prop_assert_eq!(read_all(&mut frames, &packed, &pieces), Ok(vec![expected]));
        }
    }

    #[test]
    fn no_bytes_are_too_strange(frames in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 1..8)) {
        let mut reader = FrameReader::new();
        for frame in frames {
            if reader.read(&Message::Binary(frame)).is_err() {
                break;
            }
        }
    }
}
