//! What other partitions of the same companion tell this one: what people wish everywhere is carried out here, too, what was
//! spent there counts against the same budget, and what they were asked about turns of this one is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::DiscordPlatform;
use super::task_event::{CommandDecision, DiscordTaskEvent, NewsOfOthers};
use crate::daemon::state::Daemon;
use crate::daemon::upkeep::RegularTask;
use kith_commands::CommandService;
use kith_core::chat::{MINUTE, Millis, SECOND};
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::preference::SharedWish;
use kith_model::{BudgetLedger, TokenCost};
use kith_store::{RemoteRequest, Store, StoreError};
use kith_system::clock;

/// It is looked this often: so much later at most a wish holds everywhere, and for so long the spending of others is not
/// known.
const LOOK_EVERY: Millis = 2 * SECOND;
/// So long after it was asked Discord takes an answer.
const ANSWERABLE: Millis = 14 * MINUTE;

/// How this partition hears of the others; it does not where there are none.
pub(super) struct OtherPartitions {
    look: Option<RegularTask>,
    /// From the question what they tell until that is heard. One at a time, so that nothing is told twice.
    is_asking: Arc<AtomicBool>,
    /// Wishes are carried out one after the other, and no more are taken up meanwhile.
    is_carrying_out: Arc<AtomicBool>,
}

impl OtherPartitions {
    pub fn new(own: Partition, now: Millis) -> Self {
        Self {
            look: (own.count() > 1).then(|| RegularTask::new(now + LOOK_EVERY, LOOK_EVERY)),
            is_asking: Arc::default(),
            is_carrying_out: Arc::default(),
        }
    }

    pub fn next_deadline(&mut self, now: Millis) -> Option<Millis> {
        self.look.as_mut().map(|look| look.next_due(now))
    }
}

/// Tells the others what was spent here, and asks for what they tell.
async fn exchange_news(
    store: &Store,
    now: Millis,
    with_wishes: bool,
) -> Result<NewsOfOthers, StoreError> {
    let day_start = BudgetLedger::day_start(now);
    let (tokens, cost) = store.share_spending(day_start).await?;
    let wishes = match with_wishes {
        true => store.load_shared_wishes().await?,
        false => Vec::new(),
    };
    Ok(NewsOfOthers {
        wishes,
        interactions: store.take_shared_interactions(now - ANSWERABLE).await?,
        day_start,
        spent: TokenCost { tokens, cost },
    })
}

impl Daemon<DiscordPlatform> {
    /// Before anything is heard: what was wished while nobody ran this partition holds.
    pub(super) async fn catch_up_with_others(&mut self, now: Millis) -> Result<(), StoreError> {
        if self.platform.other_partitions.look.is_some() {
            let news = exchange_news(&self.store, now, true).await?;
            self.handle_news_of_others(news);
        }
        Ok(())
    }

    pub(super) fn look_at_others(&mut self, now: Millis) {
        let others = &mut self.platform.other_partitions;
        if !others.look.as_mut().is_some_and(|look| look.is_due(now))
            || others.is_asking.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let with_wishes = !others.is_carrying_out.load(Ordering::Relaxed);
        let is_asking = Arc::clone(&others.is_asking);
        let (store, task_sender) = (self.store.clone(), self.platform.task_sender.clone());
        tokio::spawn(async move {
            match exchange_news(&store, now, with_wishes).await {
                Ok(news) => drop(task_sender.send(DiscordTaskEvent::OthersTold(news)).await),
                Err(error) => {
                    tracing::warn!(%error, "what other partitions tell is not known; trying again soon");
                    is_asking.store(false, Ordering::Relaxed);
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

    pub(super) fn handle_news_of_others(&mut self, news: NewsOfOthers) {
        let now = clock::now();
        if news.day_start == BudgetLedger::day_start(now) {
            self.model_calls.record_elsewhere(now, news.spent);
            self.update_budget_state(now);
        }
        for raw in &news.interactions {
            self.platform.discord.answer_for_another(raw);
        }
        if !news.wishes.is_empty() {
            self.begin_wishes(news.wishes);
        }
        self.platform
            .other_partitions
            .is_asking
            .store(false, Ordering::Relaxed);
    }

    /// As if all of it had been asked for here, in this order; nobody waits for an answer.
    fn begin_wishes(&mut self, wishes: Vec<RemoteRequest>) {
        // At once: erasing takes a while, and what runs meanwhile is not to speak of them.
        for told in wishes.iter().filter(|told| !told.is_outdated) {
            match told.wish {
                SharedWish::Treat(preference) => {
                    self.platform.set_preference(told.user, preference);
                    // What the group says is counted anew without them.
                    self.memory.drop_group_expressions(None);
                }
                SharedWish::Forget => self.forget_person(told.user, None),
            }
        }
        let worker = WishWorker {
            service: self.platform.command_service.clone(),
            store: self.store.clone(),
            task_sender: self.platform.task_sender.clone(),
            language: self.settings.language.unwrap_or_default(),
        };
        let is_carrying_out = Arc::clone(&self.platform.other_partitions.is_carrying_out);
        is_carrying_out.store(true, Ordering::Relaxed);
        tokio::spawn(async move {
            for told in wishes {
                // What follows may be of the same person: it waits for its turn.
                if let Err(error) = worker.carry_out(told).await {
                    tracing::warn!(%error, "a wish of a person is not carried out yet");
                    break;
                }
            }
            is_carrying_out.store(false, Ordering::Relaxed);
        });
    }
}

struct WishWorker {
    service: CommandService,
    store: Store,
    task_sender: mpsc::Sender<DiscordTaskEvent>,
    language: Language,
}

impl WishWorker {
    /// One that is done twice is done once, so that it is settled last.
    async fn carry_out(&self, told: RemoteRequest) -> Result<(), StoreError> {
        let RemoteRequest {
            number,
            user,
            wish,
            at,
            is_outdated,
        } = told;
        if !is_outdated {
            let (answer, changes) = self.service.carry_out_wish(user, wish, at).await?;
            let (reply_sender, _) = oneshot::channel();
            let decided = CommandDecision {
                by: user,
                language: self.language,
                answer,
                changes,
                reply_sender,
            };
            let decided = DiscordTaskEvent::CommandDecided(Box::new(decided));
            if self.task_sender.send(decided).await.is_err() {
                // The daemon has ended. The next one does it again.
                return Ok(());
            }
        }
        self.store.settle_shared_wish(number).await
    }
}
