//! After an absence a channel is looked back at: what was on its way out is settled, then what was missed is fetched.
//! What is heard there meanwhile waits, so that one turn sees all of it in order, and so that nobody is answered twice.

use std::time::Duration;

use tokio::time::sleep;

use super::DiscordPlatform;
use super::held_events::HeldFollowUp;
use super::outgoing_actions::UnsettledActions;
use super::task_event::DiscordTaskEvent;
use crate::daemon::state::Daemon;
use kith_core::chat::{Channel, ChannelId, ChannelKind, DAY, MINUTE, MessageId, Millis, SECOND};
use kith_core::event::{ChatEvent, Event};
use kith_core::manual_override::OverrideValue;
use kith_core::policy::ChannelMode;
use kith_discord::{ChannelBackfill, DiscordEvent, MessageSnapshot, is_guild_in_shard, snowflake};
use kith_language::{discord, embeds};
use kith_observe::CardSeverity;
use kith_system::clock;

/// Messages may arrive out of order, so it looks back further than needed. What is known already changes nothing.
const OVERLAP: Millis = 30 * SECOND;
/// Direct messages in which nothing was written for longer than this are not looked back at.
const DIRECT_KEPT: Millis = 30 * DAY;
/// How many of the newest messages on record are looked for on Discord's newest page of 100: as many again may have been
/// deleted, and some more.
const COMPARED: usize = 400;
/// The pause before a channel is read back again, where the store could not.
const READ_AGAIN: Duration = Duration::from_secs(5);

impl DiscordPlatform {
    /// No look back goes behind this moment, nor behind what was heard by now, whatever this machine's clock says.
    pub(super) fn mark_read_until_now(&mut self, channel: ChannelId) {
        let now = snowflake::smallest_snowflake(
            clock::now().max(snowflake::snowflake_time(self.newest) + 1) + OVERLAP,
        );
        self.last_seen.insert(channel, now);
        self.unsaved_last_seen.insert(channel);
    }

    /// A channel was looked back at: it is held no more. Answers with what waited there.
    fn release_channel(&mut self, channel: ChannelId) -> Vec<DiscordEvent> {
        self.discord.settle_backfill(channel);
        self.session_records.settle(channel);
        self.held_events.release(channel)
    }

    /// Whether a message is among what is still to be fetched of its channel, where it is decided on.
    pub(super) fn will_be_fetched(&self, channel: ChannelId, message: MessageId) -> bool {
        let is_missed = self
            .last_seen
            .get(&channel)
            .is_some_and(|seen| *seen < message);
        is_missed && self.held_events.channels().any(|held| held == channel)
    }

    /// A channel that was told of is no news any more.
    pub(super) fn record_channel_news(&mut self, channel: ChannelId) {
        let directory = self.directory();
        let known = directory.channels.get(&channel);
        let made = known.and_then(|known| {
            Some((
                known.channel.guild?,
                snowflake::smallest_snowflake(known.created_at),
            ))
        });
        drop(directory);
        if let Some((guild, made)) = made {
            self.guild_progress.record_newest(guild, made);
        }
    }
}

impl Daemon<DiscordPlatform> {
    /// A shard's link was lost for long: its channels need a look back. In a new session those of guilds are held until
    /// their guild is told: what was said before that nobody hears, and what is said after it does not come before it.
    pub(super) fn backfill_shard(&mut self, shard: (u64, u64), resumed: bool) {
        self.backfill_channels(|channel| {
            is_guild_in_shard(shard, channel.guild) && (resumed || channel.guild.is_none())
        });
        let read = self
            .core
            .channel_states()
            .filter(|channel_state| channel_state.policy().mode != ChannelMode::Off)
            .map(|state| &state.channel);
        let of_guilds = read
            .filter(|channel| channel.guild.is_some() && is_guild_in_shard(shard, channel.guild));
        if !resumed {
            let held = &mut self.platform.held_events;
            of_guilds.for_each(|channel| held.hold_until_guild_arrives(channel.id));
        }
    }

    /// Every channel of those concerned that is read needs a look back.
    pub(super) fn backfill_channels(&mut self, is_concerned: impl Fn(&Channel) -> bool) {
        let read = self
            .core
            .channel_states()
            .filter(|channel_state| channel_state.policy().mode != ChannelMode::Off)
            .map(|state| &state.channel);
        let read: Vec<Channel> = read
            .filter(|channel| is_concerned(channel))
            .cloned()
            .collect();
        for channel in read {
            self.backfill_channel(channel);
        }
    }

