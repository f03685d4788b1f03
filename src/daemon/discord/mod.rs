//! Living on Discord: what is heard there is stored, then handed to the core; what the core wants done goes out over
//! REST. Whether a channel is read at all is decided here, before anything is kept.

mod appearance;
mod archived;
mod command_requests;
pub(super) mod delivery;
mod erase;
mod guild_progress;
mod held_events;
mod here;
mod host;
mod in_flight;
mod kept;
mod look_back;
mod moderation;
mod proposals;
mod receive;
pub(super) mod speak;
mod stickers;
mod throttle;
mod trials;
mod unstored_events;
mod upkeep;
mod watched;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::mpsc;

use crate::daemon::LoopMessage;
use crate::daemon::loop_commands::LoopCommandSender;
use kith_commands::CommandService;
use kith_core::chat::{Channel, ChannelId, GuildId, Message, MessageId, Millis, TurnId, UserId};
use kith_core::directory::Directory;
use kith_core::outgoing::{OutgoingAction, VisibleAction};
use kith_core::preference::PersonPreference;
use kith_discord::{DiscordConnection, DiscordEvent};
use kith_store::{PersonPreferences, Store, StoreError};
use kith_system::clock;
use kith_tools::ToolHost;

pub(super) use command_requests::CommandDecision;
use delivery::{DeliveryQueuePlace, OutboxEntry};
use host::ReadableChannels;
pub(super) use upkeep::CHORES_EVERY;

/// What the daemon keeps while it lives on Discord.
pub(super) struct DiscordPlatform {
    pub discord: DiscordConnection,
    /// When it began: what was journaled before is an earlier run's.
    started: Millis,
    command_service: CommandService,
    preferences: Arc<RwLock<PersonPreferences>>,
    /// The newest message heard in each channel, stored or not.
    last_seen: HashMap<ChannelId, MessageId>,
    /// The newest message heard anywhere.
    newest: MessageId,
    /// How far each guild was heard.
    guild_progress: guild_progress::GuildProgress,
    /// The channels in `seen` that are not saved yet.
    unsaved_last_seen: BTreeSet<ChannelId>,
    /// The channels that are looked back at, with what was heard there meanwhile.
    held_events: held_events::HeldEvents,
    /// What the store did not take yet.
    unstored: unstored_events::UnstoredEvents,
    /// What is on its way out.
    in_flight: in_flight::MessagesInFlight,
    /// In which order it goes out.
    delivery_queues: delivery::DeliveryQueues,
    /// Where it tries whether it may post again.
    trials: trials::PermissionTrials,
    /// The guilds that were told once who can wake it.
    greeted_guilds: HashSet<GuildId>,
    /// Whether every guild has come.
    is_complete: bool,
    /// The guilds in which it is timed out, and until when: Discord does not tell of the end.
    time_outs: BTreeMap<GuildId, Millis>,
    /// Who had everything of theirs erased lately.
    erase_throttle: throttle::RequestThrottle,
    /// Who had everything of theirs exported lately.
    export_throttle: throttle::RequestThrottle,
    /// The shards of which a session was up before.
    connected_shards: BTreeSet<u64>,
    /// Turns no log channel may tell of any more.
    unlogged_turns: HashSet<TurnId>,
    readable: Arc<ReadableChannels>,
    appearance: appearance::AppearanceState,
}

impl DiscordPlatform {
    pub async fn new(
        discord: DiscordConnection,
        store: &Store,
        command_service: CommandService,
        loop_commands: LoopCommandSender,
    ) -> Result<Self, StoreError> {
        let greeted_guilds = store
            .load_meta(receive::TOLD)
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
        discord.listen(Arc::new(move |user| {
            read_preference(&shared_preferences, user) == PersonPreference::Ignore
        }));
        Ok(Self {
            started: clock::now(),
            command_service,
            preferences,
            last_seen: store.last_seen().await?.into_iter().collect(),
            newest: MessageId::default(),
            guild_progress: guild_progress::GuildProgress::new(store.last_seen_in_guilds().await?),
            unsaved_last_seen: BTreeSet::new(),
            held_events: held_events::HeldEvents::default(),
            unstored: unstored_events::UnstoredEvents::default(),
            in_flight: in_flight::MessagesInFlight::default(),
            delivery_queues: delivery::DeliveryQueues::default(),
            trials: trials::PermissionTrials::default(),
            greeted_guilds,
            is_complete: false,
            time_outs: BTreeMap::new(),
            erase_throttle: throttle::RequestThrottle::default(),
            export_throttle: throttle::RequestThrottle::default(),
            connected_shards: BTreeSet::new(),
            unlogged_turns: HashSet::new(),
            readable,
            appearance: appearance::AppearanceState::default(),
            discord,
        })
    }

    /// What tools may know of it.
    pub fn tool_host(&self) -> Arc<dyn ToolHost> {
        self.readable.clone()
    }

    /// An action goes out: its entry in the outbox, and its place among those of its channel. Reactions have none.
    pub fn begin_delivery(
        &mut self,
        outgoing: &OutgoingAction,
        store: &Store,
        loop_sender: &mpsc::Sender<LoopMessage>,
    ) -> (OutboxEntry, DeliveryQueuePlace) {
        let messages = self.discord.message_sender().count_messages(outgoing);
        self.in_flight.start_delivery(outgoing, messages);
        let entry = OutboxEntry::new(
            self.discord.clone(),
            store.clone(),
            loop_sender.clone(),
            outgoing,
        );
        let place = match outgoing.action {
            VisibleAction::Send { .. } => self.delivery_queues.join_queue(outgoing.channel),
            VisibleAction::React { .. } => DeliveryQueuePlace::first(),
        };
        (entry, place)
    }

    /// The turn of an action goes on, for nobody knows what became of it.
    pub fn mark_as_said(&mut self, nonce: &str) {
        self.in_flight.mark_as_said(nonce);
    }

    /// It is known what became of an action; answers with those of its messages that the core has heard, by their place.
    pub fn finish_delivery(&mut self, nonce: &str) -> Vec<(usize, Message)> {
        self.in_flight.finish_delivery(nonce)
    }

    /// Whether every guild has come.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// A channel, as Discord tells of it.
    pub fn channel(&self, id: ChannelId) -> Option<Channel> {
        self.directory()
            .channels
            .get(&id)
            .map(|known| known.channel.clone())
    }

    /// How somebody wants to be treated.
    fn preference(&self, user: UserId) -> PersonPreference {
        read_preference(&self.preferences, user)
    }

    /// Somebody wants to be treated so from now on.
    fn set_preference(&self, user: UserId, preference: PersonPreference) {
        self.preferences
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .set(user, preference);
    }

    fn directory(&self) -> std::sync::RwLockReadGuard<'_, Directory> {
        self.discord.directory()
    }
}

fn read_preference(preferences: &RwLock<PersonPreferences>, user: UserId) -> PersonPreference {
    preferences
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .get(user)
}

/// The channel something was heard in, where it belongs to one and must keep its order there.
fn find_ordering_channel(event: &DiscordEvent) -> Option<ChannelId> {
    match event {
        DiscordEvent::Message { message, .. } => Some(message.channel),
        DiscordEvent::MessageEdited { channel, .. }
        | DiscordEvent::MessagesDeleted { channel, .. }
        | DiscordEvent::Reaction { channel, .. }
        | DiscordEvent::ReactionsCleared { channel, .. } => Some(*channel),
        _ => None,
    }
}
