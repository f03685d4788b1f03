//! From frames to payloads. Discord compresses everything of a link as one zlib stream (`compress=zlib-stream`), one
//! message a frame as a rule; where a server does not, it sends texts. Whatever is sent, what is kept in memory is
//! bounded: a message that unpacks to more is refused, and the link with it.

use flate2::{Decompress, FlushDecompress, Status};
use serde::Deserialize;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

/// The longest message, unpacked or not. Guilds come as one message each; the largest are some megabytes.
pub const LONGEST_MESSAGE: usize = 32 << 20;
/// What a message ends with in the stream: an empty block (zlib's `Z_SYNC_FLUSH`).
const END: [u8; 4] = [0x00, 0x00, 0xff, 0xff];
/// Room that is made at once for what is unpacked.
const PIECE: usize = 16 << 10;
/// Room that is kept from message to message. One large guild must not cost its size for as long as the link lasts.
const KEPT: usize = 64 << 10;

/// What Discord says (its documentation: "Gateway event payload structure").
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct GatewayPayload {
    /// The opcode.
    pub op: u8,
    /// The sequence number of an event.
    pub s: Option<u64>,
    /// An event's name.
    pub t: Option<String>,
    /// The rest.
    pub d: Value,
}

/// What came over the link.
#[derive(Debug, PartialEq)]
pub enum GatewayFrame {
    Payload(GatewayPayload),
    /// One that is no JSON, or not of this shape; the words are serde's and quote nothing.
    Unreadable(String),
    /// The beginning of a message, or nothing to be understood.
    Nothing,
}

/// Why a link can be read no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayStreamError {
    /// It is no zlib stream, or not where it went on.
    #[error("its compressed stream is broken")]
    Stream,
    /// A message is longer than any of Discord's.
    #[error("a message unpacks to more than {} MB", LONGEST_MESSAGE >> 20)]
    TooLong,
}

/// Reads the frames of one link.
pub struct FrameReader {
    stream: Decompress,
    /// What is unpacked of the present message.
    unpacked: Vec<u8>,
    /// The last bytes that came: a message's end may be cut in two.
    tail: [u8; END.len()],
}

impl FrameReader {
    /// Nothing was read yet.
    pub fn new() -> Self {
        Self {
            stream: Decompress::new(true),
            unpacked: Vec::new(),
            tail: [0xff; END.len()],
        }
    }

    /// The next frame.
    pub fn read(&mut self, frame: &Message) -> Result<GatewayFrame, GatewayStreamError> {
        match frame {
            Message::Text(text) => Ok(parse_payload(text.as_bytes())),
            Message::Binary(bytes) => {
                self.unpack(bytes)?;
                let last = bytes.len().min(self.tail.len());
                self.tail.rotate_left(last);
                self.tail
                    .iter_mut()
                    .rev()
                    .zip(bytes.iter().rev())
                    .for_each(|(to, from)| *to = *from);
                if self.tail != END {
                    return Ok(GatewayFrame::Nothing);
                }
                // zlib may write its mark of an end twice: nothing stands between the two.
                if self.unpacked.is_empty() {
                    return Ok(GatewayFrame::Nothing);
                }
                let read = parse_payload(&self.unpacked);
                self.unpacked.clear();
                self.unpacked.shrink_to(KEPT);
                Ok(read)
            }
            // Pings are answered by the web socket itself.
            _ => Ok(GatewayFrame::Nothing),
        }
    }

    /// Unpacks a frame behind what is there of its message.
    fn unpack(&mut self, mut packed: &[u8]) -> Result<(), GatewayStreamError> {
        loop {
            if self.unpacked.len() == self.unpacked.capacity() {
                let more =
                    (LONGEST_MESSAGE - self.unpacked.len()).min(self.unpacked.len().max(PIECE));
                if more == 0 {
                    return Err(GatewayStreamError::TooLong);
                }
                self.unpacked.reserve_exact(more);
            }
            let (before, was) = (self.stream.total_in(), self.unpacked.len());
            let status =
                self.stream
                    .decompress_vec(packed, &mut self.unpacked, FlushDecompress::Sync);
            let read = usize::try_from(self.stream.total_in() - before).unwrap_or(packed.len());
            packed = packed.get(read..).unwrap_or_default();
            match status {
                // The stream goes on as long as the link does.
                Ok(Status::StreamEnd) | Err(_) => return Err(GatewayStreamError::Stream),
                Ok(Status::Ok | Status::BufError) => {}
            }
            let is_full = self.unpacked.len() == self.unpacked.capacity();
            if self.unpacked.len() > LONGEST_MESSAGE {
                return Err(GatewayStreamError::TooLong);
            }
            if !is_full && (packed.is_empty() || (read == 0 && self.unpacked.len() == was)) {
                return if packed.is_empty() {
                    Ok(())
                } else {
                    Err(GatewayStreamError::Stream)
                };
            }
        }
    }
}

fn parse_payload(json: &[u8]) -> GatewayFrame {
    match serde_json::from_slice(json) {
        Ok(payload) => GatewayFrame::Payload(payload),
        Err(why) => GatewayFrame::Unreadable(format!(
            "{:?} error in column {}",
            why.classify(),
            why.column()
        )),
    }
}

#[cfg(test)]
mod tests {
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
}
