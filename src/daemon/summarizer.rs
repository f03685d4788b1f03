//! Summing up, whatever for: the models of the role are asked one after the other, each within the budget, and whatever
//! way a call ends, it is written down once what it took. No turn that ends takes one along.

use std::collections::HashMap;

use tokio::sync::oneshot;

use super::compaction::UnsummarizedSpan;
use super::loop_message::LoopMessage;
use super::state::Daemon;
use super::summaries::SummaryRequest;
use kith_core::chat::ChannelId;
use kith_core::report::ModelFailure;
use kith_model::{
    CallUsage, CostAttribution, LONGEST_SUMMARY, Model, ModelFunction, Reservation, SummaryOutcome,
    summarize,
};
use kith_store::ModelSpend;
use kith_system::clock;

/// What is summed up.
pub(super) enum SummaryWork {
    /// What a session begins with.
    Session(SummaryRequest),
    /// What has left a channel's prompts.
    History(UnsummarizedSpan),
}

/// A call is to be made.
pub(super) struct SummaryCallRequest {
    attribution: CostAttribution,
    model: Model,
    prompt_tokens: u32,
    answer: oneshot::Sender<Result<u64, ModelFailure>>,
}

/// It was summed up, or not.
pub(super) struct SummaryResult {
    work: SummaryWork,
    outcome: SummaryOutcome<u64>,
}

/// A call that has not told its end.
pub(super) struct PromisedCall {
    model: Model,
    attribution: CostAttribution,
    reservation: Reservation,
}

/// The calls that have not told their end, by their numbers.
pub(super) type PromisedCalls = HashMap<u64, PromisedCall>;

impl Daemon {
    /// Who sums up what was said in a channel.
    pub(super) fn find_summary_models(&self, channel: ChannelId) -> Vec<Model> {
        let named = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.policy().model.clone());
        self.model_selection.for_summaries(named.as_deref())
    }

    /// Has a text summed up in the background.
    pub(super) fn start_summary(
        &self,
        work: SummaryWork,
        attribution: CostAttribution,
        instruction: String,
        text: String,
    ) {
        let (models, loop_sender) = (
            self.find_summary_models(attribution.channel),
            self.loop_sender.clone(),
        );
        let attribution = CostAttribution {
            function: ModelFunction::Summary,
            ..attribution
        };
        let text = self.redactor.redact(&text).into_owned();
        tokio::spawn(async move {
            let reserve_call = |model, prompt_tokens| {
                let (answer, permit) = oneshot::channel();
                let asking = LoopMessage::SummaryCallRequested(Box::new(SummaryCallRequest {
                    attribution,
                    model,
                    prompt_tokens,
                    answer,
                }));
                let loop_sender = &loop_sender;
                async move {
                    let asked = loop_sender.send(asking).await.is_ok();
                    let permit = if asked { permit.await.ok() } else { None };
                    let stopped = || ModelFailure {
                        message: "kith is stopping".into(),
                        ..ModelFailure::default()
                    };
                    permit.unwrap_or_else(|| Err(stopped()))
                }
            };
            let summed = summarize(&models, &instruction, &text, reserve_call).await;
            let _ = loop_sender
                .send(LoopMessage::SummaryFinished(Box::new(SummaryResult {
                    work,
                    outcome: summed,
                })))
                .await;
        });
    }

    /// A call gets leave, or learns why not.
    pub(super) fn reserve_summary_call(&mut self, asking: SummaryCallRequest) {
        let now = clock::now();
        let SummaryCallRequest {
            attribution,
            model,
            prompt_tokens,
            answer,
        } = asking;
        let reserved = self.budget.reserve(
            now,
            attribution,
            model.price(),
            prompt_tokens,
            LONGEST_SUMMARY,
        );
        self.report_reached_limits(now, attribution);
        self.update_budget_state(now);
        self.call_counter += 1;
        let number = self.call_counter;
        let permit = reserved.map(|reservation| {
            self.open_summary_calls.insert(
                number,
                PromisedCall {
                    model,
                    attribution,
                    reservation,
                },
            );
            number
        });
        // Nothing drops who waits for it but the end of the daemon.
        let _ = answer.send(permit);
    }

    /// It was summed up, or not: what that took is counted, and who wanted it has it.
    pub(super) async fn handle_summary_result(
        &mut self,
        SummaryResult {
            work,
            outcome: summed,
        }: SummaryResult,
    ) {
        for call in summed.calls {
            if let Some(open_call) = self.open_summary_calls.remove(&call.reservation) {
                self.settle_summary_call(open_call, call.usage);
            }
        }
        match work {
            SummaryWork::Session(request) => self.store_session_summary(request, summed.text).await,
            SummaryWork::History(missing) => self.store_history_summary(missing, summed.text).await,
        }
    }

    fn settle_summary_call(
        &mut self,
        PromisedCall {
            model,
            attribution,
            reservation,
        }: PromisedCall,
        call_usage: CallUsage,
    ) {
        let now = clock::now();
        let amount = self.budget.settle(now, reservation, call_usage);
        if amount.tokens > 0 {
            let usage = super::running::to_token_usage(call_usage, amount.tokens);
            let (channel, function) = (attribution.channel, attribution.function.name().into());
            let model = model.name().to_owned();
            self.observer.record_spend(ModelSpend {
                at: now,
                model,
                channel,
                function,
                usage,
                cost: amount.cost,
            });
        }
        self.report_reached_limits(now, attribution);
        self.update_budget_state(now);
        self.publish_model_state();
    }

    /// The daemon stops: what is under way counts as all that was promised to it.
    pub(super) fn stop_summaries(&mut self) {
        for (_, open_call) in std::mem::take(&mut self.open_summary_calls) {
            self.settle_summary_call(open_call, CallUsage::Unknown);
        }
    }
}