    /// No guild tells of direct messages: those of the last weeks are brought back from the record.
    pub(super) async fn restore_direct_channels(&mut self) {
        if !self.settings.discord.has_direct_messages() {
            return;
        }
        let platform = &self.platform;
        let oldest = snowflake::smallest_snowflake(clock::now() - DIRECT_KEPT);
        let is_lively = |channel: &Channel| {
            platform
                .last_seen
                .get(&channel.id)
                .is_some_and(|newest| *newest > oldest)
        };
        let stored = self.store.channels().await.unwrap_or_else(|error| {
            tracing::error!(%error, "direct messages are not looked back at");
            Vec::new()
        });
        let direct = stored
            .into_iter()
            .filter(|channel| channel.kind == ChannelKind::Direct && is_lively(channel));
        let direct: Vec<Channel> = direct
            .filter(|channel| self.core.channel_state(channel.id).is_none())
            .collect();
        for channel in direct {
            self.platform.discord.remember_direct_channel(&channel);
            self.update_channel(channel.id).await;
        }
    }

    /// Settles what was on its way out in a channel, and fetches what was missed since the newest message on record.
    /// Where nothing was ever heard nothing was missed, for what was said before it was switched on is not its business;
    /// but of what was made while it was away all is missed.
    pub(super) fn backfill_channel(&mut self, channel: Channel) {
        if self.platform.held_events.hold(channel.id) {
            self.fetch_backfill(channel);
        }
    }

    fn fetch_backfill(&mut self, channel: Channel) {
        let pages = self.settings.discord.backfill_pages;
        let own = self.build_own_author(channel.id);
        let is_missed_whole = self.is_wholly_missed(&channel);
        let platform = &mut self.platform;
        if is_missed_whole {
            // Kept at once: until all of it is there, a crash changes nothing.
            platform
                .last_seen
                .insert(channel.id, MessageId(channel.id.0.saturating_sub(1)));
            platform.unsaved_last_seen.insert(channel.id);
        }
        let after = platform
            .last_seen
            .get(&channel.id)
            .map(|newest| subtract_overlap(*newest));
        if after.is_none() {
            platform.mark_read_until_now(channel.id);
        }
        let started = platform.started;
        let (discord, store, task_sender) = (
            platform.discord.clone(),
            self.store.clone(),
            platform.task_sender.clone(),
        );
        let id = channel.id;
        let (outbox_discord, outbox_store, outbox_sender) =
            (discord.clone(), store.clone(), task_sender.clone());
        let open = UnsettledActions {
            discord: outbox_discord,
            store: outbox_store,
            task_sender: outbox_sender,
            channel: id,
            own,
            started,
        };
        let looking = tokio::spawn(async move {
            let dropped = open.settle().await;
            let missed = match after {
                Some(after) => {
                    // Before the page is fetched: what is known later may not stand on it.
                    let known = store
                        .find_newest_ids(id, COMPARED)
                        .await
                        .unwrap_or_default();
                    discord
                        .fetch_missed_messages(id, after, &known, pages)
                        .await
                }
                None => ChannelBackfill::default(),
            };
            (missed, dropped)
        });
        tokio::spawn(async move {
            // A fault in there must not leave the channel deaf.
            let (missed, dropped) = looking.await.unwrap_or((
                ChannelBackfill {
                    gap: true,
                    ..ChannelBackfill::default()
                },
                0,
            ));
            let _ = task_sender
                .send(DiscordTaskEvent::BackfillFetched {
                    channel,
                    missed,
                    dropped,
                })
                .await;
        });
    }

    /// Whether a channel was made while nobody listened, under settings that were there before it.
    fn is_wholly_missed(&self, channel: &Channel) -> bool {
        let platform = &self.platform;
        let directory = platform.directory();
        let Some(known) = directory.channels.get(&channel.id) else {
            return false;
        };
        let mut modes = self
            .manual_overrides
            .list_for_channel(channel)
            .filter(|set| matches!(set.choice, OverrideValue::Mode(_)));
        // A file that names it was written later than it was made.
        let is_named = self
            .settings
            .channel
            .get(&channel.id.to_string())
            .is_some_and(|layer| layer.mode.is_some());
        !platform.last_seen.contains_key(&channel.id)
            && !is_named
            && modes.all(|set| set.at < known.created_at)
            && platform.guild_progress.is_missed(known)
    }

