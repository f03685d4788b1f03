//! The status beside the companion's name. Every link is told of it once its session is up, and once more where it
//! changes; a new process begins without one.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::watch;

use kith_system::clock;

/// The longest status, in characters.
pub const LONGEST_STATUS: usize = 128;
/// Between two changes: Discord takes five in 20 s and closes the link of who sends more.
const APART: Duration = Duration::from_secs(60);
const PRESENCE: u8 = 3;
/// Discord's number of an activity that is nothing but words.
const CUSTOM: u8 = 4;

#[derive(Clone, Debug)]
pub struct Presence {
    frame_sender: Arc<watch::Sender<Option<Arc<str>>>>,
    last_change: Arc<Mutex<Option<Instant>>>,
}

impl Presence {
    pub(super) fn new(frame_sender: Arc<watch::Sender<Option<Arc<str>>>>) -> Self {
        Self {
            frame_sender,
            last_change: Arc::default(),
        }
    }

    /// Shows this text, cut where it is too long; none if it is empty.
    ///
    /// # Errors
    /// How long the next change must wait.
    pub fn set(&self, text: &str) -> Result<(), Duration> {
        let frame = Some(build_frame(text));
        let mut last_change = self
            .last_change
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if *self.frame_sender.borrow() == frame {
            return Ok(());
        }
        let now = clock::monotonic();
        match last_change.map(|changed| (changed + APART).saturating_duration_since(now)) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => {
                *last_change = Some(now);
                self.frame_sender.send_replace(frame);
                Ok(())
            }
        }
    }
}

fn build_frame(text: &str) -> Arc<str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text: String = words.join(" ").chars().take(LONGEST_STATUS).collect();
    let status = (!text.is_empty())
        .then(|| json!({ "name": "Custom Status", "type": CUSTOM, "state": text }));
    let activities: Vec<_> = status.into_iter().collect();
    let presence =
        json!({ "since": null, "activities": activities, "status": "online", "afk": false });
    json!({ "op": PRESENCE, "d": presence }).to_string().into()
}
