//! `/kith fresh`: the context of a channel starts at now. Nothing is deleted.

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_language::commands;

pub(super) async fn answer(context: &CommandContext<'_>) -> CommandOutcome {
    let (name, place, channel) = (context.name(), context.place(), context.facts.channel.id);
    let Some(newest) = context
        .command_service
        .store
        .find_newest_message(channel)
        .await?
    else {
        let said = context.say(commands::fresh_already(place));
        return answer_with_text(said, Vec::new());
    };
    answer_with_text(
        context.say(commands::fresh_start(name, place)),
        vec![DaemonChange::ResetContext(channel, newest)],
    )
}
