//! Carries out the companion's visible actions on Discord: messages, reactions, typing, moderation, its own looks. What
//! it may do and what it says is decided elsewhere; here it is made sure that nothing is said twice and nobody is
//! pinged who was not named.

mod appearance;
mod attachment;
mod body;
mod delivery_lookup;
mod member_actions;
mod mentions;
mod nonce;
mod outbox_delivery;
mod sticker_folder;
mod threads;
mod typing;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

pub use appearance::{fingerprint_avatar, format_nick};
pub use attachment::{Attachment, PictureUpload};
pub use delivery_lookup::DeliveryLookup;
pub use member_actions::CurrentMember;
pub use mentions::{RenderedText, render_mentions};
pub use nonce::compute_nonce;
pub use outbox_delivery::{DeliveryContext, KnownMessage};
pub use sticker_folder::StickerFolder;

use super::rest::{
    DiscordAbility, FileUpload, RestClient, RestError, RestRequest, RestRoute, RetrySafety,
};
use body::MessageChunk;
use kith_core::chat::{ChannelId, MessageId, Millis};
use kith_core::directory::Directory;
use kith_core::message_split::split_message;
use kith_core::outgoing::{OutgoingAction, VisibleAction};
use kith_core::report::FailureKind;
use typing::TypingIndicator;

/// How often a message waits for a slow mode before it is given up.
const SLOW_TRIES: u32 = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePost {
    pub channel: ChannelId,
    /// What to say, of any length, names as people write them.
    pub text: String,
    /// What it carries in the place of words: then the text is what the history says of it, and is not posted.
    pub attachment: Option<Attachment>,
    pub reply_to: Option<MessageId>,
    pub nonce: String,
    pub at: Millis,
}

