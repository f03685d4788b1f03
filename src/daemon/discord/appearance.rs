//! What the companion looks like on Discord: its nick and its avatar follow the settings and the persona. Discord allows
//! few changes of an avatar, so a picture is put on once, and one that could not be is told once and not tried again
//! until the settings are read again.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::super::Daemon;
use kith_core::chat::GuildId;
use kith_core::directory::PermissionSet;
use kith_discord::DiscordConnection;
use kith_discord::send::{fingerprint_avatar, format_nick};
use kith_observe::CardSeverity;
use kith_store::Store;
use kith_system::clock;

/// Where it is kept which picture it wears; in a guild with the guild's id.
const AVATAR: &str = "discord.avatar";

/// What of its looks was seen to in this run.
#[derive(Debug, Default)]
pub(super) struct AppearanceState {
    /// The picture that was looked at last, everywhere and in guilds.
    pictures: HashMap<Option<GuildId>, Option<PathBuf>>,
    /// The guilds of which the host was told that it may not choose its nick there.
    warned_guilds: HashSet<GuildId>,
    /// Pictures are put on one after the other: who comes second sees what the first wears.
    avatar_lock: Arc<Mutex<()>>,
}

impl Daemon {
    /// Its looks in a guild follow the persona there.
    pub(super) fn update_guild_appearance(&mut self, guild: GuildId) {
        self.update_nick(guild);
        self.update_avatar(Some(guild));
    }

    /// The settings were read again: its looks follow them everywhere.
    pub(super) fn refresh_appearance(&mut self) {
        let Some(platform) = &mut self.away else {
            return;
        };
        platform.appearance.pictures.clear();
        platform.appearance.warned_guilds.clear();
        let guilds: Vec<GuildId> = platform.directory().guilds.keys().copied().collect();
        guilds
            .into_iter()
            .for_each(|guild| self.update_guild_appearance(guild));
        self.update_avatar(None);
    }

    fn update_nick(&mut self, guild: GuildId) {
        let Some(platform) = self
            .away
            .as_mut()
            .filter(|_| self.settings.discord.nick_follows_persona)
        else {
            return;
        };
        let name = format_nick(
            &self
                .settings
                .find_guild_persona(guild, &self.manual_overrides)
                .name,
        );
        let directory = platform.discord.directory();
        let Some(known) = directory
            .guilds
            .get(&guild)
            .filter(|known| known.nick.as_deref() != Some(&name))
        else {
            return;
        };
        let (place, may) = (
            known.name.clone(),
            directory.compute_own_guild_permissions(guild, clock::now()),
        );
        drop(directory);
        if !may.has(PermissionSet::CHANGE_NICKNAME) {
            if platform.appearance.warned_guilds.insert(guild) {
                let text = self.settings.language.unwrap_or_default().pick(
                    format!(
                        "In {place} I may not call myself {name}: give my role the permission \"Change Nickname\" there, or \
                         switch discord.nick_follows_persona off."
                    ),
                    format!(
                        "在 {place} 我不能改名为 {name}：请给我的身份组“更改昵称”权限，或关闭 \
                         discord.nick_follows_persona。"
                    ),
                );
                self.notify_operator(CardSeverity::Warning, text);
            }
            return;
        }
        let discord = platform.discord.clone();
        tokio::spawn(async move {
            if let Err(why) = discord.message_sender().set_nick(guild, Some(&name)).await {
                tracing::warn!(%guild, "the nick does not follow the persona: {why}");
            }
        });
    }

    /// Puts the picture of the settings on, everywhere or in one guild.
    pub(super) fn update_avatar(&mut self, place: Option<GuildId>) {
        let picture = self.settings.find_avatar(place, &self.manual_overrides);
        let language = self.settings.language.unwrap_or_default();
        let Some(platform) = &mut self.away else {
            return;
        };
        let seen = platform.appearance.pictures.insert(place, picture.clone());
        // A picture everywhere that is named no longer stays: the host may have put on another.
        if seen.as_ref() == Some(&picture) || (place.is_none() && picture.is_none()) {
            return;
        }
        let (discord, store, mirror) = (
            platform.discord.clone(),
            self.store.clone(),
            platform.appearance.avatar_lock.clone(),
        );
        tokio::spawn(async move {
            let _alone = mirror.lock().await;
            if let Err(why) = set_avatar(&discord, &store, place, picture).await {
                let text = language.pick(
                    format!(
                        "My avatar could not be changed ({why}). I try again at the next start or change of settings."
                    ),
                    format!("头像没有换成（{why}）。下次启动或设置改动时再试。"),
                );
                discord.notify_operator(text).await;
            }
        });
    }

    /// It is no member of a guild any more: what it wore there is gone.
    pub(super) async fn forget_guild_avatar(&mut self, guild: GuildId) {
        let Some(platform) = &mut self.away else {
            return;
        };
        platform.appearance.pictures.remove(&Some(guild));
        platform.appearance.warned_guilds.remove(&guild);
        let key = build_avatar_key(Some(guild));
        match self.store.load_meta(key.as_str()).await {
            Ok(Some(worn)) if !worn.is_empty() => {
                if let Err(error) = self.store.set_meta(key, "").await {
                    tracing::warn!(%error, %guild, "if it comes back there, it is taken to wear its picture still");
                }
            }
            _ => {}
        }
    }
}

/// Puts a picture on where it is not worn yet.
async fn set_avatar(
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

fn build_avatar_key(place: Option<GuildId>) -> String {
    place.map_or_else(|| AVATAR.to_owned(), |guild| format!("{AVATAR}.{guild}"))
}
