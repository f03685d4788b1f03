//! `/kith export me`: everything that is kept about the caller, as a file only they get. Asked in a guild it holds that
//! guild only, for what was written elsewhere does not belong there; asked in a direct message it holds everything. Where
//! the servers are divided into partitions, each sends what it has.

use super::CommandAnswer;
use super::rights::{CommandContext, CommandOutcome};
use kith_language::commands;
use kith_store::holds_something;

pub(super) async fn answer(context: &CommandContext<'_>) -> CommandOutcome {
    let partition = context.facts.partition;
    // The first partition has answered, and would have refused.
    let is_further = context.caller.guild.is_none() && partition.number() > 0;
    if let Some(minutes) = context.facts.wait_minutes.filter(|_| !is_further) {
        return context.refuse(commands::export_too_often(minutes));
    }
    let channels = match context.caller.guild {
        Some(_) => Some(context.find_local_channels().await?),
        None => None,
    };
    let kept = context
        .command_service
        .store
        .export_person(context.caller.user, channels)
        .await?;
    if is_further && !holds_something(&kept) {
        return Ok((CommandAnswer::Nothing, Vec::new()));
    }
    let text = match context.caller.guild {
        Some(_) => context.say(commands::export_of_server()),
        None if partition.count() > 1 => context.say(commands::export_of_partition()),
        None => context.say(commands::export_of_everything()),
    };
    let name = match is_further {
        true => format!("kith-export-{}.json", partition.number() + 1),
        false => "kith-export.json".into(),
    };
    let file = CommandAnswer::File {
        text: text.to_owned(),
        name,
        bytes: format!("{kept:#}\n").into_bytes(),
    };
    Ok((file, Vec::new()))
}
