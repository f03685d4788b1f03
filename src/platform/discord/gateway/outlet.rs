//! The one way out of the gateway: what comes first leaves first, also while there is no room.

use tokio::sync::{Mutex, mpsc};

use super::Dispatch;

/// Nobody listens any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

/// A bounded channel whose senders queue. The channel alone would let one that has just come pass one that was waiting
/// for room and has not woken up yet; a fair lock does not.
#[derive(Debug)]
pub struct Outlet {
    turn: Mutex<()>,
    out: mpsc::Sender<Dispatch>,
}

impl Outlet {
    /// An outlet into this channel.
    pub fn new(out: mpsc::Sender<Dispatch>) -> Self {
        Self { turn: Mutex::new(()), out }
    }

    /// Gives something out, in the order it was asked in. Where nobody listens any more, it is dropped.
    pub async fn give(&self, dispatch: Dispatch) {
        let _turn = self.turn.lock().await;
        drop(self.out.send(dispatch).await);
    }

    /// Waits until all that was given before is out and there is room for more.
    pub async fn room(&self) -> Result<(), Closed> {
        let _turn = self.turn.lock().await;
        self.out.reserve().await.map(drop).map_err(|_| Closed)
    }

    /// Whether there is no room now.
    pub fn is_full(&self) -> bool {
        self.out.capacity() == 0
    }
}
