//! For whom model calls are made; what calls took, written down; and what is told when a limit is reached: the day's, or
//! one of a channel, a person or a function.

use super::state::Daemon;
use kith_core::chat::{ChannelId, Millis, TurnId};
use kith_core::event::{BudgetState, Event};
use kith_language::daemon;
use kith_model::{BudgetScope, CostAttribution, LedgerChange, ModelFunction, TokenCost};
use kith_observe::CardSeverity;
use kith_observe::embed::{self, EmbedAudience};
use kith_room::LiveEvent;
use kith_store::{ModelSpend, StoreError};
use kith_system::clock;

/// Under which key it is kept what was told of the day's budget.
const TOLD: &str = "budget.told";

impl Daemon {
    /// For whom a turn's calls are made: who spoke to it last, where somebody did.
    pub(super) fn attribute_turn_cost(&self, turn: TurnId, channel: ChannelId) -> CostAttribution {
        let person = self.core.channel_state(channel).and_then(|channel_state| {
            let wake = channel_state
                .turn
                .as_ref()
                .filter(|running| running.id() == turn)?
                .wake();
            let newest = channel_state.timeline().find(*wake.addressed.iter().max()?);
            newest.map(|said| said.message.author.id).or(wake.author)
        });
        CostAttribution {
            channel,
            person,
            function: ModelFunction::Turn,
        }
    }

    /// Takes up everything that has happened to the account by now, for what is told next must know it.
    pub(super) fn handle_ledger_changes(&mut self) {
        while let Some(change) = self.model_calls.take_change() {
            self.handle_ledger_change(change);
        }
    }

    /// Writes down what a call took, and tells what limits it reached.
    pub(super) fn handle_ledger_change(&mut self, change: LedgerChange) {
        let now = clock::now();
        self.metrics.record_ledger_change(&change);
        let LedgerChange {
            attribution,
            settled,
            ..
        } = change;
        if let Some(call) = settled {
            let running = call.turn.and_then(|turn| self.turns.get_mut(&turn));
            if let (Some(running), Some(cost)) = (running, call.cost) {
                running.add_cost(cost);
            }
            self.observer.record_spend(ModelSpend {
                at: call.at,
                model: call.model,
                channel: attribution.channel,
                function: attribution.function.name().into(),
                usage: call.usage,
                cost: call.cost.unwrap_or_default(),
            });
        }
        self.report_reached_limits(now, attribution);
        self.update_budget_state(now);
        self.publish_model_state();
    }

    /// Tells the core what is left for turns in a channel, so that none begins only to be refused and addresses wait.
    fn report_budget_left(&mut self, now: Millis, channel: ChannelId) {
        if let Some(budget) = self.model_calls.update_channel_share(now, channel) {
            self.handle_event(Event::ChannelBudget { channel, budget });
        }
    }

    /// Tells once a day and limit who has reached it. A person is not named, because the log would keep the name.
    fn report_reached_limits(&mut self, now: Millis, attribution: CostAttribution) {
        if attribution.function == ModelFunction::Test {
            return;
        }
        self.report_budget_left(now, attribution.channel);
        for (budget_scope, state) in self.model_calls.find_reached_limits(now, attribution) {
            let language = self.settings.language.unwrap_or_default();
            let place = self
                .core
                .channel_state(attribution.channel)
                .map(|channel_state| channel_state.channel.name.clone())
                .unwrap_or_default();
            let place = &*place;
            let text = match (budget_scope, state) {
                (_, BudgetState::Open) => continue,
                // Tests have no limit of their own.
                (BudgetScope::Function(ModelFunction::Test), _) => continue,
                (BudgetScope::Function(ModelFunction::Vision), _) => daemon::vision_budget_low(),
                (BudgetScope::Function(ModelFunction::Task), _) => daemon::task_budget_low(),
                (BudgetScope::Function(ModelFunction::Summary), _) => daemon::summary_budget_low(),
                // What is remembered of talks and which have vectors is said in the log; nobody has to do anything.
                (
                    BudgetScope::Function(ModelFunction::Consolidation | ModelFunction::Embedding),
                    _,
                ) => continue,
                (BudgetScope::Function(ModelFunction::Judge), _) => daemon::judge_budget_low(),
                (BudgetScope::Channel(_), BudgetState::Soft) => daemon::channel_budget_low(place),
                (BudgetScope::Person(_), BudgetState::Soft) => daemon::person_budget_low(place),
                (BudgetScope::Function(ModelFunction::Turn), BudgetState::Soft) => {
                    daemon::turn_budget_low()
                }
                (BudgetScope::Channel(_), BudgetState::Hard) => daemon::channel_budget_spent(place),
                (BudgetScope::Person(_), BudgetState::Hard) => daemon::person_budget_spent(place),
                (BudgetScope::Function(ModelFunction::Turn), BudgetState::Hard) => {
                    daemon::turn_budget_spent()
                }
            };
            let text = text.in_language(language);
            self.send_live_event(LiveEvent::Notice { text: text.clone() });
            self.notify_operator(CardSeverity::Warning, text);
        }
    }

