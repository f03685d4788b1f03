//! `/kith talkativeness`: how readily it speaks unasked, within what the host allows.

use kith_language::commands;
use super::RequestScope;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::manual_override::OverrideValue;
use kith_core::talkativeness::Talkativeness;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    wanted: Talkativeness,
    extent: RequestScope,
) -> CommandOutcome {
    context.check_can_steer()?;
    let most = context.facts.max_talkativeness;
    if !wanted.is_valid() || wanted.cap_level(most) != wanted {
        let hourly = Talkativeness::Level(most).hourly_rate().floor();
        return context.refuse(commands::talkativeness_limits(hourly, most));
    }
    let (place, where_en, where_zh) = context.resolve_scope(extent);
    let change = context
        .set_override(place, OverrideValue::Talkativeness(wanted))
        .await?;
    let level = wanted.describe(context.language());
    answer_with_text(
        context.say(
            format!("The talkativeness is {level} {where_en} from now on."),
            format!("从现在起，{where_zh} 的健谈程度是 {level}。"),
        ),
        vec![change],
    )
}
