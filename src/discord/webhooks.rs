//! Webhooks that speak for people, such as PluralKit's: who writes through one that the settings name is answered like a
//! person. They have no account, so nobody can act under their name; that needs the id of one.

use sha2::{Digest, Sha256};

use super::DiscordSettings;
use kith_core::chat::{GuildId, UserId};

pub const KNOWN: [(&str, u64); 2] = [
    ("pluralkit", 466_378_653_216_014_359),
    ("tupperbox", 431_544_605_209_788_416),
];
/// From here on there are no ids of Discord's before the year 2049.
const FIRST: u64 = 1 << 62;

/// The id that a name or an id in the settings means; none where it is neither.
pub fn parse_webhook(text: &str) -> Option<u64> {
    let known = KNOWN
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    known
        .map(|(_, id)| *id)
        .or_else(|| text.parse().ok().filter(|id| *id != 0))
}

pub(super) fn collect_answered(settings: &DiscordSettings) -> Vec<u64> {
    let named = settings.answer_webhooks.iter();
    named.filter_map(|text| parse_webhook(text)).collect()
}

/// Who writes under a name through an application: the same in all channels of a server.
pub(super) fn build_proxied_id(guild: Option<GuildId>, application: u64, name: &str) -> UserId {
    let mut hash = Sha256::new();
    hash.update(guild.unwrap_or_default().0.to_be_bytes());
    hash.update(application.to_be_bytes());
    hash.update(name);
    let mut first = [0; 8];
    first.copy_from_slice(&hash.finalize()[..8]);
    UserId(FIRST | u64::from_be_bytes(first) & (FIRST - 1))
}

/// Whether somebody writes through a webhook, and so is no member.
pub fn is_proxied(user: UserId) -> bool {
    user.0 >= FIRST
}
