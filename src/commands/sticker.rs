//! Keep as sticker: a moderator keeps a picture of a message, for the companion to send where that message can be read.
//! Asked again for the same message, it is kept no more. Nothing is ever kept unasked.

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::chat::{MessageId, MessagePicture};
use kith_core::sticker::{LARGEST, MOST, Sticker, name};
use kith_language::commands;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    message: MessageId,
    picture: Option<MessagePicture>,
    message_text: &str,
) -> CommandOutcome {
    let (store, channel) = (&context.command_service.store, context.facts.channel.id);
    let Some(guild) = context.facts.channel.guild else {
        return context.refuse(commands::sticker_needs_server());
    };
    if let Some(kept) = store.find_sticker(channel, message).await? {
        store.drop_sticker(channel, message).await?;
        let said = context.say(commands::sticker_removed(kept.name));
        return answer_with_text(
            said,
            vec![DaemonChange::ReportSticker(channel, message, false)],
        );
    }
    if context
        .command_service
        .find_message(channel, message)
        .await?
        .is_none()
    {
        return context.refuse(commands::sticker_unread_message());
    }
    let Some(picture) = picture else {
        return context.refuse(commands::sticker_no_picture());
    };
    if picture.bytes > LARGEST {
        let most = LARGEST >> 20;
        return context.refuse(commands::sticker_too_large(most));
    }
    let kept = store.find_stickers(guild).await?;
    if kept.len() >= MOST {
        return context.refuse(commands::stickers_full(MOST));
    }
    let name = name(message_text, &picture.name, &kept);
    let said = context.say(commands::sticker_kept(&name));
    let sticker = Sticker {
        guild,
        name,
        channel,
        message,
        at: context.facts.now,
    };
    answer_with_text(
        said,
        vec![DaemonChange::KeepSticker(Box::new(sticker), picture)],
    )
}
