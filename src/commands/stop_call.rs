//! Stopping a tool half-way, from the card that a log channel shows of it. Whoever may pause a channel may do that: the
//! turn goes on, and what the tool had done by then stays done.

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::chat::TurnId;
use kith_language::commands;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    (turn, call): (TurnId, u32),
) -> CommandOutcome {
    let mut running = context.facts.running_calls.iter();
    let Some((.., tool)) = running.find(|(of, number, _)| (*of, *number) == (turn, call)) else {
        return context.refuse(commands::call_over());
    };
    let said = context.say(commands::call_stopped(tool));
    answer_with_text(said, vec![DaemonChange::StopCall(turn, call)])
}
