//! Keeping a picture as a sticker, once the command service has allowed it: its file is fetched, looked at and stored.

use super::DiscordPlatform;
use super::task_event::{CommandDecision, DiscordTaskEvent};
use crate::daemon::state::Daemon;
use kith_commands::{CommandAnswer, DaemonChange};
use kith_core::chat::MessagePicture;
use kith_core::persona::Language;
use kith_core::sticker::{LARGEST, Sticker};
use kith_discord::{DiscordConnection, PictureError};
use kith_language::{LocalizedMessage, commands};
use kith_model::ModelImage;
use kith_store::Store;

impl Daemon<DiscordPlatform> {
    /// Keeps a picture in a task of its own. When that is done, who asked is answered and log channels are told.
    pub(super) fn keep_sticker(
        &self,
        sticker: Sticker,
        picture: MessagePicture,
        rest: CommandDecision,
    ) {
        let discord = self.platform.discord.clone();
        let (store, task_sender) = (self.store.clone(), self.platform.task_sender.clone());
        tokio::spawn(async move {
            let told = DaemonChange::ReportSticker(sticker.channel, sticker.message, true);
            let (answer, changes) =
                match store_sticker(&discord, &store, sticker, &picture, rest.language).await {
                    Ok(()) => (rest.answer, vec![told]),
                    Err(sentence) => (CommandAnswer::Refused(sentence), Vec::new()),
                };
            let _ = task_sender
                .send(DiscordTaskEvent::CommandDecided(Box::new(
                    CommandDecision {
                        answer,
                        changes,
                        ..rest
                    },
                )))
                .await;
        });
    }
}

/// Fetches and keeps it; the error is a sentence for who asked.
async fn store_sticker(
    discord: &DiscordConnection,
    store: &Store,
    sticker: Sticker,
    picture: &MessagePicture,
    language: Language,
) -> Result<(), String> {
    let refused = |why: LocalizedMessage| Err(why.in_language(language));
    let file = match discord.picture(picture).await {
        Ok(file) if file.len() as u64 <= LARGEST => file,
        Err(PictureError::Temporary) => {
            return refused(commands::sticker_not_fetched());
        }
        Ok(_) | Err(PictureError::Permanent) => {
            return refused(commands::sticker_picture_gone());
        }
    };
    let Some(ending) = ModelImage::from_bytes(&file, None)
        .and_then(|image| image.media_type().strip_prefix("image/"))
    else {
        return refused(commands::sticker_no_whole_picture());
    };
    match store.keep_sticker(sticker, ending, file).await {
        Ok(true) => Ok(()),
        Ok(false) => refused(commands::sticker_message_changed()),
        Err(error) => {
            tracing::error!(%error, "a sticker is not kept");
            refused(commands::sticker_not_kept())
        }
    }
}
