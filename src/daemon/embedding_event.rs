//! What the task that has vectors made tells the loop.

use kith_core::chat::ChannelId;

pub(super) enum EmbeddingProgress {
    Kept,
    /// There was none: all messages have their vectors.
    Complete,
    /// Nothing more may be spent on this channel today.
    Unpaid(ChannelId),
    Failed,
}
