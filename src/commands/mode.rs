//! `/kith on|observe|off`: one channel, never a whole guild at once. A channel that is hidden or age-restricted is not
//! switched on by accident: it has to be named.

use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use super::{DaemonChange, announce};
use kith_core::chat::ChannelId;
use kith_core::manual_override::{OverrideScope, OverrideValue};
use kith_core::policy::ChannelMode;
use kith_language::commands;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    mode: ChannelMode,
    named: Option<ChannelId>,
) -> CommandOutcome {
    let facts = context.facts;
    if context.is_direct() && !context.caller.is_operator {
        return context.refuse(commands::direct_is_hosts_choice());
    }
    if mode > facts.max_mode {
        return refuse_above_maximum(context);
    }
    if mode != ChannelMode::Off && named.is_none() && (facts.hidden || facts.nsfw) {
        return refuse_unnamed_channel(context, mode);
    }
    let place = OverrideScope::Channel(facts.channel.id);
    let choice = context
        .set_override(place, OverrideValue::Mode(mode))
        .await?;
    let mut changes = vec![choice];
    let mut said = describe_mode(context, mode);
    let words = announce::render_announcement(facts, facts.policy.mode, mode);
    if let Some(words) = words.as_ref().filter(|_| facts.forum) {
        // Discord takes no message there, whatever the permissions are.
        said += &context.say(commands::forum_announcement(words));
    } else if let Some(words) = words {
        if !facts.policy.may_send {
            said += &context.say(commands::cannot_announce());
        }
        changes.push(DaemonChange::Announce(facts.channel.id, words));
    }
    answer_with_text(said, changes)
}

fn refuse_unnamed_channel<T>(
    context: &CommandContext<'_>,
    mode: ChannelMode,
) -> Result<T, super::CommandRefusal> {
    let (place, facts) = (context.place(), context.facts);
    let why = match (facts.hidden, mode) {
        (true, ChannelMode::On) => commands::name_hidden_to_switch_on(place),
        (true, _) => commands::name_hidden_to_observe(place),
        (false, ChannelMode::On) => commands::name_restricted_to_switch_on(place),
        (false, _) => commands::name_restricted_to_observe(place),
    };
    context.refuse(why)
}

fn refuse_above_maximum<T>(context: &CommandContext<'_>) -> Result<T, super::CommandRefusal> {
    let (name, place) = (context.name(), context.place());
    match context.facts.max_mode {
        ChannelMode::Off => context.refuse(commands::host_keeps_off(name, place)),
        ChannelMode::Observe | ChannelMode::On => {
            context.refuse(commands::host_lets_observe(name, place))
        }
    }
}

fn describe_mode(context: &CommandContext<'_>, mode: ChannelMode) -> String {
    let (name, place, days) = (context.name(), context.place(), context.facts.keep_days);
    match mode {
        ChannelMode::On if context.facts.is_demo => {
            context.say(commands::on_without_model(name, place))
        }
        ChannelMode::On => context.say(commands::switched_on(name, place)),
        ChannelMode::Observe => context.say(commands::observed(name, place)),
        ChannelMode::Off => context.say(commands::switched_off(days, place)),
    }
}