    /// What was missed is there: the channel gets its state if it has none, hears it, and then what waited.
    pub(in crate::daemon) async fn handle_backfill(
        &mut self,
        channel: Channel,
        missed: ChannelBackfill,
        dropped: usize,
    ) {
        let id = channel.id;
        self.report_dropped_messages(&channel, dropped);
        if self.core.channel_state(id).is_none() && self.platform.find_visible_channel(id).is_none()
        {
            self.platform.release_channel(id);
            return;
        }
        match self.platform.held_events.finish_backfill(id) {
            HeldFollowUp::Look => return self.fetch_backfill(channel),
            HeldFollowUp::Wait => return,
            HeldFollowUp::Release => {}
        }
        if self.core.channel_state(id).is_none()
            && let Err(error) = self.restore_channel(clock::now(), channel.clone()).await
        {
            tracing::error!(%error, channel = %id, "the channel cannot be read back; it is tried again");
            return self.retry_backfill(channel, missed);
        }
        self.record_current_mode(id);
        // However long all of it takes to store, no decision looks at half of it.
        self.handle_event(Event::BackfillRunning {
            channel: id,
            until: clock::now() + MINUTE,
        });
        let waited = self.platform.release_channel(id);
        let missed = self.collect_missed_events(id, missed).await;
        self.store_incoming(missed).await;
        Box::pin(self.handle_discord_events(waited)).await;
        self.handle_event(Event::BackfillRunning {
            channel: id,
            until: clock::now(),
        });
    }

    /// What was missed as it is stored, oldest first. Where more was missed than can be fetched the core is told.
    async fn collect_missed_events(
        &mut self,
        channel: ChannelId,
        missed: ChannelBackfill,
    ) -> Vec<ChatEvent> {
        let mut together = Vec::with_capacity(missed.messages.len());
        if !missed.deleted.is_empty() {
            together.push(ChatEvent::Delete {
                channel,
                ids: missed.deleted,
                at: clock::now(),
            });
        }
        for MessageSnapshot {
            message,
            pictures,
            edited_at,
            ..
        } in missed.edited
        {
            let texts = self.pictures.update_message(message.id, &pictures);
            self.erase_attached_texts(texts);
            together.extend(
                edited_at.map(|at| ChatEvent::edit_message(&message, message.text.clone(), at)),
            );
        }
        let first = missed.messages.first().map(|found| found.message.id);
        // Where nothing can be fetched, something is missing behind what was heard last.
        let newest = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.timeline().messages().next_back());
        let newest = newest.map(|said| MessageId(said.message.id.0.saturating_add(1)));
        for MessageSnapshot {
            message,
            pictures,
            edited_at,
            quoted,
        } in missed.messages
        {
            if message.channel != channel {
                together.extend(self.admit_earlier_message(message, pictures));
                continue;
            }
            let quoted = quoted.map(|quoted| (quoted.message, quoted.pictures));
            together.extend(
                quoted
                    .and_then(|(message, pictures)| self.admit_earlier_message(message, pictures)),
            );
            let Some(ChatEvent::Message(message)) =
                self.admit_message(message, None, pictures).await
            else {
                continue;
            };
            // What was known already may say something else by now.
            let edit =
                edited_at.map(|at| ChatEvent::edit_message(&message, message.text.clone(), at));
            together.push(ChatEvent::Message(message));
            together.extend(edit);
        }
        if let Some(before) = first.or(newest).filter(|_| missed.gap) {
            tracing::warn!(%channel, "more was missed than can be fetched: the oldest of it stays unread");
            self.handle_event(Event::Gap { channel, before });
        }
        together
    }

    /// The store does not answer: the channel stays held, and comes back when it does.
    fn retry_backfill(&self, channel: Channel, missed: ChannelBackfill) {
        let task_sender = self.platform.task_sender.clone();
        tokio::spawn(async move {
            sleep(READ_AGAIN).await;
            let _ = task_sender
                .send(DiscordTaskEvent::BackfillFetched {
                    channel,
                    missed,
                    dropped: 0,
                })
                .await;
        });
    }

    /// Tells the host of messages that a stop kept from being sent for too long.
    fn report_dropped_messages(&self, channel: &Channel, dropped: usize) {
        if dropped == 0 {
            return;
        }
        let language = self.settings.language.unwrap_or_default();
        let place = match channel.kind {
            ChannelKind::Direct => embeds::direct_message().in_language(language),
            _ => format!("#{}", channel.name),
        };
        let text = discord::messages_not_sent(dropped, place).in_language(language);
        self.notify_operator(CardSeverity::Warning, text);
    }
}

fn subtract_overlap(id: MessageId) -> MessageId {
    snowflake::smallest_snowflake(snowflake::snowflake_time(id) - OVERLAP)
}
