//! Deletes entries of log channels: when they expire, and when somebody they quote is forgotten. What cannot be deleted
//! now is tried again, for a promise hangs on it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::super::event::DiscordEvent;
use super::super::rest::{RequestPriority, RestClient, RestError, RestRequest, RestRoute};
use super::super::snowflake::snowflake_time;
use super::{LogChannelsState, lock};
use kith_core::chat::{ChannelId, DAY, HOUR, MessageId, Millis};
use kith_system::clock;

/// Discord deletes many at once only if they are younger than 14 days; an hour is left for clocks that differ.
const BULK_YOUNGER_THAN: Millis = 14 * DAY - HOUR;
const BULK: usize = 100;
/// The pauses between attempts. What is still there then stays on record as due, and comes again.
const AGAIN_AFTER: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(600)];

type LogMessageIds = Vec<(ChannelId, MessageId)>;

impl LogChannelsState {
    /// Deletes these messages, and tells of those that are gone. Each is deleted once at a time, however often it is asked
    /// for: whoever asks names all that is due, and asks with every message that somebody deletes.
    pub(super) async fn erase_entries(self: Arc<Self>, entries: LogMessageIds) {
        let mut left = self.claim(entries);
        for pause in AGAIN_AFTER.map(Some).into_iter().chain([None]) {
            let gone;
            (gone, left) = erase_once(&self.rest, left).await;
            self.release(&gone);
            if !gone.is_empty() {
                let _ = self.out.send(DiscordEvent::LogDeleted(gone)).await;
            }
            match pause {
                _ if left.is_empty() => return,
                Some(pause) => tokio::time::sleep(pause).await,
                None => {
                    self.release(&left);
                    tracing::error!(
                        messages = left.len(),
                        "log entries could not be deleted; it is tried again in a while"
                    )
                }
            }
        }
    }

    /// Those of these that nobody deletes just now; from now on somebody does.
    fn claim(&self, mut entries: LogMessageIds) -> LogMessageIds {
        let mut erasing = lock(&self.erasing);
        entries.retain(|entry| erasing.insert(*entry));
        entries
    }

    fn release(&self, entries: &[(ChannelId, MessageId)]) {
        let mut erasing = lock(&self.erasing);
        for entry in entries {
            erasing.remove(entry);
        }
    }
}

/// Answers with what is gone and what is still there.
async fn erase_once(rest: &RestClient, entries: LogMessageIds) -> (LogMessageIds, LogMessageIds) {
    let mut channels: BTreeMap<ChannelId, Vec<MessageId>> = BTreeMap::new();
    entries
        .into_iter()
        .for_each(|(channel, message)| channels.entry(channel).or_default().push(message));
    let (mut gone, mut left) = (Vec::new(), Vec::new());
    for (channel, messages) in channels {
        let (young, mut singly): (Vec<_>, Vec<_>) =
            messages.into_iter().partition(|message| is_young(*message));
        for some in young.chunks(BULK) {
            if some.len() > 1 && bulk_delete(rest, channel, some).await.is_ok() {
                gone.extend(some.iter().map(|message| (channel, *message)));
            } else {
                singly.extend(some);
            }
        }
        for message in singly {
            let call = RestRequest::delete(RestRoute::message(channel, message))
                .priority(RequestPriority::Background);
            let is_gone = is_gone(&rest.call(call).await.map(drop));
            if is_gone { &mut gone } else { &mut left }.push((channel, message));
        }
    }
    (gone, left)
}

/// Takes Manage Messages, which is not asked for: without it they are deleted one by one.
async fn bulk_delete(
    rest: &RestClient,
    channel: ChannelId,
    messages: &[MessageId],
) -> Result<(), RestError> {
    let call =
        RestRequest::post(RestRoute::bulk_delete(channel)).json(json!({ "messages": messages }));
    rest.call(call.priority(RequestPriority::Background))
        .await
        .map(drop)
}

/// Whether nothing is left to delete: it is done, or there is no such message, or no such channel to see.
fn is_gone(outcome: &Result<(), RestError>) -> bool {
    matches!(outcome, Ok(()) | Err(RestError::NotFound { .. }))
}

fn is_young(message: MessageId) -> bool {
    let written = snowflake_time(message);
    clock::now() - written < BULK_YOUNGER_THAN
}
