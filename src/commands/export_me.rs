//! `/kith export me`: everything that is kept about the asker, as a file only they get. Asked in a guild it holds that
//! guild only, for what was written elsewhere does not belong there; asked in a direct message it holds everything.

use super::CommandAnswer;
use super::rights::{CommandContext, CommandOutcome};

pub(super) async fn answer(context: &CommandContext<'_>) -> CommandOutcome {
    if let Some(minutes) = context.facts.wait_minutes {
        return context.refuse(
            format!(
                "You had it several times just now, and each time everything is looked through: wait {minutes} min."
            ),
            format!("刚才已经导出过好几次，每次都要查找全部数据：请等 {minutes} 分钟。"),
        );
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
        Some(_) => context.say(
            "Everything that is kept about you from this server. Ask me in a direct message for the rest.",
            "这是这个服务器里关于你的全部记录。其余的请在私信里向我要。",
        ),
        None => context.say("Everything that is kept about you.", "这是关于你的全部记录。"),
    };
    let file = CommandAnswer::File {
        text: text.to_owned(),
        name: "kith-export.json".into(),
        bytes: format!("{kept:#}\n").into_bytes(),
    };
    Ok((file, Vec::new()))
}
