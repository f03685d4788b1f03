//! Guilds, channels, members seen, roles and emoji, filled by events.
