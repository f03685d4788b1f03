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
use kith_discord::send::{mark, nick};
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
    told: HashSet<GuildId>,
    /// Pictures are put on one after the other: who comes second sees what the first wears.
    mirror: Arc<Mutex<()>>,
}

impl Daemon {
    /// Its looks in a guild follow the persona there.
    pub(super) fn follow_persona(&mut self, guild: GuildId) {
        self.follow_name(guild);
        self.follow_picture(Some(guild));
    }

    /// The settings were read again: its looks follow them everywhere.
    pub(super) fn follow_looks(&mut self) {
        let Some(away) = &mut self.away else { return };
        away.looks.pictures.clear();
        away.looks.told.clear();
        let guilds: Vec<GuildId> = away.directory().guilds.keys().copied().collect();
        guilds.into_iter().for_each(|guild| self.follow_persona(guild));
        self.follow_picture(None);
    }

    fn follow_name(&mut self, guild: GuildId) {
        let Some(away) = self.away.as_mut().filter(|_| self.settings.discord.nick_follows_persona) else { return };
        let name = nick(&self.settings.persona_in(guild, &self.by_hand).name);
        let directory = away.discord.directory();
        let Some(known) = directory.guilds.get(&guild).filter(|known| known.nick.as_deref() != Some(&name)) else {
            return;
        };
        let (place, may) = (known.name.clone(), directory.mine_in(guild, clock::now()));
        drop(directory);
        if !may.has(PermissionSet::CHANGE_NICKNAME) {
            if away.looks.told.insert(guild) {
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
                self.notice(CardSeverity::Warning, text);
            }
            return;
        }
        let discord = away.discord.clone();
        tokio::spawn(async move {
            if let Err(why) = discord.message_sender().be_called(guild, Some(&name)).await {
                tracing::warn!(%guild, "the nick does not follow the persona: {why}");
            }
        });
    }

    /// Puts the picture of the settings on, everywhere or in one guild.
    pub(super) fn follow_picture(&mut self, place: Option<GuildId>) {
        let picture = self.settings.avatar(place, &self.by_hand);
        let language = self.settings.language.unwrap_or_default();
        let Some(away) = &mut self.away else { return };
        let seen = away.looks.pictures.insert(place, picture.clone());
        // A picture everywhere that is named no longer stays: the host may have put on another.
        if seen.as_ref() == Some(&picture) || (place.is_none() && picture.is_none()) {
            return;
        }
        let (discord, store, mirror) = (away.discord.clone(), self.store.clone(), away.looks.mirror.clone());
        tokio::spawn(async move {
            let _alone = mirror.lock().await;
            if let Err(why) = put_on(&discord, &store, place, picture).await {
                let text = language.pick(
                    format!(
                        "My avatar could not be changed ({why}). I try again at the next start or change of settings."
                    ),
                    format!("头像没有换成（{why}）。下次启动或设置改动时再试。"),
                );
                discord.tell_host(text).await;
            }
        });
    }

    /// It is no member of a guild any more: what it wore there is gone.
    pub(super) async fn take_off(&mut self, guild: GuildId) {
        let Some(away) = &mut self.away else { return };
        away.looks.pictures.remove(&Some(guild));
        away.looks.told.remove(&guild);
        let key = key(Some(guild));
        match self.store.meta(key.as_str()).await {
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
async fn put_on(
    discord: &DiscordConnection,
    store: &Store,
    place: Option<GuildId>,
    picture: Option<PathBuf>,
) -> Result<(), String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let bytes = match picture {
        Some(file) => Some(read(file).await?),
        None => None,
    };
    let key = key(place);
    let worn = store.meta(key.as_str()).await.map_err(|error| said(&error))?.unwrap_or_default();
    let wanted = bytes.as_deref().map(|bytes| mark(discord.me(), bytes)).unwrap_or_default();
    if worn == wanted {
        return Ok(());
    }
    let message_sender = discord.message_sender();
    match (place, &bytes) {
        (Some(guild), _) => message_sender.look_like_in(guild, bytes.as_deref()).await.map_err(|why| said(&why))?,
        (None, Some(bytes)) => message_sender.look_like(bytes).await.map_err(|why| said(&why))?,
        (None, None) => {}
    }
    store.set_meta(key, wanted).await.map_err(|error| said(&error))
}

async fn read(file: PathBuf) -> Result<Vec<u8>, String> {
    let reading = tokio::task::spawn_blocking(move || {
        std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))
    });
    reading.await.map_err(|error| error.to_string())?
}

fn key(place: Option<GuildId>) -> String {
    place.map_or_else(|| AVATAR.to_owned(), |guild| format!("{AVATAR}.{guild}"))
}
