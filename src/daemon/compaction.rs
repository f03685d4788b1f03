//! A channel's history in short. What has left its prompts since it was summed up last is summed up once it is enough: after
//! a turn, in the background, one at a time in a channel, and only with what is left over of the budget. The companion can
//! have it done earlier, and then of most of what its prompts still show.

use std::collections::BTreeMap;

use serde_json::json;
use tokio::sync::oneshot;

use super::loop_commands::{LoopCommandResult, seen};
use super::summarizer::SummaryWork;
use super::{Daemon, LoopMessage};
use kith_core::bilingual::{Bilingual, bilingual};
use kith_core::channel::ChannelState;
use kith_core::chat::{ChannelId, MINUTE, MessageId, Millis};
use kith_core::compaction::{ChannelSummary, MOST_MESSAGES, SummaryInput, bar, first_left};
use kith_core::event::BudgetState;
use kith_core::policy::ChannelMode;
use kith_core::report::ModelFailure;
use kith_model::{CostAttribution, ModelFunction};
use kith_system::clock;
use kith_tools::Authorization;
use kith_tools::custom::SessionEvent;

/// Where it could not be summed up it is not tried again for so long.
const TRY_AGAIN: Millis = 10 * MINUTE;

/// The channels that are being summed up, and those of which that failed lately.
#[derive(Default)]
pub(super) struct CompactionJobs {
    /// With the messages that were changed or deleted meanwhile.
    running: BTreeMap<ChannelId, Vec<MessageId>>,
    /// And when.
    failed: BTreeMap<ChannelId, Millis>,
}

impl CompactionJobs {
    /// Messages were changed or deleted: what is being made of them is not kept.
    pub fn changed(&mut self, channel: ChannelId, ids: &[MessageId]) {
        if let Some(changed) = self.running.get_mut(&channel) {
            changed.extend(ids);
        }
    }
}

/// What is missing in a channel's summary was read; nothing where nobody said anything.
pub(super) struct UnsummarizedSpan {
    channel: ChannelId,
    told: Option<SummaryInput>,
    begun: Millis,
    /// Where the companion asked for it: who waits to hear whether it is done.
    asked: Option<oneshot::Sender<LoopCommandResult>>,
}

impl Daemon {
    /// A turn is over: what left the prompt may be enough by now.
    pub(super) fn compact_in_time(&mut self, channel: ChannelId) {
        let failed = self.compaction.failed.get(&channel);
        if failed.is_none_or(|at| clock::now() - at >= TRY_AGAIN)
            && self.cannot_compact(channel).is_none()
            && let Some(first) = self.core.lane(channel).and_then(ChannelState::shown_from)
        {
            self.look_what_is_missing(channel, first, None);
        }
    }

    /// The companion wants it done now.
    pub(super) fn compact(
        &mut self,
        channel: ChannelId,
        leave: Authorization,
        asked: oneshot::Sender<LoopCommandResult>,
    ) {
        let lane = self.core.lane(channel);
        let cursor = lane.and_then(|lane| Some((lane, seen(lane, leave)?)));
        let first = cursor.map(|(lane, cursor)| first_left(lane.timeline(), cursor).max(lane.shown_from()));
        let refused = match first {
            None => Some(bilingual!("the turn is over", "这一回合已经结束")),
            Some(None) => Some(nothing_yet()),
            Some(Some(_)) => self.cannot_compact(channel),
        };
        match (first.flatten(), refused) {
            (Some(first), None) => self.look_what_is_missing(channel, first, Some(asked)),
            (_, why) => drop(asked.send(Err(why.unwrap_or_else(nothing_yet)))),
        }
    }

    /// What stands in the way of summing a channel up, as a sentence for the model.
    fn cannot_compact(&mut self, channel: ChannelId) -> Option<Bilingual> {
        let is_on = self.core.lane(channel).is_some_and(|lane| lane.policy().mode == ChannelMode::On);
        match () {
            () if !is_on => Some(bilingual!("this channel is not on", "这个频道没有开启")),
            () if self.compaction.running.contains_key(&channel) => {
                Some(bilingual!("it is being summed up already", "已经在概括了"))
            }
            () if self.summarizer(channel).is_empty() => {
                Some(bilingual!("there is no model to sum up", "没有可以做概括的模型"))
            }
            () if self.budget_state != BudgetState::Open
                || self.budget.left_in(clock::now(), channel) != BudgetState::Open =>
            {
                Some(bilingual!("the budget of the day is nearly spent", "今天的预算快用完了"))
            }
            () => None,
        }
    }

