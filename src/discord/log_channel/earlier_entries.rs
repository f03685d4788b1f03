//! Entries that a killed process posted and never put on record: nobody would delete them when they expire or when
//! somebody they quote is forgotten. They stand on the newest page of their log channel, and their buttons say which
//! turns they tell of.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::sleep;

use super::super::commands::buttons::EmbedButton;
use super::super::snowflake::snowflake_time;
use super::message::SUPPRESS_NOTIFICATIONS;
use super::{DiscordEvent, FAILED_REST, LogChannelsState};
use crate::rest::{RequestPriority, RestRequest, RestRoute};
use kith_core::chat::{ChannelId, MessageId, Millis, TurnId, UserId};

const PAGE: usize = 100;

impl LogChannelsState {
    pub(super) async fn find_earlier_entries(self: Arc<Self>, log: ChannelId, me: UserId) {
        let page = loop {
            let call = RestRequest::get(RestRoute::messages(log))
                .query("limit", PAGE)
                .priority(RequestPriority::Background);
            match self.rest.call(call).await {
                Ok(page) => break page,
                Err(why) if why.is_transient() => sleep(FAILED_REST).await,
                Err(why) => {
                    return tracing::warn!(log_channel = %log, "cannot look for entries that a crash left there: {why}");
                }
            }
        };
        let messages = page.as_array().map_or(&[][..], Vec::as_slice);
        for (message, turns) in messages
            .iter()
            .filter_map(|message| parse_entry(message, me, self.started))
            .filter(|(_, turns)| self.is_own(turns))
        {
            // Whoever listens may have ended.
            let _ = self
                .out
                .send(DiscordEvent::LogPosted {
                    log,
                    message,
                    turns,
                    earlier: true,
                })
                .await;
        }
    }
}

impl LogChannelsState {
    /// Whether nobody else told of these turns: other partitions' entries are theirs to keep.
    fn is_own(&self, turns: &[TurnId]) -> bool {
        let own = self.options.partition;
        turns
            .iter()
            .all(|turn| own.giver_of(turn.0) == own.number())
    }
}

/// The id of a message of entries that was posted before, and the turns it tells of; none if it is none.
fn parse_entry(message: &Value, me: UserId, before: Millis) -> Option<(MessageId, Vec<TurnId>)> {
    let id = |value: &Value| value.as_str()?.parse().ok();
    let posted = id(&message["id"])
        .map(MessageId)
        .filter(|posted| snowflake_time(*posted) < before)?;
    let is_mine = id(&message["author"]["id"]).map(UserId) == Some(me);
    let is_silent = message["flags"]
        .as_u64()
        .is_some_and(|flags| flags & u64::from(SUPPRESS_NOTIFICATIONS) != 0);
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    if !is_mine || !is_silent || list(&message["embeds"]).is_empty() {
        return None;
    }
    let buttons = list(&message["components"])
        .into_iter()
        .flat_map(|row| list(&row["components"]));
    let read = buttons.filter_map(|button| EmbedButton::from_id(button["custom_id"].as_str()?));
    let turns = read.filter_map(|button| match button {
        EmbedButton::Why(turn) | EmbedButton::Stop(_, turn, _) => Some(turn),
        _ => None,
    });
    Some((posted, turns.collect()))
}
