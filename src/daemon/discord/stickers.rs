//! What a message carries in the place of words, found when it is about to be sent: a sticker of the server by its name,
//! a picture its moderators keep, or one the host has put into the folder.

use kith_core::chat::ChannelId;
use kith_core::outgoing::{MessageEnclosure, OutgoingAction, VisibleAction};
use kith_core::sticker::Sticker;
use kith_discord::DiscordConnection;
use kith_discord::send::{Attachment, PictureUpload};
use kith_language::{LocalizedMessage, daemon};
use kith_store::{Store, StoreError};

const MOST_TOLD: usize = 60;

/// What an action carries, if it carries anything; the error names what could be sent instead.
pub(super) async fn find_attachment(
    discord: &DiscordConnection,
    store: &Store,
    outgoing: &OutgoingAction,
) -> Result<Option<Attachment>, String> {
    match &outgoing.action {
        VisibleAction::Send {
            with: Some(MessageEnclosure::Poll(poll)),
            ..
        } => Ok(Some(Attachment::Poll(poll.clone()))),
        VisibleAction::Send {
            with: Some(MessageEnclosure::Sticker(name)),
            ..
        } => {
            let readable = discord.directory().find_readable_channels(outgoing.channel);
            find_sticker(discord, store, outgoing.channel, name, &readable)
                .await
                .map(Some)
                .map_err(|why| why.to_string())
        }
        VisibleAction::Send { with: None, .. } | VisibleAction::React { .. } => Ok(None),
    }
}

async fn find_sticker(
    discord: &DiscordConnection,
    store: &Store,
    channel: ChannelId,
    name: &str,
    readable: &[ChannelId],
) -> Result<Attachment, LocalizedMessage> {
    let own = {
        let directory = discord.directory();
        directory
            .find_guild(channel)
            .and_then(|guild| directory.find_sticker(guild, name.trim()))
            .map(|sticker| sticker.id)
    };
    if let Some(id) = own {
        return Ok(Attachment::Sticker(id));
    }
    let kept = load_kept_stickers(discord, store, channel, readable).await?;
    if let Some(kept) = kept
        .iter()
        .find(|kept| kept.name.to_lowercase() == name.trim().to_lowercase())
        && let Some((ending, file)) = store
            .find_sticker_file(kept.channel, kept.message)
            .await
            .map_err(explain_read_failure)?
    {
        let (file, caption, bytes) = (format!("sticker.{ending}"), kept.name.clone(), file.into());
        return Ok(Attachment::Picture(PictureUpload {
            file,
            caption,
            bytes,
        }));
    }
    match discord.sticker_folder().find(name).await {
        Some(picture) => Ok(Attachment::Picture(picture)),
        None => Err(explain_missing_sticker(
            name,
            &list_sticker_names(discord, channel, &kept).await,
        )),
    }
}

/// Whether a sticker is a picture, which goes up as a file; the error names what there is. Of what moderators keep only
/// what stands in a channel of `readable` is there.
pub(super) async fn is_file(
    discord: &DiscordConnection,
    store: &Store,
    channel: ChannelId,
    name: &str,
    readable: &[ChannelId],
) -> Result<bool, LocalizedMessage> {
    Ok(matches!(
        find_sticker(discord, store, channel, name, readable).await?,
        Attachment::Picture(_)
    ))
}

/// What moderators keep that may be shown in a channel (Law 11).
async fn load_kept_stickers(
    discord: &DiscordConnection,
    store: &Store,
    channel: ChannelId,
    readable: &[ChannelId],
) -> Result<Vec<Sticker>, LocalizedMessage> {
    let guild = discord.directory().find_guild(channel);
    let Some(guild) = guild else {
        return Ok(Vec::new());
    };
    let mut kept = store
        .find_stickers(guild)
        .await
        .map_err(explain_read_failure)?;
    kept.retain(|sticker| readable.contains(&sticker.channel));
    Ok(kept)
}

fn explain_read_failure(error: StoreError) -> LocalizedMessage {
    tracing::error!(%error, "stickers cannot be read");
    daemon::stickers_unreadable()
}

/// Everything that can be sent in a channel, the server's own first.
async fn list_sticker_names(
    discord: &DiscordConnection,
    channel: ChannelId,
    kept: &[Sticker],
) -> Vec<String> {
    let mut names: Vec<String> = {
        let directory = discord.directory();
        let guild = directory
            .find_guild(channel)
            .and_then(|guild| directory.guilds.get(&guild));
        guild
            .map(|guild| {
                guild
                    .stickers
                    .iter()
                    .map(|sticker| sticker.name.to_string())
                    .collect()
            })
            .unwrap_or_default()
    };
    names.extend(kept.iter().map(|sticker| sticker.name.clone()));
    names.extend(discord.sticker_folder().list_names().await);
    names
}

fn explain_missing_sticker(name: &str, names: &[String]) -> LocalizedMessage {
    let more = names.len().saturating_sub(MOST_TOLD);
    match names.get(..MOST_TOLD).unwrap_or(names).join(", ") {
        all if all.is_empty() => daemon::no_stickers(),
        all if more > 0 => daemon::unknown_sticker_of_many(more, name, all),
        all => daemon::unknown_sticker(name, all),
    }
}
