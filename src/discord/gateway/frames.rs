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
    pub op: u8,
    /// The sequence number of an event.
    pub s: Option<u64>,
    /// An event's name.
    pub t: Option<String>,
    pub d: Value,
}

#[derive(Debug, PartialEq)]
pub enum GatewayFrame {
    Payload(GatewayPayload),
    /// One that is no JSON, or not of this shape; the words are serde's and quote nothing.
    Unreadable(String),
    /// The beginning of a message, or nothing to be understood.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayStreamError {
    #[error("its compressed stream is broken")]
    Stream,
    #[error("a message unpacks to more than {} MB", LONGEST_MESSAGE >> 20)]
    TooLong,
}

pub struct FrameReader {
    stream: Decompress,
    /// What is unpacked of the present message.
    unpacked: Vec<u8>,
    /// The last bytes that came: a message's end may be cut in two.
    tail: [u8; END.len()],
}

impl FrameReader {
    pub fn new() -> Self {
        Self {
            stream: Decompress::new(true),
            unpacked: Vec::new(),
            tail: [0xff; END.len()],
        }
    }

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
#[path = "../tests/unit/frames.rs"]
mod tests;
