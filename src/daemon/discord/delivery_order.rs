//! What the outbox knows of an action on its way: whether it is still wanted when it comes late, and whose turn it is in
//! its channel, where what is said goes out one after the other.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use super::task_event::{DiscordTaskEvent, StillWantedQuestion};
use kith_core::chat::{ChannelId, MessageId};
use kith_core::outgoing::OutgoingAction;
use kith_core::report::{DeliveryFailure, FailureKind};
use kith_discord::DiscordConnection;
use kith_discord::send::DeliveryContext;
use kith_store::Store;

/// Own messages that other actions became are among so many of the newest.
pub(super) const SETTLED: usize = 200;

#[derive(Clone)]
pub(super) struct OutboxEntry {
    pub discord: DiscordConnection,
    pub store: Store,
    task_sender: mpsc::Sender<DiscordTaskEvent>,
    nonce: String,
    channel: ChannelId,
    answers: Arc<[MessageId]>,
    /// It is known not to be done yet.
    put_off: Arc<AtomicBool>,
}

impl OutboxEntry {
    pub fn new(
        discord: DiscordConnection,
        store: Store,
        task_sender: mpsc::Sender<DiscordTaskEvent>,
        outgoing: &OutgoingAction,
    ) -> Self {
        let OutgoingAction {
            nonce,
            channel,
            answers,
            ..
        } = outgoing;
        let (nonce, channel, answers) = (nonce.clone(), *channel, answers.as_slice().into());
        Self {
            discord,
            store,
            task_sender,
            nonce,
            channel,
            answers,
            put_off: Arc::default(),
        }
    }

    pub fn put_off(&self) -> Arc<AtomicBool> {
        self.put_off.clone()
    }

    /// It goes on. Answers whether it waited.
    pub fn end_wait(&self) -> bool {
        self.put_off.swap(false, Ordering::Relaxed)
    }

    async fn ask_unwanted_reason(&self) -> Option<&'static str> {
        let (answer, reason) = oneshot::channel();
        let question = StillWantedQuestion {
            channel: self.channel,
            nonce: self.nonce.clone(),
            answer,
        };
        let stopping = Some("kith is being stopped");
        match self
            .task_sender
            .send(DiscordTaskEvent::AskStillWanted(question))
            .await
        {
            Ok(()) => reason.await.unwrap_or(stopping),
            Err(_) => stopping,
        }
    }

    /// Whether all that it answers is gone. Discord is asked, too: what it told meanwhile may not have been heard.
    async fn is_answer_obsolete(&self) -> bool {
        if self.answers.is_empty() {
            return false;
        }
        if !self
            .store
            .is_any_kept(self.channel, self.answers.to_vec())
            .await
            .unwrap_or(true)
        {
            return true;
        }
        for message in self.answers.iter() {
            if self
                .discord
                .message_sender()
                .has_message(self.channel, *message)
                .await
                .unwrap_or(true)
            {
                return false;
            }
        }
        true
    }
}

impl DeliveryContext for OutboxEntry {
    fn find_settled_messages(&self) -> BoxFuture<'_, Option<Vec<MessageId>>> {
        async {
            self.store
                .find_settled_messages(self.channel, SETTLED)
                .await
                .ok()
        }
        .boxed()
    }

    fn find_withdrawal(&self) -> BoxFuture<'_, Option<DeliveryFailure>> {
        let because = |hindrance, why: &str| {
            Some(DeliveryFailure {
                kind: hindrance,
                why: format!("not said any more: {why}"),
            })
        };
        async move {
            if !self
                .store
                .is_pending(self.nonce.clone())
                .await
                .unwrap_or(true)
            {
                return because(
                    FailureKind::Other,
                    "what it tells of is deleted, or its author forgotten",
                );
            }
            if let Some(why) = self.ask_unwanted_reason().await {
                return because(FailureKind::Other, why);
            }
            if self.is_answer_obsolete().await {
                return because(FailureKind::Gone, "what it answers was deleted");
            }
            None
        }
        .boxed()
    }

    fn record_wait(&self, known: bool) {
        self.put_off.store(known, Ordering::Relaxed);
    }
}

/// Who speaks in which channel, and who comes after them.
#[derive(Default)]
pub(super) struct DeliveryQueues(HashMap<ChannelId, oneshot::Receiver<()>>);

/// A place in a channel's line; the next one's turn comes when it is dropped.
pub(super) struct DeliveryQueuePlace {
    before: Option<oneshot::Receiver<()>>,
    _done: oneshot::Sender<()>,
}

impl DeliveryQueues {
    pub fn join_queue(&mut self, channel: ChannelId) -> DeliveryQueuePlace {
        self.0
            .retain(|_, last| last.try_recv() == Err(oneshot::error::TryRecvError::Empty));
        let (done, last) = oneshot::channel();
        DeliveryQueuePlace {
            before: self.0.insert(channel, last),
            _done: done,
        }
    }
}

impl DeliveryQueuePlace {
    /// A place with nobody before it and nobody behind.
    pub fn first() -> Self {
        Self {
            before: None,
            _done: oneshot::channel().0,
        }
    }

    pub fn must_wait(&self) -> bool {
        self.before.is_some()
    }

    pub async fn wait_until_first(&mut self) {
        if let Some(before) = self.before.take() {
            // The end that is dropped is the sign.
            let _ = before.await;
        }
    }
}
