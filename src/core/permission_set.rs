//! What may be done, as a set of Discord's bits.

use std::ops::{BitAnd, BitOr, Not};

/// What may be done, as Discord's bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PermissionSet(pub u64);

impl PermissionSet {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(u64::MAX);
    pub const KICK_MEMBERS: Self = Self(1 << 1);
    pub const BAN_MEMBERS: Self = Self(1 << 2);
    /// Everything, whatever channels say.
    pub const ADMINISTRATOR: Self = Self(1 << 3);
    pub const MANAGE_GUILD: Self = Self(1 << 5);
    /// Put a reaction on a message that nobody else put there.
    pub const ADD_REACTIONS: Self = Self(1 << 6);
    pub const VIEW_CHANNEL: Self = Self(1 << 10);
    /// Write messages; create posts of a forum.
    pub const SEND_MESSAGES: Self = Self(1 << 11);
    pub(crate) const SEND_TTS_MESSAGES: Self = Self(1 << 12);
    /// Delete and pin messages of others.
    pub const MANAGE_MESSAGES: Self = Self(1 << 13);
    /// Have links shown with what they lead to, and send embeds.
    pub const EMBED_LINKS: Self = Self(1 << 14);
    pub const ATTACH_FILES: Self = Self(1 << 15);
    pub const READ_MESSAGE_HISTORY: Self = Self(1 << 16);
    pub(crate) const MENTION_EVERYONE: Self = Self(1 << 17);
    /// Join a voice channel; needed to read its text, too.
    pub const CONNECT: Self = Self(1 << 20);
    /// Change one's own nick.
    pub const CHANGE_NICKNAME: Self = Self(1 << 26);
    /// Archive, lock and delete threads, and write in locked ones.
    pub const MANAGE_THREADS: Self = Self(1 << 34);
    pub const CREATE_PUBLIC_THREADS: Self = Self(1 << 35);
    pub const SEND_MESSAGES_IN_THREADS: Self = Self(1 << 38);
    pub const SEND_POLLS: Self = Self(1 << 49);
    pub const MODERATE_MEMBERS: Self = Self(1 << 40);

    /// Whether all of `wanted` are among these.
    pub const fn has(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    pub(crate) const fn union(all: &[Self]) -> Self {
        let (mut sum, mut at) = (0, 0);
        while at < all.len() {
            sum |= all[at].0;
            at += 1;
        }
        Self(sum)
    }
}

impl BitOr for PermissionSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for PermissionSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for PermissionSet {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}
