//! The way people come in: the room on loopback, or Discord where there is a token. One of them a process, so that
//! every channel belongs to one companion and no page shows what was said elsewhere.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context as _;
use tokio::net::TcpListener;

use crate::settings::Settings;
use kith_discord::{DiscordConnection, DiscordEventStream};
use kith_room::RoomToken;

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

/// Where what a platform hears comes from.
pub(super) trait Listener {
    /// What it hears.
    type Input;

    /// What comes next, all of it that is there; none once nobody will come any more.
    fn next_input(&mut self) -> impl Future<Output = Option<Self::Input>> + Send;

    /// Closes it.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// A way in that is not open yet.
pub(super) struct BoundListener {
    /// Where it leads.
    pub place: ListenerKind,
    pub source: ListenerSource,
}

/// What is behind it.
pub(super) enum ListenerSource {
    Room(TcpListener, RoomToken),
    Discord(Box<DiscordConnection>, DiscordEventStream),
}

/// Finds out which way in it is, and that it can be opened.
pub(super) async fn bind(settings: &Settings) -> anyhow::Result<BoundListener> {
    if settings.discord.token.is_empty() {
        let listener = kith_room::bind(settings.room.listen).await?;
        let address = listener.local_addr().context("the room's own address")?;
        let (token, file) = RoomToken::load(&settings.data_dir).with_context(|| {
            format!(
                "the token of the room cannot be kept in {}",
                settings.data_dir.display()
            )
        })?;
        let source = ListenerSource::Room(listener, token.clone());
        let place = ListenerKind::Room {
            address,
            token,
            file,
        };
        return Ok(BoundListener { place, source });
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
    let source = ListenerSource::Discord(Box::new(discord), events);
    Ok(BoundListener { place, source })
}
