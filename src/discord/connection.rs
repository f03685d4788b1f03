//! Discord as the daemon holds it: one handle for everything that goes there, and one stream of what is heard. What it
//! is told to do it does or says why not; it decides nothing.

mod system_messages;

use kith_language::discord;
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use anyhow::anyhow;
use serde_json::Value;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep};

use super::backfill;
use super::commands::{CommandHandler, CommandRegistrar, CommandSettings, CommandTimeouts};
use super::convert::{self, EventConverter, OptOutCheck};
use super::gateway::{
    self, Gateway, GatewayDispatch, GatewayInfo, GatewaySettings, GatewayTimeouts,
};
use super::invite::build_invite_url;
use super::log_channel::{LogChannels, LogEmbedOptions};
use super::named_places::{NameSearch, NamedPlaces};
use super::pictures::{PictureDownloader, PictureError};
use super::rest::{DiscordAbility, RestClient, RestError, RestRequest, RestRoute, RestSettings};
use super::send::{MessageSender, StickerFolder};
use super::{DiscordEvent, DiscordSettings};
use kith_core::back_off::BackOffSchedule;
use kith_core::chat::{
    Channel, ChannelId, GuildId, Message, MessageId, MessagePicture, Millis, UserId,
};
use kith_core::directory::{Directory, KnownChannel};
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_system::clock;

/// How much is heard before the daemon takes it. When it is full the gateway waits, and nothing is lost.
const WAITING: usize = 4_096;
/// An absence up to this long is made good by the resumed session; after a longer one nobody knows.
const SHORT: Duration = Duration::from_secs(60);
/// How many channels are looked back at together: after a restart there may be hundreds.
const AT_ONCE: usize = 4;
/// The wait after a look back, or a look before the start, that failed; it doubles.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// The longest of these waits.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Discord, as the daemon holds it. Cheap to clone.
#[derive(Clone)]
pub struct DiscordConnection(Arc<ConnectionState>);

struct ConnectionState {
    rest: RestClient,
    gateway_info: GatewayInfo,
    invite: String,
    directory: Arc<RwLock<Directory>>,
    converter: Arc<Mutex<EventConverter>>,
    message_sender: MessageSender,
    /// Who may do what the host may.
    operators: HashSet<UserId>,
    /// Looking back takes one of these places a channel.
    backfill_permits: Semaphore,
    log_channels: LogChannels,
    sticker_folder: StickerFolder,
    presence: gateway::Presence,
    name_search: NameSearch,
    command_registrar: CommandRegistrar,
    pictures: PictureDownloader,
    /// Taken when it begins to listen.
    listen_sender: Mutex<Option<oneshot::Sender<OptOutCheck>>>,
    /// For what comes of tasks of its own.
    out: mpsc::Sender<DiscordEvent>,
}

/// The link to Discord: what is heard, until it is closed.
pub struct DiscordEventStream {
    events: mpsc::Receiver<DiscordEvent>,
    gateway: Gateway,
}

/// A message that was looked up.
#[derive(Debug)]
pub struct MessageLookup {
    /// The message as it is now.
    pub message: Message,
    /// The pictures that were sent along.
    pub pictures: Vec<MessagePicture>,
    /// When it was edited, if it was.
    pub edited_at: Option<Millis>,
}

/// What was missed in a channel.
#[derive(Debug, Default)]
pub struct ChannelBackfill {
    /// The messages, oldest first.
    pub messages: Vec<MessageLookup>,
    /// Known ones that were edited, perhaps since they were known, as they are now.
    pub edited: Vec<MessageLookup>,
    /// Known ones that were deleted.
    pub deleted: Vec<MessageId>,
    /// Whether older ones were missed, too, and will not come.
    pub gap: bool,
}

/// The way to Discord's API that these settings name. Asks nothing yet.
///
/// # Errors
/// A sentence about the setting that is wrong.
pub fn rest(settings: &DiscordSettings) -> Result<RestClient, String> {
    RestClient::new(RestSettings::new(
        &settings.api_base,
        settings.token.clone(),
        settings.proxy.expose(),
    ))
}

