//! Checks whether a call may run: who caused it, where, and how often in the last hour.

use super::permission_rules::{PermittedCallers, ToolPermission};
use crate::ToolContext;
use kith_core::chat::AuthorKind;

/// Why a call of `name` is not run, as a sentence for the model; none where it may.
pub(super) async fn find_denial(
    name: &str,
    permission: &ToolPermission,
    context: &ToolContext,
) -> Option<String> {
    let say = |english: String, chinese: String| Some(context.language().pick(english, chinese));
    if !permission.direct_messages && context.is_direct {
        return say(
            format!("{name} is not there in direct messages"),
            format!("私信里没有 {name}"),
        );
    }
    if permission.caused_by != PermittedCallers::Anyone {
        if context.causes.is_empty() {
            return say(
                format!(
                    "denied: {name} has to be asked for by somebody who may have it done, and nobody did"
                ),
                format!("拒绝：{name} 要由有权的人提出，但没有人提出"),
            );
        }
        for person in &context.causes {
            let is_person = person.kind == AuthorKind::Person;
            if !is_person
                || !permission.caused_by.is_permitted(
                    &context
                        .host
                        .find_caller_rights(context.channel, person)
                        .await,
                )
            {
                return say(
                    format!("denied: {} may not have {name} done", person.name),
                    format!("拒绝：{} 无权让你用 {name}", person.name),
                );
            }
        }
    }
    // A call that a person approved was counted when it was asked for.
    let most = permission
        .most_an_hour
        .filter(|_| context.approved.is_none())?;
    if context
        .uses
        .count_use(context.channel, name, most, context.now)
    {
        return None;
    }
    say(
        format!("denied: {name} runs {most} times an hour here at the most"),
        format!("拒绝：{name} 在这里每小时最多用 {most} 次"),
    )
}
