//! Stopping a call of a running turn half-way, and telling people which calls run. The turn goes on, and its model is told;
//! ending the whole turn is another thing (`room/requests.rs`).

use std::time::Duration;

use tokio::task::AbortHandle;

use super::loop_message::LoopMessage;
use super::running_calls::CallTask;
use super::state::Daemon;
use kith_core::call::ToolResult;
use kith_core::chat::{ChannelId, TurnId};
use kith_discord::LogDetail;
use kith_language::tools;
use kith_observe::embed;
use kith_room::LiveEvent;

impl Daemon {
    pub(super) fn record_running_call(
        &mut self,
        (turn, call): (TurnId, u32),
        channel: ChannelId,
        tool: String,
        task: AbortHandle,
    ) {
        let watch = self.watch_call(turn, call);
        let running = self.ensure_running_turn(turn, channel);
        running.calls.insert(call, CallTask { tool, task, watch });
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
        let ended = running.and_then(|running| running.calls.take(call));
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
        let Some(stopped) = running.calls.take(call) else {
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
                let calls = running.calls.list().into_iter();
                calls.map(|one| (*turn, one.call, one.tool))
            })
            .collect()
    }

    /// A call takes long: log channels tell of it, with a button that stops it.
    pub(super) fn log_slow_call(&self, turn: TurnId, call: u32) {
        let running = self.turns.get(&turn);
        let Some((channel, tool)) =
            running.and_then(|running| Some((running.channel, running.calls.find_tool(call)?)))
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
