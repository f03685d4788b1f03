//! Serves the console where no room is open.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::daemon::listener::BoundPage;
use kith_room::ConsoleHandles;

/// How long an answer on its way may take when the daemon stops.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);

pub(in crate::daemon) struct ConsoleServer {
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl ConsoleServer {
    pub fn open((listener, token): BoundPage, console: ConsoleHandles) -> Self {
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(kith_room::serve_console(listener, console, token, async {
            let _ = stopped.await;
        }));
        Self { stop, serving }
    }

    pub async fn close(self) {
        let _ = self.stop.send(());
        let _ = tokio::time::timeout(LEAVE_WITHIN, self.serving).await;
    }
}
