//! Summing up, whatever for: the models of the role are asked one after the other, in the background. No turn that ends
//! takes it along.

use super::loop_message::LoopMessage;
use super::state::Daemon;
use super::summary_event::{SummaryEvent, SummaryResult, SummaryWork};
use kith_core::chat::ChannelId;
use kith_model::{CostAttribution, Model, ModelFunction, summarize};

impl Daemon {
    pub(super) fn find_summary_models(&self, channel: ChannelId) -> Vec<Model> {
        let named = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.policy().model.clone());
        self.model_calls.selection().for_summaries(named.as_deref())
    }

    pub(super) fn start_summary(
        &self,
        work: SummaryWork,
        attribution: CostAttribution,
        instruction: String,
        text: String,
    ) {
        let models = self.find_summary_models(attribution.channel);
        let attribution = CostAttribution {
            function: ModelFunction::Summary,
            ..attribution
        };
        let caller = self
            .model_calls
            .caller(attribution, None, self.core.estimator);
        let text = self.redactor.redact(&text).into_owned();
        let loop_sender = self.loop_sender.clone();
        tokio::spawn(async move {
            let text = summarize(&caller, models, &instruction, &text).await;
            let _ = loop_sender
                .send(LoopMessage::Summary(Box::new(SummaryEvent::Finished(
                    SummaryResult { work, text },
                ))))
                .await;
        });
    }

    pub(super) async fn handle_summary_event(&mut self, event: SummaryEvent) {
        match event {
            SummaryEvent::Requested(request) => self.handle_summary_request(request),
            SummaryEvent::SpanRead(missing) => self.handle_unsummarized_span(missing),
            SummaryEvent::Finished(result) => self.handle_summary_result(result).await,
        }
    }

    async fn handle_summary_result(&mut self, result: SummaryResult) {
        let SummaryResult { work, text } = result;
        match work {
            SummaryWork::Session(request) => self.store_session_summary(request, text).await,
            SummaryWork::History(missing) => self.store_history_summary(missing, text).await,
        }
    }
}
