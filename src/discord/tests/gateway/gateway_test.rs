//! A gateway that is connected to a fake Discord, and what it passed on. It refuses to start anywhere but on loopback.

use std::net::SocketAddr;
use std::time::Duration;

use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::secret::Secret;
use kith_discord::ShardCount;
use kith_discord::gateway::{
    self, Gateway, GatewayDispatch, GatewaySettings, GatewayTimeouts, check_gateway_info,
    select_intents,
};
use kith_discord::rest::{RestClient, RestSettings};
use tokio::sync::mpsc;

use crate::gateway::fake_discord::{FakeDiscord, TOKEN};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(40);

/// A running gateway.
pub struct GatewayTest {
    pub gateway: Gateway,
    pub heard: mpsc::Receiver<GatewayDispatch>,
}

/// The usual times, but short.
pub fn quick() -> GatewayTimeouts {
    let ms = Duration::from_millis;
    GatewayTimeouts {
        ready: ms(5_000),
        redial_wait: ms(500),
        back_off_first: ms(20),
        back_off_most: ms(500),
        notice_after: ms(1_000),
        identify_interval: ms(100),
        ..GatewayTimeouts::default()
    }
}

/// All shards that Discord recommends.
pub const ALL: (ShardCount, Partition) = (ShardCount::Auto, Partition::WHOLE);

/// Where the fake's REST is.
pub fn rest(fake: &FakeDiscord) -> RestClient {
    RestClient::new(RestSettings::new(&fake.api(), Secret::new(TOKEN), "")).unwrap()
}

/// Settings for a fake, as it tells them itself.
pub async fn settings(fake: &FakeDiscord) -> GatewaySettings {
    let rest = rest(fake);
    let start = check_gateway_info(&rest, ALL).await.unwrap();
    let address: SocketAddr = start
        .gateway
        .strip_prefix("ws://")
        .unwrap()
        .parse()
        .unwrap();
    assert!(
        address.ip().is_loopback(),
        "{address} is not on this machine"
    );
    GatewaySettings {
        token: Secret::new(TOKEN),
        url: start.gateway,
        shards: start.shards,
        partition: Partition::WHOLE,
        session_starts: None,
        limit: start.limit,
        intents: select_intents(ChannelMode::On),
        proxy: Secret::default(),
        rest,
        language: Language::EN,
        times: quick(),
    }
}

impl GatewayTest {
    /// A gateway whose session is up.
    pub async fn connected(fake: &FakeDiscord) -> Self {
        Self::connected_with(settings(fake).await).await
    }

    pub async fn connected_with(settings: GatewaySettings) -> Self {
        let mut rig = Self::start(settings).await;
        assert!(!rig.connected_again().await.resumed);
        rig
    }

    pub async fn start(settings: GatewaySettings) -> Self {
        let (out, heard) = mpsc::channel(1024);
        Self {
            gateway: gateway::start(settings, out).unwrap(),
            heard,
        }
    }

    /// Waits for what is looked for; the rest is dropped.
    pub async fn until<T>(
        &mut self,
        what: &str,
        mut found: impl FnMut(GatewayDispatch) -> Option<T>,
    ) -> T {
        let look = async {
            loop {
                let dispatch = self
                    .heard
                    .recv()
                    .await
                    .unwrap_or_else(|| panic!("it ended before: {what}"));
                if let Some(found) = found(dispatch) {
                    return found;
                }
            }
        };
        tokio::time::timeout(PATIENCE, look)
            .await
            .unwrap_or_else(|_| panic!("never: {what}"))
    }

    /// Waits for the next time a session is up.
    pub async fn connected_again(&mut self) -> SessionLink {
        self.until("connected", |dispatch| match dispatch {
            GatewayDispatch::Connected {
                shard,
                resumed,
                away,
            } => Some(SessionLink {
                shard,
                resumed,
                away,
            }),
            _ => None,
        })
        .await
    }

    /// Waits for the next message.
    pub async fn message(&mut self) -> String {
        self.until("a message", |dispatch| text(&dispatch)).await
    }

    /// Waits for the sentence it ends with.
    pub async fn fatal(&mut self) -> String {
        self.until("the end", |dispatch| match dispatch {
            GatewayDispatch::Fatal(text) => Some(text),
            _ => None,
        })
        .await
    }
}

/// A session that is up.
#[derive(Debug)]
pub struct SessionLink {
    pub shard: u16,
    pub resumed: bool,
    pub away: Duration,
}

/// What a message says.
pub fn text(dispatch: &GatewayDispatch) -> Option<String> {
    match dispatch {
        GatewayDispatch::Event { kind, value } if kind == "MESSAGE_CREATE" => {
            value["content"].as_str().map(str::to_owned)
        }
        _ => None,
    }
}

/// Waits until no session has a link.
pub async fn nobody_left(fake: &FakeDiscord) {
    let empty = async {
        while fake.connected() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, empty)
        .await
        .expect("a link was left open");
}
