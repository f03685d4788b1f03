//! `/kith optout`: how a person wants to be treated from now on, in every guild.

use super::rights::{CommandContext, CommandOutcome, CommandRefusal};
use super::{CommandAnswer, DaemonChange};
use kith_core::preference::PersonPreference;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    preference: PersonPreference,
) -> CommandOutcome {
    let (user, now) = (context.caller.user, context.facts.now);
    context
        .command_service
        .store
        .set_preference(user, preference, now)
        .await?;
    let mut changes = vec![DaemonChange::OptOut(user, preference)];
    if preference == PersonPreference::Ignore {
        // The wish holds already: what cannot be erased now is told, and is no reason to go on reading.
        match context.erase_caller(None).await {
            Ok(erased) => changes.extend(erased.changes),
            Err(CommandRefusal::Store(error)) => {
                tracing::error!(%error, "what a person wrote could not be erased");
                let sentence = context.say(
                    "From now on you are ignored; but what I had of you could not be erased: try `/kith forget me` in \
                     a minute.",
                    "从现在起会忽略你；但之前的内容没能删除：请一分钟后试试 `/kith 忘记 我`。",
                );
                return Ok((CommandAnswer::Refused(sentence.into()), changes));
            }
            Err(CommandRefusal::Refused(why)) => {
                let sentence = context.say(
                    format!("From now on you are ignored; but what I have of you is not erased yet. {why}"),
                    format!("从现在起会忽略你；但之前的内容还没有删除。{why}"),
                );
                return Ok((CommandAnswer::Refused(sentence), changes));
            }
        }
    }
    Ok((
        CommandAnswer::Text(describe_preference(context, preference)),
        changes,
    ))
}

fn describe_preference(context: &CommandContext<'_>, preference: PersonPreference) -> String {
    let name = context.name();
    match preference {
        PersonPreference::Remember => context.say(
            format!("Welcome back: {name} treats you like everybody from now on."),
            format!("欢迎回来：从现在起，{name} 会像对待其他人一样对待你。"),
        ),
        PersonPreference::DontRemember => context.say(
            format!(
                "From now on {name} still answers you, but what you write is gone after 24 hours and is never \
                 remembered. `/kith forget me` erases what is there now."
            ),
            format!("从现在起，{name} 仍会回应你，但你写的内容 24 小时后就会删除，不会被记住。用 `/kith 忘记 我` 可以立即删除现有内容。"),
        ),
        PersonPreference::Ignore => context.say(
            format!(
                "From now on {name} does not read, keep or answer anything you write, and what there was of you is \
                 erased. `/kith optout` takes you back in."
            ),
            format!("从现在起，{name} 不会读取、保存或回应你写的任何内容，之前的内容也已删除。想回来时再用 `/kith 隐私`。"),
        ),
    }
}