/// Connects: looks whether it makes sense, for as long as Discord does not answer, registers the commands, opens the
/// gateway. No log channel ever shows one of
/// what the redactor knows.
///
/// # Errors
/// One sentence that says what stands in the way and what to do.
pub async fn connect(
    settings: &DiscordSettings,
    language: Language,
    personas: Vec<String>,
    redactor: Redactor,
) -> anyhow::Result<(DiscordConnection, DiscordEventStream)> {
    let rest = rest(settings).map_err(|why| anyhow!(why))?;
    let pictures = PictureDownloader::new(settings).map_err(|why| anyhow!(why))?;
    let gateway_info = await_gateway_info(&rest, language).await?;
    let directory = Directory {
        me: gateway_info.me,
        application: gateway_info.application_name.as_str().into(),
        ..Directory::default()
    };
    let directory = Arc::new(RwLock::new(directory));
    let converter = Arc::new(Mutex::new(EventConverter::new(directory.clone(), language)));
    let (out, events) = mpsc::channel(WAITING);
    let operators: HashSet<UserId> = gateway_info
        .hosts
        .iter()
        .chain(&settings.hosts)
        .copied()
        .collect();
    let commands = CommandHandler::new(
        rest.clone(),
        operators.clone(),
        out.clone(),
        CommandTimeouts::default(),
    );
    let log_channels = LogChannels::new(
        rest.clone(),
        LogEmbedOptions {
            language,
            redactor,
            ..LogEmbedOptions::default()
        },
        out.clone(),
    );
    let gateway = GatewaySettings {
        token: settings.token.clone(),
        url: gateway_info.gateway.clone(),
        shards: gateway_info.shards,
        limit: gateway_info.limit,
        intents: gateway::select_intents(settings.direct_messages),
        proxy: settings.proxy.clone(),
        rest: rest.clone(),
        language,
        times: GatewayTimeouts::default(),
    };
    let (dispatch_sender, dispatches) = mpsc::channel(WAITING);
    let gateway = gateway::start(gateway, dispatch_sender)?;
    let command_registrar = CommandRegistrar::new(
        rest.clone(),
        gateway_info.application,
        language,
        out.clone(),
    );
    command_registrar.register_commands(CommandSettings {
        personas,
        max_talkativeness: settings.max_talkativeness,
    });
    let name_search = NameSearch::new(
        rest.clone(),
        log_channels.clone(),
        out.clone(),
        language,
        build_invite_url(gateway_info.application, settings),
    );
    let (listen_sender, listen_receiver) = oneshot::channel();
    tokio::spawn(forward_dispatches(
        dispatches,
        converter.clone(),
        commands,
        out.clone(),
        (listen_receiver, gateway_info.shards),
    ));
    let discord = ConnectionState {
        message_sender: MessageSender::new(rest.clone(), directory.clone()),
        operators,
        backfill_permits: Semaphore::new(AT_ONCE),
        name_search,
        command_registrar,
        pictures,
        rest,
        invite: build_invite_url(gateway_info.application, settings),
        gateway_info,
        directory,
        converter,
        log_channels,
        sticker_folder: StickerFolder::new(
            settings
                .stickers
                .as_deref()
                .unwrap_or(Path::new("stickers")),
        ),
        presence: gateway.presence(),
        listen_sender: Mutex::new(Some(listen_sender)),
        out,
    };
    Ok((
        DiscordConnection(Arc::new(discord)),
        DiscordEventStream { events, gateway },
    ))
}

/// Asks Discord what must be known before the first link, until it answers: who starts with the machine may be there
/// before its network is.
async fn await_gateway_info(rest: &RestClient, language: Language) -> anyhow::Result<GatewayInfo> {
    let mut schedule = BackOffSchedule::new(LOOK_AGAIN, LONGEST_WAIT);
    loop {
        let why = match gateway::check_gateway_info(rest).await {
            Ok(start) => return Ok(start),
            Err(why) if why.is_transient() => why.describe(language),
            Err(why) => return Err(anyhow!(why.describe(language))),
        };
        let wait = schedule.next_wait();
        let seconds = wait.as_secs();
        let again = discord::trying_again(seconds).in_language(language);
        tracing::warn!("{why} {again}");
        sleep(wait).await;
    }
}

