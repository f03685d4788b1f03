//! `/kith export me`: everything that is kept about the caller, as a file only they get. Asked in a guild it holds that
//! guild only, for what was written elsewhere does not belong there; asked in a direct message it holds everything.

use super::CommandAnswer;
use super::rights::{CommandContext, CommandOutcome};
use kith_language::commands;

pub(super) async fn answer(context: &CommandContext<'_>) -> CommandOutcome {
    if let Some(minutes) = context.facts.wait_minutes {
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
    let text = match context.caller.guild {
        Some(_) => context.say(commands::export_of_server()),
        None => context.say(commands::export_of_everything()),
    };
    let file = CommandAnswer::File {
        text: text.to_owned(),
        name: "kith-export.json".into(),
        bytes: format!("{kept:#}\n").into_bytes(),
    };
    Ok((file, Vec::new()))
}
