//! Shows that the companion is typing. Discord shows it for ten seconds or until a message comes; who writes longer asks
//! again. Nothing renews it by itself and a late request is given up, so that it can never be left standing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;

use crate::rest::{RestClient, RestRequest, RestRoute};
use kith_core::chat::ChannelId;

/// After this long it would be shown when the message is there already.
const WORTH_IT: Duration = Duration::from_secs(3);

#[derive(Clone, Default)]
pub(super) struct TypingIndicator(Arc<Mutex<HashMap<ChannelId, AbortHandle>>>);

impl TypingIndicator {
    pub fn show(&self, rest: &RestClient, channel: ChannelId) {
        let mut under_way = self.lock();
        under_way.retain(|_, task| !task.is_finished());
        if under_way.contains_key(&channel) {
            return;
        }
        let rest = rest.clone();
        let task = tokio::spawn(async move {
            if let Err(error) = rest
                .call(RestRequest::post(RestRoute::typing(channel)).timeout(WORTH_IT))
                .await
            {
                tracing::debug!(%channel, "typing is not shown: {error}");
            }
        });
        under_way.insert(channel, task.abort_handle());
    }

    /// A message is about to be sent: what is still on its way must not come after it.
    pub fn stop(&self, channel: ChannelId) {
        if let Some(task) = self.lock().remove(&channel) {
            task.abort();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ChannelId, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
