//! `/kith pause`: nobody is answered in one channel for a while. It goes on reading.

use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::chat::{ChannelId, DAY, Millis};
use kith_core::manual_override::{OverrideScope, OverrideValue};
use kith_observe::embed::words;

/// What is to last longer is switched off instead.
const LONGEST: Millis = 365 * DAY;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    time: Millis,
    named: Option<ChannelId>,
) -> CommandOutcome {
    context.check_channel_found(named)?;
    context.check_can_steer()?;
    if !(0..=LONGEST).contains(&time) {
        return context.refuse(
            "A pause lasts 365 days at most: use `/kith observe` or `/kith off` for longer.",
            "暂停最长 365 天：更久请用 `/kith 旁观` 或 `/kith 关闭`。",
        );
    }
    let (name, place) = (context.name(), context.place());
    let until = context.facts.now.saturating_add(time);
    let change = context
        .set_override(
            OverrideScope::Channel(context.facts.channel.id),
            OverrideValue::PausedUntil(until),
        )
        .await?;
    let said = match time {
        0 => context.say(
            format!("{name} is back in {place}."),
            format!("{name} 回到了 {place}。"),
        ),
        _ => {
            let while_ = words::format_duration(time, context.language());
            context.say(
                format!("{name} answers nobody in {place} for {while_}; it goes on reading. `/kith pause 0` ends it."),
                format!("{name} 在 {place} 暂停 {while_}，不回应任何人，但仍会旁听。用 `/kith 暂停 0` 结束。"),
            )
        }
    };
    answer_with_text(said, vec![change])
}
