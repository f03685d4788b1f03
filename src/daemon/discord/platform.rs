//! Discord as the place the companion lives in: what the loop keeps of it, and what it answers the daemon.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::mpsc;

use super::avatar::AppearanceState;
use super::delivery_order::{DeliveryQueuePlace, DeliveryQueues, OutboxEntry};
use super::departed_members::LOOK_EVERY;
use super::erasure_throttle::RequestThrottle;
use super::guild_progress::GuildProgress;
use super::held_events::HeldEvents;
use super::moderation;
use super::other_partitions::OtherPartitions;
use super::outgoing_actions;
use super::permission_trials::PermissionTrials;
use super::preferences::read_preference;
use super::session_records::{SESSIONS, SessionRecords, parse_sessions};
use super::task_event::DiscordTaskEvent;
use super::tool_host::ReadableChannels;
use super::unstored_events::UnstoredEvents;
use crate::daemon::approvals::ModerationRules;
use crate::daemon::approvals::event::ApprovalResult;
use crate::daemon::console::name_places_by;
use crate::daemon::loop_message::LoopCommandSender;
use crate::daemon::platform::{
    DeliveryTask, ModerationOutcome, Platform, PlatformAbilities, ThreadOpening,
};
use crate::daemon::upkeep::RegularTask;
use crate::settings::{ChannelFacts, Settings};
use kith_commands::{CommandService, DenialStatus};
use kith_core::approval::ApprovalRequest;
use kith_core::chat::{
    Author, Channel, ChannelId, ChannelKind, GuildId, MessageId, MessagePicture, Millis,
    ProposalId, SECOND, TurnId, UserId,
};
use kith_core::directory::{Directory, GuildMember, ThreadSupport};
use kith_core::moderation::{ModerationAction, ModerationSettings};
use kith_core::outgoing::{OutgoingAction, VisibleAction};
use kith_core::partition::Partition;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_core::report::MessageDecision;
use kith_core::session::Session;
use kith_discord::log_channel::LogChannels;
use kith_discord::{DiscordConnection, FormerSessions, PictureError};
use kith_memory::Memory;
use kith_store::{PersonPreferences, Store, StoreError};
use kith_system::clock;
use kith_tools::ToolHost;

/// Where it is kept who was told how to wake it.
pub(super) const TOLD: &str = "discord.told";
/// A time-out counts as over only so long after its end, for Discord's clock may go slower.
pub(super) const CLOCKS_DIFFER: Millis = SECOND;

pub(in crate::daemon) struct DiscordPlatform {
    pub(super) discord: DiscordConnection,
    pub(super) store: Store,
    pub(super) task_sender: mpsc::Sender<DiscordTaskEvent>,
    /// When it began: what was journaled before is an earlier run's.
    pub(super) started: Millis,
    pub(super) command_service: CommandService,
    pub(super) preferences: Arc<RwLock<PersonPreferences>>,
    /// The newest message heard in each channel, stored or not.
    pub(super) last_seen: HashMap<ChannelId, MessageId>,
    /// The newest message heard anywhere.
    pub(super) newest: MessageId,
    pub(super) guild_progress: GuildProgress,
    pub(super) unsaved_last_seen: BTreeSet<ChannelId>,
    pub(super) session_records: SessionRecords,
    pub(super) held_events: HeldEvents,
    pub(super) unstored: UnstoredEvents,
    pub(super) delivery_queues: DeliveryQueues,
    pub(super) trials: PermissionTrials,
    /// The guilds that were told once who can wake it.
    pub(super) greeted_guilds: HashSet<GuildId>,
    /// Whether every guild has come.
    pub(super) is_complete: bool,
    /// The guilds in which it is timed out, and until when: Discord does not tell of the end.
    pub(super) time_outs: BTreeMap<GuildId, Millis>,
    pub(super) erase_throttle: RequestThrottle,
    pub(super) membership_look: RegularTask,
    pub(super) export_throttle: RequestThrottle,
    /// The shards of which a session was up before.
    pub(super) connected_shards: BTreeSet<u64>,
    /// Turns no log channel may tell of any more.
    pub(super) unlogged_turns: HashSet<TurnId>,
    pub(super) readable: Arc<ReadableChannels>,
    pub(super) appearance: AppearanceState,
    pub(super) other_partitions: OtherPartitions,
}

