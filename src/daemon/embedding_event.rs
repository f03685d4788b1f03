//! What the task that has vectors made tells the loop.

use kith_core::chat::ChannelId;

/// What came of a batch of messages that were to get their vectors.
pub(super) enum EmbeddingProgress {
    Kept,
    /// There was none: all messages have their vectors.
    Complete,
    /// Nothing more may be spent on this channel today.
    Unpaid(ChannelId),
    /// No vectors came.
    Failed,
}
