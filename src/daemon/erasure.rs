//! What is erased in the store is forgotten in memory, too.

use std::time::Duration;

use tokio::time::sleep;

use super::loop_message::LoopMessage;
use super::state::Daemon;
use kith_core::chat::{AuthorKind, ChannelId, MessageId, TurnId};
use kith_core::event::{ChatEvent, Event};
use kith_store::{AppendOutcome, AttachedText, ForgetResult, RewordedLine, Store};
use kith_system::clock;

/// After how long a store that failed is asked again.
const ERASE_AGAIN: Duration = Duration::from_secs(10);

/// Finishes forgetting people that an earlier process did not end, before they are read. It takes seconds at most.
pub(super) async fn finish_forgetting(store: &Store) {
    match store.finish_forgetting().await {
        Ok(0) => {}
        Ok(people) => {
            tracing::info!(
                people,
                "what a stop cut off of forgetting people is finished"
            );
        }
        Err(error) => {
            tracing::error!(%error, "what a stop cut off of forgetting people is not finished; the next start tries again");
        }
    }
    sign_turns(store);
}

/// Signs what an earlier version saved of turns, in small steps beside everything else.
fn sign_turns(store: &Store) {
    let store = store.clone();
    tokio::spawn(async move {
        let mut next = Some(TurnId(0));
        while let Some(from) = next {
            next = store.sign_turns(from).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "turns of an earlier version stay unsigned until the next start");
                None
            });
        }
    });
}

impl Daemon {
    /// A person, or what they wrote, is erased in the store. Answers with the turns that told of it.
    pub(super) fn apply_erasure(&mut self, erased: ForgetResult) -> Vec<TurnId> {
        for (channel, ids) in erased.messages {
            self.forget_messages(channel, ids);
        }
        self.apply_rewordings(erased.reworded);
        erased.turns
    }

    pub(super) fn forget_messages(&mut self, channel: ChannelId, ids: Vec<MessageId>) {
        let at = clock::now();
        self.handle_event(Event::Chat(ChatEvent::Delete { channel, ids, at }));
        self.save_channel_states(at);
    }

    /// Files of text are gone with their messages: what repeats them goes as well. They are stored nowhere, so that is
    /// tried until it is done.
    pub(super) fn erase_attached_texts(&self, texts: Vec<AttachedText>) {
        if texts.is_empty() {
            return;
        }
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            loop {
                match store.erase_attached(texts.clone(), clock::now()).await {
                    Ok(erased) => {
                        let _ = loop_sender.send(LoopMessage::AttachedErased(erased)).await;
                        return;
                    }
                    Err(error) => {
                        tracing::error!(%error, "what repeats a file that was deleted is not erased; trying again");
                    }
                }
                sleep(ERASE_AGAIN).await;
            }
        });
    }

    /// An event is stored that erased something: it is forgotten wherever it may still be repeated.
    pub(super) fn apply_append(&mut self, stored: AppendOutcome) {
        for gone in stored.erased {
            self.handle_event(Event::MessageErased(gone));
        }
        self.apply_rewordings(stored.reworded);
    }

    /// Lines say something else in the store: in the channel, too.
    pub(super) fn apply_rewordings(&mut self, messages: Vec<RewordedLine>) {
        for (channel, id, text) in messages {
            self.handle_event(Event::Chat(ChatEvent::Edit {
                channel,
                id,
                author: AuthorKind::Companion,
                text,
                at: clock::now(),
            }));
        }
    }
}