impl DiscordPlatform {
    /// What was kept of Discord; answers with what its tasks will tell, too.
    pub async fn load(
        discord: DiscordConnection,
        store: &Store,
        memory: &Memory,
        loop_commands: LoopCommandSender,
    ) -> Result<(Self, mpsc::Receiver<DiscordTaskEvent>), StoreError> {
        let greeted_guilds = store
            .load_meta(TOLD)
            .await?
            .and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default();
        let preferences = Arc::new(RwLock::new(store.load_preferences().await?));
        let readable = Arc::new(ReadableChannels::new(
            discord.clone(),
            store.clone(),
            preferences.clone(),
            loop_commands,
        ));
        let shared_preferences = preferences.clone();
        let former = store.load_meta(SESSIONS).await?;
        let former = former.map_or_else(FormerSessions::default, |json| parse_sessions(&json));
        let session_records = SessionRecords::new(&former);
        let opt_out_check = Arc::new(move |user| {
            read_preference(&shared_preferences, user) == PersonPreference::Ignore
        });
        name_places_by(&discord.shared_directory());
        discord.listen(opt_out_check, former);
        let (task_sender, tasks) = mpsc::channel(256);
        let platform = Self {
            started: clock::now(),
            command_service: CommandService::new(store.clone(), memory.clone()),
            preferences,
            last_seen: store.last_seen().await?.into_iter().collect(),
            newest: MessageId::default(),
            guild_progress: GuildProgress::new(store.last_seen_in_guilds().await?),
            unsaved_last_seen: BTreeSet::new(),
            session_records,
            held_events: HeldEvents::default(),
            unstored: UnstoredEvents::default(),
            delivery_queues: DeliveryQueues::default(),
            trials: PermissionTrials::default(),
            greeted_guilds,
            is_complete: false,
            time_outs: BTreeMap::new(),
            membership_look: RegularTask::new(clock::now(), LOOK_EVERY),
            erase_throttle: RequestThrottle::default(),
            export_throttle: RequestThrottle::default(),
            connected_shards: BTreeSet::new(),
            unlogged_turns: HashSet::new(),
            readable,
            appearance: AppearanceState::default(),
            other_partitions: OtherPartitions::new(discord.partition(), clock::now()),
            store: store.clone(),
            task_sender,
            discord,
        };
        Ok((platform, tasks))
    }

    pub fn preference(&self, user: UserId) -> PersonPreference {
        read_preference(&self.preferences, user)
    }

    pub fn set_preference(&self, user: UserId, preference: PersonPreference) {
        self.preferences
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .set(user, preference);
    }

    pub fn directory(&self) -> std::sync::RwLockReadGuard<'_, Directory> {
        self.discord.directory()
    }

    /// A channel with text that it may view.
    pub fn find_visible_channel(&self, channel: ChannelId) -> Option<Channel> {
        let directory = self.directory();
        let known = directory
            .channels
            .get(&channel)
            .filter(|known| known.has_text)?;
        (known.channel.kind == ChannelKind::Direct || directory.may_view(channel, clock::now()))
            .then(|| known.channel.clone())
    }

    /// Whether there are records of sessions to save, and nothing that was heard before them waits to be stored.
    fn can_save_records(&self) -> bool {
        self.session_records.has_unsaved() && self.unstored.is_empty()
    }

    fn take_unsaved(&mut self) -> Vec<(ChannelId, MessageId)> {
        let unsaved = std::mem::take(&mut self.unsaved_last_seen);
        unsaved
            .into_iter()
            .filter_map(|channel| Some((channel, *self.last_seen.get(&channel)?)))
            .collect()
    }
}

impl Platform for DiscordPlatform {
    fn abilities(&self) -> PlatformAbilities {
        PlatformAbilities {
            enclosures: true,
            moderation: true,
            demo_model: false,
            own_clock: true,
            backfill: true,
        }
    }

    fn companion_id(&self) -> UserId {
        self.discord.me()
    }

    fn partition(&self) -> Partition {
        self.discord.partition()
    }

    fn tool_host(&self) -> Arc<dyn ToolHost> {
        self.readable.clone()
    }