/// Passes on what the gateway tells, in its order, until either end is gone; from when it is known whose words are not
/// to be read.
async fn forward_dispatches(
    mut dispatches: mpsc::Receiver<GatewayDispatch>,
    converter: Arc<Mutex<EventConverter>>,
    commands: CommandHandler,
    out: mpsc::Sender<DiscordEvent>,
    (listen_receiver, shards): (oneshot::Receiver<OptOutCheck>, u16),
) {
    let Ok(opt_out_check) = listen_receiver.await else {
        return;
    };
    lock(&converter).set_opt_out_check(opt_out_check);
    while let Some(dispatch) = dispatches.recv().await {
        let events = match dispatch {
            GatewayDispatch::Event { kind, value } if kind == "INTERACTION_CREATE" => {
                commands.handle_interaction(&value);
                Vec::new()
            }
            GatewayDispatch::Event { kind, value } => lock(&converter).convert_event(&kind, &value),
            GatewayDispatch::Connected {
                resumed: true,
                away,
                ..
            } if away < SHORT => Vec::new(),
            GatewayDispatch::Connected { shard, resumed, .. } => {
                vec![DiscordEvent::BackfillNeeded {
                    shard: (shard.into(), shards.into()),
                    resumed,
                }]
            }
            GatewayDispatch::Notice(text) => vec![DiscordEvent::Notice(text)],
            GatewayDispatch::Fatal(text) => vec![DiscordEvent::Fatal(text)],
        };
        for event in events {
            if out.send(event).await.is_err() {
                return;
            }
        }
    }
}

fn lock(converter: &Mutex<EventConverter>) -> std::sync::MutexGuard<'_, EventConverter> {
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

    /// Says good-bye.
    pub async fn close(self) {
        self.gateway.stop().await;
    }
}

impl DiscordConnection {
    /// The companion's own id.
    pub fn me(&self) -> UserId {
        self.0.gateway_info.me
    }

    /// Whether somebody may do what the host may.
    pub fn is_operator(&self, user: UserId) -> bool {
        self.0.operators.contains(&user)
    }

    /// The application's name.
    pub fn application(&self) -> &str {
        &self.0.gateway_info.application_name
    }

    /// The address at which somebody with Manage Server invites it, with the permissions it needs and no more.
    pub fn invite_url(&self) -> String {
        self.0.invite.clone()
    }

