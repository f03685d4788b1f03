//! Who may do what: the checks every route begins with, in the order and with the numbers Discord answers.

use super::errors;
use super::routes::Result;
use crate::fake_discord::Id;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::world::permissions::{self as may, rank};
use crate::fake_discord::world::{Channel, Guild, Message};

impl State {
    /// What the bot may in a channel, which it must be able to see.
    pub(super) fn rights(&self, channel: Id) -> Result<u64> {
        let place = self
            .world
            .channels
            .get(&channel)
            .ok_or_else(|| errors::code(10003))?;
        let rights = self.may(self.world.bot, place);
        if rights & may::VIEW_CHANNEL == 0 {
            Err(errors::code(50001))
        } else {
            Ok(rights)
        }
    }

    pub(super) fn channel_with(&self, channel: Id, needed: u64) -> Result<&Channel> {
        let rights = self.rights(channel)?;
        if rights & needed == needed {
            Ok(self.world.channel(channel))
        } else {
            Err(errors::code(50013))
        }
    }

    /// The permission to speak in a channel, which for threads is another one.
    pub(super) fn speaking(&self, channel: Id) -> Result<u64> {
        let place = self
            .world
            .channels
            .get(&channel)
            .ok_or_else(|| errors::code(10003))?;
        if matches!(place.kind, 4 | 15 | 16) {
            return Err(errors::code(50008));
        }
        Ok(if place.thread.is_some() {
            may::SEND_MESSAGES_IN_THREADS
        } else {
            may::SEND_MESSAGES
        })
    }

    pub(super) fn message_there(&self, channel: Id, message: Id) -> Result<&Message> {
        self.world
            .message(channel, message)
            .ok_or_else(|| errors::code(10008))
    }

    pub(super) fn guild_there(&self, guild: Id) -> Result<&Guild> {
        let found = self
            .world
            .guilds
            .get(&guild)
            .ok_or_else(|| errors::code(10004))?;
        if found.members.contains_key(&self.world.bot) {
            Ok(found)
        } else {
            Err(errors::code(50001))
        }
    }

    pub(super) fn guild_with_right(&self, guild: Id, needed: u64) -> Result<&Guild> {
        let found = self.guild_there(guild)?;
        let rights = may::in_guild(found, self.world.bot, self.clock.now());
        if rights & needed == needed {
            Ok(found)
        } else {
            Err(errors::code(50013))
        }
    }

    /// Whether the bot stands above somebody in a guild.
    pub(super) fn is_above(&self, guild: &Guild, user: Id) -> bool {
        rank(guild, self.world.bot) > rank(guild, user)
    }

    /// A thread must be open for everything but speaking.
    pub(super) fn not_archived(&self, channel: Id) -> Result<()> {
        let thread = self.world.channel(channel).thread.as_ref();
        if thread.is_some_and(|thread| thread.archived) {
            Err(errors::code(50083))
        } else {
            Ok(())
        }
    }

    /// In a locked thread only those who manage threads write and react.
    pub(super) fn not_locked(&self, channel: Id, rights: u64) -> Result<()> {
        let thread = self.world.channel(channel).thread.as_ref();
        let is_shut =
            thread.is_some_and(|thread| thread.locked) && rights & may::MANAGE_THREADS == 0;
        if is_shut {
            Err(errors::code(160_005))
        } else {
            Ok(())
        }
    }
}
