//! Which events Discord is asked for: the fewest that reading along takes, each with its reason.

use serenity::model::gateway::GatewayIntents;

use kith_core::policy::ChannelMode;

/// Guilds, channels, threads and roles with their permissions: who may see what, where it may speak.
const PLACES: GatewayIntents = GatewayIntents::GUILDS;
/// The guild's own emoji and stickers, which it reacts and answers with.
const EXPRESSIONS: GatewayIntents = GatewayIntents::GUILD_EMOJIS_AND_STICKERS;
const MESSAGES: GatewayIntents = GatewayIntents::GUILD_MESSAGES;
/// What the messages say: without it all are empty but mentions, direct messages and its own. Privileged: a switch in
/// the developer portal.
const CONTENT: GatewayIntents = GatewayIntents::MESSAGE_CONTENT;
/// Reactions are part of what is said, and 🤫 asks for quiet.
const REACTIONS: GatewayIntents = GatewayIntents::GUILD_MESSAGE_REACTIONS;
/// Who still writes is waited for.
const TYPING: GatewayIntents = GatewayIntents::GUILD_MESSAGE_TYPING;
/// The same three in direct messages, asked for only where those are not off.
const DIRECT: GatewayIntents = GatewayIntents::DIRECT_MESSAGES
    .union(GatewayIntents::DIRECT_MESSAGE_REACTIONS)
    .union(GatewayIntents::DIRECT_MESSAGE_TYPING);

/// What is asked for. Never who joins or is online (`GUILD_MEMBERS`, `GUILD_PRESENCES`): members are known by what they
/// write, and the companion's own nick and roles come without (GUILD_MEMBER_UPDATE of oneself).
pub fn select_intents(direct_messages: ChannelMode) -> GatewayIntents {
    let guilds = PLACES | EXPRESSIONS | MESSAGES | CONTENT | REACTIONS | TYPING;
    if direct_messages == ChannelMode::Off {
        guilds
    } else {
        guilds | DIRECT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_message_content_is_privileged_and_direct_messages_are_asked_for_only_where_they_are_heard()
     {
        let privileged = GatewayIntents::privileged();
        assert_eq!(
            select_intents(ChannelMode::On) & privileged,
            GatewayIntents::MESSAGE_CONTENT
        );
        assert!(!select_intents(ChannelMode::Off).intersects(DIRECT));
        assert!(select_intents(ChannelMode::Observe).contains(DIRECT));
    }
}
