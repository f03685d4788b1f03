//! The calls of a running turn that run at this moment: each is known while it runs, so that a person can stop it.

use std::collections::BTreeMap;

use tokio::task::AbortHandle;

use kith_room::RunningToolCall;

/// A call that runs. Dropped, it ends.
pub(super) struct CallTask {
    pub tool: String,
    pub task: AbortHandle,
    /// What tells the loop that it takes long.
    pub watch: Option<AbortHandle>,
}

/// The calls of a turn that run, by number.
#[derive(Default)]
pub(super) struct RunningCalls(BTreeMap<u32, CallTask>);

impl RunningCalls {
    pub fn insert(&mut self, call: u32, task: CallTask) {
        self.0.insert(call, task);
    }

    /// Takes a call out: what becomes of it is up to who has it then.
    pub fn take(&mut self, call: u32) -> Option<CallTask> {
        self.0.remove(&call)
    }

    pub fn find_tool(&self, call: u32) -> Option<&str> {
        Some(&self.0.get(&call)?.tool)
    }

    pub fn list(&self) -> Vec<RunningToolCall> {
        let shown = |(call, running): (&u32, &CallTask)| RunningToolCall {
            call: *call,
            tool: running.tool.clone(),
        };
        self.0.iter().map(shown).collect()
    }

    /// Ends all of them; answers whether there were any.
    pub fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.0).is_empty()
    }
}

impl Drop for CallTask {
    fn drop(&mut self) {
        self.task.abort();
        self.watch.iter().for_each(AbortHandle::abort);
    }
}