    fn channel_facts(&self, channel: &Channel, settings: &Settings) -> ChannelFacts {
        let directory = self.directory();
        let is_direct = channel.kind == ChannelKind::Direct;
        ChannelFacts {
            names: directory
                .collect_own_names(channel.guild)
                .iter()
                .map(ToString::to_string)
                .collect(),
            hidden: directory.is_hidden(channel.id),
            nsfw: directory.is_nsfw(channel.id),
            private: directory
                .channels
                .get(&channel.id)
                .is_some_and(|known| known.private),
            may_send: (is_direct || directory.may_send(channel.id, clock::now()))
                && self.discord.can_send(channel.id),
            may_react: directory.may_react(channel.id, false, clock::now()),
            only_speakers: false,
            default_mode: if is_direct {
                settings.discord.direct_messages
            } else {
                ChannelMode::Off
            },
        }
    }

    fn find_channel(&self, id: ChannelId) -> Option<Channel> {
        self.directory()
            .channels
            .get(&id)
            .map(|known| known.channel.clone())
    }

    fn list_channels(&self) -> Vec<Channel> {
        let directory = self.directory();
        let known = directory.channels.values();
        known.map(|known| known.channel.clone()).collect()
    }

    fn guild_name(&self, guild: GuildId) -> Option<Arc<str>> {
        Some(self.directory().guilds.get(&guild)?.name.clone())
    }

    fn is_open(&self, channel: ChannelId) -> bool {
        self.directory().is_open(channel)
    }

    fn is_readable_in(&self, channel: ChannelId, log: ChannelId) -> bool {
        self.directory().is_readable_in(channel, log)
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn remember_name(&self, channel: ChannelId, user: UserId, name: &str) {
        self.discord.remember_name(channel, user, name);
    }

    /// A channel is read from now on, or not any more: what is said in between stays unread for good. One that nothing
    /// was known of comes back as it was when the daemon stopped.
    fn record_mode(&mut self, channel: ChannelId, mode: ChannelMode) {
        let was = self.readable.set(channel, mode);
        if was.is_some_and(|was| (was == ChannelMode::Off) != (mode == ChannelMode::Off)) {
            self.mark_read_until_now(channel);
        }
    }

    fn show_typing(&self, channel: ChannelId) {
        self.discord.message_sender().show_typing(channel);
    }

    fn deliver(&mut self, outgoing: OutgoingAction, own: Author) -> DeliveryTask {
        let messages = self.discord.message_sender().count_messages(&outgoing);
        let entry = OutboxEntry::new(
            self.discord.clone(),
            self.store.clone(),
            self.task_sender.clone(),
            &outgoing,
        );
        // Reactions have no place among the messages of a channel.
        let place = match outgoing.action {
            VisibleAction::Send { .. } => self.delivery_queues.join_queue(outgoing.channel),
            VisibleAction::React { .. } => DeliveryQueuePlace::first(),
        };
        DeliveryTask {
            messages,
            put_off: entry.put_off(),
            work: outgoing_actions::deliver_outgoing(entry, outgoing, own, place).boxed(),
        }
    }

    fn can_send(&self, channel: ChannelId) -> bool {
        self.discord.can_send(channel)
    }

    fn schedule_permission_trial(&mut self, channel: ChannelId) {
        self.trials
            .schedule(channel, &self.discord, &self.task_sender);
    }

    fn start_permission_trial(&mut self, decision: &MessageDecision) {
        self.trials
            .start(decision, &self.discord, &self.task_sender);
    }

    fn fetch_picture(
        &self,
        picture: MessagePicture,
    ) -> BoxFuture<'static, Result<Vec<u8>, PictureError>> {
        let discord = self.discord.clone();
        async move { discord.picture(&picture).await }.boxed()
    }

    fn log_channels(&self) -> Option<&LogChannels> {
        Some(self.discord.log_channels())
    }

    fn may_log_turn(&self, turn: TurnId) -> bool {
        !self.unlogged_turns.contains(&turn)
    }

