//! `/kith status`: how the companion is here. Budgets are the host's: others see the share that is spent, and what
//! their own guild takes.

use chrono::{DateTime, NaiveDate};

use super::rights::{CommandContext, CommandOutcome, CommandRefusal};
use super::{CommandAnswer, DaemonFacts};
use kith_core::chat::{ChannelId, DAY, Millis};
use kith_core::intent::ScheduledIntent;
use kith_core::manual_override::{OverrideRecord, OverrideScope};
use kith_core::policy::{BotPolicy, ChannelMode};
use kith_observe::{CardSeverity, LogEmbed, embed::words};

/// The most characters of a note.
const NOTE: usize = 160;
/// The days the month is projected from, and how many it has.
const PROJECTED_FROM: i64 = 7;
const MONTH: u64 = 30;

pub(super) async fn answer(visit: &CommandContext<'_>) -> CommandOutcome {
    visit.check_can_ask()?;
    let facts = visit.facts;
    let (name, place) = (visit.name(), visit.place());
    let mut card = LogEmbed { tone: choose_severity(facts), ..LogEmbed::default() };
    card.title = visit.say(format!("{name} in {place}"), format!("{name}：{place}"));
    card.add_field(visit.say("Mode", "模式"), describe_mode(visit));
    card.add_field(visit.say("Now", "此刻"), describe_now(visit));
    card.add_field(visit.say("Waits for", "在等"), describe_intentions(visit).await?);
    card.add_field(visit.say("Waits for a click", "等待批准"), describe_waiting_proposals(visit).await?);
    card.add_field(visit.say("Last 24 hours", "过去 24 小时"), describe_activity(visit).await?);
    card.add_field(visit.say("Reception", "反响"), describe_reception(facts, visit));
    card.add_field(visit.say("Persona", "人设"), describe_persona(visit));
    card.add_field(visit.say("Model", "模型"), describe_model(visit));
    card.add_field(visit.say("Budget today", "今日预算"), describe_budget(visit));
    card.add_field(visit.say("Projected month", "预计每月"), describe_projection(visit).await?);
    card.add_field(visit.say("Who may", "谁可以"), describe_permissions(visit));
    Ok((CommandAnswer::Card(card), Vec::new()))
}

fn choose_severity(facts: &DaemonFacts) -> CardSeverity {
    let stopped = facts.stand_in || !facts.policy.may_send || facts.budget.0 >= facts.budget.1;
    match facts.policy.mode {
        ChannelMode::Off => CardSeverity::Quiet,
        _ if stopped => CardSeverity::Warning,
        ChannelMode::Observe => CardSeverity::Quiet,
        ChannelMode::On => CardSeverity::Spoke,
    }
}

fn describe_mode(visit: &CommandContext<'_>) -> String {
    let facts = visit.facts;
    let mode = words::mode(facts.policy.mode, visit.language());
    let Some(set) = find_override(facts, "mode") else {
        return visit.say(format!("{mode}, by the host's settings"), format!("{mode}（部署者设置）"));
    };
    let since = words::format_duration(facts.now - set.at, visit.language());
    let by = set.by.and_then(|user| facts.names.get(&user));
    match by {
        Some(by) => visit.say(format!("{mode} for {since}, by {by}"), format!("{mode}，{by} 设置于 {since}前")),
        None => visit.say(format!("{mode} for {since}, by a moderator"), format!("{mode}，管理成员设置于 {since}前")),
    }
}

/// The choice about something that holds in the channel: its own, else its parent's, else its guild's.
fn find_override<'a>(facts: &'a DaemonFacts, about: &str) -> Option<&'a OverrideRecord> {
    let channel = &facts.channel;
    let places = [Some(channel.id), channel.parent].into_iter().flatten().map(OverrideScope::Channel);
    let places = places.chain(channel.guild.map(OverrideScope::Guild));
    let find = |place| facts.by_hand.iter().rfind(|set| set.place == place && set.choice.kind() == about);
    places.into_iter().find_map(find)
}

