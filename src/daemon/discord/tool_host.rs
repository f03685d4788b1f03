//! What tools may know of Discord and have done there: who can read what, what everybody can see of a member, and what is
//! done over the API. Whatever would be refused for want of a permission is not even asked.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::preferences::read_preference;
use super::stickers;
use crate::daemon::loop_message::{LoopCommand, LoopCommandSender};
use kith_core::chat::{Author, AuthorKind, ChannelId, ChannelKind, GuildId, MessageId, UserId};
use kith_core::directory::{Directory, PermissionSet, ThreadSupport};
use kith_core::outgoing::MessageEnclosure;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_discord::DiscordConnection;
use kith_discord::rest::RestError;
use kith_discord::send::CurrentMember;
use kith_discord::webhooks::is_proxied;
use kith_language::{LocalizedMessage, daemon};
use kith_store::{PersonPreferences, Store};
use kith_system::clock;
use kith_tools::{
    Authorization, CallerRights, HostCommand, HostResult, MemberProfile, ServerInfo, ThreadRequest,
    ToolHost,
};

/// Which channels' text may be shown where (Law 11): those everybody who can view the one can view too, and of them
/// only those it speaks in now: what is merely observed is promised to reach no model.
pub(super) struct ReadableChannels {
    directory: Arc<RwLock<Directory>>,
    modes: RwLock<HashMap<ChannelId, ChannelMode>>,
    discord: DiscordConnection,
    store: Store,
    preferences: Arc<RwLock<PersonPreferences>>,
    loop_commands: LoopCommandSender,
}

impl ReadableChannels {
    pub fn new(
        discord: DiscordConnection,
        store: Store,
        preferences: Arc<RwLock<PersonPreferences>>,
        loop_commands: LoopCommandSender,
    ) -> Self {
        let (directory, modes) = (discord.shared_directory(), RwLock::default());
        Self {
            directory,
            modes,
            discord,
            store,
            preferences,
            loop_commands,
        }
    }

    /// Answers what held in the channel until now, if that was known.
    pub fn set(&self, channel: ChannelId, mode: ChannelMode) -> Option<ChannelMode> {
        self.modes
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(channel, mode)
    }

