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

pub(super) async fn answer(context: &CommandContext<'_>) -> CommandOutcome {
    context.check_can_ask()?;
    let facts = context.facts;
    let (name, place) = (context.name(), context.place());
    let mut embed = LogEmbed {
        severity: choose_severity(facts),
        ..LogEmbed::default()
    };
    embed.title = context.say(format!("{name} in {place}"), format!("{name}：{place}"));
    embed.add_field(context.say("Mode", "模式"), describe_mode(context));
    embed.add_field(context.say("Now", "此刻"), describe_now(context));
    embed.add_field(
        context.say("Waits for", "在等"),
        describe_intentions(context).await?,
    );
    embed.add_field(
        context.say("Waits for a click", "等待批准"),
        describe_waiting_proposals(context).await?,
    );
    embed.add_field(
        context.say("Last 24 hours", "过去 24 小时"),
        describe_activity(context).await?,
    );
    embed.add_field(
        context.say("Reception", "反响"),
        describe_reception(facts, context),
    );
    embed.add_field(context.say("Persona", "人设"), describe_persona(context));
    embed.add_field(context.say("Model", "模型"), describe_model(context));
    embed.add_field(
        context.say("Budget today", "今日预算"),
        describe_budget(context),
    );
    embed.add_field(
        context.say("Projected month", "预计每月"),
        describe_projection(context).await?,
    );
    embed.add_field(
        context.say("Who may", "谁可以"),
        describe_permissions(context),
    );
    Ok((CommandAnswer::Card(embed), Vec::new()))
}

fn choose_severity(facts: &DaemonFacts) -> CardSeverity {
    let stopped = facts.is_demo || !facts.policy.may_send || facts.budget.0 >= facts.budget.1;
    match facts.policy.mode {
        ChannelMode::Off => CardSeverity::Quiet,
        _ if stopped => CardSeverity::Warning,
        ChannelMode::Observe => CardSeverity::Quiet,
        ChannelMode::On => CardSeverity::Spoke,
    }
}

fn describe_mode(context: &CommandContext<'_>) -> String {
    let facts = context.facts;
    let mode = words::mode(facts.policy.mode, context.language());
    let Some(set) = find_override(facts, "mode") else {
        return context.say(
            format!("{mode}, by the host's settings"),
            format!("{mode}（部署者设置）"),
        );
    };
    let since = words::format_duration(facts.now - set.at, context.language());
    let by = set.by.and_then(|user| facts.names.get(&user));
    match by {
        Some(by) => context.say(
            format!("{mode} for {since}, by {by}"),
            format!("{mode}，{by} 设置于 {since}前"),
        ),
        None => context.say(
            format!("{mode} for {since}, by a moderator"),
            format!("{mode}，管理成员设置于 {since}前"),
        ),
    }
}

/// The choice about something that holds in the channel: its own, else its parent's, else its guild's.
fn find_override<'a>(facts: &'a DaemonFacts, about: &str) -> Option<&'a OverrideRecord> {
    let channel = &facts.channel;
    let places = [Some(channel.id), channel.parent]
        .into_iter()
        .flatten()
        .map(OverrideScope::Channel);
    let places = places.chain(channel.guild.map(OverrideScope::Guild));
    let find = |place| {
        facts
            .overrides
            .iter()
            .rfind(|set| set.place == place && set.choice.kind() == about)
    };
    places.into_iter().find_map(find)
}

/// What keeps it from speaking now, and what it is about to do.
fn describe_now(context: &CommandContext<'_>) -> String {
    let (facts, policy, language) = (context.facts, &context.facts.policy, context.language());
    let left = |until: Millis| words::format_duration(until - facts.now, language);
    let still = |until: Option<Millis>| until.filter(|until| *until > facts.now).map(left);
    let mut lines = Vec::new();
    if facts.is_demo {
        lines.push(context.say(
            "no model is set up: it only observes".into(),
            "还没有配置模型：只旁听".into(),
        ));
    }
    if !policy.may_send && policy.mode == ChannelMode::On {
        lines.push(context.say("it may not write here".into(), "没有发言权限".into()));
    }
    if let Some(left) = still(policy.paused_until) {
        lines.push(context.say(
            format!("paused for {left} more"),
            format!("暂停中，还有 {left}"),
        ));
    }
    if let Some(left) = still(facts.quiet_until) {
        lines.push(context.say(
            format!("asked for quiet: nothing unasked for {left} more"),
            format!("有人要求安静：{left}内不主动说话"),
        ));
    }
    if policy
        .persona
        .schedule
        .as_ref()
        .is_some_and(|schedule| schedule.is_asleep(facts.now))
    {
        lines.push(context.say("asleep".into(), "睡觉中".into()));
    }
    if let Some(hours) = &policy.quiet_hours {
        let (from, to) = (hours.from.format("%H:%M"), hours.to.format("%H:%M"));
        let zone = hours
            .timezone
            .map_or(String::new(), |zone| format!(" {zone}"));
        lines.push(context.say(
            format!("quiet hours {from}-{to}{zone}"),
            format!("安静时段 {from}-{to}{zone}"),
        ));
    }
    if facts
        .snapshot
        .as_ref()
        .is_some_and(|snapshot| snapshot.turn.is_some())
    {
        lines.push(context.say("thinking".into(), "思考中".into()));
    }
    lines.join("\n")
}

