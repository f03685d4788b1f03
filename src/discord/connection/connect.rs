//! Connects to Discord: asks what must be known first, opens the gateway, and puts the connection together.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use anyhow::anyhow;
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use super::backfill_queue::BackfillQueue;
use super::{
    ConnectionState, DiscordConnection, DiscordEventStream, FIRST_WAIT, LONGEST_WAIT,
    lock_converter,
};
use crate::commands::{CommandHandler, CommandRegistrar, CommandSettings, CommandTimeouts};
use crate::convert::{EventConverter, OptOutCheck};
use crate::gateway::{
    self, GatewayDispatch, GatewayInfo, GatewaySettings, GatewayStartError, GatewayTimeouts,
    SharedSessionStarts,
};
use crate::invite::build_invite_url;
use crate::log_channel::{LogChannels, LogEmbedOptions};
use crate::named_places::NameSearch;
use crate::picture_download::PictureDownloader;
use crate::rest::{DeliveryFence, RequestAllowance, RestClient, RestSettings};
use crate::send::{MessageSender, StickerFolder};
use crate::{DiscordEvent, DiscordSettings, webhooks};
use kith_core::back_off::BackOffSchedule;
use kith_core::chat::UserId;
use kith_core::directory::Directory;
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_language::discord;

/// How many events are kept before the daemon takes them. When it is full the gateway waits, and nothing is lost.
const EVENT_CAPACITY: usize = 4_096;
/// After an absence up to this long, Discord sends all that was missed with the resumed session.
const SHORT_ABSENCE: Duration = Duration::from_secs(60);
/// In how many channels missed messages are fetched at once: after a restart there may be hundreds.
const BACKFILLS_AT_ONCE: usize = 4;

/// Makes a client of Discord's API by these settings. Sends nothing yet.
///
/// # Errors
/// Names the setting that is wrong, in a sentence.
pub fn build_rest_client(settings: &DiscordSettings) -> Result<RestClient, String> {
    RestClient::new(build_rest_settings(settings))
}

fn build_rest_settings(settings: &DiscordSettings) -> RestSettings {
    RestSettings::new(
        &settings.api_base,
        settings.token.clone(),
        settings.proxy.expose(),
    )
}

/// The same for one of several partitions. What runs in this process asks at most its part of what Discord allows the
/// bot; a proxy that all share knows better.
fn build_shared_client(
    settings: &DiscordSettings,
    share: &DiscordShare,
) -> Result<RestClient, String> {
    let mut rest = build_rest_settings(settings);
    if settings.api_base == DiscordSettings::default().api_base {
        rest.allowance.clone_from(&share.allowance);
    }
    rest.fence.clone_from(&share.fence);
    RestClient::new(rest)
}

/// Which part of everything that happens on Discord is heard and answered here.
#[derive(Clone)]
pub struct DiscordShare {
    pub partition: Partition,
    /// What decides when a session may be started, where other processes start some as well.
    pub session_starts: Option<Arc<dyn SharedSessionStarts>>,
    /// How many requests Discord may be sent in a second by all that runs in this process; none where this is all.
    pub allowance: Option<RequestAllowance>,
    /// Whether deliveries may still be made here; none where nobody else makes them.
    pub fence: Option<DeliveryFence>,
}

impl DiscordShare {
    pub const WHOLE: Self = Self {
        partition: Partition::WHOLE,
        session_starts: None,
        allowance: None,
        fence: None,
    };
}

/// Discord lets the bot start so few sessions still that none is started here. More may be started within a day.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FewSessionStarts(
    /// The sentence that says so, and what to do.
    pub String,
);

/// Connects: asks Discord about the gateway until it answers, registers the commands and opens the gateway. Log
/// channels never show what the redactor knows.
///
/// # Errors
/// One sentence that says what stands in the way and what to do; [`FewSessionStarts`] for want of these.
pub async fn connect(
    settings: &DiscordSettings,
    share: DiscordShare,
    language: Language,
    personas: Vec<String>,
    redactor: Redactor,
) -> anyhow::Result<(DiscordConnection, DiscordEventStream)> {
    let rest = build_shared_client(settings, &share).map_err(|why| anyhow!(why))?;
    let pictures = PictureDownloader::new(settings).map_err(|why| anyhow!(why))?;
    let gateway_info = await_gateway_info(&rest, settings, &share, language).await?;
    let application = gateway_info.application;
    let invite = build_invite_url(application, settings);
    let directory = Arc::new(RwLock::new(build_directory(&gateway_info)));
    let mut converter = EventConverter::new(directory.clone(), language, share.partition);
    converter.set_answered_webhooks(webhooks::collect_answered(settings));
    let converter = Arc::new(Mutex::new(converter));
    let (out, events) = mpsc::channel(EVENT_CAPACITY);
    let operators = collect_operators(settings, &gateway_info);
    let options = build_log_options(language, share.partition, redactor);
    let log_channels = LogChannels::new(rest.clone(), options, out.clone());
    let (dispatch_sender, dispatches) = mpsc::channel(EVENT_CAPACITY);
    let gateway_settings = build_gateway_settings(settings, &share, &gateway_info, &rest, language);
    let shards = gateway_settings.shards;
    let gateway = gateway::start(gateway_settings, dispatch_sender)?;
    let command_registrar = CommandRegistrar::new(rest.clone(), application, language, out.clone());
    command_registrar.register_commands(CommandSettings {
        personas,
        max_talkativeness: settings.max_talkativeness,
    });
    let name_search = NameSearch::new(
        rest.clone(),
        log_channels.clone(),
        out.clone(),
        (language, share.partition),
        invite.clone(),
    );
    let (listen_sender, listen_receiver) = oneshot::channel();
    let command_handler = CommandHandler::new(
        rest.clone(),
        operators.clone(),
        out.clone(),
        CommandTimeouts::default(),
        share.partition,
    );
    tokio::spawn(forward_dispatches(
        dispatches,
        converter.clone(),
        command_handler.clone(),
        out.clone(),
        (listen_receiver, shards),
    ));
    let state = ConnectionState {
        message_sender: MessageSender::new(rest.clone(), directory.clone()),
        operators,
        backfill_queue: BackfillQueue::new(BACKFILLS_AT_ONCE),
        name_search,
        command_registrar,
        command_handler,
        pictures,
        rest,
        invite,
        gateway_info,
        partition: share.partition,
        directory,
        converter,
        log_channels,
        sticker_folder: open_sticker_folder(settings),
        presence: gateway.presence(),
        shard_links: gateway.links(),
        session_replays: gateway.session_replays(),
        listen_sender: Mutex::new(Some(listen_sender)),
        out,
    };
    Ok((
        DiscordConnection(Arc::new(state)),
        DiscordEventStream { events, gateway },
    ))
}