    pub fn get(&self, channel: ChannelId) -> Option<ChannelMode> {
        self.modes
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&channel)
            .copied()
    }

    pub fn is_read(&self, channel: ChannelId) -> bool {
        self.get(channel)
            .is_some_and(|mode| mode != ChannelMode::Off)
    }

    /// Whether a channel is known not to be read.
    pub fn is_off(&self, channel: ChannelId) -> bool {
        self.get(channel) == Some(ChannelMode::Off)
    }

    fn directory(&self) -> RwLockReadGuard<'_, Directory> {
        self.directory
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// What keeps it from something in a channel for want of a permission, in a sentence.
    fn check_permission(
        &self,
        channel: ChannelId,
        needed: PermissionSet,
        name: &str,
    ) -> Result<(), LocalizedMessage> {
        let may = self
            .directory()
            .compute_own_permissions(channel, clock::now());
        may.has(needed)
            .then_some(())
            .ok_or_else(|| daemon::permission_missing(name))
    }

    async fn check_sticker(&self, channel: ChannelId, name: &str) -> Result<(), LocalizedMessage> {
        let readable = self.find_readable_channels(channel);
        if stickers::is_file(&self.discord, &self.store, channel, name, &readable).await? {
            self.check_permission(channel, PermissionSet::ATTACH_FILES, "Attach Files")?;
        }
        Ok(())
    }

    async fn start_thread(
        &self,
        channel: ChannelId,
        thread: ThreadRequest,
    ) -> Result<(), LocalizedMessage> {
        let guild = {
            let directory = self.directory();
            let known = directory
                .channels
                .get(&channel)
                .filter(|known| known.threads != ThreadSupport::Unsupported);
            known
                .and_then(|known| known.channel.guild)
                .ok_or_else(daemon::no_thread_here)?
        };
        self.check_permission(
            channel,
            PermissionSet::CREATE_PUBLIC_THREADS,
            "Create Public Threads",
        )?;
        if !thread.text.is_empty() {
            self.check_permission(
                channel,
                PermissionSet::SEND_MESSAGES_IN_THREADS,
                "Send Messages in Threads",
            )?;
        }
        let opened = self
            .discord
            .message_sender()
            .open_thread((guild, channel), thread.on, &thread.name, None)
            .await;
        let opened = opened.map_err(explain_refusal)?;
        match thread.text.is_empty() {
            true => Ok(()),
            false => {
                self.loop_commands
                    .run(opened, LoopCommand::PostOpening(thread.text))
                    .await
            }
        }
    }

    async fn look_up_member(
        &self,
        channel: ChannelId,
        person: &Author,
    ) -> Result<MemberProfile, LocalizedMessage> {
        if read_preference(&self.preferences, person.id) == PersonPreference::Ignore {
            return Err(daemon::member_unknown(&*person.name));
        }
        let has_account = person.kind != AuthorKind::Webhook && !is_proxied(person.id);
        let known = MemberProfile {
            name: person.name.to_string(),
            made: has_account.then(|| read_creation_time(person.id)),
            is_bot: person.kind == AuthorKind::Bot,
            ..MemberProfile::default()
        };
        let Some(guild) = self.directory().find_guild(channel) else {
            return Ok(known);
        };
        if !has_account {
            return Ok(known);
        }
        match self
            .discord
            .message_sender()
            .fetch_member(guild, person.id)
            .await
        {
            Ok(Some(member)) => self
                .build_member_profile(channel, guild, member)
                .ok_or_else(|| daemon::member_not_here(&*person.name)),
            Ok(None) => Err(daemon::member_gone(&*person.name)),
            Err(why) => Err(explain_refusal(why)),
        }
    }

    /// None of who cannot read along: a name of another channel tells nothing here.
    fn build_member_profile(
        &self,
        channel: ChannelId,
        guild: GuildId,
        member: CurrentMember,
    ) -> Option<MemberProfile> {
        let directory = self.directory();
        let is_here = directory
            .compute_permissions(channel, &member.as_guild_member())
            .has(PermissionSet::VIEW_CHANNEL);
        let roles = directory.guilds.get(&guild).map(|known| &known.roles);
        let mut roles: Vec<_> = member
            .roles
            .iter()
            .filter_map(|role| roles?.get(role))
            .collect();
        roles.sort_by_key(|role| std::cmp::Reverse(role.position));
        let roles = roles
            .into_iter()
            .map(|role| role.name.to_string())
            .collect();
        let CurrentMember {
            id,
            joined,
            account,
            nick,
            is_bot,
            ..
        } = member;
        let (name, account) = match nick.filter(|nick| *nick != account) {
            Some(nick) => (nick, Some(account)),
            None => (account, None),
        };
        is_here.then(|| MemberProfile {
            name,
            account,
            roles,
            joined,
            made: Some(read_creation_time(id)),
            is_bot,
        })
    }
}

/// When an account was made: its id tells.
fn read_creation_time(user: UserId) -> kith_core::chat::Millis {
    kith_discord::snowflake::snowflake_time(MessageId(user.0))
}

impl ToolHost for ReadableChannels {
    fn find_readable_channels(&self, channel: ChannelId) -> Vec<ChannelId> {
        let mut readable = self
            .directory
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .find_readable_channels(channel);
        let modes = self.modes.read().unwrap_or_else(PoisonError::into_inner);
        readable.retain(|other| *other == channel || modes.get(other) == Some(&ChannelMode::On));
        readable
    }

    fn server(&self, channel: ChannelId) -> Option<ServerInfo> {
        let directory = self
            .directory
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let guild = directory.guilds.get(&directory.find_guild(channel)?)?;
        let mut channels: Vec<_> = directory
            .find_readable_channels(channel)
            .iter()
            .filter_map(|id| {
                let known = directory.channels.get(id)?;
                (known.channel.kind == ChannelKind::Group).then(|| known.channel.name.clone())
            })
            .collect();
        channels.sort_unstable();
        Some(ServerInfo {
            name: guild.name.clone(),
            channels,
        })
    }

    fn list_emoji(&self, channel: ChannelId) -> Vec<Arc<str>> {
        let directory = self
            .directory
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let guild = directory
            .find_guild(channel)
            .and_then(|guild| directory.guilds.get(&guild));
        guild
            .map(|guild| guild.emoji.iter().map(|emoji| emoji.name.clone()).collect())
            .unwrap_or_default()
    }

