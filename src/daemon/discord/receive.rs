//! From what Discord tells to what is stored: which channels are read, whose words are not, and what is no chat. All
//! that was heard together is stored in one commit; only then the core hears it.

use super::DiscordPlatform;
use super::outgoing_actions::parse_discord_nonce;
use super::platform::TOLD;
use crate::daemon::state::Daemon;
use kith_core::chat::{AuthorKind, ChannelId, GuildId, Message, MessageId, MessagePicture, UserId};
use kith_core::event::{ChatEvent, Event};
use kith_core::manual_override::OverrideScope;
use kith_core::preference::PersonPreference;
use kith_discord::{DiscordEvent, is_guild_in_shard};
use kith_language::discord;
use kith_observe::CardSeverity;
use kith_store::StoredReaction;
use kith_system::clock;

impl Daemon<DiscordPlatform> {
    /// Takes in what was heard, in order. Messages are stored together, before anything that came after them.
    pub(super) async fn handle_discord_events(&mut self, events: Vec<DiscordEvent>) {
        let mut incoming = Vec::with_capacity(events.len());
        for event in events {
            match self.filter_held_event(event) {
                None => {}
                Some(DiscordEvent::Chat {
                    event,
                    nonce,
                    pictures,
                }) => incoming.extend(self.admit_chat_event(event, nonce, pictures).await),
                Some(DiscordEvent::ReactionsCleared {
                    channel,
                    message,
                    emoji,
                }) if self.is_read(channel) => {
                    self.store_incoming(std::mem::take(&mut incoming)).await;
                    incoming = self
                        .build_cleared_reactions(channel, message, emoji.as_deref())
                        .await;
                }
                Some(DiscordEvent::Typing { channel, user })
                    if self.person_preference(user) != PersonPreference::Ignore =>
                {
                    self.handle_event(Event::Typing { channel, user });
                }
                Some(DiscordEvent::ReactionsCleared { .. } | DiscordEvent::Typing { .. }) => {}
                Some(other) => {
                    self.store_incoming(std::mem::take(&mut incoming)).await;
                    self.handle_platform_event(other).await;
                }
            }
        }
        self.store_incoming(incoming).await;
    }

    /// What is to be stored of what somebody did; none where it is not read.
    async fn admit_chat_event(
        &mut self,
        event: ChatEvent,
        nonce: Option<String>,
        pictures: Vec<MessagePicture>,
    ) -> Option<ChatEvent> {
        let channel = event.channel();
        match event {
            ChatEvent::Message(message) => self.admit_message(message, nonce, pictures).await,
            ChatEvent::Earlier(message) => self.admit_earlier_message(message, pictures),
            ChatEvent::Edit { id, .. } if self.is_read(channel) => {
                let texts = self.pictures.update_message(id, &pictures);
                self.erase_attached_texts(texts);
                Some(event)
            }
            // What it says now is not to be read, and what it said before stands nowhere else any more.
            ChatEvent::Edit { id, .. } => {
                self.is_off_with_records(channel)
                    .then(|| ChatEvent::Delete {
                        channel,
                        ids: vec![id],
                        at: clock::now(),
                    })
            }
            ChatEvent::Delete { .. } => self.may_have_records(channel).then_some(event),
            ChatEvent::Reaction { ref author, .. } => {
                let may_be_read = self.is_read(channel)
                    && self.person_preference(author.id) != PersonPreference::Ignore;
                may_be_read.then_some(event)
            }
            ChatEvent::Posted { .. } | ChatEvent::Channel(_) => None,
        }
    }

    /// Every reaction on a message, or every one with an emoji, as taken away.
    async fn build_cleared_reactions(
        &self,
        channel: ChannelId,
        message: MessageId,
        emoji: Option<&str>,
    ) -> Vec<ChatEvent> {
        let found = self.store.find_message(channel, message).await;
        let line = found.unwrap_or_else(|error| {
            tracing::error!(%error, "reactions that were cleared stay on record");
            None
        });
        let marks = line.into_iter().flat_map(|line| line.reactions);
        let gone = marks.filter(|mark| emoji.is_none_or(|emoji| emoji == &*mark.emoji));
        let waiting = self.platform.unstored.waiting_reactions((channel, message));
        let waiting = waiting.filter(|(_, mark)| emoji.is_none_or(|emoji| emoji == &**mark));
        let at = clock::now();
        gone.map(
            |StoredReaction {
                 author: by, emoji, ..
             }| (by, emoji),
        )
        .chain(waiting)
        .map(|(by, emoji)| ChatEvent::Reaction {
            channel,
            message,
            author: by,
            emoji,
            added: false,
            at,
        })
        .collect()
    }

