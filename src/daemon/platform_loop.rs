//! The platform's half of the loop: what it hears, and what it then does with the whole daemon in its hands.

use super::listener::Listener;
use super::platform::Platform;
use super::state::Daemon;
use kith_core::chat::Millis;
use kith_store::StoreError;

pub(super) trait PlatformLoop: Platform + Sized + 'static {
    type Listener: Listener;

    /// Takes up what a stop left, before anything is heard.
    async fn restore(daemon: &mut Daemon<Self>, now: Millis) -> Result<(), StoreError>;

    async fn handle_input(daemon: &mut Daemon<Self>, input: <Self::Listener as Listener>::Input);

    async fn tick(daemon: &mut Daemon<Self>, now: Millis);

    /// What is done every quarter of an hour.
    fn run_chores(daemon: &mut Daemon<Self>, now: Millis);

    /// The settings changed: they hold in every channel from now on.
    async fn reapply_settings(daemon: &mut Daemon<Self>);

    /// The daemon stops: what waits for the store is offered once more.
    async fn store_remaining(daemon: &mut Daemon<Self>);
}