fn build_directory(gateway_info: &GatewayInfo) -> Directory {
    Directory {
        me: gateway_info.me,
        application: gateway_info.application_name.as_str().into(),
        ..Directory::default()
    }
}

fn open_sticker_folder(settings: &DiscordSettings) -> StickerFolder {
    let stickers = settings.stickers.as_deref();
    StickerFolder::new(stickers.unwrap_or(Path::new("stickers")))
}

fn build_log_options(
    language: Language,
    partition: Partition,
    redactor: Redactor,
) -> LogEmbedOptions {
    LogEmbedOptions {
        language,
        partition,
        redactor,
        ..LogEmbedOptions::default()
    }
}

fn collect_operators(settings: &DiscordSettings, gateway_info: &GatewayInfo) -> HashSet<UserId> {
    let all = gateway_info.hosts.iter().chain(&settings.hosts);
    all.copied().collect()
}

fn build_gateway_settings(
    settings: &DiscordSettings,
    share: &DiscordShare,
    gateway_info: &GatewayInfo,
    rest: &RestClient,
    language: Language,
) -> GatewaySettings {
    GatewaySettings {
        token: settings.token.clone(),
        url: gateway_info.gateway.clone(),
        shards: settings
            .shards
            .resolve(gateway_info.shards, share.partition),
        partition: share.partition,
        session_starts: share.session_starts.clone(),
        limit: gateway_info.limit,
        intents: gateway::select_intents(settings.direct_messages),
        proxy: settings.proxy.clone(),
        rest: rest.clone(),
        language,
        times: GatewayTimeouts::default(),
    }
}

/// Asks Discord what must be known before the first connection, until it answers: a daemon that starts with the machine
/// may start before the network.
async fn await_gateway_info(
    rest: &RestClient,
    settings: &DiscordSettings,
    share: &DiscordShare,
    language: Language,
) -> anyhow::Result<GatewayInfo> {
    let shards = (settings.shards, share.partition);
    let mut schedule = BackOffSchedule::new(FIRST_WAIT, LONGEST_WAIT);
    loop {
        let why = match gateway::check_gateway_info(rest, shards).await {
            Ok(start) => return Ok(start),
            Err(why) if why.is_transient() => why.describe(language),
            Err(why @ GatewayStartError::FewSessions(_)) => {
                return Err(FewSessionStarts(why.describe(language)).into());
            }
            Err(why) => return Err(anyhow!(why.describe(language))),
        };
        let wait = schedule.next_wait();
        let seconds = wait.as_secs();
        let again = discord::trying_again(seconds).in_language(language);
        tracing::warn!("{why} {again}");
        sleep(wait).await;
    }
}

/// Passes on what the gateway receives, in its order, until either end is gone. It begins when it knows whose messages
/// must not be read.
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
    lock_converter(&converter).set_opt_out_check(opt_out_check);
    while let Some(dispatch) = dispatches.recv().await {
        let events = match dispatch {
            GatewayDispatch::Event { kind, value } if kind == "INTERACTION_CREATE" => {
                commands.handle_interaction(&value);
                Vec::new()
            }
            GatewayDispatch::Event { kind, value } => {
                lock_converter(&converter).convert_event(&kind, &value)
            }
            GatewayDispatch::Connected {
                resumed: true,
                away,
                ..
            } if away < SHORT_ABSENCE => Vec::new(),
            GatewayDispatch::Connected { shard, resumed, .. } => {
                vec![DiscordEvent::BackfillNeeded {
                    shard: (shard.into(), shards.into()),
                    resumed,
                }]
            }
            GatewayDispatch::Heard(record) => vec![DiscordEvent::SessionHeard(record)],
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
