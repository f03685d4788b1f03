//! Checks whether a call may run: who caused it, where, and how often in the last hour. The rules themselves, roles and
//! channels among them, are `permission_rules.rs`.

use super::permission_rules::{PermittedCallers, ToolPermission};
use crate::ToolContext;
use kith_core::chat::AuthorKind;
use kith_language::{LocalizedMessage, tools};

/// Why a call of `name` is not run, as a sentence for the model; none where it may.
pub(super) async fn find_denial(
    name: &str,
    permission: &ToolPermission,
    context: &ToolContext,
) -> Option<String> {
    let deny = |why: LocalizedMessage| Some(why.in_language(context.language()));
    if !permission.direct_messages && context.is_direct {
        return deny(tools::not_in_direct_messages(name));
    }
    if permission.caused_by != PermittedCallers::Anyone {
        if context.causes.is_empty() {
            return deny(tools::denied_nobody_asked(name));
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
                return deny(tools::denied_to_person(&*person.name, name));
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
    deny(tools::denied_too_often(most, name))
}