    /// Tells the core and the page when the budget's state changed.
    pub(super) fn update_budget_state(&mut self, now: Millis) {
        // A day may have begun, or a limit may be another.
        for channel in self.model_calls.limited_channels() {
            self.report_budget_left(now, channel);
        }
        let Some(state) = self.model_calls.update_budget_state(now) else {
            return;
        };
        self.save_budget_notice(now);
        let TokenCost {
            tokens: spent,
            cost,
        } = self.model_calls.spending_today(now);
        let (cap, cost_cap) = self.model_calls.caps();
        let money = cost_cap.map_or(String::new(), |most| {
            format!(" ({cost:.2} of {most:.2} in money)")
        });
        let text = match state {
            BudgetState::Open => "The daily token budget is open again.".to_owned(),
            BudgetState::Soft => {
                format!(
                    "{spent} of {cap} tokens of the day{money} are spent: from now on only direct address is answered."
                )
            }
            BudgetState::Hard => {
                format!(
                    "The daily budget of {cap} tokens{money} is spent: nobody is answered until midnight UTC."
                )
            }
        };
        tracing::warn!("{text}");
        self.send_live_event(LiveEvent::Notice { text });
        self.show_budget_state(state, (spent, cap), &money);
        self.handle_event(Event::Budget(state));
    }

    /// A card for the host. All partitions share the budget and see its state change, so that one of them tells it,
    /// wherever that runs. Into what is left at the day's end a call of one may fit no more and a smaller one of another
    /// still: of that each tells in its log.
    fn show_budget_state(&self, state: BudgetState, (spent, cap): (u64, u64), money: &str) {
        if !self.platform.partition().is_first() {
            return;
        }
        let mut log_embed = embed::render_budget(
            state,
            (spent, cap),
            EmbedAudience::Operator,
            self.settings.language.unwrap_or_default(),
        );
        log_embed.footer.push_str(money);
        self.send_operator_embed(log_embed);
    }

    /// Keeps what is told of the day, so that no restart tells it again.
    fn save_budget_notice(&mut self, now: Millis) {
        let Ok(notice) = serde_json::to_string(&self.model_calls.notices(now)) else {
            return;
        };
        let written = self.store.set_meta(TOLD, notice);
        tokio::spawn(async move {
            if let Err(error) = written.await {
                tracing::warn!(%error, "that the budget was told of could not be stored; a restart will tell it again");
            }
        });
    }

    pub(super) async fn resume_budget(&mut self, now: Millis) -> Result<(), StoreError> {
        let notice = self
            .store
            .load_meta(TOLD)
            .await?
            .and_then(|json| serde_json::from_str(&json).ok());
        if let Some(told) = notice {
            self.model_calls.restore_notices(told);
        }
        let state = self.model_calls.budget_state();
        if state != BudgetState::Open {
            self.handle_event(Event::Budget(state));
        }
        self.update_budget_state(now);
        Ok(())
    }
}
