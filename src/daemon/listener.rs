//! The way people come in: the room on loopback, or Discord where there is a token. One of them a process, so that
//! every channel belongs to one companion. The console, which shows all of them to who runs Kith, stands beside either.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context as _;
use tokio::net::TcpListener;

use super::share::PartitionContext;
use crate::settings::Settings;
use kith_discord::{DiscordConnection, DiscordEventStream};
use kith_language::{LocalizedMessage, cli};
use kith_room::{RoomBindError, RoomToken};

#[derive(Clone, Debug)]
pub enum ListenerKind {
    Room(PageAddress),
    Discord {
        /// The application's name.
        name: String,
        /// The address that invites it into a server.
        invite: String,
        console: Option<PageAddress>,
    },
}

#[derive(Clone, Debug)]
pub struct PageAddress {
    pub address: SocketAddr,
    pub token: RoomToken,
    /// Where the token is kept.
    pub file: PathBuf,
}

impl ListenerKind {
    pub fn page(&self) -> Option<&PageAddress> {
        match self {
            Self::Room(page) => Some(page),
            Self::Discord { console, .. } => console.as_ref(),
        }
    }

    /// Lines that tell people where it is. Where others may read along, a page's is told without its token.
    pub fn describe(&self, others_read_along: bool) -> Vec<LocalizedMessage> {
        match self {
            Self::Room(page) => vec![cli::kith_is_here(page.describe(others_read_along))],
            Self::Discord {
                name,
                invite,
                console,
            } => {
                let place = cli::kith_is_on_discord(invite, name);
                let console = console
                    .as_ref()
                    .map(|page| cli::console_is_here(page.describe(others_read_along)));
                std::iter::once(place).chain(console).collect()
            }
        }
    }
}

impl PageAddress {
    fn describe(&self, others_read_along: bool) -> LocalizedMessage {
        let Self {
            address,
            token,
            file,
        } = self;
        match others_read_along {
            false => token.address(*address).into(),
            true => {
                let hidden = format!("http://{address}/?token=…");
                cli::hidden_token(hidden, file.display().to_string())
            }
        }
    }
}

pub(super) trait Listener {
    type Input;

    /// What comes next, all of it that is there; none once nobody will come any more.
    fn next_input(&mut self) -> impl Future<Output = Option<Self::Input>> + Send;

    fn close(self) -> impl Future<Output = ()> + Send;
}

/// A way in that is not open yet.
pub(super) struct BoundListener {
    pub place: ListenerKind,
    pub source: ListenerSource,
}

/// A page that is not served yet, and what opens it.
pub(super) type BoundPage = (TcpListener, RoomToken);

pub(super) enum ListenerSource {
    Room(TcpListener, RoomToken),
    Discord(
        Box<DiscordConnection>,
        DiscordEventStream,
        Option<BoundPage>,
    ),
}

/// Finds out which way in it is, and that it can be opened.
pub(super) async fn bind(
    settings: &Settings,
    share: &PartitionContext,
) -> anyhow::Result<BoundListener> {
    if settings.discord.token.is_empty() {
        let ((listener, token), page) =
            bind_page(settings, settings.room.listen.0, "room.listen").await?;
        return Ok(BoundListener {
            place: ListenerKind::Room(page),
            source: ListenerSource::Room(listener, token),
        });
    }
    let console = match settings.console.listen {
        Some(listen) => {
            let listen = share.shift_port(listen.0);
            Some(bind_page(settings, listen, "console.listen").await?)
        }
        None => None,
    };
    let language = settings.language.unwrap_or_default();
    let (discord, events) = kith_discord::connect(
        &settings.discord,
        share.discord.clone(),
        language,
        settings.offered_personas(),
        settings.redactor(),
    )
    .await?;
    let (console, page) = console.unzip();
    let place = ListenerKind::Discord {
        name: discord.application().to_owned(),
        invite: discord.invite_url(),
        console: page,
    };
    let source = ListenerSource::Discord(Box::new(discord), events, console);
    Ok(BoundListener { place, source })
}

/// Opens a page's door, on the address of a setting, for who has the token of the data folder.
async fn bind_page(
    settings: &Settings,
    listen: SocketAddr,
    setting: &str,
) -> anyhow::Result<(BoundPage, PageAddress)> {
    let bound = kith_room::bind(listen).await;
    let listener = bound.map_err(|error| explain_bind_error(&error, listen, setting))?;
    let address = listener.local_addr().context("the page's own address")?;
    let (token, file) = RoomToken::load(&settings.data_dir).map_err(|error| {
        cli::page_token_unkept(error.to_string(), settings.data_dir.display().to_string())
    })?;
    let page = PageAddress {
        address,
        token: token.clone(),
        file,
    };
    Ok(((listener, token), page))
}

fn explain_bind_error(
    error: &RoomBindError,
    listen: SocketAddr,
    setting: &str,
) -> LocalizedMessage {
    let address = listen.to_string();
    match error {
        RoomBindError::NotLoopback => cli::page_not_on_loopback(address, setting),
        RoomBindError::InUse => cli::page_port_in_use(address, setting),
        RoomBindError::Refused(error) => cli::page_unopenable(address, error.to_string(), setting),
    }
}
