//! The companion's nick and avatar. Changed only when they differ from what is there: Discord allows few changes.

use serde_json::{Value, json};
use serenity::builder::CreateAttachment;
use sha2::{Digest, Sha256};

use super::MessageSender;
use crate::rest::{RestError, RestRequest, RestRoute, RetrySafety};
use kith_core::chat::{GuildId, UserId};

/// The longest nick, in characters.
const LONGEST_NICK: usize = 32;

/// A name as Discord keeps it as a nick: without white space in excess, at most 32 characters.
pub fn format_nick(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let nick: String = words.join(" ").chars().take(LONGEST_NICK).collect();
    nick.trim_end().to_owned()
}

/// A mark of a picture that somebody wears, to be kept: as long as it is the same, nothing has to be changed.
pub fn fingerprint_avatar(wearer: UserId, picture: &[u8]) -> String {
    let digest: String = Sha256::digest(picture)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{wearer}.{digest}")
}

impl MessageSender {
    /// Takes a nick in a guild; none takes it back. Asks nothing where it is so already.
    pub async fn set_nick(&self, guild: GuildId, name: Option<&str>) -> Result<(), RestError> {
        let nick = name.map(format_nick).filter(|nick| !nick.is_empty());
        let there = self
            .directory()
            .guilds
            .get(&guild)
            .and_then(|guild| guild.nick.clone());
        if there.as_deref() == nick.as_deref() {
            return Ok(());
        }
        self.rest
            .call(
                RestRequest::patch(RestRoute::current_member(guild)).json(json!({ "nick": nick })),
            )
            .await
            .map(drop)
    }

    /// Makes a picture (PNG, JPEG or GIF) the avatar everywhere where a guild has no other.
    ///
    /// # Errors
    /// Among others [`RestError::Invalid`] where Discord cannot read the picture or it was changed too often lately.
    pub async fn set_avatar(&self, picture: &[u8]) -> Result<(), RestError> {
        // Discord wants the name beside it, also where it stays.
        let me = self.rest.call(RestRequest::get(RestRoute::me())).await?;
        self.patch_profile(
            RestRoute::me(),
            json!({ "username": me["username"], "avatar": encode_data_uri(picture) }),
        )
        .await
    }

    /// Makes a picture the avatar in one guild; without one it is the same there as everywhere.
    pub async fn set_guild_avatar(
        &self,
        guild: GuildId,
        picture: Option<&[u8]>,
    ) -> Result<(), RestError> {
        self.patch_profile(
            RestRoute::current_member(guild),
            json!({ "avatar": picture.map(encode_data_uri) }),
        )
        .await
    }

    /// Not asked for again where it may have been done: that would be one of the few changes, too.
    async fn patch_profile(&self, route: RestRoute, body: Value) -> Result<(), RestError> {
        self.rest
            .call(
                RestRequest::patch(route)
                    .json(body)
                    .safety(RetrySafety::Once),
            )
            .await
            .map(drop)
    }
}

fn encode_data_uri(picture: &[u8]) -> String {
    let kind = match picture {
        [0xff, 0xd8, ..] => "image/jpeg",
        [b'G', b'I', b'F', ..] => "image/gif",
        _ => "image/png",
    };
    // serenity calls every picture a PNG.
    CreateAttachment::bytes(picture, "avatar")
        .to_base64()
        .replacen("image/png", kind, 1)
}