    /// Roles are asked for at that very moment: who lost one a minute ago has lost what it allowed.
    fn find_caller_rights<'a>(
        &'a self,
        channel: ChannelId,
        person: &'a Author,
    ) -> BoxFuture<'a, CallerRights> {
        async move {
            let is_host = self.discord.is_operator(person.id);
            let Some(guild) = self.discord.directory().find_guild(channel) else {
                return CallerRights {
                    is_operator: is_host,
                    ..CallerRights::default()
                };
            };
            match self
                .discord
                .message_sender()
                .fetch_member(guild, person.id)
                .await
            {
                Ok(Some(member)) => {
                    let (directory, member) = (self.discord.directory(), member.as_guild_member());
                    let is_moderator = directory.is_moderator(guild, &member);
                    CallerRights {
                        is_operator: is_host,
                        is_moderator,
                        roles: directory.collect_role_names(guild, &member),
                    }
                }
                Ok(None) => CallerRights {
                    is_operator: is_host,
                    ..CallerRights::default()
                },
                Err(why) => {
                    tracing::warn!("what somebody may do is not known, so they may not: {why}");
                    CallerRights {
                        is_operator: is_host,
                        ..CallerRights::default()
                    }
                }
            }
        }
        .boxed()
    }

    fn find_name(&self, channel: ChannelId, person: UserId) -> Option<Arc<str>> {
        let directory = self.directory();
        let guild = directory.find_guild(channel);
        directory.find_name(guild, person).cloned()
    }

    fn find_person(&self, channel: ChannelId, name: &str) -> Option<Author> {
        let directory = self.directory();
        let guild = directory.find_guild(channel);
        let (id, length) = directory.find_named_user(guild, name)?;
        let known = directory
            .find_name(guild, id)
            .filter(|_| length == name.len())?
            .clone();
        Some(Author {
            id,
            name: known,
            kind: AuthorKind::Person,
        })
    }

    fn fetch_profile<'a>(
        &'a self,
        channel: ChannelId,
        person: &'a Author,
    ) -> HostResult<'a, MemberProfile> {
        self.look_up_member(channel, person).boxed()
    }

    fn edit_message<'a>(
        &'a self,
        channel: ChannelId,
        message: MessageId,
        text: &'a str,
    ) -> HostResult<'a> {
        async move {
            self.discord
                .message_sender()
                .edit_message(channel, message, text)
                .await
                .map_err(explain_refusal)
        }
        .boxed()
    }

    fn delete_message(&self, channel: ChannelId, message: MessageId) -> HostResult<'_> {
        async move {
            self.discord
                .delete_message(channel, message)
                .await
                .map_err(explain_refusal)
        }
        .boxed()
    }

    fn open_thread(&self, channel: ChannelId, thread: ThreadRequest) -> HostResult<'_> {
        self.start_thread(channel, thread).boxed()
    }

    fn run_command(
        &self,
        channel: ChannelId,
        authorization: Authorization,
        command: HostCommand,
    ) -> HostResult<'_> {
        async move {
            // A refusal would close the channel to everything that is said.
            match &command {
                HostCommand::Post(MessageEnclosure::Poll(_)) => {
                    self.check_permission(channel, PermissionSet::SEND_POLLS, "Create Polls")?
                }
                HostCommand::Post(MessageEnclosure::Sticker(name)) => {
                    self.check_sticker(channel, name).await?
                }
                HostCommand::Remind(_) | HostCommand::Compact => {}
            }
            self.loop_commands
                .run(channel, LoopCommand::Host(authorization, command))
                .await
        }
        .boxed()
    }

    fn set_status<'a>(&'a self, channel: ChannelId, text: &'a str) -> HostResult<'a> {
        let done = if self.directory().is_open(channel) {
            let wait =
                |left: std::time::Duration| daemon::status_changed_just_now(left.as_secs() + 1);
            self.discord.set_status(text).map_err(wait)
        } else {
            Err(daemon::status_shown_everywhere())
        };
        std::future::ready(done).boxed()
    }
}

fn explain_refusal(why: RestError) -> LocalizedMessage {
    why.failure_kind().explain(why.to_string())
}
