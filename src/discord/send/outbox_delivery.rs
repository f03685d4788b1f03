//! Delivers what is in the outbox, however long Discord cannot be reached: what was not posted and may be later is tried
//! again until it is too old (`core/outgoing.rs`), what may have been posted is looked for first, and what nobody wants
//! said any more is not.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::sleep;

use super::{DeliveryLookup, DeliveryStatus, MessagePost, MessageSender, SendError, SentMessage};
use crate::rest::{RestError, RestRequest, RestRoute};
use kith_core::back_off::BackOffSchedule;
use kith_core::chat::{ChannelId, MessageId, Millis};
use kith_core::report::{DeliveryFailure, FailureKind};
use kith_system::clock;

/// What only the keeper of the outbox knows of an action that is not done at once.
pub trait DeliveryContext: Send + Sync {
    /// The own messages that other actions became, among the newest of the channel; none where that cannot be told now.
    fn find_settled_messages(&self) -> BoxFuture<'_, Option<Vec<MessageId>>>;

    /// Why it is not to be done any more, where it is not. Asked before every try that comes late.
    fn find_withdrawal(&self) -> BoxFuture<'_, Option<DeliveryFailure>>;

    /// It waits: it is known not to be done yet, or nobody knows.
    fn record_wait(&self, known: bool);
}

#[derive(Clone, Debug, Default)]
pub struct KnownMessage {
    /// The parts that stand there already.
    pub lookup: DeliveryLookup,
    /// It may have been posted: it is looked for first.
    pub is_uncertain: bool,
    /// It comes late already: it is asked whether it is still wanted.
    pub is_late: bool,
}

impl MessageSender {
    /// Posts a message, in as many parts as it needs, and goes on until it is known what became of it. Answers with what was
    /// said: where it got too old on the way, or is not wanted any more, its beginning.
    ///
    /// # Errors
    /// Nothing of it was said and nothing will be.
    pub async fn deliver_message(
        &self,
        post: &MessagePost,
        mut known: KnownMessage,
        context: &impl DeliveryContext,
    ) -> Result<Vec<SentMessage>, SendError> {
        let mut schedule = self.back_off_schedule();
        let mut last: Option<SendError> = None;
        loop {
            let mut failed = match self
                .attempt_delivery(post, &mut known, last.as_ref(), context)
                .await
            {
                Ok(sent) => return Ok(sent),
                Err(failed) => failed,
            };
            // Of a part that nobody knows of, what came before it does stand there.
            known.lookup = DeliveryLookup {
                parts: failed.said.iter().cloned().map(Some).collect(),
            };
            (known.is_uncertain, known.is_late) = (failed.status == DeliveryStatus::Unknown, true);
            let Some(wait) = self.compute_wait(&failed, post.at, &mut schedule, context) else {
                failed.status = DeliveryStatus::NotSent;
                if failed.said.is_empty() {
                    return Err(failed);
                }
                tracing::warn!(channel = %post.channel, "a long message was said only in part: {}", failed.why);
                return Ok(failed.said);
            };
            match last.replace(failed).is_some() {
                false => {
                    tracing::warn!(channel = %post.channel, "not delivered yet, tried again in {wait:.1?}: {}", describe_failure(&last))
                }
                true => {
                    tracing::debug!(channel = %post.channel, "still not delivered, tried again in {wait:.1?}: {}", describe_failure(&last))
                }
            }
            sleep(wait).await;
        }
    }

    /// Puts a reaction on a message, and goes on until it is there or will not be. Done twice it is done once.
    ///
    /// # Errors
    /// It is not there and will not be.
    pub async fn deliver_reaction(
        &self,
        (channel, message): (ChannelId, MessageId),
        emoji: &str,
        at: Millis,
        context: &impl DeliveryContext,
    ) -> Result<(), DeliveryFailure> {
        let mut schedule = self.back_off_schedule();
        loop {
            let request = self
                .build_reaction_request(channel, message, emoji)
                .map(|request| request.expires_at(self.expiry_time(at)));
            let done = match request {
                Ok(request) => self.rest.call(request).await,
                Err(error) => Err(error),
            };
            let failed = match done {
                Ok(_) => return Ok(()),
                Err(error) => SendError::from(&error),
            };
            let Some(wait) = self.compute_wait(&failed, at, &mut schedule, context) else {
                return Err(failed.into());
            };
            sleep(wait).await;
            if let Some(withdrawn) = context.find_withdrawal().await {
                return Err(withdrawn);
            }
        }
    }

