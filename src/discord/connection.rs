//! Discord as the daemon holds it: one handle for everything that goes there, and one stream of what is heard. What it
//! is told to do it does or says why not; it decides nothing.

mod backfill_queue;
mod channel_backfill;
mod connect;
mod system_messages;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::DiscordEvent;
use super::commands::{CommandHandler, CommandRegistrar, CommandSettings};
use super::convert::{self, EventConverter, OptOutCheck};
use super::gateway::{self, FormerSessions, Gateway, GatewayInfo, SessionReplays, ShardLinks};
use super::log_channel::LogChannels;
use super::named_places::{ConfiguredIds, NameSearch};
use super::picture_download::{PictureDownloader, PictureError};
use super::rest::{DiscordAbility, RestClient, RestRequest, RestRoute};
use super::send::{MessageSender, StickerFolder};
use kith_core::chat::{Channel, ChannelId, GuildId, MessagePicture, UserId};
use kith_core::directory::{Directory, KnownChannel};
use kith_core::partition::Partition;

use backfill_queue::BackfillQueue;
pub use channel_backfill::ChannelBackfill;
pub use connect::{DiscordShare, FewSessionStarts, build_rest_client, connect};

/// The wait after a failed request that is repeated until it succeeds: fetching missed messages, or asking about the
/// gateway before the start. It doubles.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Discord, as the daemon holds it. Cheap to clone.
#[derive(Clone)]
pub struct DiscordConnection(Arc<ConnectionState>);

struct ConnectionState {
    rest: RestClient,
    gateway_info: GatewayInfo,
    partition: Partition,
    invite: String,
    directory: Arc<RwLock<Directory>>,
    converter: Arc<Mutex<EventConverter>>,
    message_sender: MessageSender,
    operators: HashSet<UserId>,
    backfill_queue: BackfillQueue,
    log_channels: LogChannels,
    sticker_folder: StickerFolder,
    presence: gateway::Presence,
    shard_links: ShardLinks,
    session_replays: SessionReplays,
    name_search: NameSearch,
    command_registrar: CommandRegistrar,
    command_handler: CommandHandler,
    pictures: PictureDownloader,
    /// Taken when it begins to listen.
    listen_sender: Mutex<Option<oneshot::Sender<OptOutCheck>>>,
    out: mpsc::Sender<DiscordEvent>,
}

pub struct DiscordEventStream {
    events: mpsc::Receiver<DiscordEvent>,
    gateway: Gateway,
}

fn lock_converter(converter: &Mutex<EventConverter>) -> MutexGuard<'_, EventConverter> {
    converter.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DiscordEventStream {
    /// What is heard next, up to `most`; nothing once nothing will come any more.
    pub async fn next_events(&mut self, most: usize) -> Vec<DiscordEvent> {
        let mut events = Vec::new();
        self.events.recv_many(&mut events, most).await;
        convert::sort_messages(&mut events);
        events
    }

    pub async fn close(self) {
        self.gateway.stop().await;
    }
}

impl DiscordConnection {
    pub fn partition(&self) -> Partition {
        self.0.partition
    }

    pub fn me(&self) -> UserId {
        self.0.gateway_info.me
    }

    pub fn is_operator(&self, user: UserId) -> bool {
        self.0.operators.contains(&user)
    }

    pub fn application(&self) -> &str {
        &self.0.gateway_info.application_name
    }

    /// The address at which somebody with Manage Server invites it, with the permissions it needs and no more.
    pub fn invite_url(&self) -> String {
        self.0.invite.clone()
    }

    /// The number of each shard that runs here, and whether it is connected.
    pub fn connected_shards(&self) -> Vec<(u16, bool)> {
        self.0.shard_links.are_up()
    }

    /// Begins to listen, and has former sessions tell what came since they were heard. Of those whom it `ignores` nothing that
    /// others quote is passed on.
    pub fn listen(&self, opt_out_check: OptOutCheck, former: FormerSessions) {
        self.0.session_replays.begin(former);
        let listen_sender = self
            .0
            .listen_sender
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        // The other end is only gone with the link.
        let _ = listen_sender.map(|begin| begin.send(opt_out_check));
    }

    /// Guilds, channels, people seen. Never hold it over an await.
    pub fn directory(&self) -> RwLockReadGuard<'_, Directory> {
        self.0
            .directory
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn write_directory(&self) -> RwLockWriteGuard<'_, Directory> {
        self.0
            .directory
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub fn shared_directory(&self) -> Arc<RwLock<Directory>> {
        self.0.directory.clone()
    }

