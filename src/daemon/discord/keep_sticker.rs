//! Keeping a picture as a sticker, once the desk has allowed it: its file is fetched, looked at and stored.

use super::DiscordPlatform;
use super::task_event::{CommandDecision, DiscordTaskEvent};
use crate::daemon::state::Daemon;
use kith_commands::{CommandAnswer, DaemonChange};
use kith_core::chat::MessagePicture;
use kith_core::persona::Language;
use kith_core::sticker::{LARGEST, Sticker};
use kith_discord::{DiscordConnection, PictureError};
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
    let refused = |english: &str, chinese: &str| Err(language.pick(english, chinese).to_owned());
    let file = match discord.picture(picture).await {
        Ok(file) if file.len() as u64 <= LARGEST => file,
        Err(PictureError::Temporary) => {
            return refused(
                "The picture could not be fetched: try again in a minute.",
                "图片没能取到：请一分钟后再试。",
            );
        }
        Ok(_) | Err(PictureError::Permanent) => {
            return refused(
                "The picture is not there, or is too large.",
                "图片不在了，或者太大。",
            );
        }
    };
    let Some(ending) = ModelImage::from_bytes(&file, None)
        .and_then(|image| image.media_type().strip_prefix("image/"))
    else {
        return refused(
            "That file is no whole PNG, JPEG, GIF or WebP picture.",
            "那个文件不是完整的 PNG、JPEG、GIF 或 WebP 图片。",
        );
    };
    match store.keep_sticker(sticker, ending, file).await {
        Ok(true) => Ok(()),
        Ok(false) => refused(
            "The message was changed meanwhile: look again.",
            "消息刚刚变了：请再看一下。",
        ),
        Err(error) => {
            tracing::error!(%error, "a sticker is not kept");
            refused(
                "It could not be kept; the host's log says why.",
                "没能保存；原因在部署者的日志里。",
            )
        }
    }
}
