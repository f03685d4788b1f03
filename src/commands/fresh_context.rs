//! `/kith fresh`: the context of a channel starts at now. Nothing is deleted.

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};

pub(super) async fn answer(context: &CommandContext<'_>) -> CommandOutcome {
    context.check_can_steer()?;
    let (name, place, channel) = (context.name(), context.place(), context.facts.channel.id);
    let Some(newest) = context
        .command_service
        .store
        .find_newest_message(channel)
        .await?
    else {
        let said = context.say(
            format!("Nothing was read in {place} yet: it is fresh already."),
            format!("{place} 还没有读过任何内容：本来就是全新的。"),
        );
        return answer_with_text(said, Vec::new());
    };
    answer_with_text(
        context.say(
            format!("{name} starts afresh in {place}: what was said until now is not shown to it any more. Nothing was deleted."),
            format!("{name} 在 {place} 重新开始：之前的内容不再给它看。没有删除任何内容。"),
        ),
        vec![DaemonChange::ResetContext(channel, newest)],
    )
}
