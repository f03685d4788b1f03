//! Messages, edits, deletions, reactions and typing: what people do in channels.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::Value;

use super::super::snowflake::snowflake_time;
use super::json::{read_field, read_id, read_text};
use super::message_text::{DiscordMessage, DiscordPerson};
use super::text::MarkupContext;
use super::{EventConverter, read_deleted_ids, read_guild_id};
use crate::webhooks::build_proxied_id;
use crate::{DiscordEvent, MessageSnapshot};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, Message, MessageId, Millis,
    SECOND, UserId,
};
use kith_core::directory::KnownChannel;
use kith_core::event::ChatEvent;
use kith_system::clock;

// Types of messages, by Discord's numbers; all others are notices of Discord's own: joins, pins, boosts.
const PLAIN: u64 = 0;
const REPLY: u64 = 19;
const COMMAND: u64 = 20;
const MENU: u64 = 23;
const THREAD_STARTER: u64 = 21;
const POLL_RESULT: u64 = 46;
const CHAT: [u64; 5] = [PLAIN, REPLY, COMMAND, MENU, POLL_RESULT];
/// What is quoted so soon is heard by itself, perhaps a moment later: it is no message from before.
const HEARD_BY_ITSELF: Millis = 2 * SECOND;

impl EventConverter {
    pub(super) fn convert_created_message(
        &mut self,
        mut written: DiscordMessage<'_>,
    ) -> Vec<DiscordEvent> {
        if self.passed_messages.get(&written.id).is_some() {
            return Vec::new();
        }
        self.ignored_authors.redact_message(&mut written);
        let new_channel = self.register_direct_channel(&written);
        let Some(snapshot) = self.convert_message(&written) else {
            return Vec::new();
        };
        if snapshot.message.channel.0 != written.channel {
            return vec![snapshot.into_earlier_event()];
        }
        let MessageSnapshot {
            message,
            pictures,
            quoted,
            ..
        } = snapshot;
        let quoted = quoted.map(|quoted| quoted.into_earlier_event());
        self.passed_messages
            .put(written.id, fingerprint(&message.text));
        let edit = self.early_edits.get(&written.id).cloned();
        let edit = edit.map(|(text, at)| {
            self.passed_messages.put(written.id, fingerprint(&text));
            DiscordEvent::Chat {
                event: ChatEvent::edit_message(&message, text, at),
                nonce: None,
                pictures: pictures.clone(),
            }
        });
        let is_open = written.guild.is_some()
            && matches!(message.author.kind, AuthorKind::Person)
            && !message.mentions.contains(&self.read_directory().me);
        let notice = is_open.then(|| {
            self.content_watch
                .record_message(message.text.is_empty(), self.language)
        });
        let nonce = written
            .nonce
            .as_deref()
            .filter(|_| message.author.kind == AuthorKind::Companion)
            .map(str::to_owned);
        let event = DiscordEvent::Chat {
            event: ChatEvent::Message(message),
            nonce,
            pictures,
        };
        new_channel
            .into_iter()
            .chain(notice.flatten())
            .chain(quoted)
            .chain([event])
            .chain(edit)
            .collect()
    }

    /// What a message quotes as Discord does: what it replies to, or what its thread was opened at.
    fn convert_quoted(&mut self, written: &DiscordMessage<'_>) -> Option<MessageSnapshot> {
        let mut quoted = DiscordMessage::from_json(written.quoted?)?;
        let is_here = quoted.channel == written.channel || quoted.id == written.channel;
        let said_before =
            snowflake_time(MessageId(written.id)) - snowflake_time(MessageId(quoted.id));
        if !is_here
            || quoted.channel == written.channel && said_before < HEARD_BY_ITSELF
            || self.ignored_authors.contains(quoted.author?.id)
        {
            return None;
        }
        (quoted.guild, quoted.quoted) = (quoted.guild.or(written.guild), None);
        self.ignored_authors.redact_message(&mut quoted);
        self.convert_message(&quoted)
    }

