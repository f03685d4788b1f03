//! Asks a running Kith something through the API of its room (docs/ROOM_API.md), with the token of its data folder.

use std::net::SocketAddr;

use kith_language::{LocalizedMessage, cli};
use serde_json::Value;

use super::check::build_runtime;
use crate::settings::Settings;
use kith_room::RoomToken;

pub(super) struct RunningRoom {
    address: SocketAddr,
    token: RoomToken,
    client: reqwest::Client,
    runtime: tokio::runtime::Runtime,
}

impl RunningRoom {
    /// The room of these settings, or the one at `address`. Asks nothing yet. An error where there is no token:
    /// no room was opened with this data folder.
    pub fn find(
        settings: &Settings,
        address: Option<SocketAddr>,
    ) -> Result<Self, LocalizedMessage> {
        let folder = &settings.data_dir;
        let shown = folder.display().to_string();
        let token = RoomToken::read(folder)
            .map_err(|error| cli::token_unreadable(error.to_string(), &shown))?
            .ok_or_else(|| cli::no_room_opened(&shown))?;
        let client = kith_system::tls::loopback_client().build();
        Ok(Self {
            address: address.unwrap_or(settings.room.listen.0),
            token,
            client: client.map_err(|error| LocalizedMessage::from(error.to_string()))?,
            runtime: build_runtime()?,
        })
    }

    /// Asks one thing and waits for the answer. An error where nobody is there or the room refuses.
    pub fn ask(&self, request: &Value) -> Result<Value, LocalizedMessage> {
        let asking = async {
            let sent = self
                .client
                .post(format!("http://{}/api", self.address))
                .bearer_auth(self.token.secret().expose())
                .json(request)
                .send()
                .await?;
            let succeeded = sent.status().is_success();
            Ok((succeeded, sent.json::<Value>().await?))
        };
        let answered: Result<(bool, Value), reqwest::Error> = self.runtime.block_on(asking);
        match answered {
            Ok((true, answer)) => Ok(answer),
            Ok((false, refusal)) => Err(match refusal["error"].as_str() {
                Some(why) => why.to_owned().into(),
                None => cli::room_refused(),
            }),
            Err(_) => Err(cli::no_room_answers(self.address.to_string())),
        }
    }
}
