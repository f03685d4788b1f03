//! What is done beside a turn for one of its tools: tasks that are worked on apart, and the account of their model calls.
//! Who spoke to the companion pays for them as for the turn.

use std::sync::Arc;

use super::Daemon;
use kith_agent::side_budget::{ReservationRequest, SideBudget};
use kith_agent::sub_agent::SubAgent;
use kith_core::call::ToolSpec;
use kith_core::chat::{ChannelId, TurnId};
use kith_core::policy::ChannelPolicy;
use kith_model::{CallUsage, CostAttribution, Model, ModelFunction, Reservation};
use kith_system::clock;
use kith_tools::SideWork;

/// A model call beside a turn's own that has not told its end.
pub(super) struct SideCall {
    model: Model,
    function: ModelFunction,
    reservation: Reservation,
}

impl Daemon {
    /// Who does for a turn's tools what is to be done beside it.
    pub(super) fn build_side_work(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        policy: &Arc<ChannelPolicy>,
    ) -> Arc<dyn SideWork> {
        let (settings, language) = (&self.settings.task, policy.persona.language);
        let more: Vec<ToolSpec> = self.registry.chosen(&settings.tools, language);
        let (rounds, tokens) = (settings.rounds, settings.tokens);
        let models = self.ensure_running_turn(turn, channel).models().to_vec();
        Arc::new(SubAgent {
            models,
            registry: self.registry.clone(),
            prompts: self.prompts.clone(),
            estimator: self.core.estimator,
            side_budget: SideBudget::new(self.turn_event_sender.clone(), turn, ModelFunction::Task),
            policy: policy.clone(),
            extra_tools: more,
            rounds,
            tokens,
        })
    }

    /// A call beside a turn is to be made: it gets leave, or learns why not.
    pub(super) fn open_side_call(&mut self, turn: TurnId, request: ReservationRequest) {
        let Some(channel) = self.turns.get(&turn).map(|running| running.channel) else {
            return;
        };
        let now = clock::now();
        let ReservationRequest {
            model,
            function,
            prompt_tokens,
            answer,
        } = request;
        let attribution = CostAttribution {
            function,
            ..self.attribute_turn_cost(turn, channel)
        };
        let reserved = self.budget.reserve(
            now,
            attribution,
            model.price(),
            prompt_tokens,
            model.max_tokens(),
        );
        self.report_reached_limits(now, attribution);
        self.update_budget_state(now);
        self.call_counter += 1;
        let number = self.call_counter;
        let permit = reserved.map(|reservation| {
            if let Some(running) = self.turns.get_mut(&turn) {
                running.side_calls.insert(
                    number,
                    SideCall {
                        model,
                        function,
                        reservation,
                    },
                );
            }
            number
        });
        // Who was dropped meanwhile asks no more; the call is settled with the turn.
        let _ = answer.send(permit);
    }

    /// One is over.
    pub(super) fn finish_side_call(&mut self, turn: TurnId, number: u64, call_usage: CallUsage) {
        let call = self
            .turns
            .get_mut(&turn)
            .and_then(|running| running.side_calls.remove(&number));
        if let Some(SideCall {
            model,
            function,
            reservation,
        }) = call
        {
            self.record_call_usage(turn, &model, function, reservation, call_usage);
        }
    }

    /// Nobody will tell what those took that are left: all that was promised.
    pub(super) fn drop_side_calls(&mut self, turn: TurnId) {
        let left = self
            .turns
            .get_mut(&turn)
            .map(|running| std::mem::take(&mut running.side_calls));
        for SideCall {
            model,
            function,
            reservation,
        } in left.into_iter().flat_map(|left| left.into_values())
        {
            self.record_call_usage(turn, &model, function, reservation, CallUsage::Unknown);
        }
    }
}