/// What keeps it from speaking now, and what it is about to do.
fn describe_now(visit: &CommandContext<'_>) -> String {
    let (facts, policy, language) = (visit.facts, &visit.facts.policy, visit.language());
    let left = |until: Millis| words::format_duration(until - facts.now, language);
    let still = |until: Option<Millis>| until.filter(|until| *until > facts.now).map(left);
    let mut lines = Vec::new();
    if facts.stand_in {
        lines.push(visit.say("no model is set up: it only observes".into(), "还没有配置模型：只旁听".into()));
    }
    if !policy.may_send && policy.mode == ChannelMode::On {
        lines.push(visit.say("it may not write here".into(), "没有发言权限".into()));
    }
    if let Some(left) = still(policy.paused_until) {
        lines.push(visit.say(format!("paused for {left} more"), format!("暂停中，还有 {left}")));
    }
    if let Some(left) = still(facts.quiet_until) {
        lines.push(visit.say(
            format!("asked for quiet: nothing unasked for {left} more"),
            format!("有人要求安静：{left}内不主动说话"),
        ));
    }
    if policy.persona.schedule.as_ref().is_some_and(|schedule| schedule.is_asleep(facts.now)) {
        lines.push(visit.say("asleep".into(), "睡觉中".into()));
    }
    if let Some(hours) = &policy.quiet_hours {
        let (from, to) = (hours.from.format("%H:%M"), hours.to.format("%H:%M"));
        let zone = hours.timezone.map_or(String::new(), |zone| format!(" {zone}"));
        lines.push(visit.say(format!("quiet hours {from}-{to}{zone}"), format!("安静时段 {from}-{to}{zone}")));
    }
    if facts.mood.as_ref().is_some_and(|mood| mood.turn.is_some()) {
        lines.push(visit.say("thinking".into(), "思考中".into()));
    }
    lines.join("\n")
}

/// What it waits for, with its notes: for those who steer it here and may read what was said.
async fn describe_intentions(visit: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    if !visit.can_steer() || !visit.may_read() {
        return Ok(String::new());
    }
    let intentions = visit.command_service.store.find_intentions(visit.facts.channel.id).await?;
    let mut lines: Vec<String> = intentions.iter().map(|intention| describe_intention(intention, visit)).collect();
    if !lines.is_empty() {
        lines.push(visit.say("(`/kith reset` drops it)", "（用 `/kith 恢复设置` 取消）").to_owned());
    }
    Ok(lines.join("\n"))
}

/// How much waits for a moderator's decision in this guild.
async fn describe_waiting_proposals(visit: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    let Some(guild) = visit.facts.channel.guild.filter(|_| visit.can_steer()) else { return Ok(String::new()) };
    Ok(match visit.command_service.store.count_waiting_proposals(guild).await? {
        0 => String::new(),
        count => visit.say(format!("{count}, in the log channel"), format!("{count} 项，见日志频道")),
    })
}

fn describe_intention(intention: &ScheduledIntent, visit: &CommandContext<'_>) -> String {
    let (now, language) = (visit.facts.now, visit.language());
    let until = |at: Millis| words::format_duration(at - now, language);
    let mut things = Vec::new();
    things.extend(intention.person.map(|_| intention.name.clone()));
    things.extend(intention.word.as_ref().map(|word| visit.say(format!("\"{word}\""), format!("“{word}”"))));
    things.extend(
        intention
            .silence
            .map(|minutes| visit.say(format!("{minutes} min of silence"), format!("{minutes} 分钟没人说话"))),
    );
    things.extend(intention.time.map(|at| visit.say(format!("in {}", until(at)), format!("{}后", until(at)))));
    let things = things.join(visit.say(" or ", "或"));
    let lapses = until(intention.expires);
    let note = words::truncate_line(&intention.note, NOTE);
    visit.say(format!("• {things}: {note} ({lapses} left)"), format!("• {things}：{note}（还剩 {lapses}）"))
}

async fn describe_activity(visit: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    let (channel, now) = (visit.facts.channel.id, visit.facts.now);
    let activity = visit.command_service.store.load_activity(channel, now - DAY).await?;
    let (read, spoke, would) = (activity.scored, activity.spoke, activity.would_have_spoken);
    let messages = words::format_count(read, "message", "messages");
    let (spoke_times, would_times) =
        (words::format_count(spoke, "time", "times"), words::format_count(would, "time", "times"));
    Ok(match visit.facts.policy.mode {
        ChannelMode::Off if read == 0 => String::new(),
        ChannelMode::Observe => visit.say(
            format!("read {messages}, would have spoken {would_times}"),
            format!("读了 {read} 条消息，本来会说话 {would} 次"),
        ),
        ChannelMode::On | ChannelMode::Off => {
            visit.say(format!("read {messages}, spoke {spoke_times}"), format!("读了 {read} 条消息，说话 {spoke} 次"))
        }
    })
}

