//! How large a file and what is in it may be: cards come from strangers.

/// The largest file read, in bytes: CHARX archives hold pictures and sounds. Less is copied: see the bounds below.
pub const CARD_BYTES: u64 = 64 << 20;
/// The largest card, unpacked, in bytes: a card with a book of a thousand long entries has about two. As JSON values it
/// takes some thirty times that at worst.
pub(crate) const JSON_BYTES: usize = 4 << 20;
/// The largest text chunk of a picture, unpacked, in bytes: the largest card in base64.
pub(crate) const TEXT_BYTES: usize = JSON_BYTES / 3 * 4 + 4;
/// The most chunks a picture may have: encoders write a pixel chunk for every 8 KB at the least.
pub(crate) const MOST_CHUNKS: usize = 20_000;
/// The most files an archive may hold; one with a picture for every mood has some hundreds.
pub(crate) const MOST_FILES: usize = 10_000;
/// The longest side of a kept picture, in pixels: a small file can claim two thousand million.
pub(crate) const LONGEST_SIDE: u32 = 8_192;
/// The largest picture that is kept, in bytes: what Discord takes as an avatar.
pub(crate) const PICTURE_BYTES: usize = 8 << 20;
