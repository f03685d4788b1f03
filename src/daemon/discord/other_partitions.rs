//! What other partitions of the same companion tell this one: what people wish everywhere is carried out here, too, and what
//! was spent there counts against the same budget.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::oneshot;

use super::DiscordPlatform;
use super::task_event::{CommandDecision, DiscordTaskEvent, NewsOfOthers};
use crate::daemon::state::Daemon;
use crate::daemon::upkeep::RegularTask;
use kith_core::chat::{MINUTE, Millis, SECOND};
use kith_core::partition::Partition;
use kith_core::preference::SharedWish;
use kith_model::{BudgetLedger, TokenCost};
use kith_store::{Store, StoreError, WishElsewhere};
use kith_system::clock;

/// It is looked this often: so much later at most a wish holds everywhere, and for so long the spending of others is not
/// known.
const LOOK_EVERY: Millis = 2 * SECOND;
/// So long after it was asked Discord takes an answer.
const ANSWERABLE: Millis = 14 * MINUTE;

/// What is known of the others; nothing where there are none.
pub(super) struct OtherPartitions {
    look: Option<RegularTask>,
    /// The wishes that are being carried out.
    under_way: Arc<Mutex<HashSet<i64>>>,
}

impl OtherPartitions {
    pub fn new(own: Partition, now: Millis) -> Self {
        Self {
            look: (own.count() > 1).then(|| RegularTask::new(now + LOOK_EVERY, LOOK_EVERY)),
            under_way: Arc::default(),
        }
    }

    /// When they are looked at next.
    pub fn next_deadline(&mut self, now: Millis) -> Option<Millis> {
        self.look.as_mut().map(|look| look.next_due(now))
    }
}

fn lock(under_way: &Mutex<HashSet<i64>>) -> MutexGuard<'_, HashSet<i64>> {
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the others what was spent here, and asks for what they tell.
async fn exchange_news(store: &Store, now: Millis) -> Result<NewsOfOthers, StoreError> {
    let (tokens, cost) = store.share_spending(BudgetLedger::day_start(now)).await?;
    Ok(NewsOfOthers {
        wishes: store.load_shared_wishes().await?,
        interactions: store.take_shared_interactions(now - ANSWERABLE).await?,
        spent: TokenCost { tokens, cost },
    })
}

impl Daemon<DiscordPlatform> {
    /// Before anything is heard: what was wished while nobody ran this partition holds.
    pub(super) async fn catch_up_with_others(&mut self, now: Millis) -> Result<(), StoreError> {
        if self.platform.other_partitions.look.is_some() {
            let news = exchange_news(&self.store, now).await?;
            self.handle_news_of_others(news);
        }
        Ok(())
    }

    /// Looks what others tell, if that is due.
    pub(super) fn look_at_others(&mut self, now: Millis) {
        let look = self.platform.other_partitions.look.as_mut();
        if !look.is_some_and(|look| look.is_due(now)) {
            return;
        }
        let (store, task_sender) = (self.store.clone(), self.platform.task_sender.clone());
        tokio::spawn(async move {
            match exchange_news(&store, now).await {
                Ok(news) => drop(task_sender.send(DiscordTaskEvent::OthersTold(news)).await),
                Err(error) => {
                    tracing::warn!(%error, "what other partitions tell is not known; trying again soon");
                }
            }
        });
    }

    /// Somebody asked here about a turn of another partition.
    pub(super) fn share_interaction(&self, partition: u16, raw: Value) {
        let (store, now) = (self.store.clone(), clock::now());
        tokio::spawn(async move {
            if let Err(error) = store.share_interaction(partition, raw, now).await {
                tracing::warn!(%error, "somebody who asked about another partition gets no answer");
            }
        });
    }

    /// They told something.
    pub(super) fn handle_news_of_others(&mut self, news: NewsOfOthers) {
        let now = clock::now();
        self.model_calls.record_elsewhere(now, news.spent);
        self.update_budget_state(now);
        for raw in &news.interactions {
            self.platform.discord.answer_for_another(raw);
        }
        for wish in news.wishes {
            let is_new = lock(&self.platform.other_partitions.under_way).insert(wish.number);
            if is_new {
                self.carry_out_wish(wish, now);
            }
        }
    }

    /// As if it had been asked for here; nobody waits for an answer.
    fn carry_out_wish(&mut self, told: WishElsewhere, now: Millis) {
        let WishElsewhere { number, user, wish } = told;
        // At once: erasing takes a while, and what runs meanwhile is not to speak of them.
        if let SharedWish::Treat(preference) = wish {
            self.platform.set_preference(user, preference);
        }
        if wish.erases() {
            self.forget_person(user, None);
        }
        let (service, store) = (self.platform.command_service.clone(), self.store.clone());
        let task_sender = self.platform.task_sender.clone();
        let under_way = Arc::clone(&self.platform.other_partitions.under_way);
        let language = self.settings.language.unwrap_or_default();
        tokio::spawn(async move {
            match service.carry_out_wish(user, wish, now).await {
                Ok((answer, changes)) => {
                    let (reply_sender, _) = oneshot::channel();
                    let decided = CommandDecision {
                        by: user,
                        language,
                        answer,
                        changes,
                        reply_sender,
                    };
                    let decided = DiscordTaskEvent::CommandDecided(Box::new(decided));
                    // The other end is only gone with the daemon, and then it is done again at the next start.
                    if task_sender.send(decided).await.is_ok()
                        && let Err(error) = store.settle_shared_wish(number).await
                    {
                        tracing::warn!(%error, "a wish of a person is carried out once more");
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "a wish of a person is not carried out yet");
                }
            }
            lock(&under_way).remove(&number);
        });
    }
}