/// How people take what it says, as far as there is anything to tell.
fn describe_reception(facts: &DaemonFacts, visit: &CommandContext<'_>) -> String {
    let reception = facts.mood.as_ref().map(|mood| mood.reception);
    reception.map_or_else(String::new, |reception| reception.describe(visit.language()))
}

fn describe_persona(visit: &CommandContext<'_>) -> String {
    let (name, policy) = (visit.name(), &visit.facts.policy);
    let (chatty, most) = (policy.talkativeness.describe(visit.language()), visit.facts.max_talkativeness);
    visit.say(
        format!("{name}, talkativeness {chatty} of at most {most}"),
        format!("{name}，健谈程度 {chatty}（最高 {most}）"),
    )
}

fn describe_model(visit: &CommandContext<'_>) -> String {
    let (name, host) = &visit.facts.model;
    match visit.facts.stand_in {
        true => visit.say("none", "无").to_owned(),
        false => visit.say(format!("{name} at {host}"), format!("{name}（{host}）")),
    }
}

pub(super) fn describe_budget(visit: &CommandContext<'_>) -> String {
    let (spent, cap) = visit.facts.budget;
    let share = if cap == 0 { 1.0 } else { (spent as f64 / cap as f64) as f32 };
    let share = words::format_percent(share, visit.language());
    if !visit.asker.host {
        return visit.say(format!("{share} spent"), format!("已用 {share}"));
    }
    let (spent, cap) = (words::format_thousands(spent), words::format_thousands(cap));
    visit.say(format!("{spent} of {cap} tokens ({share})"), format!("{spent} / {cap} 词元（{share}）"))
}

/// Tokens a month, going by the last days: of everything for the host, else of this guild or direct message.
async fn describe_projection(visit: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    let now = visit.facts.now;
    let (Some(today), Some(first)) = (to_utc_day(now), to_utc_day(now - PROJECTED_FROM * DAY)) else {
        return Ok(String::new());
    };
    let rows = visit.command_service.store.load_usage_between(first, today).await?;
    let ours: Option<Vec<ChannelId>> = match (visit.asker.host, visit.facts.channel.guild) {
        (true, _) => None,
        (false, Some(guild)) => Some(visit.find_guild_channels(guild).await?.into_iter().collect()),
        (false, None) => Some(vec![visit.facts.channel.id]),
    };
    let mut counted = rows.iter().filter(|row| ours.as_ref().is_none_or(|ours| ours.contains(&row.channel))).peekable();
    let since = counted.peek().map_or(today, |row| row.day);
    let tokens: u64 = counted.map(|row| row.prompt + row.completion).sum();
    // The day that is not over counts as far as it has come; less than one day tells nothing about a month.
    let elapsed = (now - to_day_start(since)).max(DAY) as u64;
    let month = (u128::from(tokens) * u128::from(MONTH) * DAY as u128 / u128::from(elapsed)) as u64;
    let about = words::format_thousands(month);
    Ok(match visit.asker.host {
        true => visit.say(format!("about {about} tokens"), format!("约 {about} 词元")),
        false => visit.say(format!("about {about} tokens here"), format!("这里约 {about} 词元")),
    })
}

/// The day budgets count by: of UTC.
fn to_utc_day(at: Millis) -> Option<NaiveDate> {
    DateTime::from_timestamp_millis(at).map(|time| time.date_naive())
}

fn to_day_start(day: NaiveDate) -> Millis {
    day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis()
}

fn describe_permissions(visit: &CommandContext<'_>) -> String {
    let change = match visit.is_direct() {
        true => visit.say("change this: you; mode and model: the host", "更改：你；模式和模型：部署者"),
        false => {
            visit.say("change this: members with Manage Server, and the host", "更改：有“管理服务器”权限的成员和部署者")
        }
    };
    let bots = match visit.facts.policy.bots {
        BotPolicy::Ignored => visit.say("be answered: people, no bots", "得到回应：人，不包括机器人"),
        BotPolicy::Limited => visit.say("be answered: people, and bots now and then", "得到回应：人，偶尔也有机器人"),
    };
    format!("{change}\n{bots}")
}
