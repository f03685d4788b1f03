//! What the tasks that gather what a prompt shows tell the loop.

use super::picture_cache::{FileHash, LoadedFile};
use kith_agent::picture_description::PictureDescription;
use kith_core::RenderInputs;
use kith_core::chat::{ChannelId, MessageId, MessagePicture, TurnId};
use kith_discord::PictureError;

pub(super) enum PromptEvent {
    /// What a round's prompt needs from the store is there.
    InputsGathered {
        turn: TurnId,
        channel: ChannelId,
        ask: u32,
        inputs: Result<(RenderInputs, FetchedPictures), String>,
    },
    PicturesDescribed {
        looked: Vec<(FileHash, PictureDescription)>,
        waiting: PictureWait,
    },
    /// Who was asked whether to speak answered, or did not.
    JudgeAnswered {
        name: String,
        speaks: Result<bool, String>,
        waiting: PictureWait,
    },
}

/// Pictures of a prompt that were fetched: with their message, and what came of it.
pub(super) type FetchedPictures =
    Vec<(MessageId, MessagePicture, Result<LoadedFile, PictureError>)>;

/// A round whose pictures are described before its prompt is put together.
pub(super) struct PictureWait {
    pub turn: TurnId,
    pub channel: ChannelId,
    pub ask: u32,
    pub inputs: RenderInputs,
}
