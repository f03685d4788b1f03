//! A channel's history in short. What has left its prompts since it was summed up last is summed up once it is enough: after
//! a turn, in the background, one at a time in a channel, and only with what is left over of the budget. The companion can
//! have it done earlier, and then of most of what its prompts still show.

use serde_json::json;
use tokio::sync::oneshot;

use super::loop_commands::find_seen_cursor;
use super::loop_message::LoopCommandResult;
use super::loop_message::LoopMessage;
use super::state::Daemon;
use super::summary_event::{SummaryEvent, SummaryWork, UnsummarizedSpan};
use kith_core::channel::ChannelState;
use kith_core::chat::{ChannelId, MessageId};
use kith_core::compaction::{
    ChannelSummary, MOST_MESSAGES, SummaryInput, compute_summary_threshold, find_first_kept,
};
use kith_core::policy::ChannelMode;
use kith_core::report::ModelFailure;
use kith_language::{LocalizedMessage, daemon};
use kith_model::{CostAttribution, ModelFunction};
use kith_system::clock;
use kith_tools::Authorization;
use kith_tools::custom::SessionEvent;

impl Daemon {
    /// A turn is over: what left the prompt may be enough by now.
    pub(super) fn compact_if_due(&mut self, channel: ChannelId) {
        if self.compaction.may_start(channel, clock::now())
            && self.find_compaction_obstacle(channel).is_none()
            && let Some(first) = self
                .core
                .channel_state(channel)
                .and_then(ChannelState::first_shown_message)
        {
            self.read_unsummarized_span(channel, first, None);
        }
    }

    pub(super) fn compact_channel(
        &mut self,
        channel: ChannelId,
        authorization: Authorization,
        asked: oneshot::Sender<LoopCommandResult>,
    ) {
        let channel_state = self.core.channel_state(channel);
        let cursor = channel_state.and_then(|channel_state| {
            Some((
                channel_state,
                find_seen_cursor(channel_state, authorization)?,
            ))
        });
        let first = cursor.map(|(state, cursor)| {
            find_first_kept(state.timeline(), cursor).max(state.first_shown_message())
        });
        let refused = match first {
            None => Some(daemon::turn_over()),
            Some(None) => Some(daemon::nothing_to_sum_up()),
            Some(Some(_)) => self.find_compaction_obstacle(channel),
        };
        match (first.flatten(), refused) {
            (Some(first), None) => self.read_unsummarized_span(channel, first, Some(asked)),
            (_, why) => drop(asked.send(Err(why.unwrap_or_else(daemon::nothing_to_sum_up)))),
        }
    }

    fn find_compaction_obstacle(&self, channel: ChannelId) -> Option<LocalizedMessage> {
        let is_on = self
            .core
            .channel_state(channel)
            .is_some_and(|channel_state| channel_state.policy().mode == ChannelMode::On);
        match () {
            () if !is_on => Some(daemon::channel_not_on()),
            () if self.compaction.is_running(channel) => Some(daemon::being_summed_up()),
            () if self.find_summary_models(channel).is_empty() => Some(daemon::no_summary_model()),
            () if !self.model_calls.has_budget_to_spare(clock::now(), channel) => {
                Some(daemon::budget_nearly_spent())
            }
            () => None,
        }
    }

    fn read_unsummarized_span(
        &mut self,
        channel: ChannelId,
        before: MessageId,
        asked: Option<oneshot::Sender<LoopCommandResult>>,
    ) {
        let Some(channel_state) = self.core.channel_state(channel) else {
            return;
        };
        let (tokens, estimator, started_at) = (
            channel_state.policy().context.history_tokens,
            self.core.estimator,
            clock::now(),
        );
        let names = channel_state.window.names.clone();
        let reading = self.store.find_missing_span(
            channel,
            before,
            channel_state.state().begins_after,
            MOST_MESSAGES,
        );
        let loop_sender = self.loop_sender.clone();
        self.compaction.start(channel, Vec::new());
        tokio::spawn(async move {
            let read = reading.await.unwrap_or_else(|error| {
                tracing::warn!(%error, "what is to be summed up could not be read");
                None
            });
            let input = read.and_then(|stretch| stretch.build_input(tokens, names, &estimator));
            let _ = loop_sender
                .send(LoopMessage::Summary(Box::new(SummaryEvent::SpanRead(
                    UnsummarizedSpan {
                        channel,
                        input,
                        started_at,
                        requester: asked,
                    },
                ))))
                .await;
        });
    }

