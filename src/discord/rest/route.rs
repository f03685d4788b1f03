//! Every address of Discord's API that Kith uses. Only this file writes paths; a route knows what Discord counts it
//! under, and shows itself without its ids, for some of them are tokens.

use std::fmt;

use reqwest::{Method, Url};

use super::ability::{AbilityPlace, DiscordAbility};
use kith_core::chat::{ChannelId, GuildId, MessageId, UserId};

/// An address below the base of the API.
#[derive(Clone, PartialEq, Eq)]
pub struct RestRoute {
    /// The path with `{}` in the places of ids.
    template: &'static str,
    ids: Vec<String>,
}

impl RestRoute {
    fn new<const N: usize>(template: &'static str, ids: [&dyn fmt::Display; N]) -> Self {
        Self {
            template,
            ids: ids.map(|id| id.to_string()).into(),
        }
    }

    /// Gateway address, shards and how many sessions may still be started today: GET.
    pub fn gateway_bot() -> Self {
        Self::new("/gateway/bot", [])
    }

    /// The application with its intents and owners: GET.
    pub fn application() -> Self {
        Self::new("/applications/@me", [])
    }

    /// The companion's own account. GET, PATCH.
    pub fn me() -> Self {
        Self::new("/users/@me", [])
    }

    /// The application's commands, in every guild: GET, PUT (bulk overwrite).
    pub fn commands(application: u64) -> Self {
        Self::new("/applications/{}/commands", [&application])
    }

    /// The answer to an interaction, due within 3 seconds: POST.
    pub fn interaction_callback(interaction: u64, token: &str) -> Self {
        Self::new("/interactions/{}/{}/callback", [&interaction, &token])
    }

    /// The first answer to an interaction: GET, PATCH, DELETE.
    pub fn original_response(application: u64, token: &str) -> Self {
        Self::new("/webhooks/{}/{}/messages/@original", [&application, &token])
    }

    /// POST.
    pub fn follow_up(application: u64, token: &str) -> Self {
        Self::new("/webhooks/{}/{}", [&application, &token])
    }

    /// GET.
    pub fn guild(guild: GuildId) -> Self {
        Self::new("/guilds/{}", [&guild])
    }

    /// GET, PATCH, DELETE.
    pub fn member(guild: GuildId, user: UserId) -> Self {
        Self::new("/guilds/{}/members/{}", [&guild, &user])
    }

    /// The companion as a member: PATCH.
    pub fn current_member(guild: GuildId) -> Self {
        Self::new("/guilds/{}/members/@me", [&guild])
    }

    /// PUT, DELETE.
    pub fn ban(guild: GuildId, user: UserId) -> Self {
        Self::new("/guilds/{}/bans/{}", [&guild, &user])
    }

    /// GET.
    pub fn channel(channel: ChannelId) -> Self {
        Self::new("/channels/{}", [&channel])
    }

    /// The messages of a channel: GET (`limit`, `before`, `after`), POST.
    pub fn messages(channel: ChannelId) -> Self {
        Self::new("/channels/{}/messages", [&channel])
    }

    /// One message: GET, PATCH, DELETE.
    pub fn message(channel: ChannelId, message: MessageId) -> Self {
        Self::new("/channels/{}/messages/{}", [&channel, &message])
    }

    /// Many messages of a channel at once: POST. They must be younger than 14 days, and it takes Manage Messages.
    pub fn bulk_delete(channel: ChannelId) -> Self {
        Self::new("/channels/{}/messages/bulk-delete", [&channel])
    }

    /// The companion's own reaction: PUT, DELETE. `emoji` is the character, or `name:id`.
    pub fn own_reaction(channel: ChannelId, message: MessageId, emoji: &str) -> Self {
        Self::new(
            "/channels/{}/messages/{}/reactions/{}/@me",
            [&channel, &message, &emoji],
        )
    }

    /// Shows for 10 seconds that the companion types: POST.
    pub fn typing(channel: ChannelId) -> Self {
        Self::new("/channels/{}/typing", [&channel])
    }

    /// A thread that starts at a message: POST.
    pub fn message_thread(channel: ChannelId, message: MessageId) -> Self {
        Self::new("/channels/{}/messages/{}/threads", [&channel, &message])
    }

    /// The threads of a guild that are not archived: GET.
    pub fn active_threads(guild: GuildId) -> Self {
        Self::new("/guilds/{}/threads/active", [&guild])
    }

