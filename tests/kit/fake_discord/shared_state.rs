//! What the server's tasks and the test share: one state behind one lock, and the news that it changed.

use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use super::clock::{Clock, Id, Millis};
use super::faults::Faults;
use super::gateway::{ConnectionPolicy, Hub};
use super::limits::Limits;
use super::openapi::Description;
use super::world::World;

/// Everything behind the lock.
#[derive(Debug)]
pub struct State {
    pub world: World,
    pub clock: Clock,
    pub hub: Hub,
    pub faults: Faults,
    pub limits: Limits,
    pub gateway_url: String,
    /// `http://127.0.0.1:port`.
    pub rest_url: String,
    /// Whether answers say what time it is.
    pub tells_date: bool,
    /// How long an enforced nonce is remembered, in milliseconds.
    pub nonce_expires: Millis,
    /// What was wrong with what the client sent or what was answered.
    pub violations: Vec<String>,
    pub description: Option<&'static Description>,
}

impl State {
    pub fn new_id(&mut self) -> Id {
        let now = self.clock.now();
        self.clock.snowflake(now)
    }

    /// Checks a value against a schema of Discord's description, where there is one.
    pub fn check_schema(&mut self, schema: &str, value: &serde_json::Value) {
        let problems = self
            .description
            .map(|description| description.check(schema, value))
            .unwrap_or_default();
        self.violations.extend(problems);
    }
}

#[derive(Debug)]
pub struct Shared {
    state: Mutex<State>,
    changed: watch::Sender<()>,
    /// The gateway's door was moved.
    pub door: Notify,
    pub rest_door: watch::Sender<ConnectionPolicy>,
    /// What the door is by now.
    pub rest_door_stands: watch::Sender<ConnectionPolicy>,
}

impl Shared {
    pub fn new(state: State) -> Self {
        Self {
            state: Mutex::new(state),
            changed: watch::Sender::new(()),
            door: Notify::new(),
            rest_door: watch::Sender::new(ConnectionPolicy::Open),
            rest_door_stands: watch::Sender::new(ConnectionPolicy::Open),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something panicked that held the lock.
    pub fn is_broken(&self) -> bool {
        self.state.is_poisoned()
    }

    pub fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.send_replace(());
        result
    }

    pub fn news(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    pub fn violation(&self, what: String) {
        self.lock().violations.push(what);
    }

    /// Nobody from elsewhere is ever spoken to.
    pub fn assert_loopback(&self, peer: SocketAddr) {
        if !peer.ip().is_loopback() {
            self.violation(format!("{peer} is not on loopback"));
        }
    }
}