    fn filter_held_event(&mut self, event: DiscordEvent) -> Option<DiscordEvent> {
        match find_ordering_channel(&event) {
            Some(channel) => {
                let free = self.platform.held_events.hold_event(channel, event);
                if free.is_none() {
                    self.platform.discord.prefer_backfill(channel);
                }
                free
            }
            None => Some(event),
        }
    }

    /// What is not stored as chat: guilds, channels, requests, the link itself.
    async fn handle_platform_event(&mut self, event: DiscordEvent) {
        match event {
            DiscordEvent::BackfillNeeded { shard, resumed } => {
                self.log_reconnect(shard.0);
                if is_guild_in_shard(shard, None) {
                    self.restore_direct_channels().await;
                }
                self.backfill_shard(shard, resumed);
            }
            DiscordEvent::GuildsComplete => {
                self.check_configured_places();
                self.erase_deleted_channels().await;
                self.resume_half_open_sessions().await;
            }
            DiscordEvent::GuildUnavailable(guild) => {
                self.platform.guild_progress.record_outage(guild);
            }
            DiscordEvent::Guild(guild) => self.handle_guild_arrival(guild).await,
            DiscordEvent::SessionStarted(listed) => {
                self.platform.guild_progress.start_session(&listed);
                self.leave_unlisted_guilds(&listed).await;
            }
            DiscordEvent::GuildRemoved(guild) => self.leave_guild(guild).await,
            DiscordEvent::Channel(channel) => {
                self.update_channel_with_threads(channel).await;
                self.platform.record_channel_news(channel);
            }
            DiscordEvent::ChannelHidden(channel) => self.leave_channel(channel),
            DiscordEvent::ChannelDeleted(channel) => self.handle_deleted_channel(channel).await,
            DiscordEvent::CommandRequested {
                caller,
                request,
                answer,
            } => self.handle_command_request(caller, request, answer).await,
            DiscordEvent::InteractionElsewhere { partition, raw } => {
                self.share_interaction(partition, raw)
            }
            DiscordEvent::LogPosted {
                log,
                message,
                turns,
                earlier,
            } => self.record_log_entry(log, message, turns, earlier),
            DiscordEvent::ApprovalPosted { id, log, message } => {
                self.record_approval_embed(id, log, message)
            }
            DiscordEvent::LogDeleted(entries) => self.forget_deleted_log_entries(entries),
            DiscordEvent::SessionHeard(record) => self.platform.session_records.put(record),
            DiscordEvent::Notice(text) => self.notify_operator(CardSeverity::Warning, text),
            DiscordEvent::Fatal(text) => self.fatal = Some(text),
            _ => {}
        }
    }

    /// A message that is to be stored; none where it is not read, or not theirs to be read.
    pub(super) async fn admit_message(
        &mut self,
        message: Message,
        nonce: Option<String>,
        pictures: Vec<MessagePicture>,
    ) -> Option<ChatEvent> {
        let platform = &mut self.platform;
        platform.newest = platform.newest.max(message.id);
        let guild = platform.directory().find_guild(message.channel);
        if let Some(guild) = guild {
            platform.guild_progress.record_newest(guild, message.id);
        }
        if let Some(place) = nonce.as_deref().and_then(parse_discord_nonce) {
            self.deliveries.record_echo(&message, place);
        }
        let (mut message, pictures) = self
            .filter_readable_message(message, nonce, pictures)
            .await?;
        if message.author.kind == AuthorKind::Companion {
            // What is stored of its lines says as which persona it wrote them, whatever Discord shows.
            message.author = self.build_own_author(message.channel);
        }
        if self.person_preference(message.author.id) == PersonPreference::Ignore {
            self.platform
                .unstored
                .record_skipped(message.channel, message.id);
            return None;
        }
        self.pictures.add_message(&message, pictures);
        Some(ChatEvent::Message(message))
    }

    /// A message that somebody replies to or opened a thread at, where its channel is read and does not show it. Of the
    /// companion's own those of this run come with their nonce.
    pub(super) fn admit_earlier_message(
        &mut self,
        message: Message,
        pictures: Vec<MessagePicture>,
    ) -> Option<ChatEvent> {
        let state = self.core.channel_state(message.channel)?;
        let is_known = state.timeline().find(message.id).is_some()
            || state.state().begins_after >= Some(message.id)
            || message.author.kind == AuthorKind::Companion && message.at >= self.platform.started
            || self.platform.will_be_fetched(message.channel, message.id);
        if is_known
            || !self.is_read(message.channel)
            || self.person_preference(message.author.id) == PersonPreference::Ignore
        {
            return None;
        }
        self.pictures.add_message(&message, pictures);
        Some(ChatEvent::Earlier(message))
    }

