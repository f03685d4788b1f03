//! From what Discord tells to what is stored: which channels are read, whose words are not, and what is no chat. All
//! that was heard together is stored in one commit; only then the core hears it.

use super::super::Daemon;
use super::{DiscordPlatform, channel_of};
use kith_core::chat::{AuthorKind, ChannelId, GuildId, Message, MessageId, MessagePicture, UserId};
use kith_core::event::Event;
use kith_core::manual_override::OverrideScope;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_discord::{DiscordEvent, is_on};
use kith_observe::CardSeverity;
use kith_store::{IncomingEvent, StoredReaction};
use kith_system::clock;

/// Where it is kept who was told how to wake it.
pub(super) const TOLD: &str = "discord.told";

impl Daemon {
    /// Takes in what was heard, in order.
    pub(in crate::daemon) async fn heard(&mut self, heard: Vec<DiscordEvent>) {
        let mut together = Vec::with_capacity(heard.len());
        for one in heard {
            let Some(one) = self.unless_held(one) else { continue };
            match one {
                DiscordEvent::Message { message, nonce, pictures } => {
                    together.extend(self.admit(message, nonce, pictures).await);
                }
                DiscordEvent::Edited { channel, id, author, text, at, pictures } if self.is_read(channel) => {
                    self.pictures.changed(id, pictures);
                    together.push(IncomingEvent::Edit { channel, id, author, text, at });
                }
                // What it says now is not to be read, and what it said before stands nowhere else any more.
                DiscordEvent::Edited { channel, id, .. } if self.was_read_once(channel) => {
                    together.push(IncomingEvent::Delete { channel, ids: vec![id], at: clock::now() });
                }
                DiscordEvent::Deleted { channel, ids } if self.was_read(channel) => {
                    together.push(IncomingEvent::Delete { channel, ids, at: clock::now() });
                }
                DiscordEvent::Reaction { channel, message, by, emoji, added } if self.is_read(channel) => {
                    if self.wish(by.id) != PersonPreference::Ignore {
                        let at = clock::now();
                        together.push(IncomingEvent::Reaction { channel, message, by, emoji, added, at });
                    }
                }
                DiscordEvent::ReactionsCleared { channel, message, emoji } if self.is_read(channel) => {
                    self.take_in(std::mem::take(&mut together)).await;
                    together = self.cleared(channel, message, emoji.as_deref()).await;
                }
                DiscordEvent::Edited { .. }
                | DiscordEvent::Deleted { .. }
                | DiscordEvent::Reaction { .. }
                | DiscordEvent::ReactionsCleared { .. } => {}
                DiscordEvent::Typing { channel, user } => {
                    if self.wish(user) != PersonPreference::Ignore {
                        self.handle(Event::Typing { channel, user });
                    }
                }
                other => {
                    self.take_in(std::mem::take(&mut together)).await;
                    self.learn(other).await;
                }
            }
        }
        self.take_in(together).await;
    }

    /// Every reaction on a message, or every one with an emoji, as taken away.
    async fn cleared(&self, channel: ChannelId, message: MessageId, emoji: Option<&str>) -> Vec<IncomingEvent> {
        let after = MessageId(message.0.saturating_add(1));
        let lines = self.store.history(channel, Some(after), 1).await.unwrap_or_else(|error| {
            tracing::error!(%error, "reactions that were cleared stay on record");
            Vec::new()
        });
        let marks = lines.into_iter().filter(|line| line.message.id == message).flat_map(|line| line.reactions);
        let gone = marks.filter(|mark| emoji.is_none_or(|emoji| emoji == &*mark.emoji));
        let waiting = self.away.iter().flat_map(|away| away.unstored.reactions((channel, message)));
        let waiting = waiting.filter(|(_, mark)| emoji.is_none_or(|emoji| emoji == &**mark));
        let at = clock::now();
        gone.map(|StoredReaction { by, emoji, .. }| (by, emoji))
            .chain(waiting)
            .map(|(by, emoji)| IncomingEvent::Reaction { channel, message, by, emoji, added: false, at })
            .collect()
    }