/// What it waits for, with its notes: for those who steer it here and may read what was said.
async fn describe_intentions(context: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    if !context.can_steer() || !context.can_read() {
        return Ok(String::new());
    }
    let intentions = context
        .command_service
        .store
        .find_intentions(context.facts.channel.id)
        .await?;
    let mut lines: Vec<String> = intentions
        .iter()
        .map(|intention| describe_intention(intention, context))
        .collect();
    if !lines.is_empty() {
        lines.push(
            context
                .say("(`/kith reset` drops it)", "（用 `/kith 恢复设置` 取消）")
                .to_owned(),
        );
    }
    Ok(lines.join("\n"))
}

/// How much waits for a moderator's decision in this guild.
async fn describe_waiting_proposals(
    context: &CommandContext<'_>,
) -> Result<String, CommandRefusal> {
    let Some(guild) = context.facts.channel.guild.filter(|_| context.can_steer()) else {
        return Ok(String::new());
    };
    Ok(
        match context
            .command_service
            .store
            .count_waiting_proposals(guild)
            .await?
        {
            0 => String::new(),
            count => context.say(
                format!("{count}, in the log channel"),
                format!("{count} 项，见日志频道"),
            ),
        },
    )
}

fn describe_intention(intention: &ScheduledIntent, context: &CommandContext<'_>) -> String {
    let (now, language) = (context.facts.now, context.language());
    let until = |at: Millis| words::format_duration(at - now, language);
    let mut things = Vec::new();
    things.extend(intention.person.map(|_| intention.name.clone()));
    things.extend(
        intention
            .word
            .as_ref()
            .map(|word| context.say(format!("\"{word}\""), format!("“{word}”"))),
    );
    things.extend(intention.silence.map(|minutes| {
        context.say(
            format!("{minutes} min of silence"),
            format!("{minutes} 分钟没人说话"),
        )
    }));
    things.extend(
        intention
            .time
            .map(|at| context.say(format!("in {}", until(at)), format!("{}后", until(at)))),
    );
    let things = things.join(context.say(" or ", "或"));
    let lapses = until(intention.expires);
    let note = words::truncate_line(&intention.note, NOTE);
    context.say(
        format!("• {things}: {note} ({lapses} left)"),
        format!("• {things}：{note}（还剩 {lapses}）"),
    )
}

async fn describe_activity(context: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    let (channel, now) = (context.facts.channel.id, context.facts.now);
    let activity = context
        .command_service
        .store
        .load_activity(channel, now - DAY)
        .await?;
    let (read, spoke, would) = (activity.scored, activity.spoke, activity.would_have_spoken);
    let messages = words::format_count(read, "message", "messages");
    let (spoke_times, would_times) = (
        words::format_count(spoke, "time", "times"),
        words::format_count(would, "time", "times"),
    );
    Ok(match context.facts.policy.mode {
        ChannelMode::Off if read == 0 => String::new(),
        ChannelMode::Observe => context.say(
            format!("read {messages}, would have spoken {would_times}"),
            format!("读了 {read} 条消息，本来会说话 {would} 次"),
        ),
        ChannelMode::On | ChannelMode::Off => context.say(
            format!("read {messages}, spoke {spoke_times}"),
            format!("读了 {read} 条消息，说话 {spoke} 次"),
        ),
    })
}

