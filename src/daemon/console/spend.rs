//! What was spent by day, channel, function and model.

use chrono::DateTime;

use crate::daemon::reply::to_request_refusal;
use kith_core::chat::DAY;
use kith_model::BudgetLedger;
use kith_room::{ConsoleAnswer, RequestRefusal, SpendItem, SpendOverview};
use kith_store::{SpendTotal, Store};
use kith_system::clock;

const MOST_CHANNELS: usize = 100;

pub(super) async fn load_spend(store: Store, days: u32) -> Result<ConsoleAnswer, RequestRefusal> {
    let since = BudgetLedger::day_start(clock::now()) - (i64::from(days) - 1) * DAY;
    let totals = store.load_spend_totals(since, MOST_CHANNELS).await;
    let totals = totals.map_err(to_request_refusal)?;
    let list = |totals: Vec<SpendTotal>| totals.into_iter().map(to_item).collect();
    Ok(ConsoleAnswer::Spend(SpendOverview {
        days: list(totals.days),
        channels: list(totals.channels),
        functions: list(totals.functions),
        models: list(totals.models),
    }))
}

fn to_item(total: SpendTotal) -> SpendItem {
    let day = DateTime::from_timestamp_millis(total.day.saturating_mul(DAY));
    SpendItem {
        day: match (total.day, day) {
            (1.., Some(day)) => day.date_naive().to_string(),
            _ => String::new(),
        },
        label: total.label,
        name: total.name,
        calls: total.calls,
        prompt: total.prompt,
        cached: total.cached,
        completion: total.completion,
        cost: total.cost,
    }
}
