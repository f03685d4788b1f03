//! `/kith status`: how the companion is here. Budgets are the host's: others see the share that is spent, and what
//! their own guild takes.

use chrono::{DateTime, NaiveDate};
use kith_language::{lists, status};

use super::rights::{CommandContext, CommandOutcome, CommandRefusal};
use super::{CommandAnswer, DaemonFacts};
use kith_core::chat::{ChannelId, DAY, Millis};
use kith_core::intent::ScheduledIntent;
use kith_core::manual_override::{OverrideRecord, OverrideScope};
use kith_core::policy::{BotPolicy, ChannelMode};
use kith_observe::{CardSeverity, LogEmbed, embed::formats};

/// The most characters of a note.
const NOTE: usize = 160;
/// The days the month is projected from, and how many it has.
const PROJECTED_FROM: i64 = 7;
const MONTH: u64 = 30;

pub(super) async fn answer(context: &CommandContext<'_>) -> CommandOutcome {
    let facts = context.facts;
    let (name, place) = (context.name(), context.place());
    let mut embed = LogEmbed {
        severity: choose_severity(facts),
        ..LogEmbed::default()
    };
    embed.title = context.say(status::title(name, place));
    embed.add_field(&context.say(status::mode()), describe_mode(context));
    embed.add_field(&context.say(status::now()), describe_now(context));
    embed.add_field(
        &context.say(status::waits_for()),
        describe_intentions(context).await?,
    );
    embed.add_field(
        &context.say(status::waits_for_click()),
        describe_waiting_proposals(context).await?,
    );
    embed.add_field(
        &context.say(status::last_day()),
        describe_activity(context).await?,
    );
    embed.add_field(
        &context.say(status::reception()),
        describe_reception(facts, context),
    );
    embed.add_field(&context.say(status::persona()), describe_persona(context));
    embed.add_field(&context.say(status::model()), describe_model(context));
    embed.add_field(
        &context.say(status::budget_today()),
        describe_budget(context),
    );
    embed.add_field(
        &context.say(status::projected_month()),
        describe_projection(context).await?,
    );
    embed.add_field(
        &context.say(status::who_may()),
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
    let mode = formats::mode(facts.policy.mode, context.language());
    let Some(set) = find_override(facts, "mode") else {
        return context.say(status::mode_by_host(mode));
    };
    let since = formats::format_duration(facts.now - set.at, context.language());
    let by = set.by.and_then(|user| facts.names.get(&user));
    match by {
        Some(by) => context.say(status::mode_by_person(by.to_string(), mode, since)),
        None => context.say(status::mode_by_moderator(mode, since)),
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
    let left = |until: Millis| formats::format_duration(until - facts.now, language);
    let still = |until: Option<Millis>| until.filter(|until| *until > facts.now).map(left);
    let mut lines = Vec::new();
    if facts.is_demo {
        lines.push(context.say(status::only_observes()));
    }
    if !policy.may_send && policy.mode == ChannelMode::On {
        lines.push(context.say(status::may_not_write()));
    }
    if let Some(left) = still(policy.paused_until) {
        lines.push(context.say(status::paused(left)));
    }
    if let Some(left) = still(facts.quiet_until) {
        lines.push(context.say(status::asked_for_quiet(left)));
    }
    if policy
        .persona
        .schedule
        .as_ref()
        .is_some_and(|schedule| schedule.is_asleep(facts.now))
    {
        lines.push(context.say(status::asleep()));
    }
    if let Some(hours) = &policy.quiet_hours {
        let (from, to) = (hours.from.format("%H:%M"), hours.to.format("%H:%M"));
        let zone = hours
            .timezone
            .map_or(String::new(), |zone| format!(" {zone}"));
        lines.push(context.say(status::quiet_hours(from.to_string(), to.to_string(), zone)));
    }
    if facts
        .snapshot
        .as_ref()
        .is_some_and(|snapshot| snapshot.turn.is_some())
    {
        lines.push(context.say(status::thinking()));
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
        lines.push(context.say(status::reset_drops_it()));
    }
    Ok(lines.join("\n"))
}

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
            count => context.say(status::approvals_in_log(count)),
        },
    )
}

fn describe_intention(intention: &ScheduledIntent, context: &CommandContext<'_>) -> String {
    let (now, language) = (context.facts.now, context.language());
    let until = |at: Millis| formats::format_duration(at - now, language);
    let mut things = Vec::new();
    things.extend(intention.person.map(|_| intention.name.clone()));
    things.extend(
        intention
            .word
            .as_ref()
            .map(|word| context.say(status::until_word(word))),
    );
    things.extend(
        intention
            .time
            .map(|at| context.say(status::until_time(until(at)))),
    );
    let things = things.join(&context.say(status::or_between()));
    let lapses = until(intention.expires);
    let note = formats::truncate_line(&intention.note, NOTE);
    context.say(status::intent(lapses, note, things))
}

async fn describe_activity(context: &CommandContext<'_>) -> Result<String, CommandRefusal> {
    let (channel, now) = (context.facts.channel.id, context.facts.now);
    let activity = context
        .command_service
        .store
        .load_activity(channel, now - DAY)
        .await?;
    let (read, spoke, would) = (activity.scored, activity.spoke, activity.would_have_spoken);
    let [read_number, spoke_number, would_number] =
        [read, spoke, would].map(formats::format_thousands);
    Ok(match context.facts.policy.mode {
        ChannelMode::Off if read == 0 => String::new(),
        ChannelMode::Observe => context.say(status::observed_of_late(
            read,
            read_number,
            would,
            would_number,
        )),
        ChannelMode::On | ChannelMode::Off => context.say(status::spoke_of_late(
            read,
            read_number,
            spoke,
            spoke_number,
        )),
    })
}

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
    let line = context.say(status::persona_line(chatty, most.to_string(), name));
    let Some(snapshot) = &context.facts.snapshot else {
        return line;
    };
    let [median, wanted] = [snapshot.median_share, snapshot.wanted_share]
        .map(|share| context.say(lists::percent(format!("{:.1}", 100.0 * share))));
    let allowance = context.say(status::allowance(median, wanted));
    format!("{line}\n{allowance}")
}

fn describe_model(context: &CommandContext<'_>) -> String {
    let (name, hostname) = &context.facts.model;
    match context.facts.is_demo {
        true => context.say(status::no_model()),
        false => context.say(status::model_line(hostname, name)),
    }
}

pub(super) fn describe_budget(context: &CommandContext<'_>) -> String {
    let (spent, cap) = context.facts.budget;
    let share = if cap == 0 {
        1.0
    } else {
        (spent as f64 / cap as f64) as f32
    };
    let share = formats::format_percent(share, context.language());
    if !context.caller.is_operator {
        return context.say(status::budget_share(share));
    }
    let (spent, cap) = (
        formats::format_thousands(spent),
        formats::format_thousands(cap),
    );
    context.say(status::budget_spent(cap, share, spent))
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
    let about = formats::format_thousands(month);
    Ok(match context.caller.is_operator {
        true => context.say(status::about_tokens(about)),
        false => context.say(status::about_tokens_here(about)),
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
        true => context.say(status::who_changes_direct()),
        false => context.say(status::who_changes_guild()),
    };
    let bots = match context.facts.policy.bots {
        BotPolicy::Ignored => context.say(status::no_bots_answered()),
        BotPolicy::Limited => context.say(status::bots_answered()),
    };
    format!("{change}\n{bots}")
}
