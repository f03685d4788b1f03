//! `/kith persona`: which of the host's personas it is.

use super::RequestScope;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::manual_override::OverrideValue;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    wanted: &str,
    extent: RequestScope,
) -> CommandOutcome {
    context.check_can_steer()?;
    let offered = &context.facts.personas;
    let wanted = wanted.trim().to_lowercase();
    let Some(name) = offered.iter().find(|name| name.to_lowercase() == wanted) else {
        let names = offered.join(", ");
        return match offered.is_empty() {
            true => context.refuse(
                "The host offers no personas to choose from: the settings file lists them under [personas].",
                "部署者没有提供可选的人设：它们写在设置文件的 [personas] 里。",
            ),
            false => context.refuse(
                format!("There is no such persona; the host offers: {names}."),
                format!("没有这个人设；部署者提供的有：{names}。"),
            ),
        };
    };
    let (place, where_en, where_zh) = context.resolve_scope(extent);
    let change = context
        .set_override(place, OverrideValue::Persona(name.clone()))
        .await?;
    answer_with_text(
        context.say(
            format!("The persona is {name} {where_en} from now on."),
            format!("从现在起，{where_zh} 的人设是 {name}。"),
        ),
        vec![change],
    )
}
