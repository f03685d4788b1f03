//! For whom model calls are made, and what is told when a channel or a person has reached a limit of their own.

use super::state::Daemon;
use kith_core::chat::{ChannelId, Millis, TurnId};
use kith_core::event::{BudgetState, Event};
use kith_model::{BudgetScope, CostAttribution, ModelFunction};
use kith_observe::CardSeverity;
use kith_room::LiveEvent;

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

    /// Tells the core what is left for turns in a channel, so that none begins only to be refused and addresses wait.
    fn report_budget_left(&mut self, now: Millis, channel: ChannelId) {
        let left = self.budget.channel_state(now, channel);
        let before = match left {
            BudgetState::Open => self.limited_channels.remove(&channel),
            left => self.limited_channels.insert(channel, left),
        };
        if before.unwrap_or_default() != left {
            self.handle_event(Event::ChannelBudget {
                channel,
                budget: left,
            });
        }
    }

    /// Looks again at the channels whose share was not open: a day may have begun, or a limit may be another.
    pub(super) fn check_channel_shares(&mut self, now: Millis) {
        let short: Vec<ChannelId> = self.limited_channels.keys().copied().collect();
        short
            .into_iter()
            .for_each(|channel| self.report_budget_left(now, channel));
    }

    /// Tells, once a day and bar, that a channel or a person has reached it. Who the person is, is not told: the log
    /// would keep it.
    pub(super) fn report_reached_limits(&mut self, now: Millis, attribution: CostAttribution) {
        self.report_budget_left(now, attribution.channel);
        for (budget_scope, state) in self.budget.find_reached_limits(now, attribution) {
            let language = self.settings.language.unwrap_or_default();
            let place = self
                .core
                .channel_state(attribution.channel)
                .map(|channel_state| channel_state.channel.name.clone())
                .unwrap_or_default();
            let whose = match budget_scope {
                BudgetScope::Channel(_) => {
                    language.pick(format!("of #{place}"), format!("#{place} 的"))
                }
                BudgetScope::Person(_) => language.pick(
                    format!("of one person (last in #{place})"),
                    format!("某位成员的（最近在 #{place}）"),
                ),
                BudgetScope::Function(ModelFunction::Turn) => {
                    language.pick("of turns".to_owned(), "对话的".to_owned())
                }
                BudgetScope::Function(ModelFunction::Vision) => {
                    language.pick("for pictures".to_owned(), "看图的".to_owned())
                }
                BudgetScope::Function(ModelFunction::Task) => {
                    language.pick("of tasks".to_owned(), "任务的".to_owned())
                }
                BudgetScope::Function(ModelFunction::Summary) => {
                    language.pick("for summing up".to_owned(), "做摘要的".to_owned())
                }
                BudgetScope::Function(ModelFunction::Judge) => language.pick(
                    "for asking whether to speak".to_owned(),
                    "判断该不该说话的".to_owned(),
                ),
            };
            let text = match state {
                BudgetState::Open => continue,
                _ if budget_scope == BudgetScope::Function(ModelFunction::Vision) => language.pick(
                    format!("Today's budget {whose} is nearly or wholly spent: fewer are described, or none."),
                    format!("今天{whose}预算快用完或已用完：少描述或不再描述图片。"),
                ),
                _ if budget_scope == BudgetScope::Function(ModelFunction::Task) => language.pick(
                    format!("Today's budget {whose} is nearly or wholly spent: fewer are worked on, or none."),
                    format!("今天{whose}预算快用完或已用完：少做或不再做任务。"),
                ),
                _ if budget_scope == BudgetScope::Function(ModelFunction::Summary) => language.pick(
                    format!("Today's budget {whose} is nearly or wholly spent: less is summed up, or nothing."),
                    format!("今天{whose}预算快用完或已用完：少做或不再做摘要。"),
                ),
                _ if budget_scope == BudgetScope::Function(ModelFunction::Judge) => language.pick(
                    format!("Today's budget {whose} is nearly or wholly spent: the score alone decides."),
                    format!("今天{whose}预算快用完或已用完：只按得分决定。"),
                ),
                BudgetState::Soft => language.pick(
                    format!("Most of today's budget {whose} is spent: only direct address is answered there."),
                    format!("今天{whose}预算快用完了：只回应直接找我的人。"),
                ),
                BudgetState::Hard => language.pick(
                    format!("Today's budget {whose} is spent: no answer from it until midnight UTC."),
                    format!("今天{whose}预算已用完：UTC 零点之前不再回应。"),
                ),
            };
            self.send_live_event(LiveEvent::Notice { text: text.clone() });
            self.notify_operator(CardSeverity::Warning, text);
        }
    }
}