    fn unless_held(&mut self, heard: DiscordEvent) -> Option<DiscordEvent> {
        let (Some(away), Some(channel)) = (&mut self.away, channel_of(&heard)) else { return Some(heard) };
        away.held.keep(channel, heard)
    }

    /// What is not stored as chat: guilds, channels, requests, the link itself.
    async fn learn(&mut self, heard: DiscordEvent) {
        match heard {
            DiscordEvent::LookBack { shard, resumed } => {
                self.log_reconnect(shard.0);
                if is_on(shard, None) {
                    self.bring_back_direct().await;
                }
                self.look_back_on(shard, resumed);
            }
            DiscordEvent::AllThere => {
                self.look_for_named();
                self.erase_deleted().await;
                self.settle_sessions().await;
            }
            DiscordEvent::GuildAway(guild) => {
                self.away.iter_mut().for_each(|away| away.until.outage(guild));
            }
            DiscordEvent::Guild(guild) => self.guild_told(guild).await,
            DiscordEvent::Listed(listed) => {
                self.away.iter_mut().for_each(|away| away.until.session(&listed));
                self.leave_unlisted(&listed).await;
            }
            DiscordEvent::GuildGone(guild) => self.leave_guild(guild).await,
            DiscordEvent::Channel(channel) => {
                self.settle_with_threads(channel).await;
                self.away.iter_mut().for_each(|away| away.heard_of(channel));
            }
            DiscordEvent::ChannelGone(channel) => self.leave_channel(channel),
            DiscordEvent::ChannelDeleted(channel) => self.channel_deleted(channel).await,
            DiscordEvent::Asked { asker, request, answer } => self.asked(asker, request, answer).await,
            DiscordEvent::Logged { log, message, turns, earlier } => self.logged(log, message, turns, earlier),
            DiscordEvent::Carded { id, log, message } => self.carded(id, log, message),
            DiscordEvent::Unlogged(entries) => self.was_unlogged(entries),
            DiscordEvent::Notice(text) => self.notice(CardSeverity::Warning, text),
            DiscordEvent::Fatal(text) => self.fatal = Some(text),
            _ => {}
        }
    }

    /// A message that is to be stored; none where it is not read, or not theirs to be read.
    pub(super) async fn admit(
        &mut self,
        message: Message,
        nonce: Option<String>,
        pictures: Vec<MessagePicture>,
    ) -> Option<IncomingEvent> {
        let away = self.away.as_mut()?;
        away.newest = away.newest.max(message.id);
        let guild = away.directory().guild_of(message.channel);
        if let Some(guild) = guild {
            away.until.heard(guild, message.id);
        }
        if let Some(nonce) = &nonce {
            away.sending.told(&message, nonce);
        }
        let (message, pictures) = self.if_read(message, nonce, pictures).await?;
        if self.wish(message.author.id) == PersonPreference::Ignore {
            if let Some(away) = &mut self.away {
                away.unstored.pass(message.channel, message.id);
            }
            return None;
        }
        self.pictures.came(&message, pictures);
        Some(IncomingEvent::Message(message))
    }

    /// The message, where its channel is read now. A channel nobody told of (a thread, a direct message) may have to be
    /// brought back first; then the message waits with it.
    async fn if_read(
        &mut self,
        message: Message,
        nonce: Option<String>,
        pictures: Vec<MessagePicture>,
    ) -> Option<(Message, Vec<MessagePicture>)> {
        let channel = message.channel;
        self.try_direct_again(&message);
        if self.is_read(channel) {
            return Some((message, pictures));
        }
        // Where it is known to be off, nothing changed since: what changes is settled when it is told.
        let is_off = self.away.as_ref().is_some_and(|away| away.readable.is_off(channel));
        if self.core.lane(channel).is_none() && !is_off {
            self.settle_channel(channel).await;
            self.wake(channel);
        }
        let heard = self.unless_held(DiscordEvent::Message { message, nonce, pictures });
        let Some(DiscordEvent::Message { message, .. }) = heard else { return None };
        if self.was_read_once(channel)
            && let Some(away) = &mut self.away
        {
            // If it is read again after a restart, this must not be.
            away.read_from_now(channel);
        }
        if self.wish(message.author.id) != PersonPreference::Ignore {
            self.tell_how_to_wake(&message);
        }
        None
    }