    fn look_what_is_missing(
        &mut self,
        channel: ChannelId,
        before: MessageId,
        asked: Option<oneshot::Sender<LoopCommandResult>>,
    ) {
        let Some(lane) = self.core.lane(channel) else { return };
        let (tokens, estimator, begun) = (lane.policy().context.history_tokens, self.core.estimator, clock::now());
        let names = lane.window.names.clone();
        let reading = self.store.missing(channel, before, lane.state().begins_after, MOST_MESSAGES);
        let inner = self.inner.clone();
        self.compaction.running.insert(channel, Vec::new());
        tokio::spawn(async move {
            let read = reading.await.unwrap_or_else(|error| {
                tracing::warn!(%error, "what is to be summed up could not be read");
                None
            });
            let told = read.and_then(|stretch| stretch.told(tokens, names, &estimator));
            let _ = inner.send(LoopMessage::Missing(Box::new(UnsummarizedSpan { channel, told, begun, asked }))).await;
        });
    }

    /// It is known what is missing: where it is enough, or asked for, it is summed up.
    pub(super) fn missing(&mut self, mut missing: UnsummarizedSpan) {
        let channel = missing.channel;
        let changed = self.compaction.running.remove(&channel).unwrap_or_default();
        let asked = missing.asked.take();
        let is_asked = asked.is_some();
        let answer = |came: LoopCommandResult| {
            // A turn that was cut waits no more.
            asked.map(|asked| asked.send(came));
        };
        if let Some(why) = self.cannot_compact(channel) {
            return answer(Err(why));
        }
        let enough = self.core.lane(channel).map_or(0, |lane| bar(&lane.policy().context));
        let Some(told) = missing.told.as_ref().filter(|told| is_asked || told.tokens >= enough) else {
            return answer(Err(nothing_yet()));
        };
        let instruction = match self.prompts.summary(self.language_in(channel)) {
            Ok(instruction) => instruction,
            Err(problem) => return answer(Err(Bilingual::new(problem.to_string(), "概括用的模板有问题"))),
        };
        answer(Ok(()));
        let (text, about) = (told.text.clone(), json!({ "lines": told.lines, "asked": is_asked }));
        self.compaction.running.insert(channel, changed);
        self.tell_tools(channel, SessionEvent::AutoCompactionStart, about);
        // Whoever spoke last has not asked for it.
        let charge = CostAttribution { channel, person: None, function: ModelFunction::Summary };
        self.sum_up(SummaryWork::History(missing), charge, instruction, text);
    }

    /// It was summed up, or not: it is kept unless any of what it tells of was erased meanwhile.
    pub(super) async fn history_summed(&mut self, missing: UnsummarizedSpan, text: Result<String, ModelFailure>) {
        let UnsummarizedSpan { channel, told, begun, .. } = missing;
        let changed = self.compaction.running.remove(&channel).unwrap_or_default();
        let is_whole = |told: &SummaryInput| !changed.iter().any(|id| (told.since..=told.until).contains(id));
        let is_on = self.core.lane(channel).is_some_and(|lane| lane.policy().mode == ChannelMode::On);
        let kept = match (text, told.filter(is_whole)) {
            (Ok(text), Some(SummaryInput { since, until, .. })) if is_on => {
                let kept = self.store.put_summary(channel, ChannelSummary { since, until, text, begun }).await;
                kept.unwrap_or_else(|error| {
                    tracing::warn!(%error, "a summary could not be kept");
                    false
                })
            }
            (Err(failure), _) => {
                self.compaction.failed.insert(channel, clock::now());
                // What a server says may quote what it was asked.
                let why = if failure.budget { failure.message.as_str() } else { "no model of the role did it" };
                tracing::warn!(%channel, "what left the prompts could not be summed up: {why}");
                false
            }
            _ => false,
        };
        if kept {
            self.compaction.failed.remove(&channel);
        }
        self.tell_tools(channel, SessionEvent::AutoCompactionEnd, json!({ "success": kept }));
    }
}

fn nothing_yet() -> Bilingual {
    bilingual!("there is nothing to sum up yet", "还没有可以概括的")
}
