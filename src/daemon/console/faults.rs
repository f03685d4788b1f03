//! What went wrong lately: turns in which something failed, and what the log warned of.

use super::fault_log::FaultLog;
use crate::daemon::reply::to_request_refusal;
use kith_core::report::{CallReport, RoundReport, TurnOutcome};
use kith_room::{ConsoleAnswer, FaultOverview, RequestRefusal, TurnFault};
use kith_store::{NamedTurn, Store};

const MOST_TURNS: usize = 100;

pub(super) async fn load_faults(store: Store) -> Result<ConsoleAnswer, RequestRefusal> {
    let turns = store.find_faulty_turns(MOST_TURNS).await;
    let turns = turns.map_err(to_request_refusal)?.into_iter();
    Ok(ConsoleAnswer::Faults(FaultOverview {
        turns: turns.map(to_fault).collect(),
        log: FaultLog::newest(),
    }))
}

fn to_fault(turn: NamedTurn) -> TurnFault {
    let report = turn.report;
    let mut messages: Vec<String> = report.rounds.iter().flat_map(find_failures).collect();
    let failed = match report.outcome {
        TurnOutcome::Failed(why) => {
            messages.extend((!messages.contains(&why)).then_some(why));
            true
        }
        _ => false,
    };
    TurnFault {
        turn: report.turn,
        channel: report.channel,
        channel_name: turn.channel_name,
        at: report.ended,
        messages,
        failed,
    }
}

fn find_failures(round: &RoundReport) -> impl Iterator<Item = String> {
    let model = round.failure.iter().map(|failure| failure.message.clone());
    let describe = |done: &CallReport| {
        let result = done.result.as_ref().filter(|result| result.is_error)?;
        Some(format!("{}: {}", done.call.name, result.content))
    };
    model.chain(round.calls.iter().filter_map(describe))
}
