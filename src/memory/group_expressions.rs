//! How a group talks, counted when a prompt wants to know and not again for a while. Nothing of it is on disk.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kith_core::chat::{ChannelId, HOUR, Millis};
use kith_core::group_expressions::find_group_expressions;
use kith_store::{GroupSample, StoreError};

use super::Memory;

/// After so long it is counted anew.
const COUNTED_FOR: Millis = 6 * HOUR;
/// By so many of the newest lines of a channel.
const LINES: usize = 3_000;

/// What was counted lately. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct ExpressionCache(Arc<Mutex<CountedExpressions>>);

#[derive(Default)]
struct CountedExpressions {
    by_channel: HashMap<ChannelId, (Millis, Vec<String>)>,
    /// How often something was dropped: what was being counted then is not kept.
    drops: u64,
}

impl ExpressionCache {
    fn with<T>(&self, work: impl FnOnce(&mut CountedExpressions) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Memory {
    /// The expressions of a channel's group, the most used first.
    pub async fn find_group_expressions(
        &self,
        channel: ChannelId,
        now: Millis,
    ) -> Result<Vec<String>, StoreError> {
        let (known, drops) = self.expressions.with(|counted| {
            let known = counted.by_channel.get(&channel);
            let fresh = known.filter(|(at, _)| (0..COUNTED_FOR).contains(&(now - at)));
            (fresh.map(|(_, found)| found.clone()), counted.drops)
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let GroupSample {
            lines,
            elsewhere,
            names,
        } = self.store.read_group_sample(channel, LINES).await?;
        let found = find_group_expressions(&lines, &elsewhere, &names, now);
        self.expressions.with(|counted| {
            if counted.drops == drops {
                counted.by_channel.insert(channel, (now, found.clone()));
            }
        });
        Ok(found)
    }

    /// Something was changed or erased in a channel, or in all: it is counted anew.
    pub fn drop_group_expressions(&self, channel: Option<ChannelId>) {
        self.expressions.with(|counted| {
            counted.drops += 1;
            match channel {
                Some(channel) => drop(counted.by_channel.remove(&channel)),
                None => counted.by_channel.clear(),
            }
        });
    }
}
