//! What is said once in a channel that is read from now on: what is read, how long it is kept, who sees it, how to stay
//! out of it and who can end it. Written in the language of the persona, for it is meant for the whole channel.

use kith_language::announce;
use super::DaemonFacts;
use super::rights::companion_name;
use kith_core::policy::ChannelMode;

/// The words for a channel that goes from `before` to `now`; none where nothing more is read or shown to anybody than
/// before.
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
    let language = facts.policy.persona.language;
    let (name, hostname) = (companion_name(facts), &facts.model.1);
    let does = match (now, facts.is_demo) {
        (ChannelMode::On, false) => announce::reads_and_speaks(name).in_language(language),
        (ChannelMode::On, true) => announce::reads_and_speaks_later(name).in_language(language),
        _ => announce::only_observes(name).in_language(language),
    };
    let days = facts.keep_days;
    let kept = language.pick(
        if days == 1 {
            "Messages are kept for 1 day".to_owned()
        } else {
            format!("Messages are kept for {days} days")
        },
        format!("消息会保存 {days} 天"),
    );
    let seen = match (now, facts.is_demo) {
        (ChannelMode::On, false) => announce::sent_to_model(hostname).in_language(language),
        (ChannelMode::On, true) => announce::no_model_until_then().in_language(language),
        _ => announce::no_model_while_observing().in_language(language),
    };
    let out = announce::opt_out_hint().in_language(language);
    Some(language.pick(
        format!("{does} {kept}{seen} {out}"),
        format!("{does}{kept}{seen}{out}"),
    ))
}
