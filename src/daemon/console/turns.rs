//! Turns in a line each, and one of them whole.

use crate::daemon::full_turn::{load_full_turn, to_shown_prompts};
use crate::daemon::reply::to_request_refusal;
use kith_core::chat::{ChannelId, TurnId};
use kith_room::{ConsoleAnswer, FullTurn, InspectedTurn, RequestRefusal, TurnSummary};
use kith_store::{NamedTurn, Store};

const PAGE_SIZE: usize = 50;

pub(super) async fn list_turns(
    store: Store,
    channel: Option<ChannelId>,
    before: Option<TurnId>,
) -> Result<ConsoleAnswer, RequestRefusal> {
    let found = store.find_named_turns(channel, before, PAGE_SIZE + 1).await;
    let mut found = found.map_err(to_request_refusal)?;
    let more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let turns = found.into_iter().map(summarize_turn).collect();
    Ok(ConsoleAnswer::Turns { turns, more })
}

pub(super) fn summarize_turn(turn: NamedTurn) -> TurnSummary {
    let NamedTurn {
        report,
        channel_name,
    } = turn;
    let usages = || report.rounds.iter().filter_map(|round| round.usage);
    TurnSummary {
        turn: report.turn,
        channel: report.channel,
        channel_name,
        started: report.started,
        ended: report.ended,
        unasked: report.is_unasked(),
        rounds: report.rounds.len(),
        prompt: usages().map(|usage| u64::from(usage.prompt)).sum(),
        cached: usages().map(|usage| u64::from(usage.cached)).sum(),
        completion: usages().map(|usage| u64::from(usage.completion)).sum(),
        cost: report.cost,
        outcome: report.outcome,
    }
}

/// A turn that runs, or a stored one, beside the last prompt of the turn before it.
pub(super) async fn inspect_turn(
    store: Store,
    id: TurnId,
    running: Option<FullTurn>,
) -> Result<ConsoleAnswer, RequestRefusal> {
    let turn = match running {
        Some(turn) => turn,
        None => load_full_turn(&store, id).await?,
    };
    let channel = turn.report.channel;
    let before = store.find_named_turns(Some(channel), Some(id), 1).await;
    let before = before.map_err(to_request_refusal)?.pop();
    let previous = before.as_ref().map(|known| known.report.turn);
    let mut prompts = Vec::new();
    if let Some(previous) = previous {
        let stored = store.turn(previous).await.map_err(to_request_refusal)?;
        prompts = stored.map(|stored| stored.prompts).unwrap_or_default();
    }
    let channel_name = store.find_channel_name(channel).await;
    Ok(ConsoleAnswer::Turn(Box::new(InspectedTurn {
        turn,
        channel_name: channel_name.map_err(to_request_refusal)?,
        previous,
        prompt_before: to_shown_prompts(&prompts).pop(),
    })))
}