    fn judge_moderation(
        &self,
        rules: ModerationRules,
        asked: (TurnId, u32),
        action: ModerationAction,
    ) -> BoxFuture<'static, ApprovalResult> {
        let (discord, store) = (self.discord.clone(), self.store.clone());
        async move { moderation::judge_action(&discord, &store, &rules, asked, action).await }
            .boxed()
    }

    fn find_denial_status(
        &self,
        id: ProposalId,
        moderation: ModerationSettings,
    ) -> BoxFuture<'static, Option<DenialStatus>> {
        let (discord, store) = (self.discord.clone(), self.store.clone());
        async move {
            // Who runs Kith is no member, and their rights are looked at by nobody.
            let operator = GuildMember {
                id: UserId(0),
                roles: &[],
                timed_out: false,
            };
            moderation::find_denial_status(&discord, &store, id, &operator, &moderation).await
        }
        .boxed()
    }

    fn carry_out_moderation(
        &self,
        proposal: ApprovalRequest,
        action: ModerationAction,
        again: bool,
    ) -> Option<BoxFuture<'static, ModerationOutcome>> {
        let (discord, store) = (self.discord.clone(), self.store.clone());
        let doing = async move {
            moderation::carry_out_action(&discord, &store, &proposal, &action, again).await
        };
        Some(doing.boxed())
    }

    fn can_open_threads(&self, below: ChannelId) -> bool {
        self.directory()
            .channels
            .get(&below)
            .is_some_and(|known| known.threads != ThreadSupport::Unsupported)
    }

    fn is_awake(&self, channel: ChannelId) -> bool {
        self.directory()
            .channels
            .get(&channel)
            .is_some_and(|known| !known.archived)
    }

    fn open_session_channel<'a>(
        &'a mut self,
        session: &'a Session,
        _: bool,
    ) -> BoxFuture<'a, ThreadOpening> {
        let message_sender = self.discord.message_sender().clone();
        let place = (session.guild, session.parent_channel);
        let (label, opening) = (session.label.clone(), session.opening.clone());
        let opening = async move {
            let opened = message_sender
                .open_thread(place, None, &label, opening.as_deref())
                .await;
            opened.map_err(|why| why.failure_kind().explain(why.to_string()))
        };
        std::future::ready(ThreadOpening::Pending(opening.boxed())).boxed()
    }

    fn rename_thread(&self, channel: ChannelId, name: &str) {
        let (message_sender, name) = (self.discord.message_sender().clone(), name.to_owned());
        tokio::spawn(async move {
            if let Err(why) = message_sender.rename_thread(channel, &name).await {
                tracing::warn!(%channel, "the thread of a session keeps its name: {why}");
            }
        });
    }

    fn archive_thread(&self, channel: ChannelId) {
        let message_sender = self.discord.message_sender().clone();
        tokio::spawn(async move {
            if let Err(why) = message_sender.archive_thread(channel).await {
                tracing::warn!(%channel, "the thread of a session that is over stays open: {why}");
            }
        });
    }

    /// When the next of its time-outs is over, or the other partitions are looked at.
    fn next_deadline(&mut self, now: Millis) -> Option<Millis> {
        let time_out = self.time_outs.values().min();
        let ended = time_out.map(|until| until + CLOCKS_DIFFER);
        let looked = self.other_partitions.next_deadline(now);
        ended.into_iter().chain(looked).min()
    }

    fn has_unsaved(&self) -> bool {
        !self.unsaved_last_seen.is_empty()
            || self.guild_progress.has_unsaved()
            || self.can_save_records()
    }

    fn has_unstored(&self) -> bool {
        !self.unstored.is_empty()
    }

    fn connected_shards(&self) -> Vec<(u16, bool)> {
        self.discord.connected_shards()
    }

    /// Saves how far each channel was heard.
    fn save(&mut self) -> BoxFuture<'static, ()> {
        let (unsaved, in_guilds) = (self.take_unsaved(), self.guild_progress.take_unsaved());
        let can_save = self.can_save_records();
        let held = self.held_events.channels();
        let take_records = || self.session_records.take_unsaved(held);
        let records = can_save.then(take_records).flatten();
        let store = self.store.clone();
        let saving = async move {
            // First the channels: one that is newer than its guild's mark and has none of its own counts as missed.
            let saved = match unsaved.is_empty() {
                true => Ok(()),
                false => store.record_seen(unsaved).await,
            };
            let saved = match in_guilds.is_empty() {
                true => saved,
                false => saved.and(store.record_seen_in_guilds(in_guilds).await),
            };
            // Whoever goes on from there must find all that was heard before.
            let saved = match records {
                Some(records) if saved.is_ok() => store.set_meta(SESSIONS, records).await,
                _ => saved,
            };
            if let Err(error) = saved {
                tracing::error!(%error, "how far channels were heard is not saved; a restart looks further back");
            }
        };
        saving.boxed()
    }
}