    /// A message as chat; none if it is not: a notice of Discord's, or the daemon's own answer to a command. For the notice
    /// a thread begins with it is the message that the thread was opened at, in its own channel.
    pub(super) fn convert_message(
        &mut self,
        written: &DiscordMessage<'_>,
    ) -> Option<MessageSnapshot> {
        if written.kind == THREAD_STARTER {
            return self.convert_quoted(written);
        }
        let person = written.author.filter(|_| CHAT.contains(&written.kind))?;
        let directory = self.read_directory();
        let kind = self.classify_author(&person, written, directory.me);
        let person = identify_author(person, kind, written);
        let is_answer = written.is_interaction || matches!(written.kind, COMMAND | MENU);
        if written.is_ephemeral
            || (kind == AuthorKind::Companion && (is_answer || written.is_silent))
        {
            return None;
        }
        let guild = written.guild.map(GuildId);
        let channel = ChannelId(written.channel);
        let markup = MarkupContext {
            directory: &directory,
            guild,
            channel,
            mentions: &written.mentions,
            language: self.language,
        };
        let text = markup.text(written);
        let name = markup.display_name(&person);
        let known = directory
            .names
            .find_fresh_name(guild, UserId(person.id), &name)
            .cloned();
        let is_new = known.is_none()
            && written.webhook.is_none()
            && !self.ignored_authors.contains(person.id);
        let name = known.unwrap_or_else(|| Arc::from(name));
        let mut mentions: Vec<_> = written
            .mentions
            .iter()
            .map(|person| UserId(person.id))
            .collect();
        let is_mine =
            |role: &u64| guild.is_some_and(|guild| directory.is_companion_role(guild, *role));
        let answers_me = || written.kind == REPLY && written.replied_user == Some(directory.me.0);
        if !mentions.contains(&directory.me)
            && (written.mention_roles.iter().any(is_mine) || answers_me())
        {
            mentions.push(directory.me);
        }
        drop(directory);
        if is_new {
            self.write_directory()
                .names
                .put(guild, UserId(person.id), name.clone());
        }
        let quoted = self.convert_quoted(written).map(Box::new);
        let message = Message {
            id: MessageId(written.id),
            channel,
            arrival: 0,
            at: snowflake_time(MessageId(written.id)),
            author: Author {
                id: UserId(person.id),
                name,
                kind,
            },
            text: text.into(),
            reply_to: written
                .reply_to
                .filter(|_| matches!(written.kind, REPLY | POLL_RESULT))
                .map(MessageId),
            mentions,
        };
        Some(MessageSnapshot {
            message,
            pictures: written.pictures(),
            edited_at: written.edited_at,
            quoted,
        })
    }

    /// A message that changed. Links that were unfolded, pins and the like change nothing people wrote.
    pub(super) fn convert_updated_message(
        &mut self,
        mut written: DiscordMessage<'_>,
        tells_content: bool,
    ) -> Vec<DiscordEvent> {
        self.ignored_authors.redact_message(&mut written);
        let written = &written;
        if !CHAT.contains(&written.kind) || written.is_ephemeral || !tells_content {
            return Vec::new();
        }
        let directory = self.read_directory();
        let kind = written.author.map_or(AuthorKind::Person, |person| {
            self.classify_author(&person, written, directory.me)
        });
        let channel = ChannelId(written.channel);
        let guild = written
            .guild
            .map(GuildId)
            .or_else(|| directory.find_guild(channel));
        let markup = MarkupContext {
            directory: &directory,
            guild,
            channel,
            mentions: &written.mentions,
            language: self.language,
        };
        let text: Arc<str> = markup.text(written).into();
        drop(directory);
        let is_answer = written.is_interaction || matches!(written.kind, COMMAND | MENU);
        let before = self.passed_messages.get(&written.id).copied();
        // What was still to come when it was posted (a bot that thinks) is filled in without being called an edit.
        let is_edit = written.edited_at.is_some() || before == Some(fingerprint(""));
        let is_changed = is_edit && before != Some(fingerprint(&text));
        if !is_changed || text.is_empty() || (kind == AuthorKind::Companion && is_answer) {
            return Vec::new();
        }
        let at = written
            .edited_at
            .unwrap_or_else(|| snowflake_time(MessageId(written.id)));
        if before.is_some() {
            self.passed_messages.put(written.id, fingerprint(&text));
        } else {
            self.early_edits.put(written.id, (text.clone(), at));
        }
        vec![DiscordEvent::Chat {
            event: ChatEvent::Edit {
                channel,
                id: MessageId(written.id),
                author: kind,
                text,
                at,
            },
            nonce: None,
            pictures: written.pictures(),
        }]
    }

    /// A direct message's channel is never told of but by what is written in it. It bears no name: that would be the name
    /// of whom it is with, in one more place to forget it in.
    fn register_direct_channel(&mut self, written: &DiscordMessage<'_>) -> Option<DiscordEvent> {
        let channel = ChannelId(written.channel);
        let is_unread = written
            .author
            .is_some_and(|author| self.ignored_authors.contains(author.id));
        if written.guild.is_some()
            || is_unread
            || self.read_directory().channels.contains_key(&channel)
        {
            return None;
        }
        self.write_directory()
            .put_channel(KnownChannel::new_direct(Channel {
                id: channel,
                guild: None,
                name: Arc::default(),
                topic: Arc::default(),
                kind: ChannelKind::Direct,
                parent: None,
            }));
        Some(DiscordEvent::Channel(channel))
    }

    pub(super) fn convert_deleted_messages(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let channel = ChannelId(read_id(value, "channel_id")?);
        let ids = read_deleted_ids(value);
        self.early_edits
            .retain(|edited| !ids.contains(&MessageId(*edited)));
        let at = clock::now();
        (!ids.is_empty()).then(|| vec![ChatEvent::Delete { channel, ids, at }.into()])
    }