/// How people take what it says, as far as there is anything to tell.
fn describe_reception(facts: &DaemonFacts, context: &CommandContext<'_>) -> String {
    let reception = facts.snapshot.as_ref().map(|snapshot| snapshot.reception);
    reception.map_or_else(String::new, |reception| {
        reception.describe(context.language())
    })
}

fn describe_persona(context: &CommandContext<'_>) -> String {
    let (name, policy) = (context.name(), &context.facts.policy);
    let (chatty, most) = (
        policy.talkativeness.describe(context.language()),
        context.facts.max_talkativeness,
    );
    context.say(
        format!("{name}, talkativeness {chatty} of at most {most}"),
        format!("{name}，健谈程度 {chatty}（最高 {most}）"),
    )
}

fn describe_model(context: &CommandContext<'_>) -> String {
    let (name, hostname) = &context.facts.model;
    match context.facts.is_demo {
        true => context.say("none", "无").to_owned(),
        false => context.say(
            format!("{name} at {hostname}"),
            format!("{name}（{hostname}）"),
        ),
    }
}

pub(super) fn describe_budget(context: &CommandContext<'_>) -> String {
    let (spent, cap) = context.facts.budget;
    let share = if cap == 0 {
        1.0
    } else {
        (spent as f64 / cap as f64) as f32
    };
    let share = words::format_percent(share, context.language());
    if !context.caller.is_operator {
        return context.say(format!("{share} spent"), format!("已用 {share}"));
    }
    let (spent, cap) = (words::format_thousands(spent), words::format_thousands(cap));
    context.say(
        format!("{spent} of {cap} tokens ({share})"),
        format!("{spent} / {cap} 词元（{share}）"),
    )
}

/// Tokens a month, going by the last days: of everything for the host, else of this guild or direct message.
async fn describe_projection(context: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    let now = context.facts.now;
    let (Some(today), Some(first)) = (to_utc_day(now), to_utc_day(now - PROJECTED_FROM * DAY))
    else {
        return Ok(String::new());
    };
    let rows = context
        .command_service
        .store
        .load_usage_between(first, today)
        .await?;
    let own_channels: Option<Vec<ChannelId>> =
        match (context.caller.is_operator, context.facts.channel.guild) {
            (true, _) => None,
            (false, Some(guild)) => Some(
                context
                    .find_guild_channels(guild)
                    .await?
                    .into_iter()
                    .collect(),
            ),
            (false, None) => Some(vec![context.facts.channel.id]),
        };
    let mut counted = rows
        .iter()
        .filter(|row| {
            own_channels
                .as_ref()
                .is_none_or(|ours| ours.contains(&row.channel))
        })
        .peekable();
    let since = counted.peek().map_or(today, |row| row.day);
    let tokens: u64 = counted.map(|row| row.prompt + row.completion).sum();
    // The day that is not over counts as far as it has come; less than one day tells nothing about a month.
    let elapsed = (now - to_day_start(since)).max(DAY) as u64;
    let month = (u128::from(tokens) * u128::from(MONTH) * DAY as u128 / u128::from(elapsed)) as u64;
    let about = words::format_thousands(month);
    Ok(match context.caller.is_operator {
        true => context.say(format!("about {about} tokens"), format!("约 {about} 词元")),
        false => context.say(
            format!("about {about} tokens here"),
            format!("这里约 {about} 词元"),
        ),
    })
}

/// The day budgets count by: of UTC.
fn to_utc_day(at: Millis) -> Option<NaiveDate> {
    DateTime::from_timestamp_millis(at).map(|time| time.date_naive())
}

fn to_day_start(day: NaiveDate) -> Millis {
    day.and_time(chrono::NaiveTime::MIN)
        .and_utc()
        .timestamp_millis()
}

fn describe_permissions(context: &CommandContext<'_>) -> String {
    let change = match context.is_direct() {
        true => context.say(
            "change this: you; mode and model: the host",
            "更改：你；模式和模型：部署者",
        ),
        false => context.say(
            "change this: members with Manage Server, and the host",
            "更改：有“管理服务器”权限的成员和部署者",
        ),
    };
    let bots = match context.facts.policy.bots {
        BotPolicy::Ignored => {
            context.say("be answered: people, no bots", "得到回应：人，不包括机器人")
        }
        BotPolicy::Limited => context.say(
            "be answered: people, and bots now and then",
            "得到回应：人，偶尔也有机器人",
        ),
    };
    format!("{change}\n{bots}")
}
