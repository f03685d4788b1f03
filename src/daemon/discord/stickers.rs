//! What a message carries in the place of words, found when it is about to be sent: a sticker of the server by its name,
//! or a picture the host has put into the folder.

use crate::core::chat::ChannelId;
use crate::core::outgoing::{Action, Enclosed, Outgoing};
use crate::platform::discord::Discord;
use crate::platform::discord::send::Parcel;

/// The most names that are told.
const MOST_TOLD: usize = 60;

/// What an action carries, if it carries anything; the error names what could be sent instead.
pub(super) async fn parcel(discord: &Discord, outgoing: &Outgoing) -> Result<Option<Parcel>, String> {
    match &outgoing.action {
        Action::Send { with: Some(Enclosed::Poll(poll)), .. } => Ok(Some(Parcel::Poll(poll.clone()))),
        Action::Send { with: Some(Enclosed::Sticker(name)), .. } => {
            sticker(discord, outgoing.channel, name).await.map(Some)
        }
        Action::Send { with: None, .. } | Action::React { .. } => Ok(None),
    }
}

async fn sticker(discord: &Discord, channel: ChannelId, name: &str) -> Result<Parcel, String> {
    let own = {
        let directory = discord.directory();
        directory.guild_of(channel).and_then(|guild| directory.sticker(guild, name.trim())).map(|sticker| sticker.id)
    };
    if let Some(id) = own {
        return Ok(Parcel::Sticker(id));
    }
    match discord.shelf().find(name).await {
        Some(picture) => Ok(Parcel::Picture(picture)),
        None => Err(missing(name, &names(discord, channel).await)),
    }
}

/// Whether a sticker is a picture, which goes up as a file; the error names what there is.
pub(super) async fn is_file(discord: &Discord, channel: ChannelId, name: &str) -> Result<bool, String> {
    Ok(matches!(sticker(discord, channel, name).await?, Parcel::Picture(_)))
}

/// Everything that can be sent in a channel, the server's own first.
async fn names(discord: &Discord, channel: ChannelId) -> Vec<String> {
    let mut names: Vec<String> = {
        let directory = discord.directory();
        let guild = directory.guild_of(channel).and_then(|guild| directory.guilds.get(&guild));
        guild.map(|guild| guild.stickers.iter().map(|sticker| sticker.name.to_string()).collect()).unwrap_or_default()
    };
    names.extend(discord.shelf().names().await);
    names
}

fn missing(name: &str, names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_TOLD);
    match names.get(..MOST_TOLD).unwrap_or(names).join(", ") {
        all if all.is_empty() => "there are no stickers here".into(),
        all if more > 0 => format!("there is no sticker \"{name}\"; there are: {all} and {more} more"),
        all => format!("there is no sticker \"{name}\"; there are: {all}"),
    }
}
