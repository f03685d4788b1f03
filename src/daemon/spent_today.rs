//! What was spent today before a restart.

use chrono::DateTime;

use kith_core::chat::{ChannelId, Millis};
use kith_model::{ModelFunction, TokenCost};
use kith_store::{Store, StoreError, UsageRow};

/// What was spent in a channel for a function.
type ChannelCost = (ChannelId, Option<ModelFunction>, TokenCost);

/// What was spent on the UTC day of `now`, by channel and what for.
pub(super) async fn load_spent_today(
    store: &Store,
    now: Millis,
) -> Result<Vec<ChannelCost>, StoreError> {
    let Some(day) = DateTime::from_timestamp_millis(now).map(|time| time.date_naive()) else {
        return Ok(Vec::new());
    };
    let rows = store.load_usage(day).await?.into_iter();
    let spent = |row: &UsageRow| TokenCost {
        tokens: row.prompt + row.completion,
        cost: row.cost,
    };
    Ok(rows
        .map(|row| {
            (
                row.channel,
                ModelFunction::from_name(&row.function),
                spent(&row),
            )
        })
        .collect())
}
