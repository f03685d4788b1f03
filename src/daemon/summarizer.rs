//! Summing up, whatever for: the models of the role are asked one after the other, each within the budget, and whatever
//! way a call ends, it is written down once what it took. No turn that ends takes one along.

use std::collections::HashMap;

use tokio::sync::oneshot;

use super::compaction::UnsummarizedSpan;
use super::summaries::SummaryRequest;
use super::{Daemon, LoopMessage};
use kith_core::chat::ChannelId;
use kith_core::report::ModelFailure;
use kith_model::{
    CallUsage, CostAttribution, LONGEST_SUMMARY, Model, ModelFunction, Reservation, SummaryOutcome, summarize,
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
    charge: CostAttribution,
    model: Model,
    prompt_tokens: u32,
    answer: oneshot::Sender<Result<u64, ModelFailure>>,
}

/// It was summed up, or not.
pub(super) struct SummaryResult {
    work: SummaryWork,
    summed: SummaryOutcome<u64>,
}

/// A call that has not told its end.
pub(super) struct PromisedCall {
    model: Model,
    charge: CostAttribution,
    reservation: Reservation,
}

/// The calls that have not told their end, by their numbers.
pub(super) type PromisedCalls = HashMap<u64, PromisedCall>;

impl Daemon {
    /// Who sums up what was said in a channel.
    pub(super) fn find_summary_models(&self, channel: ChannelId) -> Vec<Model> {
        let named = self.core.channel_state(channel).and_then(|lane| lane.policy().model.clone());
        self.chosen.for_summaries(named.as_deref())
    }

    /// Has a text summed up in the background.
    pub(super) fn start_summary(&self, work: SummaryWork, charge: CostAttribution, instruction: String, text: String) {
        let (models, inner) = (self.find_summary_models(charge.channel), self.inner.clone());
        let charge = CostAttribution { function: ModelFunction::Summary, ..charge };
        let text = self.redactor.redact(&text).into_owned();
        tokio::spawn(async move {
            let promise = |model, prompt_tokens| {
                let (answer, leave) = oneshot::channel();
                let asking = LoopMessage::SummaryCallRequested(Box::new(SummaryCallRequest {
                    charge,
                    model,
                    prompt_tokens,
                    answer,
                }));
                let inner = &inner;
                async move {
                    let asked = inner.send(asking).await.is_ok();
                    let leave = if asked { leave.await.ok() } else { None };
                    let stopped = || ModelFailure { message: "kith is stopping".into(), ..ModelFailure::default() };
                    leave.unwrap_or_else(|| Err(stopped()))
                }
            };
            let summed = summarize(&models, &instruction, &text, promise).await;
            let _ = inner.send(LoopMessage::SummaryFinished(Box::new(SummaryResult { work, summed }))).await;
        });
    }

    /// A call gets leave, or learns why not.
    pub(super) fn reserve_summary_call(&mut self, asking: SummaryCallRequest) {
        let now = clock::now();
        let SummaryCallRequest { charge, model, prompt_tokens, answer } = asking;
        let reserved = self.budget.reserve(now, charge, model.price(), prompt_tokens, LONGEST_SUMMARY);
        self.report_reached_limits(now, charge);
        self.update_budget_state(now);
        self.next_look += 1;
        let number = self.next_look;
        let leave = reserved.map(|reservation| {
            self.promises.insert(number, PromisedCall { model, charge, reservation });
            number
        });
        // Nothing drops who waits for it but the end of the daemon.
        let _ = answer.send(leave);
    }

    /// It was summed up, or not: what that took is counted, and who wanted it has it.
    pub(super) async fn handle_summary_result(&mut self, SummaryResult { work, summed }: SummaryResult) {
        for call in summed.taken {
            if let Some(promised) = self.promises.remove(&call.promise) {
                self.settle_summary_call(promised, call.took);
            }
        }
        match work {
            SummaryWork::Session(wanted) => self.store_session_summary(wanted, summed.text).await,
            SummaryWork::History(missing) => self.store_history_summary(missing, summed.text).await,
        }
    }

    fn settle_summary_call(&mut self, PromisedCall { model, charge, reservation }: PromisedCall, took: CallUsage) {
        let now = clock::now();
        let amount = self.budget.settle(now, reservation, took);
        if amount.tokens > 0 {
            let usage = super::running::to_token_usage(took, amount.tokens);
            let (channel, function) = (charge.channel, charge.function.name().into());
            let model = model.name().to_owned();
            self.observer.record_spend(ModelSpend { at: now, model, channel, function, usage, cost: amount.cost });
        }
        self.report_reached_limits(now, charge);
        self.update_budget_state(now);
        self.publish_model_state();
    }

    /// The daemon stops: what is under way counts as all that was promised to it.
    pub(super) fn stop_summaries(&mut self) {
        for (_, promised) in std::mem::take(&mut self.promises) {
            self.settle_summary_call(promised, CallUsage::Unknown);
        }
    }
}
