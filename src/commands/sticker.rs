//! Keep as sticker: a moderator keeps a picture of a message, for the companion to send where that message can be read.
//! Asked again for the same message, it is kept no more. Nothing is ever kept unasked.

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::chat::{MessageId, MessagePicture};
use kith_core::sticker::{LARGEST, MOST, Sticker, name};

pub(super) async fn answer(
    context: &CommandContext<'_>,
    message: MessageId,
    picture: Option<MessagePicture>,
    message_text: &str,
) -> CommandOutcome {
    context.check_can_steer()?;
    let (store, channel) = (&context.command_service.store, context.facts.channel.id);
    let Some(guild) = context.facts.channel.guild else {
        return context.refuse(
            "Stickers are kept for a server: do it there.",
            "贴纸是为服务器保存的：请在服务器里操作。",
        );
    };
    if let Some(kept) = store.find_sticker(channel, message).await? {
        store.drop_sticker(channel, message).await?;
        let said = context.say(
            format!("“{}” is no sticker of mine any more.", kept.name),
            format!("“{}”不再是我的贴纸了。", kept.name),
        );
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
        return context.refuse(
            "I have not read that message, so I would not know when it is deleted: choose one of a channel I read, of \
             somebody who lets me.",
            "我没有读过那条消息，也就不会知道它什么时候被删除：请选我在读的频道里、允许我读的人发的消息。",
        );
    }
    let Some(picture) = picture else {
        return context.refuse(
            "There is no picture in that message: choose one with a PNG, JPEG, GIF or WebP file.",
            "那条消息里没有图片：请选带 PNG、JPEG、GIF 或 WebP 文件的消息。",
        );
    };
    if picture.bytes > LARGEST {
        let most = LARGEST >> 20;
        return context.refuse(
            format!("That picture is too large: {most} MiB at most."),
            format!("这张图片太大：最多 {most} MiB。"),
        );
    }
    let kept = store.find_stickers(guild).await?;
    if kept.len() >= MOST {
        return context.refuse(
            format!("There are {MOST} stickers already: take one out first, with the same menu on its message."),
            format!("已经有 {MOST} 张贴纸：请先在其中一张的消息上用同一个菜单拿掉它。"),
        );
    }
    let name = name(message_text, &picture.name, &kept);
    let said = context.say(
        format!(
            "Kept as the sticker “{name}”. The same menu on the message takes it out again; it goes with the message, \
             too."
        ),
        format!("已留作贴纸“{name}”。在这条消息上再用一次同一个菜单就会拿掉；消息没了，它也会没。"),
    );
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
