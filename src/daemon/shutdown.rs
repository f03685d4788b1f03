//! What happens when the daemon is stopped: running turns end with their report, and what is left is written down.

use super::platform_loop::PlatformLoop;
use super::state::Daemon;
use kith_core::report::TurnOutcome;
use kith_system::clock;

/// Ends what runs and waits until all of it is written down.
pub(super) async fn close<P: PlatformLoop>(daemon: &mut Daemon<P>) {
    daemon.stop_turns();
    daemon.core.cancel_attempts();
    daemon.model_calls.ledger().close();
    daemon.handle_ledger_changes();
    daemon.shut_down_tools().await;
    P::store_remaining(daemon).await;
    daemon.save_channel_states(clock::now());
    daemon.platform.save().await;
    daemon.observer.flush().await;
}

impl Daemon {
    /// Ends every running turn, with its account and its report.
    fn stop_turns(&mut self) {
        let now = clock::now();
        for turn in self.turns.keys().copied().collect::<Vec<_>>() {
            let channel = self.core.find_turn_channel(turn);
            let channel_state = channel.and_then(|channel| self.core.channel_state(channel));
            let Some(mut report) = channel_state
                .and_then(|state| Some(state.turn.as_ref()?.build_interim_report(now)))
            else {
                continue;
            };
            report.outcome =
                TurnOutcome::Failed("stopped: the daemon was stopped while it ran".into());
            self.finish_turn(report);
        }
    }
}
