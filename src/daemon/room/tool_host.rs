//! What tools may know of the room and have done in it. All of it is the loop's to do, for the room is nowhere else.

use std::future::ready;
use std::sync::{Arc, PoisonError, RwLock};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::input::{RoomCommand, RoomCommandSender};
use crate::daemon::loop_message::{LoopCommand, LoopCommandSender};
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId, ChannelKind, MessageId, UserId};
use kith_tools::{
    Authorization, CallerRights, HostCommand, HostResult, MemberProfile, ThreadRequest, ToolHost,
};

#[derive(Debug)]
pub struct RoomHost {
    known: RwLock<SharedRoom>,
    loop_commands: LoopCommandSender,
    room_commands: RoomCommandSender,
}

#[derive(Debug, Default)]
struct SharedRoom {
    /// The channels that everybody sees.
    shared: Vec<ChannelId>,
    people: Vec<Author>,
}

impl RoomHost {
    /// Knows nothing yet.
    pub fn new(loop_commands: LoopCommandSender, room_commands: RoomCommandSender) -> Self {
        Self {
            known: RwLock::default(),
            loop_commands,
            room_commands,
        }
    }

    pub fn set_members(&self, channels: &[Channel], people: &[Author]) {
        let shared = channels
            .iter()
            .filter(|channel| channel.kind != ChannelKind::Direct);
        let known = SharedRoom {
            shared: shared.map(|channel| channel.id).collect(),
            people: people.to_vec(),
        };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
    }
}

impl ToolHost for RoomHost {
    /// Everybody in the room sees all of its channels but direct messages.
    fn find_readable_channels(&self, channel: ChannelId) -> Vec<ChannelId> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.shared.contains(&channel) {
            known.shared.clone()
        } else {
            vec![channel]
        }
    }

    /// Whoever can open the page sits at the machine the companion runs on.
    fn find_caller_rights<'a>(
        &'a self,
        _: ChannelId,
        _: &'a Author,
    ) -> BoxFuture<'a, CallerRights> {
        ready(CallerRights {
            is_operator: true,
            ..CallerRights::default()
        })
        .boxed()
    }

    fn find_name(&self, _: ChannelId, person: UserId) -> Option<Arc<str>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut people = known.people.iter();
        people
            .find(|known| known.id == person)
            .map(|known| known.name.clone())
    }

    fn find_person(&self, _: ChannelId, name: &str) -> Option<Author> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known
            .people
            .iter()
            .find(|person| person.name.to_lowercase() == name.to_lowercase())
            .cloned()
    }

    fn fetch_profile<'a>(
        &'a self,
        _: ChannelId,
        person: &'a Author,
    ) -> HostResult<'a, MemberProfile> {
        let is_bot = person.kind != AuthorKind::Person;
        ready(Ok(MemberProfile {
            name: person.name.to_string(),
            is_bot,
            ..MemberProfile::default()
        }))
        .boxed()
    }

    fn edit_message<'a>(
        &'a self,
        channel: ChannelId,
        message: MessageId,
        text: &'a str,
    ) -> HostResult<'a> {
        self.room_commands
            .run(channel, RoomCommand::Edit(message, text.to_owned()))
            .boxed()
    }

    fn delete_message(&self, channel: ChannelId, message: MessageId) -> HostResult<'_> {
        self.room_commands
            .run(channel, RoomCommand::TakeBack(message))
            .boxed()
    }

    fn open_thread(&self, channel: ChannelId, thread: ThreadRequest) -> HostResult<'_> {
        self.room_commands
            .run(channel, RoomCommand::OpenThread(thread))
            .boxed()
    }

    fn run_command(
        &self,
        channel: ChannelId,
        authorization: Authorization,
        command: HostCommand,
    ) -> HostResult<'_> {
        self.loop_commands
            .run(channel, LoopCommand::Host(authorization, command))
            .boxed()
    }
}
