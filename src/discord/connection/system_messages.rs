//! What the daemon says and takes back beside the companion's own speech.

use serde_json::{Value, json};

use super::DiscordConnection;
use crate::convert;
use crate::rest::{RequestPriority, RestError, RestRequest, RestRoute};
use kith_core::chat::{ChannelId, MessageId};

impl DiscordConnection {
    /// Says something as the daemon and not as the companion: silently, by which it is known again and not taken for the
    /// companion's speech. No turn, no nonce, and where it fails, a word in the log.
    pub async fn send_system_message(
        &self,
        channel: ChannelId,
        text: &str,
        reply_to: Option<MessageId>,
    ) {
        let mut body = json!({ "content": text, "flags": convert::SILENT, "allowed_mentions": { "parse": [] } });
        if let Some(id) = reply_to {
            body["message_reference"] =
                json!({ "message_id": id.to_string(), "fail_if_not_exists": false });
        }
        self.try_request(
            channel,
            "say what is to be known",
            RestRequest::post(RestRoute::messages(channel)).json(body),
        )
        .await;
    }

    /// Deletes one of the companion's own messages.
    pub async fn delete_message(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> Result<(), RestError> {
        let outcome = self
            .0
            .message_sender
            .delete_message(channel, message, "taken back")
            .await;
        outcome
            .inspect_err(|why| tracing::warn!(%channel, "a message could not be taken back: {why}"))
    }

    pub(super) async fn try_request(
        &self,
        channel: ChannelId,
        what: &str,
        call: RestRequest,
    ) -> Option<Value> {
        match self
            .0
            .rest
            .call(call.priority(RequestPriority::Speech))
            .await
        {
            Ok(answer) => Some(answer),
            Err(why) => {
                tracing::warn!(%channel, "could not {what}: {why}");
                None
            }
        }
    }
}
