//! Discord's REST API over real sockets against scripted servers: limits, faults, refusals, proxies, and what is sent.
//! Nothing here leaves loopback.

use kith_testkit::fake_discord;
use kith_testkit::fake_model as scripted;

mod attachments;
mod delivery_lookup;
mod faults;
mod fence;
mod limits;
mod member_actions;
mod proxies;
mod refusals;
mod sending;
mod server_rules;
mod storm;
mod texts;
mod unreachable;

use std::time::Duration;

use kith_core::secret::Secret;
use kith_discord::rest::{RequestPacing, RestClient, RestSettings};
use scripted::{FakeModel, Reply};
use serde_json::{Value, json};

const TOKEN: &str = "token-nobody-may-see";

/// A way to `server` that does not wait long.
fn rest(server: &FakeModel) -> RestClient {
    paced(server, pace())
}

fn paced(server: &FakeModel, pace: RequestPacing) -> RestClient {
    let base = format!("http://{}/api/v10", server.host());
    RestClient::new(RestSettings {
        pace,
        ..RestSettings::new(&base, Secret::new(TOKEN), "")
    })
    .unwrap()
}

/// So fast that a test does not wait, and slow enough for a busy machine.
fn pace() -> RequestPacing {
    RequestPacing {
        request: Duration::from_secs(5),
        total: Duration::from_secs(20),
        first_wait: Duration::from_millis(5),
        longest_wait: Duration::from_millis(20),
        ..RequestPacing::default()
    }
}

/// An error as Discord writes it.
fn refusal(status: u16, code: u32) -> Reply {
    Reply::json(status, json!({ "code": code, "message": "No.", }))
}

/// A refusal for haste.
fn too_fast(seconds: f64) -> Reply {
    Reply::json(
        429,
        json!({ "message": "You are being rate limited.", "retry_after": seconds, "global": false }),
    )
}

/// An answer that breaks off.
fn cut_off() -> Reply {
    Reply::new(200, "application/json").bytes("{").hang_up()
}

fn done() -> Reply {
    Reply::json(200, json!({ "id": "7" }))
}

fn id(answer: &Value) -> &str {
    answer["id"].as_str().unwrap()
}
