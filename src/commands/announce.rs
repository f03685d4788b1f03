//! What is said once in a channel that is read from now on: what is read, how long it is kept, who sees it, how to stay
//! out of it and who can end it. Written in the language of the persona, for it is meant for the whole channel.

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
        (ChannelMode::On, false) => language.pick(
            format!("👋 From now on {name} reads along in this channel and joins in now and then."),
            format!("👋 从现在起，{name} 会在这个频道旁听，偶尔也会说话。"),
        ),
        (ChannelMode::On, true) => language.pick(
            format!(
                "👋 From now on {name} reads along in this channel; it will join in as soon as its host has connected \
                 a language model."
            ),
            format!("👋 从现在起，{name} 会在这个频道旁听；等部署者接入语言模型后，它也会说话。"),
        ),
        _ => language.pick(
            format!("👋 From now on {name} reads along in this channel. It only observes and never speaks here."),
            format!("👋 从现在起，{name} 会在这个频道旁听，只看不说。"),
        ),
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
        (ChannelMode::On, false) => language.pick(
            format!(
                "; when it thinks about an answer, recent ones are sent to the model at {hostname}."
            ),
            format!("；它考虑回应时，会把最近的消息发送给 {hostname} 的模型。"),
        ),
        (ChannelMode::On, true) => language.pick(
            "; until then no model sees them.".into(),
            "；在那之前，没有模型会看到。".into(),
        ),
        _ => language.pick(
            "; no model sees them as long as it only observes.".to_owned(),
            "；只旁听期间，没有模型会看到。".to_owned(),
        ),
    };
    let out = language.pick(
        "Rather not? `/kith optout` leaves you out. Members with Manage Server can switch it off: `/kith off`.",
        "不想参与？用 `/kith 隐私`（`/kith optout`）退出。有“管理服务器”权限的成员可以用 `/kith 关闭`（`/kith off`）关闭它。",
    );
    Some(language.pick(
        format!("{does} {kept}{seen} {out}"),
        format!("{does}{kept}{seen}{out}"),
    ))
}