    /// The message, where its channel is read now. A channel nobody told of (a thread, a direct message) may have to be
    /// brought back first; then the message waits with it.
    async fn filter_readable_message(
        &mut self,
        message: Message,
        nonce: Option<String>,
        pictures: Vec<MessagePicture>,
    ) -> Option<(Message, Vec<MessagePicture>)> {
        let channel = message.channel;
        self.retry_direct_channel(&message);
        if self.is_read(channel) {
            return Some((message, pictures));
        }
        // Where it is known to be off, nothing changed since: what changes is settled when it is told.
        let is_off = self.platform.readable.is_off(channel);
        if self.core.channel_state(channel).is_none() && !is_off {
            self.update_channel(channel).await;
            self.wake_archived_thread(channel);
        }
        let event = self.filter_held_event(DiscordEvent::Chat {
            event: ChatEvent::Message(message),
            nonce,
            pictures,
        });
        let Some(DiscordEvent::Chat {
            event: ChatEvent::Message(message),
            ..
        }) = event
        else {
            return None;
        };
        if self.is_off_with_records(channel) {
            // If it is read again after a restart, this must not be.
            self.platform.mark_read_until_now(channel);
        }
        if self.person_preference(message.author.id) != PersonPreference::Ignore {
            self.tell_how_to_wake(&message);
        }
        None
    }

    pub(super) fn person_preference(&self, user: UserId) -> PersonPreference {
        self.platform.preference(user)
    }

    /// Whether something may be kept of a channel, though it may not be read any more.
    fn may_have_records(&self, channel: ChannelId) -> bool {
        self.is_read(channel) || self.platform.last_seen.contains_key(&channel)
    }

    /// Whether a channel is known to be off, and something may be kept of it from before.
    fn is_off_with_records(&self, channel: ChannelId) -> bool {
        self.platform.readable.is_off(channel) && self.platform.last_seen.contains_key(&channel)
    }

    /// Everything up to this message needs no look back any more.
    pub(super) fn advance_last_seen(&mut self, channel: ChannelId, id: MessageId) {
        let platform = &mut self.platform;
        let newest = platform.last_seen.entry(channel).or_default();
        if *newest < id {
            *newest = id;
            platform.unsaved_last_seen.insert(channel);
        }
    }

    /// In a new guild the first mention is answered by one line that says who can wake it, and how.
    fn tell_how_to_wake(&mut self, message: &Message) {
        // Most is said in channels that are off: the cheap questions come first.
        if message.author.kind != AuthorKind::Person
            || !message.mentions.contains(&self.companion_id)
        {
            return;
        }
        let Some(guild) = self.platform.untold_guild(message.channel) else {
            return;
        };
        if self.is_log_channel(message.channel) || !self.is_new_guild(guild) {
            return;
        }
        let platform = &mut self.platform;
        platform.greeted_guilds.insert(guild);
        let told = serde_json::to_string(&platform.greeted_guilds).unwrap_or_default();
        let language = self.settings.language.unwrap_or_default();
        let text = discord::asleep_in_server().in_language(language);
        let (discord, store) = (platform.discord.clone(), self.store.clone());
        let (channel, reply_to) = (message.channel, message.id);
        tokio::spawn(async move {
            // Kept first: better never said than said twice.
            if store.set_meta(TOLD, told).await.is_ok() {
                discord
                    .send_system_message(channel, &text, Some(reply_to))
                    .await;
            }
        });
    }

    /// Whether nobody has switched anything in a guild yet: once somebody has, they know how.
    fn is_new_guild(&self, guild: GuildId) -> bool {
        let platform = &self.platform;
        let directory = platform.directory();
        let mut channels = directory.list_channels(guild).map(|known| known.channel.id);
        let is_chosen = |place: OverrideScope| self.manual_overrides.at(place).next().is_some();
        let is_woken = |channel| {
            is_chosen(OverrideScope::Channel(channel)) || platform.readable.is_read(channel)
        };
        !is_chosen(OverrideScope::Guild(guild)) && !channels.any(is_woken)
    }
}

impl DiscordPlatform {
    /// The guild of a channel in which it may write, where that guild was not told yet how to wake it.
    fn untold_guild(&self, channel: ChannelId) -> Option<GuildId> {
        let directory = self.directory();
        let guild = directory
            .find_guild(channel)
            .filter(|guild| !self.greeted_guilds.contains(guild))?;
        directory.may_send(channel, clock::now()).then_some(guild)
    }
}

/// The channel something was heard in, where it belongs to one and must keep its order there.
fn find_ordering_channel(event: &DiscordEvent) -> Option<ChannelId> {
    match event {
        DiscordEvent::Chat { event, .. } => Some(event.channel()),
        DiscordEvent::ReactionsCleared { channel, .. } => Some(*channel),
        _ => None,
    }
}
