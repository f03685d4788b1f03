//! What comes in from Discord: what the gateway tells, and what came of the platform's own tasks.

use tokio::sync::mpsc;

use super::task_event::DiscordTaskEvent;
use crate::daemon::console::ConsoleServer;
use crate::daemon::listener::{BoundPage, Listener};
use kith_discord::{DiscordEvent, DiscordEventStream};
use kith_room::ConsoleHandles;

/// How much of what comes together is stored in one commit.
const TOGETHER: usize = 256;

pub(in crate::daemon) enum DiscordInput {
    /// All that was told and not yet taken.
    Events(Vec<DiscordEvent>),
    Task(DiscordTaskEvent),
}

pub(in crate::daemon) struct DiscordListener {
    gateway: DiscordEventStream,
    tasks: mpsc::Receiver<DiscordTaskEvent>,
    /// Served as long as the gateway is listened to.
    console: Option<ConsoleServer>,
}

impl DiscordListener {
    /// Hears the gateway and the tasks, and serves the console on `page`, where there is one.
    pub fn new(
        (gateway, tasks): (DiscordEventStream, mpsc::Receiver<DiscordTaskEvent>),
        page: Option<BoundPage>,
        console: ConsoleHandles,
    ) -> Self {
        Self {
            gateway,
            tasks,
            console: page.map(|page| ConsoleServer::open(page, console)),
        }
    }
}

impl Listener for DiscordListener {
    type Input = DiscordInput;

    async fn next_input(&mut self) -> Option<DiscordInput> {
        tokio::select! {
            Some(event) = self.tasks.recv() => Some(DiscordInput::Task(event)),
            events = self.gateway.next_events(TOGETHER) => {
                (!events.is_empty()).then_some(DiscordInput::Events(events))
            }
        }
    }

    async fn close(self) {
        if let Some(console) = self.console {
            console.close().await;
        }
        self.gateway.close().await;
    }
}