    pub(super) fn wish(&self, user: UserId) -> PersonPreference {
        self.away.as_ref().map_or(PersonPreference::Remember, |away| away.wish(user))
    }

    /// Whether what is said in a channel may be read and kept.
    pub(super) fn is_read(&self, channel: ChannelId) -> bool {
        self.mode_here(channel) != ChannelMode::Off
    }

    /// What holds in a channel now; off where there is no lane.
    pub(super) fn mode_here(&self, channel: ChannelId) -> ChannelMode {
        self.core.lane(channel).map_or(ChannelMode::Off, |lane| lane.policy().mode)
    }

    /// Whether something may be kept of a channel, though it may not be read any more.
    fn was_read(&self, channel: ChannelId) -> bool {
        self.is_read(channel) || self.away.as_ref().is_some_and(|away| away.seen.contains_key(&channel))
    }

    /// Whether a channel is known to be off, and something may be kept of it from before.
    fn was_read_once(&self, channel: ChannelId) -> bool {
        let was_read = |away: &DiscordPlatform| away.readable.is_off(channel) && away.seen.contains_key(&channel);
        self.away.as_ref().is_some_and(was_read)
    }

    /// Everything up to this message needs no look back any more.
    pub(super) fn passed(&mut self, channel: ChannelId, id: MessageId) {
        let Some(away) = &mut self.away else { return };
        let newest = away.seen.entry(channel).or_default();
        if *newest < id {
            *newest = id;
            away.seen_unsaved.insert(channel);
        }
    }

    /// In a new guild the first mention is answered by one line that says who can wake it, and how.
    fn tell_how_to_wake(&mut self, message: &Message) {
        // Most is said in channels that are off: the cheap questions come first.
        if message.author.kind != AuthorKind::Person || !message.mentions.contains(&self.me) {
            return;
        }
        let Some(guild) = self.away.as_ref().and_then(|away| away.untold_guild(message.channel)) else { return };
        if self.is_log_channel(message.channel) || !self.is_new_guild(guild) {
            return;
        }
        let Some(away) = &mut self.away else { return };
        away.told.insert(guild);
        let told = serde_json::to_string(&away.told).unwrap_or_default();
        let text = self.settings.language.unwrap_or_default().pick(
            "I'm asleep on this server and read nothing. Someone who can Manage Server wakes me in a channel with \
             `/kith on` (or `/kith observe` to let me only read along).",
            "我在这个服务器还没有启用，什么都不会读。有“管理服务器”权限的人可以在频道里用 `/kith on` 叫醒我，\
             或者用 `/kith observe` 让我只旁听。",
        );
        let (discord, store) = (away.discord.clone(), self.store.clone());
        let (channel, reply_to) = (message.channel, message.id);
        tokio::spawn(async move {
            // Kept first: better never said than said twice.
            if store.set_meta(TOLD, told).await.is_ok() {
                discord.say_plainly(channel, text, Some(reply_to)).await;
            }
        });
    }

    /// Whether nobody has switched anything in a guild yet: once somebody has, they know how.
    fn is_new_guild(&self, guild: GuildId) -> bool {
        let Some(away) = &self.away else { return false };
        let directory = away.directory();
        let mut channels = directory.channels_of(guild).map(|known| known.channel.id);
        let is_chosen = |place: OverrideScope| self.by_hand.at(place).next().is_some();
        let is_woken = |channel| is_chosen(OverrideScope::Channel(channel)) || away.readable.is_read(channel);
        !is_chosen(OverrideScope::Guild(guild)) && !channels.any(is_woken)
    }
}

impl DiscordPlatform {
    /// The guild of a channel in which it may write, where that guild was not told yet how to wake it.
    fn untold_guild(&self, channel: ChannelId) -> Option<GuildId> {
        let directory = self.directory();
        let guild = directory.guild_of(channel).filter(|guild| !self.told.contains(guild))?;
        directory.may_send(channel, clock::now()).then_some(guild)
    }
}
