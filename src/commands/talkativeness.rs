//! `/kith talkativeness`: how readily it speaks unasked, within what the host allows.

use super::RequestScope;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::manual_override::OverrideValue;
use kith_core::talkativeness::Talkativeness;
use kith_language::commands;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    wanted: Talkativeness,
    extent: RequestScope,
) -> CommandOutcome {
    let most = context.facts.max_talkativeness;
    if !wanted.is_valid() || wanted.cap_level(most) != wanted {
        let hourly = Talkativeness::Level(most).hourly_rate().floor();
        return context.refuse(commands::talkativeness_limits(
            hourly.to_string(),
            most.to_string(),
        ));
    }
    let (place, called) = context.resolve_scope(extent);
    let change = context
        .set_override(place, OverrideValue::Talkativeness(wanted))
        .await?;
    let level = wanted.describe(context.language());
    answer_with_text(
        context.say(commands::talkativeness_chosen(level, called)),
        vec![change],
    )
}
