//! The calls of running turns that run at this moment: each is known while it runs, so that a person can stop it half-way.
//! The turn goes on, and its model is told; ending the whole turn is another thing (`room/requests.rs`).

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::task::AbortHandle;

use super::loop_message::LoopMessage;
use super::state::Daemon;
use kith_core::call::ToolResult;
use kith_core::chat::{ChannelId, TurnId};
use kith_discord::LogDetail;
use kith_language::tools;
use kith_observe::embed;
use kith_room::{LiveEvent, RunningToolCall};

/// A call that runs.
struct CallTask {
    tool: String,
    task: AbortHandle,
    /// What tells the loop that it takes long.
    watch: Option<AbortHandle>,
}

/// The calls of a turn that run, by number. Dropped, they end.
#[derive(Default)]
pub(super) struct RunningCalls(BTreeMap<u32, CallTask>);

impl RunningCalls {
    /// They as people are shown them.
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

impl Daemon {
    /// A call runs from now on in `task`.
    pub(super) fn record_running_call(
        &mut self,
        (turn, call): (TurnId, u32),
        channel: ChannelId,
        tool: String,
        task: AbortHandle,
    ) {
        let watch = self.watch_call(turn, call);
        let running = self.ensure_running_turn(turn, channel);
        running.calls.0.insert(call, CallTask { tool, task, watch });
        self.publish_running_calls(turn);
    }

    /// Tells the loop when a call has run for as long as log channels wait before they tell of it; none where they never do.
    fn watch_call(&self, turn: TurnId, call: u32) -> Option<AbortHandle> {
        let settings = &self.settings.discord.log;
        let is_told = settings.slow_tool_seconds > 0 && settings.level >= LogDetail::Turns;
        self.platform.log_channels().filter(|_| is_told)?;
        let wait = Duration::from_secs(settings.slow_tool_seconds.into());
        let loop_sender = self.loop_sender.clone();
        let watch = tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            // The loop is only gone with the daemon.
            let _ = loop_sender.send(LoopMessage::SlowCall(turn, call)).await;
        });
        Some(watch.abort_handle())
    }

    /// A call is over by itself. Answers whether it ran: what comes of one that was stopped meanwhile is of no use any more.
    pub(super) fn end_running_call(&mut self, turn: TurnId, call: u32) -> bool {
        let running = self.turns.get_mut(&turn);
        let ended = running.and_then(|running| running.calls.0.remove(&call));
        if ended.is_some() {
            self.publish_running_calls(turn);
        }
        ended.is_some()
    }

    /// A person stops a call half-way: all it has started ends, and the model is told. Answers whether it still ran.
    pub(super) fn stop_call(&mut self, turn: TurnId, call: u32) -> bool {
        let Some(running) = self.turns.get_mut(&turn) else {
            return false;
        };
        let channel = running.channel;
        let Some(stopped) = running.calls.0.remove(&call) else {
            return false;
        };
        tracing::info!(%turn, tool = stopped.tool, "a person stopped a tool");
        self.publish_running_calls(turn);
        let why = tools::stopped_by_person(&stopped.tool).in_language(self.language_in(channel));
        self.finish_call((turn, call), ToolResult::error(why));
        true
    }

    /// The calls that run in a channel: the turn, the number and the tool of each.
    pub(super) fn list_running_calls(&self, channel: ChannelId) -> Vec<(TurnId, u32, String)> {
        let turns = self
            .turns
            .iter()
            .filter(|(_, turn)| turn.channel == channel);
        turns
            .flat_map(|(turn, running)| {
                let calls = running.calls.0.iter();
                calls.map(|(call, running)| (*turn, *call, running.tool.clone()))
            })
            .collect()
    }

    /// A call takes long: log channels tell of it, with a button that stops it.
    pub(super) fn log_slow_call(&self, turn: TurnId, call: u32) {
        let running = self.turns.get(&turn);
        let Some((channel, tool)) =
            running.and_then(|running| Some((running.channel, &running.calls.0.get(&call)?.tool)))
        else {
            return;
        };
        let seconds = self.settings.discord.log.slow_tool_seconds;
        self.log_running_call((turn, call), channel, |context| {
            embed::render_slow_call(tool, seconds, context)
        });
    }

    pub(super) fn publish_running_calls(&self, turn: TurnId) {
        if let Some(running) = self.turns.get(&turn) {
            self.send_live_event(LiveEvent::RunningCalls {
                turn,
                channel: running.channel,
                calls: running.calls.list(),
            });
        }
    }
}
