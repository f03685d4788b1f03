//! Servers and channels: who is where, how willing it is there, and what that took today.

use std::collections::{BTreeMap, HashSet};

use super::step::{ConsoleReply, ConsoleStep, OverviewPage};
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::reply::{reply, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::{Channel, ChannelId, GuildId, Millis};
use kith_core::policy::ChannelMode;
use kith_model::BudgetLedger;
use kith_room::{
    ChannelOrder, ChannelOverview, ChannelStatus, ConsoleAnswer, GuildSummary, ProcessStatus,
};
use kith_store::{ChannelActivity, ChannelRecency, LivingProcess, Store, StoreError};
use kith_system::clock;

const PAGE_SIZE: usize = 50;

pub(super) struct OverviewQuery {
    /// In small letters.
    pub text: String,
    pub guild: Option<GuildId>,
    pub mode: Option<ChannelMode>,
    pub order: ChannelOrder,
    pub page: usize,
}

impl Daemon {
    pub(super) fn begin_overview(&self, query: OverviewQuery, answer: ConsoleReply) {
        let (store, known) = (self.store.clone(), self.platform.list_channels());
        let of_mode = query
            .mode
            .map(|mode| self.find_channels_of_mode(mode, &known));
        let loop_sender = self.loop_sender.clone();
        tokio::spawn(async move {
            match load_page(&store, known, &query, of_mode, clock::now()).await {
                Ok(page) => {
                    let step = ConsoleStep::Overview(page, answer);
                    // The loop is only gone with the daemon.
                    let _ = loop_sender.send(LoopMessage::Console(Box::new(step))).await;
                }
                Err(error) => reply(answer, Err(to_request_refusal(error))),
            }
        });
    }

    /// The channels of this mode among those the platform tells of, and those that have a state.
    fn find_channels_of_mode(&self, mode: ChannelMode, known: &[Channel]) -> HashSet<ChannelId> {
        let states = self.core.channel_states().map(|state| &state.channel);
        let fitting = known
            .iter()
            .chain(states)
            .filter(|channel| self.resolve_mode(channel) == mode);
        fitting.map(|channel| channel.id).collect()
    }

    /// Adds what only the loop knows: modes, and how willing the companion is now.
    pub(super) fn complete_overview(&self, page: OverviewPage) -> ConsoleAnswer {
        let at = clock::now();
        let channels = page.channels.into_iter();
        let channels = channels.map(|activity| {
            let tokens_today = page.tokens.get(&activity.channel.id).copied();
            self.summarize_channel(at, activity, tokens_today.unwrap_or_default())
        });
        let guilds = page.guilds.into_iter().map(|(id, channels)| GuildSummary {
            id,
            name: id
                .and_then(|id| self.platform.guild_name(id))
                .map_or_else(String::new, |name| name.to_string()),
            channels,
        });
        ConsoleAnswer::Overview(ChannelOverview {
            at,
            model: self.model_state(),
            cost_today: self.model_calls.spending_today(at).cost,
            cost_cap: self.model_calls.caps().1,
            guilds: guilds.collect(),
            channels: channels.collect(),
            total: page.total,
            page_size: PAGE_SIZE,
            processes: self.list_processes(),
        })
    }

    /// Those that share the companion, as they were a few seconds ago.
    fn list_processes(&self) -> Vec<ProcessStatus> {
        let Some(leases) = &self.leases else {
            return Vec::new();
        };
        let view = leases.borrow();
        let processes = view.processes.iter();
        let status = |process: &LivingProcess| ProcessStatus {
            name: process.name.clone(),
            partitions: process.partitions.clone(),
            is_own: view.own == Some(process.number),
        };
        processes.map(status).collect()
    }

    fn summarize_channel(
        &self,
        at: Millis,
        activity: ChannelActivity,
        tokens_today: u64,
    ) -> ChannelStatus {
        let ChannelActivity {
            channel,
            heard,
            spoke,
        } = activity;
        let snapshot = self.core.channel_snapshot(at, channel.id);
        let known = self.find_channel(channel.id);
        ChannelStatus {
            mode: known.map(|channel| self.resolve_mode(&channel)),
            score: snapshot.as_ref().and_then(|snapshot| snapshot.score),
            threshold: snapshot.as_ref().map(|snapshot| snapshot.threshold),
            heard,
            spoke,
            turn: snapshot.and_then(|snapshot| snapshot.turn),
            tokens_today,
            daily_cap: self.settings.budget.channel_tokens,
            channel,
        }
    }
}

/// `known`: the platform's channels, with and without a record. `of_mode`: those of the wanted mode, if any.
async fn load_page(
    store: &Store,
    known: Vec<Channel>,
    query: &OverviewQuery,
    of_mode: Option<HashSet<ChannelId>>,
    now: Millis,
) -> Result<OverviewPage, StoreError> {
    let recency = match query.order {
        ChannelOrder::Heard => ChannelRecency::Heard,
        ChannelOrder::Spoke => ChannelRecency::Spoken,
        ChannelOrder::Name => ChannelRecency::Any,
    };
    let mut channels = store.load_channels(recency).await?;
    let recorded: HashSet<ChannelId> = channels.iter().map(|(channel, _)| channel.id).collect();
    let unrecorded = known.into_iter().filter(|it| !recorded.contains(&it.id));
    channels.extend(unrecorded.map(|channel| (channel, 0)));
    let mut guilds = BTreeMap::new();
    for (channel, _) in &channels {
        *guilds.entry(channel.guild).or_default() += 1;
    }
    channels.retain(|(channel, _)| {
        (query.guild.is_none() || channel.guild == query.guild)
            && of_mode
                .as_ref()
                .is_none_or(|fitting| fitting.contains(&channel.id))
            && channel.name.to_lowercase().contains(&query.text)
    });
    channels.sort_by_cached_key(|(channel, recency)| {
        (std::cmp::Reverse(*recency), channel.name.to_lowercase())
    });
    let total = channels.len();
    let page = channels
        .into_iter()
        .skip(query.page.saturating_mul(PAGE_SIZE));
    let page = page.take(PAGE_SIZE).map(|(channel, _)| channel).collect();
    let day = BudgetLedger::day_start(now);
    Ok(OverviewPage {
        channels: store.load_channel_activity(page).await?,
        tokens: store.load_channel_tokens(day).await?,
        guilds,
        total,
    })
}
