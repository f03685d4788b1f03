//! Work too large for one commit: done in many small ones on a thread of its own, so that appends go on in between.

use tokio::sync::oneshot;

use super::{Store, StoreError, StoreReply};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;

/// Messages looked at in one read.
const STRETCH: i64 = 20_000;

impl Store {
    /// Runs `work`, which queues its steps and waits for each; the store stays open until it is done.
    pub(super) fn run_in_steps<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreReply<T> {
        let (reply, answer) = oneshot::channel();
        let store = self.clone();
        let run = move || {
            let outcome = work(&store);
            // Before the answer: whoever has it may close the store and open it again.
            drop(store);
            let _ = reply.send(outcome);
        };
        if let Err(error) = std::thread::Builder::new()
            .name("store-steps".into())
            .spawn(run)
        {
            tracing::error!(%error, "the system gives the store no thread");
        }
        StoreReply { answer }
    }
}

/// Looks through all messages that arrived after `from`, a stretch of arrival numbers at a time: above the first, up to
/// the second. Answers with what was found and with the last arrival number looked at.
pub(super) fn walk_messages<T: Send + 'static>(
    store: &Store,
    from: i64,
    look: impl Fn(&SqlConnection, i64, i64) -> SqlResult<Vec<T>> + Clone + Send + 'static,
) -> Result<(Vec<T>, i64), StoreError> {
    let (mut all, mut from) = (Vec::new(), from);
    loop {
        let look = look.clone();
        let stretch = store.read(move |conn| {
            let end = "SELECT max(arrival) FROM
                     (SELECT arrival FROM messages WHERE arrival > ?1 ORDER BY arrival LIMIT ?2) AS stretch";
            let Some(to) =
                conn.read_one::<Option<i64>>(end, params![from, STRETCH])?
            else {
                return Ok(None);
            };
            look(conn, from, to).map(|found| Some((found, to)))
        });
        let Some((found, to)) = stretch.wait()? else {
            return Ok((all, from));
        };
        all.extend(found);
        from = to;
    }
}