    /// It is known what is missing: where it is enough, or asked for, it is summed up.
    pub(super) fn handle_unsummarized_span(&mut self, mut missing: UnsummarizedSpan) {
        let channel = missing.channel;
        let changed = self.compaction.finish(channel);
        let asked = missing.requester.take();
        let is_asked = asked.is_some();
        let answer = |result: LoopCommandResult| {
            // A turn that was cut waits no more.
            asked.map(|asked| asked.send(result));
        };
        if let Some(why) = self.find_compaction_obstacle(channel) {
            return answer(Err(why));
        }
        let enough = self.core.channel_state(channel).map_or(0, |channel_state| {
            compute_summary_threshold(&channel_state.policy().context)
        });
        let Some(input) = missing
            .input
            .as_ref()
            .filter(|told| is_asked || told.tokens >= enough)
        else {
            return answer(Err(daemon::nothing_to_sum_up()));
        };
        let instruction = match self.prompts.render_summary(self.language_in(channel)) {
            Ok(instruction) => instruction,
            Err(problem) => return answer(Err(problem.to_message())),
        };
        answer(Ok(()));
        let (text, about) = (
            input.text.clone(),
            json!({ "lines": input.lines, "asked": is_asked }),
        );
        self.compaction.start(channel, changed);
        self.tell_tools(channel, SessionEvent::AutoCompactionStart, about);
        // Whoever spoke last has not asked for it.
        let attribution = CostAttribution {
            channel,
            person: None,
            function: ModelFunction::Summary,
        };
        self.start_summary(
            SummaryWork::History(missing),
            attribution,
            instruction,
            text,
        );
    }

    /// It was summed up, or not: it is kept unless any of what it tells of was erased meanwhile.
    pub(super) async fn store_history_summary(
        &mut self,
        missing: UnsummarizedSpan,
        text: Result<String, ModelFailure>,
    ) {
        let UnsummarizedSpan {
            channel,
            input,
            started_at,
            ..
        } = missing;
        let changed = self.compaction.finish(channel);
        let is_whole = |input: &SummaryInput| {
            !changed
                .iter()
                .any(|id| (input.since..=input.until).contains(id))
        };
        let is_on = self
            .core
            .channel_state(channel)
            .is_some_and(|channel_state| channel_state.policy().mode == ChannelMode::On);
        let kept = match (text, input.filter(is_whole)) {
            (Ok(text), Some(SummaryInput { since, until, .. })) if is_on => {
                let kept = self
                    .store
                    .put_summary(
                        channel,
                        ChannelSummary {
                            since,
                            until,
                            text,
                            begun: started_at,
                        },
                    )
                    .await;
                kept.unwrap_or_else(|error| {
                    tracing::warn!(%error, "a summary could not be kept");
                    false
                })
            }
            (Err(failure), _) => {
                self.compaction.record_result(channel, false, clock::now());
                // What a server says may quote what it was asked.
                let why = if failure.budget {
                    failure.message.as_str()
                } else {
                    "no model of the role did it"
                };
                tracing::warn!(%channel, "what left the prompts could not be summed up: {why}");
                false
            }
            _ => false,
        };
        if kept {
            self.compaction.record_result(channel, true, clock::now());
        }
        self.tell_tools(
            channel,
            SessionEvent::AutoCompactionEnd,
            json!({ "success": kept }),
        );
    }
}
