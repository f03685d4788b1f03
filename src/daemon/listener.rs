//! The door people come through: the room on loopback, or Discord where there is a token. One of them a process, so that
//! every channel belongs to one companion and no page shows what was said elsewhere.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::settings::Settings;
use kith_discord::{DiscordConnection, DiscordEvent, DiscordEventStream};
use kith_room::{LiveEvent, PendingRequest, RoomHandles, RoomToken};

/// How much of what comes together is stored in one commit.
const TOGETHER: usize = 256;
/// How long pages may hold their streams open when the daemon stops; they come back by themselves.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);

/// Where the companion lives.
#[derive(Clone, Debug)]
pub enum ListenerKind {
    /// In the local room.
    Room {
        /// Its page is here.
        address: SocketAddr,
        /// What opens it.
        token: RoomToken,
        /// Where that is kept.
        file: PathBuf,
    },
    /// On Discord.
    Discord {
        /// The application's name.
        name: String,
        /// The address that invites it into a server.
        invite: String,
    },
}

impl ListenerKind {
    /// A line that tells people where it is. Where others may read along, the room's is told without its token.
    pub fn describe_address(&self, others_read_along: bool) -> String {
        match self {
            Self::Room { address, token, .. } if !others_read_along => {
                format!("Kith is here: {}", token.address(*address))
            }
            Self::Room { address, file, .. } => {
                format!(
                    "Kith is here: http://{address}/?token=… (the token is in {}, and not in this log)",
                    file.display()
                )
            }
            Self::Discord { name, invite } => {
                format!("Kith is on Discord as {name}; invite it with {invite}")
            }
        }
    }
}

/// A door that is not open yet.
pub(super) struct BoundListener {
    place: ListenerKind,
    source: Behind,
}

enum Behind {
    Room(TcpListener, RoomToken),
    Discord(DiscordEventStream),
}

/// Finds out which door it is, and that it can be opened.
pub(super) async fn bind(
    settings: &Settings,
) -> anyhow::Result<(BoundListener, Option<DiscordConnection>)> {
    if settings.discord.token.is_empty() {
        let listener = kith_room::bind(settings.room.listen).await?;
        let address = listener.local_addr().context("the room's own address")?;
        let (token, file) = RoomToken::load(&settings.data_dir).with_context(|| {
            format!(
                "the token of the room cannot be kept in {}",
                settings.data_dir.display()
            )
        })?;
        let behind = Behind::Room(listener, token.clone());
        return Ok((
            BoundListener {
                place: ListenerKind::Room {
                    address,
                    token,
                    file,
                },
                source: behind,
            },
            None,
        ));
    }
    let language = settings.language.unwrap_or_default();
    let (discord, events) = kith_discord::connect(
        &settings.discord,
        language,
        settings.offered_personas(),
        settings.redactor(),
    )
    .await?;
    let place = ListenerKind::Discord {
        name: discord.application().to_owned(),
        invite: discord.invite_url(),
    };
    Ok((
        BoundListener {
            place,
            source: Behind::Discord(events),
        },
        Some(discord),
    ))
}

impl BoundListener {
    /// Where it leads.
    pub fn place(&self) -> &ListenerKind {
        &self.place
    }

    /// Lets people in.
    pub fn open(self, live: broadcast::Sender<Arc<LiveEvent>>) -> PlatformListener {
        match self.source {
            Behind::Discord(events) => PlatformListener::Discord(events),
            Behind::Room(listener, token) => {
                let (requests, pending_requests) = mpsc::channel(TOGETHER);
                let (stop, stopped) = oneshot::channel();
                let handles = RoomHandles { requests, live };
                let serving = tokio::spawn(kith_room::serve(listener, handles, token, async {
                    let _ = stopped.await;
                }));
                PlatformListener::Room {
                    asked: pending_requests,
                    stop,
                    serving,
                }
            }
        }
    }
}

/// An open door.
pub(super) enum PlatformListener {
    Room {
        asked: mpsc::Receiver<PendingRequest>,
        stop: oneshot::Sender<()>,
        serving: JoinHandle<std::io::Result<()>>,
    },
    Discord(DiscordEventStream),
}

/// What came through it.
pub(super) enum ListenerEvent {
    Requests(Vec<PendingRequest>),
    DiscordEvents(Vec<DiscordEvent>),
    /// Nobody will come any more.
    Closed,
}

impl PlatformListener {
    /// What comes next, all of it that is there.
    pub async fn next(&mut self) -> ListenerEvent {
        match self {
            Self::Room { asked, .. } => {
                let mut together = Vec::new();
                match asked.recv_many(&mut together, TOGETHER).await {
                    0 => ListenerEvent::Closed,
                    _ => ListenerEvent::Requests(together),
                }
            }
            Self::Discord(connected) => {
                let events = connected.next_events(TOGETHER).await;
                if events.is_empty() {
                    ListenerEvent::Closed
                } else {
                    ListenerEvent::DiscordEvents(events)
                }
            }
        }
    }

    /// Closes it.
    pub async fn close(self) {
        match self {
            Self::Room { stop, serving, .. } => {
                let _ = stop.send(());
                let _ = tokio::time::timeout(LEAVE_WITHIN, serving).await;
            }
            Self::Discord(connected) => connected.close().await,
        }
    }
}
