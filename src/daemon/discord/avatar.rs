//! Putting on an avatar. Discord allows few changes of one, so it is kept which picture is worn.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Mutex;

use kith_core::chat::GuildId;
use kith_discord::DiscordConnection;
use kith_discord::send::fingerprint_avatar;
use kith_store::Store;

/// Where it is kept which picture it wears; in a guild with the guild's id.
const AVATAR: &str = "discord.avatar";

#[derive(Debug, Default)]
pub(super) struct AppearanceState {
    /// The picture that was looked at last, everywhere and in guilds.
    pub pictures: HashMap<Option<GuildId>, Option<PathBuf>>,
    /// The guilds of which the host was told that it may not choose its nick there.
    pub warned_guilds: HashSet<GuildId>,
    /// Pictures are put on one after the other: who comes second sees what the first wears.
    pub avatar_lock: Arc<Mutex<()>>,
}

/// Puts a picture on where it is not worn yet.
pub(super) async fn set_avatar(
    discord: &DiscordConnection,
    store: &Store,
    place: Option<GuildId>,
    picture: Option<PathBuf>,
) -> Result<(), String> {
    let to_text = |error: &dyn std::fmt::Display| error.to_string();
    let bytes = match picture {
        Some(file) => Some(read_avatar_file(file).await?),
        None => None,
    };
    let key = build_avatar_key(place);
    let worn = store
        .load_meta(key.as_str())
        .await
        .map_err(|error| to_text(&error))?
        .unwrap_or_default();
    let wanted = bytes
        .as_deref()
        .map(|bytes| fingerprint_avatar(discord.me(), bytes))
        .unwrap_or_default();
    if worn == wanted {
        return Ok(());
    }
    let message_sender = discord.message_sender();
    match (place, &bytes) {
        (Some(guild), _) => message_sender
            .set_guild_avatar(guild, bytes.as_deref())
            .await
            .map_err(|why| to_text(&why))?,
        (None, Some(bytes)) => message_sender
            .set_avatar(bytes)
            .await
            .map_err(|why| to_text(&why))?,
        (None, None) => {}
    }
    store
        .set_meta(key, wanted)
        .await
        .map_err(|error| to_text(&error))
}

async fn read_avatar_file(file: PathBuf) -> Result<Vec<u8>, String> {
    let reading = tokio::task::spawn_blocking(move || {
        std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))
    });
    reading.await.map_err(|error| error.to_string())?
}

pub(super) fn build_avatar_key(place: Option<GuildId>) -> String {
    place.map_or_else(|| AVATAR.to_owned(), |guild| format!("{AVATAR}.{guild}"))
}
