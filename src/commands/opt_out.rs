//! `/kith optout`: how a person wants to be treated from now on, in every guild. "Ignore me" also erases what is
//! kept of them (`forget_me.rs`).

use super::rights::{CommandContext, CommandOutcome, CommandRefusal};
use super::{CommandAnswer, DaemonChange};
use kith_core::preference::{PersonPreference, SharedWish};
use kith_language::commands;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    preference: PersonPreference,
) -> CommandOutcome {
    let (user, now) = (context.caller.user, context.facts.now);
    let store = &context.command_service.store;
    // Others are told before it holds here: where this is cut off, the person asks again.
    store
        .share_wish(user, SharedWish::Treat(preference), now)
        .await?;
    if preference == PersonPreference::Ignore && context.facts.wait_minutes.is_none() {
        store.share_wish(user, SharedWish::Forget, now).await?;
    }
    store.set_preference(user, preference, now).await?;
    let mut changes = vec![DaemonChange::OptOut(user, preference)];
    if preference == PersonPreference::Ignore {
        // The wish holds already: what cannot be erased now is told, and is no reason to go on reading.
        match context.erase_caller(None).await {
            Ok(erased) => changes.extend(erased.changes),
            Err(CommandRefusal::Store(error)) => {
                tracing::error!(%error, "what a person wrote could not be erased");
                let sentence = context.say(commands::ignored_erase_failed());
                return Ok((CommandAnswer::Refused(sentence), changes));
            }
            Err(CommandRefusal::Refused(why)) => {
                let sentence = context.say(commands::ignored_not_erased_yet(why));
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
        PersonPreference::Remember => context.say(commands::preference_remember(name)),
        PersonPreference::DontRemember => context.say(commands::preference_dont_remember(name)),
        PersonPreference::Ignore => context.say(commands::preference_ignore(name)),
    }
}
