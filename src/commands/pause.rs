//! `/kith pause`: nobody is answered in one channel for a while. It goes on reading.

use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::chat::{DAY, Millis};
use kith_core::manual_override::{OverrideScope, OverrideValue};
use kith_language::commands;
use kith_observe::embed::formats;

/// What is to last longer is switched off instead.
const LONGEST: Millis = 365 * DAY;

pub(super) async fn answer(context: &CommandContext<'_>, time: Millis) -> CommandOutcome {
    if !(0..=LONGEST).contains(&time) {
        return context.refuse(commands::pause_too_long());
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
        0 => context.say(commands::pause_ended(name, place)),
        _ => {
            let while_ = formats::format_duration(time, context.language());
            context.say(commands::paused(while_, name, place))
        }
    };
    answer_with_text(said, vec![change])
}
