//! `/kith persona`: which of the host's personas it is.

use super::RequestScope;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::manual_override::OverrideValue;
use kith_language::commands;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    wanted: &str,
    extent: RequestScope,
) -> CommandOutcome {
    let offered = &context.facts.personas;
    let wanted = wanted.trim().to_lowercase();
    let Some(name) = offered.iter().find(|name| name.to_lowercase() == wanted) else {
        let names = offered.join(", ");
        return match offered.is_empty() {
            true => context.refuse(commands::no_personas()),
            false => context.refuse(commands::unknown_persona(names)),
        };
    };
    let (place, called) = context.resolve_scope(extent);
    let change = context
        .set_override(place, OverrideValue::Persona(name.clone()))
        .await?;
    answer_with_text(
        context.say(commands::persona_chosen(name, called)),
        vec![change],
    )
}