    pub(super) fn convert_reaction(
        &mut self,
        kind: &str,
        value: &Value,
    ) -> Option<Vec<DiscordEvent>> {
        let channel = ChannelId(read_id(value, "channel_id")?);
        let message = MessageId(read_id(value, "message_id")?);
        let emoji = || read_field(value, "emoji").and_then(read_emoji);
        let added = match kind {
            "MESSAGE_REACTION_ADD" => true,
            "MESSAGE_REACTION_REMOVE" => false,
            "MESSAGE_REACTION_REMOVE_ALL" => {
                return Some(vec![DiscordEvent::ReactionsCleared {
                    channel,
                    message,
                    emoji: None,
                }]);
            }
            "MESSAGE_REACTION_REMOVE_EMOJI" => {
                return Some(vec![DiscordEvent::ReactionsCleared {
                    channel,
                    message,
                    emoji: Some(emoji()?),
                }]);
            }
            _ => return None,
        };
        let user = UserId(read_id(value, "user_id")?);
        let event = ChatEvent::Reaction {
            channel,
            message,
            author: self.resolve_author(value, user),
            emoji: emoji()?,
            added,
            at: clock::now(),
        };
        Some(vec![event.into()])
    }

    /// Somebody who types. Bots do not keep anybody waiting.
    pub(super) fn convert_typing(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let channel = ChannelId(read_id(value, "channel_id")?);
        let user = UserId(read_id(value, "user_id")?);
        let by = self.resolve_author(value, user);
        let event =
            (by.kind == AuthorKind::Person).then_some(DiscordEvent::Typing { channel, user });
        Some(event.into_iter().collect())
    }

    fn classify_author(
        &self,
        person: &DiscordPerson<'_>,
        written: &DiscordMessage<'_>,
        me: UserId,
    ) -> AuthorKind {
        let is_answered =
            |id: &Option<u64>| id.is_some_and(|id| self.answered_webhooks.contains(&id));
        match person {
            person if person.id == me.0 => AuthorKind::Companion,
            _ if written.webhook.is_some() => {
                match [written.webhook, written.application]
                    .iter()
                    .any(is_answered)
                {
                    true => AuthorKind::Person,
                    false => AuthorKind::Webhook,
                }
            }
            DiscordPerson { bot: true, .. } => AuthorKind::Bot,
            _ => AuthorKind::Person,
        }
    }

    /// Who did something, with their name where the event or the directory tells it.
    fn resolve_author(&mut self, value: &Value, user: UserId) -> Author {
        let member = read_field(value, "member");
        let member_person = member
            .and_then(|member| DiscordPerson::from_json(read_field(member, "user")?, Some(member)));
        let guild = read_guild_id(value);
        let person = member_person.unwrap_or(DiscordPerson {
            id: user.0,
            ..DiscordPerson::default()
        });
        let directory = self.read_directory();
        let channel = ChannelId::default();
        let markup = MarkupContext {
            directory: &directory,
            guild,
            channel,
            mentions: &[],
            language: self.language,
        };
        let name: Arc<str> = markup.display_name(&person).into();
        let is_read = member_person.is_some() && !self.ignored_authors.contains(user.0);
        let is_new = is_read
            && directory
                .names
                .find_fresh_name(guild, user, &name)
                .is_none();
        let kind = match person {
            _ if user == directory.me => AuthorKind::Companion,
            DiscordPerson { bot: true, .. } => AuthorKind::Bot,
            _ => AuthorKind::Person,
        };
        drop(directory);
        if is_new {
            self.write_directory().names.put(guild, user, name.clone());
        }
        Author {
            id: user,
            name,
            kind,
        }
    }
}

/// Whoever a webhook speaks for is somebody of their own.
fn identify_author<'a>(
    person: DiscordPerson<'a>,
    kind: AuthorKind,
    written: &DiscordMessage<'_>,
) -> DiscordPerson<'a> {
    match written.webhook.filter(|_| kind == AuthorKind::Person) {
        Some(webhook) => {
            let application = written.application.unwrap_or(webhook);
            let guild = written.guild.map(GuildId);
            let id = build_proxied_id(guild, application, person.username).0;
            DiscordPerson { id, ..person }
        }
        None => person,
    }
}

/// An emoji as text: the character, or `:name:`.
fn read_emoji(value: &Value) -> Option<Arc<str>> {
    let name = read_text(value, "name");
    match (read_id(value, "id"), name) {
        (None, Some(character)) => Some(character.into()),
        // One that was deleted has no name any more.
        (Some(_), name) => Some(format!(":{}:", name.unwrap_or("emoji")).into()),
        (None, None) => None,
    }
}

/// What tells two texts apart; the texts themselves are not kept here.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
