//! What comes in from the room: requests of its page, and what tools have done in it.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::daemon::listener::Listener;
use crate::daemon::loop_message::{LoopCommandResult, run_command};
use kith_core::chat::{ChannelId, MessageId};
use kith_room::{ConsoleHandles, LiveEvent, PendingRequest, RoomHandles, RoomToken};
use kith_tools::ThreadRequest;

/// How much of what comes together is stored in one commit.
const TOGETHER: usize = 256;
/// How long pages may hold their streams open when the daemon stops; they come back by themselves.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);

pub(in crate::daemon) enum RoomInput {
    /// The page asks, all of it that is there.
    Requests(Vec<PendingRequest>),
    Command(ChannelId, RoomCommand, oneshot::Sender<LoopCommandResult>),
}

/// What tools have done in the room that elsewhere goes out over an API.
pub(in crate::daemon) enum RoomCommand {
    /// Reword an own message.
    Edit(MessageId, String),
    TakeBack(MessageId),
    /// Open a thread: a channel of its own.
    OpenThread(ThreadRequest),
}

/// The way of tools to the room. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct RoomCommandSender(mpsc::Sender<RoomInput>);

impl RoomCommandSender {
    pub fn new(sender: mpsc::Sender<RoomInput>) -> Self {
        Self(sender)
    }

    pub async fn run(&self, channel: ChannelId, command: RoomCommand) -> LoopCommandResult {
        run_command(&self.0, |answer| {
            RoomInput::Command(channel, command, answer)
        })
        .await
    }
}

pub(in crate::daemon) struct RoomListener {
    requests: mpsc::Receiver<PendingRequest>,
    commands: mpsc::Receiver<RoomInput>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl RoomListener {
    /// Opens the page on `listener` for whoever has the token.
    pub fn open(
        (listener, token): (TcpListener, RoomToken),
        commands: mpsc::Receiver<RoomInput>,
        live: broadcast::Sender<Arc<LiveEvent>>,
        console: ConsoleHandles,
    ) -> Self {
        let (sender, requests) = mpsc::channel(TOGETHER);
        let (stop, stopped) = oneshot::channel();
        let handles = RoomHandles {
            requests: sender,
            live,
            console,
        };
        let serving = tokio::spawn(kith_room::serve(listener, handles, token, async {
            let _ = stopped.await;
        }));
        Self {
            requests,
            commands,
            stop,
            serving,
        }
    }
}

impl Listener for RoomListener {
    type Input = RoomInput;

    async fn next_input(&mut self) -> Option<RoomInput> {
        let mut together = Vec::new();
        tokio::select! {
            Some(command) = self.commands.recv() => Some(command),
            count = self.requests.recv_many(&mut together, TOGETHER) => {
                (count > 0).then_some(RoomInput::Requests(together))
            }
        }
    }

    async fn close(self) {
        let _ = self.stop.send(());
        let _ = tokio::time::timeout(LEAVE_WITHIN, self.serving).await;
    }
}