    pub fn forget_person(&self, user: UserId) {
        self.write_directory().forget(user);
    }

    /// A direct message it knows from before: Discord tells of none until somebody writes in it.
    pub fn remember_direct_channel(&self, channel: &Channel) {
        let mut directory = self.write_directory();
        directory
            .channels
            .entry(channel.id)
            .or_insert_with(|| KnownChannel::new_direct(channel.clone()));
    }

    /// Somebody's name as it is on record, for who has not been seen since the start.
    pub fn remember_name(&self, channel: ChannelId, user: UserId, name: &str) {
        let mut directory = self.write_directory();
        let guild = directory.find_guild(channel);
        if directory.find_name(guild, user).is_none() {
            directory.names.put(guild, user, name.into());
        }
    }

    pub async fn notify_operator(&self, text: String) {
        // The other end is only gone with the daemon.
        let _ = self.0.out.send(DiscordEvent::Notice(text)).await;
    }

    pub fn message_sender(&self) -> &MessageSender {
        &self.0.message_sender
    }

    pub fn sticker_folder(&self) -> &StickerFolder {
        &self.0.sticker_folder
    }

    /// Shows a status beside its name, everywhere; an empty one takes it away.
    ///
    /// # Errors
    /// How long it must wait.
    pub fn set_status(&self, text: &str) -> Result<(), Duration> {
        self.0.presence.set(text)
    }

    pub fn log_channels(&self) -> &LogChannels {
        &self.0.log_channels
    }

    /// Looks in log channels for entries of an earlier run that are not on record.
    pub fn find_earlier_entries(&self, logs: &[ChannelId]) {
        logs.iter()
            .for_each(|log| self.0.log_channels.find_earlier_entries(*log, self.me()));
    }

    /// Looks whether what the settings name is there, once every guild is. What is not is told as [`DiscordEvent::Notice`].
    pub fn report_missing_places(&self, places: ConfiguredIds) {
        let missing = self.0.name_search.find_missing(places, &self.directory());
        let discord = self.clone();
        tokio::spawn(async move { discord.0.name_search.report_missing(missing).await });
    }

    /// The file of a picture that was sent along with a message.
    pub async fn picture(&self, picture: &MessagePicture) -> Result<Vec<u8>, PictureError> {
        self.0.pictures.fetch(picture).await
    }

    /// What the commands offer to choose from changed: Discord is told where it knows something else.
    pub fn register_commands(&self, personas: Vec<String>, max_talkativeness: f32) {
        self.0.command_registrar.register_commands(CommandSettings {
            personas,
            max_talkativeness,
        });
    }

    pub fn answer_for_another(&self, raw: &Value) {
        self.0.command_handler.answer_for_another(raw);
    }

    /// A guild changed, and with it perhaps what may be done there.
    pub fn handle_guild_change(&self, guild: GuildId) {
        let channels: Vec<ChannelId> = self
            .directory()
            .list_channels(guild)
            .map(|known| known.channel.id)
            .collect();
        channels
            .iter()
            .for_each(|channel| self.0.log_channels.retry_channel(*channel));
        self.0.rest.clear_guild_refusals(guild, channels);
    }

    /// Whether nothing is known that keeps it from writing in a channel, whatever the permissions say.
    pub fn can_send(&self, channel: ChannelId) -> bool {
        self.0.rest.has_ability(channel, DiscordAbility::Send)
    }

    /// From when on it is worth trying whether it may post in a channel in which that was refused; none if it was not.
    pub fn retry_time(&self, channel: ChannelId) -> Option<Instant> {
        self.0.rest.retry_time(channel, DiscordAbility::Send)
    }

    /// Tries whether it may post again in a channel in which that was refused, by what takes the same permission and leaves
    /// nothing behind: it shows that it types. What comes of it tells [`DiscordConnection::retry_time`].
    pub async fn try_to_send(&self, channel: ChannelId) {
        if self.retry_time(channel).is_none() {
            return;
        }
        let trial =
            RestRequest::post(RestRoute::typing(channel)).trial_ability(DiscordAbility::Send);
        if let Err(why) = self.0.rest.call(trial).await {
            tracing::debug!(%channel, "it may still not post there: {why}");
        }
    }

    /// A channel changed, or a person wrote in this direct message: what was refused there is tried again.
    pub fn handle_channel_change(&self, channel: ChannelId) {
        self.0.rest.clear_refusals(channel);
        self.0.log_channels.retry_channel(channel);
    }
}