    /// Whether a message is still there to be answered.
    pub async fn has_message(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> Result<bool, RestError> {
        match self
            .rest
            .call(RestRequest::get(RestRoute::message(channel, message)))
            .await
        {
            Ok(_) => Ok(true),
            Err(RestError::NotFound { .. }) => Ok(false),
            Err(why) => Err(why),
        }
    }

    /// Looks for it where that is needed, and says what is not said yet of it.
    async fn attempt_delivery(
        &self,
        post: &MessagePost,
        known: &mut KnownMessage,
        last: Option<&SendError>,
        context: &impl DeliveryContext,
    ) -> Result<Vec<SentMessage>, SendError> {
        if known.is_uncertain {
            let found = self.find_delivered_parts(post, context).await;
            let found = found.map_err(|failed| SendError {
                said: known.sent_messages(),
                ..failed
            })?;
            known.lookup = found;
        }
        let sent = known.sent_messages();
        if known.is_late && sent.len() < self.split_post(post).1.len() {
            let withdrawn = match self.remaining_time(post.at) {
                Some(_) => context.find_withdrawal().await,
                None => Some(build_expiry_failure(last)),
            };
            if let Some(DeliveryFailure {
                kind: hindrance,
                why,
            }) = withdrawn
            {
                return Err(SendError {
                    said: sent,
                    status: DeliveryStatus::NotSent,
                    why,
                    failure_kind: hindrance,
                });
            }
        }
        self.send_missing_parts(post, &known.lookup).await
    }

    async fn find_delivered_parts(
        &self,
        post: &MessagePost,
        context: &impl DeliveryContext,
    ) -> Result<DeliveryLookup, SendError> {
        let Some(settled) = context.find_settled_messages().await else {
            let why = "it is not known what was said there".to_owned();
            return Err(SendError {
                said: Vec::new(),
                status: DeliveryStatus::Unknown,
                why,
                failure_kind: FailureKind::Other,
            });
        };
        match self
            .find_deliveries(post.channel, std::slice::from_ref(post), &settled)
            .await
        {
            Ok(found) => Ok(found.into_iter().next().unwrap_or_default()),
            Err(why @ RestError::NotFound { .. }) => Err(SendError {
                status: DeliveryStatus::NotSent,
                ..SendError::from(&why)
            }),
            Err(why) => Err(SendError {
                status: DeliveryStatus::Unknown,
                ..SendError::from(&why)
            }),
        }
    }

    /// How long it waits until it is tried again; none if it never is.
    fn compute_wait(
        &self,
        failed: &SendError,
        at: Millis,
        schedule: &mut BackOffSchedule,
        context: &impl DeliveryContext,
    ) -> Option<Duration> {
        let left = self.remaining_time(at);
        let wait = match failed.status {
            DeliveryStatus::NotSent => return None,
            DeliveryStatus::RetryLater(Some(delay)) => left
                .filter(|left| delay < *left)
                .map(|_| delay.max(self.rest.pace().first_wait)),
            DeliveryStatus::RetryLater(None) | DeliveryStatus::Unknown => {
                left.map(|left| schedule.next_wait().min(left))
            }
        };
        if wait.is_some() {
            context.record_wait(failed.status != DeliveryStatus::Unknown);
        }
        wait
    }

    /// How long something that was journaled then is still worth saying.
    fn remaining_time(&self, at: Millis) -> Option<Duration> {
        let left = u64::try_from(self.expiry_time(at).saturating_sub(clock::now())).ok()?;
        let left = Duration::from_millis(left).min(self.rest.pace().stale);
        (!left.is_zero()).then_some(left)
    }

    /// From when on something that was journaled then is not worth saying any more.
    pub(super) fn expiry_time(&self, at: Millis) -> Millis {
        let stale = Millis::try_from(self.rest.pace().stale.as_millis()).unwrap_or(Millis::MAX);
        at.saturating_add(stale)
    }

    fn back_off_schedule(&self) -> BackOffSchedule {
        BackOffSchedule::new(
            self.rest.pace().first_retry_wait,
            self.rest.pace().longest_retry_wait,
        )
    }
}

impl KnownMessage {
    /// The parts that stand there, in order.
    fn sent_messages(&self) -> Vec<SentMessage> {
        self.lookup.parts.iter().flatten().cloned().collect()
    }
}

fn describe_failure(failed: &Option<SendError>) -> &str {
    failed.as_ref().map_or("", |failed| &failed.why)
}

fn build_expiry_failure(last: Option<&SendError>) -> DeliveryFailure {
    let hindrance = last.map_or(FailureKind::NoAnswer, |last| last.failure_kind);
    let before = last
        .map(|last| format!(" ({})", last.why))
        .unwrap_or_default();
    DeliveryFailure {
        kind: hindrance,
        why: format!("it could not be said in time and is too old now{before}"),
    }
}

impl From<SendError> for DeliveryFailure {
    fn from(failed: SendError) -> Self {
        Self {
            kind: failed.failure_kind,
            why: failed.why,
        }
    }
}