    /// A thread that starts at no message: POST.
    pub fn threads(channel: ChannelId) -> Self {
        Self::new("/channels/{}/threads", [&channel])
    }

    /// The whole address; ids are percent-encoded.
    pub(super) fn to_url(&self, base: &Url) -> Url {
        let mut url = base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            let mut ids = self.ids.iter();
            let parts = self.template.split('/').skip(1);
            segments.pop_if_empty().extend(parts.map(|part| match part {
                "{}" => ids.next().map_or("", String::as_str),
                fixed => fixed,
            }));
        }
        url
    }

    /// The path without ids: with the method the name under which Discord counts.
    pub(super) fn template(&self) -> &'static str {
        self.template
    }

    /// The part of the path that has buckets of its own: a channel, a guild, a webhook with its token.
    pub(super) fn major_parameter(&self) -> String {
        let owned = ["/channels/", "/guilds/"]
            .iter()
            .any(|start| self.template.starts_with(start));
        let parts = if self.is_signed_by_path() {
            2
        } else {
            usize::from(owned)
        };
        self.ids
            .iter()
            .take(parts)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("/")
    }

    /// Whether a token in the path stands for the bot's own, which is then not sent and whose limits do not count.
    pub(super) fn is_signed_by_path(&self) -> bool {
        self.template.starts_with("/webhooks/") || self.template.starts_with("/interactions/")
    }

    /// What a call needs to be allowed to do, and where, if a refusal holds for all calls of its kind.
    pub(super) fn required_ability(
        &self,
        method: &Method,
    ) -> Option<(AbilityPlace, DiscordAbility)> {
        let id = self.ids.first()?.parse().ok()?;
        let ability = match (method.as_str(), self.template) {
            ("POST", "/channels/{}/messages") => DiscordAbility::Send,
            ("GET", "/channels/{}/messages" | "/channels/{}/messages/{}") => {
                DiscordAbility::ReadHistory
            }
            ("PUT", "/channels/{}/messages/{}/reactions/{}/@me") => DiscordAbility::React,
            ("POST", "/channels/{}/typing") => DiscordAbility::Type,
            ("POST", "/channels/{}/threads" | "/channels/{}/messages/{}/threads") => {
                DiscordAbility::OpenThread
            }
            ("DELETE", "/channels/{}/messages/{}") => DiscordAbility::Delete,
            ("POST", "/channels/{}/messages/bulk-delete") => DiscordAbility::DeleteMany,
            ("PATCH", "/guilds/{}/members/@me") => {
                return Some((AbilityPlace::Guild(GuildId(id)), DiscordAbility::Rename));
            }
            _ => return None,
        };
        Some((AbilityPlace::Channel(ChannelId(id)), ability))
    }
}

impl fmt::Display for RestRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.template)
    }
}

impl fmt::Debug for RestRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.template)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emoji_is_encoded_and_the_base_keeps_its_path() {
        let base: Url = "http://127.0.0.1:9/api/v10".parse().unwrap();
        let route = |emoji| {
            RestRoute::own_reaction(ChannelId(1), MessageId(2), emoji)
                .to_url(&base)
                .to_string()
        };
        assert_eq!(
            route("👀"),
            "http://127.0.0.1:9/api/v10/channels/1/messages/2/reactions/%F0%9F%91%80/@me"
        );
        assert!(route("smile:5").ends_with("/reactions/smile:5/@me"));
        assert!(route("a/../../b?c").ends_with("/reactions/a%2F..%2F..%2Fb%3Fc/@me"));
        let slash: Url = "https://discord.com/api/v10/".parse().unwrap();
        assert_eq!(
            RestRoute::me().to_url(&slash).as_str(),
            "https://discord.com/api/v10/users/@me"
        );
    }

    #[test]
    fn buckets_belong_to_channels_guilds_and_webhooks_and_no_token_is_shown() {
        assert_eq!(
            RestRoute::message(ChannelId(1), MessageId(2)).major_parameter(),
            "1"
        );
        assert_eq!(RestRoute::ban(GuildId(3), UserId(4)).major_parameter(), "3");
        assert_eq!(RestRoute::commands(5).major_parameter(), "");
        assert_eq!(
            RestRoute::original_response(5, "aw-secret").major_parameter(),
            "5/aw-secret"
        );
        assert!(
            !format!("{0} {0:?}", RestRoute::interaction_callback(5, "aw-secret"))
                .contains("secret")
        );
    }
}