    /// Begins to listen. Of those whom it `ignores` nothing that others quote is passed on.
    pub fn listen(&self, opt_out_check: OptOutCheck) {
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

    /// The directory itself, for those who keep it.
    pub fn shared_directory(&self) -> Arc<RwLock<Directory>> {
        self.0.directory.clone()
    }

    /// The names of a person are not remembered any more.
    pub fn forget_person(&self, user: UserId) {
        self.0
            .directory
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .forget(user);
    }

    /// A direct message it knows from before: Discord tells of none until somebody writes in it.
    pub fn remember_direct_channel(&self, channel: &Channel) {
        let mut directory = self
            .0
            .directory
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        directory
            .channels
            .entry(channel.id)
            .or_insert_with(|| KnownChannel::new_direct(channel.clone()));
    }

    /// Somebody's name as it is on record, for who has not been seen since the start.
    pub fn remember_name(&self, channel: ChannelId, user: UserId, name: &str) {
        let mut directory = self
            .0
            .directory
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let guild = directory.find_guild(channel);
        if directory.find_name(guild, user).is_none() {
            directory.names.put(guild, user, name.into());
        }
    }

    /// Tells the host something, as [`DiscordEvent::Notice`].
    pub async fn notify_operator(&self, text: String) {
        // The other end is only gone with the daemon.
        let _ = self.0.out.send(DiscordEvent::Notice(text)).await;
    }

    /// Brings messages and reactions.
    pub fn message_sender(&self) -> &MessageSender {
        &self.0.message_sender
    }

    /// The pictures the host has put there to be sent like stickers.
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

    /// The log channels.
    pub fn log_channels(&self) -> &LogChannels {
        &self.0.log_channels
    }

    /// Looks in log channels for entries of an earlier run that are not on record.
    pub fn find_earlier_entries(&self, logs: &[ChannelId]) {
        logs.iter()
            .for_each(|log| self.0.log_channels.find_earlier_entries(*log, self.me()));
    }

    /// Looks whether what the settings name is there, once every guild is. What is not is told as [`DiscordEvent::Notice`].
    pub fn report_missing_places(&self, places: NamedPlaces) {
        let missing = self.0.name_search.find_missing(places, &self.directory());
        let discord = self.clone();
        tokio::spawn(async move { discord.0.name_search.tell(missing).await });
    }

    /// What was written in a channel after a message, and what became of those that are `known`. Waits until Discord
    /// tells: what comes later must not be heard before it. Only where Discord does not understand the question, or hides
    /// what was said, what was missed becomes a gap.
    pub async fn fetch_missed_messages(
        &self,
        channel: ChannelId,
        after: MessageId,
        known: &[MessageId],
        pages: u32,
    ) -> ChannelBackfill {
        let mut schedule = BackOffSchedule::new(LOOK_AGAIN, LONGEST_WAIT);
        loop {
            // The semaphore is never closed; were it, nothing would be lost but politeness.
            let permit = self.0.backfill_permits.acquire().await.ok();
            match backfill::fetch_missed_messages(&self.0.rest, channel, after, pages).await {
                Ok(missed) => return self.build_backfill(channel, &missed, known),
                Err(why @ (RestError::Invalid { .. } | RestError::Unauthorized)) => {
                    tracing::warn!(%channel, "looking back failed, what was missed stays unread: {why}");
                    return ChannelBackfill {
                        gap: true,
                        ..ChannelBackfill::default()
                    };
                }
                Err(why) => tracing::warn!(%channel, "looking back failed, trying again: {why}"),
            }
            drop(permit);
            sleep(schedule.next_wait()).await;
        }
    }

    fn build_backfill(
        &self,
        channel: ChannelId,
        missed: &backfill::MissedMessages,
        known: &[MessageId],
    ) -> ChannelBackfill {
        let directory = self.directory();
        let is_shown = directory.may_read_history(channel, clock::now());
        let newest = directory.channels.get(&channel).map(|known| known.newest);
        drop(directory);
        // Of what is hidden no more is known than that there is something newer than what is on record.
        let is_hidden = !is_shown && newest > known.iter().max().copied();
        let deleted = known
            .iter()
            .filter(|id| is_shown && missed.newest.is_deleted(**id))
            .copied()
            .collect();
        let (messages, edited) = (
            self.convert_history(channel, &missed.messages),
            self.convert_history(channel, &missed.edited),
        );
        ChannelBackfill {
            messages,
            edited,
            deleted,
            gap: missed.gap || is_hidden,
        }
    }

    fn convert_history(&self, channel: ChannelId, messages: &[Value]) -> Vec<MessageLookup> {
        let events = lock(&self.0.converter).convert_history(channel, messages);
        let mut messages: Vec<MessageLookup> = Vec::with_capacity(events.len());
        for event in events {
            match (event, messages.last_mut()) {
                (
                    DiscordEvent::Message {
                        message, pictures, ..
                    },
                    _,
                ) => {
                    messages.push(MessageLookup {
                        message,
                        pictures,
                        edited_at: None,
                    });
                }
                (DiscordEvent::MessageEdited { id, at, .. }, Some(found))
                    if found.message.id == id =>
                {
                    found.edited_at = Some(at)
                }
                _ => {}
            }
        }
        messages
    }

    /// The file of a picture that was sent along with a message.
    ///
    /// # Errors
    /// Whether it is worth asking again.
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
