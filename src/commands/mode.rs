//! `/kith on|observe|off`: one channel, never a whole guild at once. A channel that is hidden or age-restricted is not
//! switched on by accident: it has to be named.

use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use super::{DaemonChange, announce};
use kith_core::chat::ChannelId;
use kith_core::manual_override::{OverrideScope, OverrideValue};
use kith_core::policy::ChannelMode;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    mode: ChannelMode,
    named: Option<ChannelId>,
) -> CommandOutcome {
    context.check_channel_found(named)?;
    context.check_can_steer()?;
    let facts = context.facts;
    if context.is_direct() && !context.caller.is_operator {
        return context.refuse(
            "Whether direct messages are read is the host's choice; to be left alone, use `/kith optout`.",
            "是否读取私信由部署者决定；如果不想被打扰，请用 `/kith 隐私`。",
        );
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
        said += &context.say(
            format!(
                " All posts in it are read. A forum takes no messages itself, so nobody there was told: please tell its \
                 members yourself, in its guidelines for example.\n> {words}"
            ),
            format!("里面的所有帖子都会被读取。论坛本身不能发消息，所以那里还没有人得到通知：请代为告知成员，例如写在论坛指引里。\n> {words}"),
        );
    } else if let Some(words) = words {
        if !facts.policy.may_send {
            said += context.say(
                " I may not write there, so please tell its members yourself what is read, or let me send messages \
                 there and switch it on again.",
                "我在那里没有发言权限：请代为告知成员，或给我发送消息的权限后再开启一次。",
            );
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
    let (command, chinese) = if mode == ChannelMode::On {
        ("on", "开启")
    } else {
        ("observe", "旁观")
    };
    let (what_en, what_zh) = if facts.hidden {
        ("cannot be seen by everybody", "不是所有人都能看到")
    } else {
        ("is age-restricted", "有年龄限制")
    };
    context.refuse(
        format!("{place} {what_en}, so it has to be named: `/kith {command} channel:{place}`."),
        format!("{place} {what_zh}，需要明确指定：`/kith {chinese} 频道:{place}`。"),
    )
}

fn refuse_above_maximum<T>(context: &CommandContext<'_>) -> Result<T, super::CommandRefusal> {
    let (name, place) = (context.name(), context.place());
    match context.facts.max_mode {
        ChannelMode::Off => context.refuse(
            format!("The host of {name} keeps {place} off, so nobody here can switch it on."),
            format!("部署者规定 {name} 在 {place} 保持关闭，这里无法开启。"),
        ),
        ChannelMode::Observe | ChannelMode::On => context.refuse(
            format!("The host of {name} lets it only observe in {place}: use `/kith observe` or `/kith off`."),
            format!("部署者只允许 {name} 在 {place} 旁听：请用 `/kith 旁观` 或 `/kith 关闭`。"),
        ),
    }
}

fn describe_mode(context: &CommandContext<'_>, mode: ChannelMode) -> String {
    let (name, place, days) = (context.name(), context.place(), context.facts.keep_days);
    match mode {
        ChannelMode::On if context.facts.is_demo => context.say(
            format!("{place} is on. But no model is set up: until the host does that, {name} only observes."),
            format!("{place} 已开启。但还没有配置模型：在部署者配置之前，{name} 只旁听。"),
        ),
        ChannelMode::On => context.say(
            format!("{place} is on: {name} reads along and may speak."),
            format!("{place} 已开启：{name} 会旁听，也会说话。"),
        ),
        ChannelMode::Observe => context.say(
            format!("{place} is observed: {name} reads along, no model sees it, and it never speaks."),
            format!("{place} 已设为旁听：{name} 只看不说，没有模型会看到。"),
        ),
        ChannelMode::Off => context.say(
            format!(
                "{place} is off: nothing is read there any more. What was stored before goes after {days} days, or with \
                 `/kith forget me`."
            ),
            format!("{place} 已关闭：不再读取任何内容。之前保存的内容会在 {days} 天后删除，也可以用 `/kith 忘记 我` 删除。"),
        ),
    }
}
