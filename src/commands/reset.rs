//! `/kith reset`: what was set by hand is taken back, and the settings files count again; what the companion waits for
//! there is dropped.

use kith_language::commands;
use std::collections::BTreeSet;

use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};
use super::{DaemonChange, RequestScope};
use kith_core::chat::ChannelId;
use kith_core::manual_override::OverrideScope;

pub(super) async fn answer(context: &CommandContext<'_>, extent: RequestScope) -> CommandOutcome {
    let (here, called) = context.resolve_scope(extent);
    // The whole guild means its channels, too: a channel of its own mind would be a surprise.
    let scopes: BTreeSet<OverrideScope> = match here {
        OverrideScope::Channel(_) => BTreeSet::from([here]),
        OverrideScope::Guild(guild) => context
            .find_guild_channels(guild)
            .await?
            .into_iter()
            .map(OverrideScope::Channel)
            .chain([here])
            .collect(),
    };
    let set: BTreeSet<OverrideScope> = context
        .command_service
        .store
        .overrides()
        .await?
        .into_iter()
        .map(|set| set.place)
        .collect();
    let places: Vec<OverrideScope> = set.intersection(&scopes).copied().collect();
    let dropped = drop_intentions(context, &scopes).await?;
    if places.is_empty() && dropped.is_empty() {
        let said = context.say(commands::nothing_to_reset(called));
        return answer_with_text(said, Vec::new());
    }
    for place in &places {
        context
            .command_service
            .store
            .reset_overrides(*place)
            .await?;
    }
    let mut said = context.say(commands::settings_reset(called));
    if !dropped.is_empty() {
        said += &context.say(commands::waits_dropped());
    }
    answer_with_text(
        said,
        places
            .into_iter()
            .map(DaemonChange::Reset)
            .chain(dropped.into_iter().map(DaemonChange::DropIntentions))
            .collect(),
    )
}

/// The channels in which it waited for something and does not any more.
async fn drop_intentions(
    context: &CommandContext<'_>,
    scopes: &BTreeSet<OverrideScope>,
) -> Result<Vec<ChannelId>, CommandRefusal> {
    let mut dropped = Vec::new();
    let channels = scopes.iter().filter_map(|place| match place {
        OverrideScope::Channel(channel) => Some(*channel),
        OverrideScope::Guild(_) => None,
    });
    for channel in channels {
        let intentions = context
            .command_service
            .store
            .find_intentions(channel)
            .await?;
        for intention in &intentions {
            context
                .command_service
                .store
                .drop_intention(channel, intention.id)
                .await?;
        }
        dropped.extend((!intentions.is_empty()).then_some(channel));
    }
    Ok(dropped)
}
