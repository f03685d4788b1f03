//! What is said once in a channel that is read from now on: what is read, how long it is kept, who sees it, how to stay
//! out of it and who can end it. Written in the language of the persona, for it is meant for the whole channel.

use super::DaemonFacts;
use super::rights::companion_name;
use kith_core::policy::ChannelMode;
use kith_language::announce;

/// The words for a change from `before` to `now`; none where nothing more is read or shown than before.
pub fn render_announcement(
    facts: &DaemonFacts,
    before: ChannelMode,
    now: ChannelMode,
) -> Option<String> {
    let widens = match now {
        ChannelMode::Off => false,
        ChannelMode::Observe => before == ChannelMode::Off,
        // Who was told that no model sees what they write is told when one does.
        ChannelMode::On => before != ChannelMode::On,
    };
    if !widens {
        return None;
    }
    let (name, hostname) = (companion_name(facts), &facts.model.1);
    let does = match (now, facts.is_demo) {
        (ChannelMode::On, false) => announce::reads_and_speaks(name),
        (ChannelMode::On, true) => announce::reads_and_speaks_later(name),
        _ => announce::only_observes(name),
    };
    let kept = announce::kept_for(facts.keep_days);
    let seen = match (now, facts.is_demo) {
        (ChannelMode::On, false) => announce::sent_to_model(hostname),
        (ChannelMode::On, true) => announce::no_model_until_then(),
        _ => announce::no_model_while_observing(),
    };
    let out = announce::opt_out_hint();
    let language = facts.policy.persona.language;
    Some(announce::announcement(does, kept, out, seen).in_language(language))
}
