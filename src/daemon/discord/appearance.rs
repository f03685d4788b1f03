//! What the companion looks like on Discord: its nick and its avatar follow the settings and the persona. Discord allows
//! few changes of an avatar, so a picture is put on once, and one that could not be is told once and not tried again
//! until the settings are read again.

use super::DiscordPlatform;
use super::avatar::{build_avatar_key, set_avatar};
use crate::daemon::state::Daemon;
use kith_core::chat::GuildId;
use kith_core::directory::PermissionSet;
use kith_discord::send::format_nick;
use kith_language::discord;
use kith_observe::CardSeverity;
use kith_system::clock;

impl Daemon<DiscordPlatform> {
    pub(super) fn update_guild_appearance(&mut self, guild: GuildId) {
        self.update_nick(guild);
        self.update_avatar(Some(guild));
    }

    /// The settings were read again: its looks follow them everywhere.
    pub(super) fn refresh_appearance(&mut self) {
        let platform = &mut self.platform;
        platform.appearance.pictures.clear();
        platform.appearance.warned_guilds.clear();
        let guilds: Vec<GuildId> = platform.directory().guilds.keys().copied().collect();
        guilds
            .into_iter()
            .for_each(|guild| self.update_guild_appearance(guild));
        self.update_avatar(None);
    }

    fn update_nick(&mut self, guild: GuildId) {
        if !self.settings.discord.nick_follows_persona {
            return;
        }
        let platform = &mut self.platform;
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
                let language = self.settings.language.unwrap_or_default();
                let text = discord::nickname_not_allowed(name, &*place).in_language(language);
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
        // The account has one picture, whoever puts it on.
        if place.is_none() && !self.platform.discord.partition().is_first() {
            return;
        }
        let picture = self.settings.find_avatar(place, &self.manual_overrides);
        let language = self.settings.language.unwrap_or_default();
        let platform = &mut self.platform;
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
                let text = discord::avatar_not_changed(why.to_string()).in_language(language);
                discord.notify_operator(text).await;
            }
        });
    }

    /// It is no member of a guild any more: what it wore there is gone.
    pub(super) async fn forget_guild_avatar(&mut self, guild: GuildId) {
        let platform = &mut self.platform;
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