impl MessagePost {
    /// The message an outgoing action asks for, if it does, with what it carries.
    pub fn from_action(outgoing: &OutgoingAction, attachment: Option<Attachment>) -> Option<Self> {
        let VisibleAction::Send { text, reply_to, .. } = &outgoing.action else {
            return None;
        };
        let OutgoingAction {
            channel, nonce, at, ..
        } = outgoing;
        Some(Self {
            channel: *channel,
            text: text.clone(),
            attachment,
            reply_to: *reply_to,
            nonce: nonce.clone(),
            at: *at,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentMessage {
    pub id: MessageId,
    pub at: Millis,
    /// What it says, as it was written: of a long text one part.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct SendError {
    /// The parts that were posted before.
    pub said: Vec<SentMessage>,
    /// What became of the part after them.
    pub status: DeliveryStatus,
    pub why: String,
    pub failure_kind: FailureKind,
}

impl From<&RestError> for SendError {
    fn from(error: &RestError) -> Self {
        let (status, why, failure_kind) = (
            DeliveryStatus::from_error(error),
            error.to_string(),
            error.failure_kind(),
        );
        Self {
            said: Vec::new(),
            status,
            why,
            failure_kind,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// It was not posted and will not be.
    NotSent,
    /// It was not posted, and may be later: what stood in the way passes, after this long where that is known.
    RetryLater(Option<Duration>),
    /// It may have been posted: it stays in the outbox until [`MessageSender::find_deliveries`] has looked for it.
    Unknown,
}

impl DeliveryStatus {
    fn from_error(error: &RestError) -> Self {
        match error.retry_delay() {
            _ if error.can_have_happened() => Self::Unknown,
            Some(wait) => Self::RetryLater(wait),
            None => Self::NotSent,
        }
    }
}

#[derive(Clone)]
pub struct MessageSender {
    rest: RestClient,
    directory: Arc<RwLock<Directory>>,
    typing: TypingIndicator,
    /// Channels in slow mode, each until the companion may write again.
    slow_modes: Arc<Mutex<HashMap<ChannelId, Instant>>>,
}

struct TextPart {
    /// As Discord is sent it.
    content: String,
    written: String,
}

impl MessageSender {
    pub fn new(rest: RestClient, directory: Arc<RwLock<Directory>>) -> Self {
        Self {
            rest,
            directory,
            typing: TypingIndicator::default(),
            slow_modes: Arc::default(),
        }
    }

    /// Posts a message, in as many parts as it needs. The same post again is de-duplicated by Discord for some minutes.
    ///
    /// # Errors
    /// Tells which parts were posted, and whether the next one may have been.
    pub async fn send(&self, post: &MessagePost) -> Result<Vec<SentMessage>, SendError> {
        self.send_missing_parts(post, &DeliveryLookup::default())
            .await
    }

    /// As how many messages an action comes out, as names and emoji are known now.
    pub fn count_messages(&self, outgoing: &OutgoingAction) -> usize {
        match &outgoing.action {
            VisibleAction::Send {
                text, with: None, ..
            } => split_pieces(&render_mentions(&self.directory(), outgoing.channel, text)).len(),
            VisibleAction::Send { .. } => 1,
            VisibleAction::React { .. } => 0,
        }
    }

    /// Posts the parts of a message that left no trace.
    pub async fn send_missing_parts(
        &self,
        post: &MessagePost,
        lookup: &DeliveryLookup,
    ) -> Result<Vec<SentMessage>, SendError> {
        self.typing.stop(post.channel);
        let (rendered, pieces) = self.split_post(post);
        let last = pieces.len() - 1;
        let mut sent = Vec::new();
        for (index, piece) in pieces.into_iter().enumerate() {
            if let Some(found) = lookup.parts.get(index).cloned().flatten() {
                sent.push(found);
                continue;
            }
            let part = MessageChunk {
                rendered: &rendered,
                content: &piece.content,
                nonce: compute_nonce(&post.nonce, index),
                has_stickers: index == last,
                attachment: post.attachment.as_ref(),
                reply_to: post.reply_to.filter(|_| index == 0),
            };
            match self.post_part(post, part).await {
                Ok(id) => sent.push(SentMessage {
                    id,
                    at: super::snowflake::snowflake_time(id),
                    text: piece.written,
                }),
                Err(error) => {
                    return Err(SendError {
                        said: sent,
                        ..SendError::from(&error)
                    });
                }
            }
        }
        Ok(sent)
    }

    /// Shows for ten seconds that the companion is typing; asked for again while it lasts. Returns at once.
    pub fn show_typing(&self, channel: ChannelId) {
        self.typing.show(&self.rest, channel);
    }

    /// Posts one part. Waits for a short slow mode, and where a reply is refused posts without being one.
    async fn post_part(
        &self,
        post: &MessagePost,
        mut part: MessageChunk<'_>,
    ) -> Result<MessageId, RestError> {
        let channel = post.channel;
        if !self.rest.has_ability(channel, DiscordAbility::Reply) {
            part.reply_to = None;
        }
        let mut slow_tries = 0;
        loop {
            self.wait_for_slow_mode(channel).await?;
            let mut call = RestRequest::post(RestRoute::messages(channel))
                .json(part.to_body())
                .safety(RetrySafety::ByNonce)
                .expires_at(self.expiry_time(post.at));
            if let Some(Attachment::Picture(picture)) = part.attachment {
                call = call.upload(FileUpload {
                    name: picture.file.clone(),
                    bytes: picture.bytes.to_vec(),
                });
            }
            match self.rest.call(call).await {
                Ok(message) => {
                    let id = message["id"].as_str().and_then(|id| id.parse().ok());
                    return id
                        .map(MessageId)
                        .ok_or_else(|| RestError::Unreadable("a message without an id".into()));
                }
                Err(RestError::SlowMode { retry_after }) if slow_tries < SLOW_TRIES => {
                    slow_tries += 1;
                    self.lock_slow_modes()
                        .insert(channel, Instant::now() + retry_after);
                }
                Err(error) if part.reply_to.is_some() && is_reply_error(&error) => {
                    tracing::debug!(%channel, "posted without being a reply: {error}");
                    part.reply_to = None;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// What is posted of a message, in order, at least one piece.
    fn split_post(&self, post: &MessagePost) -> (RenderedText, Vec<TextPart>) {
        if post.attachment.is_some() {
            return (
                RenderedText::default(),
                vec![TextPart {
                    content: String::new(),
                    written: post.text.clone(),
                }],
            );
        }
        let rendered = render_mentions(&self.directory(), post.channel, &post.text);
        let pieces = split_pieces(&rendered);
        (rendered, pieces)
    }

    async fn wait_for_slow_mode(&self, channel: ChannelId) -> Result<(), RestError> {
        let now = Instant::now();
        let until = {
            let mut slow_modes = self.lock_slow_modes();
            slow_modes.retain(|_, until| *until > now);
            slow_modes.get(&channel).copied()
        };
        let Some(until) = until else { return Ok(()) };
        let retry_after: Duration = until - now;
        if retry_after > self.rest.pace().longest_slow_mode {
            return Err(RestError::SlowMode { retry_after });
        }
        sleep_until(until).await;
        Ok(())
    }

    fn lock_slow_modes(&self) -> std::sync::MutexGuard<'_, HashMap<ChannelId, Instant>> {
        self.slow_modes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn directory(&self) -> RwLockReadGuard<'_, Directory> {
        self.directory
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The parts a text is posted in, at least one.
fn split_pieces(rendered: &RenderedText) -> Vec<TextPart> {
    let mut contents = split_message(&rendered.content);
    if contents.is_empty() {
        contents.push(String::new());
    }
    let piece = |content: String| TextPart {
        written: rendered.restore_source_text(&content),
        content,
    };
    contents.into_iter().map(piece).collect()
}

/// Whether a message was refused because of what it replies to: a system message, or one it may not read.
fn is_reply_error(error: &RestError) -> bool {
    match error {
        RestError::Forbidden { code, .. } => *code == Some(160_002),
        RestError::Invalid { code, said } => *code == 160_002 || said.contains("message_reference"),
        _ => false,
    }
}
