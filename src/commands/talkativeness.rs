//! `/kith talkativeness`: how readily it speaks unasked, within what the host allows.

use super::RequestScope;
use super::rights::{CommandContext, CommandOutcome, text};
use kith_core::manual_override::OverrideValue;
use kith_core::talkativeness::Talkativeness;

pub(super) async fn answer(visit: &CommandContext<'_>, wanted: Talkativeness, extent: RequestScope) -> CommandOutcome {
    visit.may_steer()?;
    let most = visit.facts.max_talkativeness;
    if !wanted.is_valid() || wanted.at_most(most) != wanted {
        let hourly = Talkativeness::Level(most).hourly().floor();
        return visit.refuse(
            format!(
                "The host allows a talkativeness from 0 (shy) to {most}, or up to {hourly} messages an hour: choose one \
                 within that."
            ),
            format!("部署者允许的健谈程度是 0（害羞）到 {most}，或每小时最多 {hourly} 条：请选择这个范围内的值。"),
        );
    }
    let (place, where_en, where_zh) = visit.extent(extent);
    let change = visit.set(place, OverrideValue::Talkativeness(wanted)).await?;
    let told = wanted.told(visit.language());
    text(
        visit.say(
            format!("The talkativeness is {told} {where_en} from now on."),
            format!("从现在起，{where_zh} 的健谈程度是 {told}。"),
        ),
        vec![change],
    )
}
