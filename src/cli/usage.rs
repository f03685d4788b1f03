//! `kith usage`: what the models took, and what the month will come to.

use std::collections::BTreeMap;
use std::process::ExitCode;

use chrono::{Datelike, Days, NaiveDate};
use clap::Args;

use super::{ConfigArgs, print_line, print_problems};
use crate::settings;
use kith_core::chat::{Channel, DAY};
use kith_observe::embed::formats::{self, format_thousands};
use kith_store::{UsageRow, read_usage};
use kith_system::clock;

/// Arguments of `kith usage`.
#[derive(Args, Debug)]
pub struct UsageArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=3_660))]
    days: Option<u64>,
}

/// Prints what was spent.
pub fn run(args: &UsageArgs) -> ExitCode {
    match build_table(args) {
        Ok(lines) => {
            lines.iter().for_each(print_line);
            ExitCode::SUCCESS
        }
        Err(problems) => {
            print_problems(&problems);
            ExitCode::FAILURE
        }
    }
}

fn build_table(args: &UsageArgs) -> Result<Vec<String>, Vec<String>> {
    let settings = settings::load(&args.config.options())
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let path = settings.data_dir.join("kith.db");
    let now = clock::now();
    let today = chrono::DateTime::from_timestamp_millis(now).unwrap_or_default();
    let day_fraction = f64::from(u32::try_from(now.rem_euclid(DAY)).unwrap_or(0)) / DAY as f64;
    let today = today.date_naive();
    let first = match args.days {
        Some(days) => today.checked_sub_days(Days::new(days - 1)),
        None => today.with_day(1),
    };
    let first = first.unwrap_or(today);
    // Before the first start there is no database, and nothing was spent.
    if !path.exists() {
        let mut lines = format_lines(&[], &[], first, today, day_fraction);
        lines.push(format!("There is no database {} yet.", path.display()));
        return Ok(lines);
    }
    let (rows, channels) =
        read_usage(&path, first, today).map_err(|error| vec![format!("error: {error}")])?;
    Ok(format_lines(&rows, &channels, first, today, day_fraction))
}

/// What rows are summed by.
type Key<'a> = &'a dyn Fn(&UsageRow) -> String;

/// A sum of rows.
#[derive(Clone, Copy, Default)]
struct UsageSum {
    calls: u64,
    prompt: u64,
    cached: u64,
    completion: u64,
    cost: f64,
}

impl UsageSum {
    fn add(&mut self, row: &UsageRow) {
        self.calls += row.calls;
        self.prompt += row.prompt;
        self.cached += row.cached;
        self.completion += row.completion;
        self.cost += row.cost;
    }
}

fn format_lines(
    rows: &[UsageRow],
    channels: &[Channel],
    first: NaiveDate,
    today: NaiveDate,
    of_day: f64,
) -> Vec<String> {
    if rows.is_empty() {
        return vec![format!(
            "Nothing was spent from {first} to {today} (UTC): 0 tokens in 0 calls."
        )];
    }
    let mut lines = Vec::new();
    let head = format!(
        "{:>9} {:>13} {:>7} {:>11} {:>11}",
        "calls", "prompt", "cached", "answers", "cost"
    );
    let name_of = |row: &UsageRow| match channels.iter().find(|channel| channel.id == row.channel) {
        Some(channel) => format!("#{}", channel.name),
        None if row.channel.0 == 0 => "no channel".to_owned(),
        None => row.channel.to_string(),
    };
    let groups: [(&str, Key<'_>); 4] = [
        ("day", &|row| row.day.to_string()),
        ("model", &|row| row.model.clone()),
        ("channel", &name_of),
        ("function", &|row| row.function.clone()),
    ];
    for (what, key) in groups {
        let mut sums: BTreeMap<String, UsageSum> = BTreeMap::new();
        rows.iter()
            .for_each(|row| sums.entry(key(row)).or_default().add(row));
        lines.push(format!("{what:<28}{head}"));
        lines.extend(sums.iter().map(|(name, sum)| format_line(name, sum)));
        lines.push(String::new());
    }
    let mut all = UsageSum::default();
    rows.iter().for_each(|row| all.add(row));
    lines.push(format_line("all", &all));
    // Before the first day something was spent it was perhaps not there.
    let began = rows
        .iter()
        .map(|row| row.day)
        .min()
        .map_or(first, |day| day.max(first));
    lines.push(format_projection(&all, began, today, of_day));
    lines
}

fn format_line(name: &str, sum: &UsageSum) -> String {
    let name: String = name.chars().take(27).collect();
    let cached = (sum.cached.saturating_mul(100) + sum.prompt / 2)
        .checked_div(sum.prompt)
        .unwrap_or(0);
    let (prompt, answers) = (
        format_thousands(sum.prompt),
        format_thousands(sum.completion),
    );
    let (calls, cost) = (format_thousands(sum.calls), format_cost(sum.cost));
    format!("{name:<28}{calls:>9} {prompt:>13} {cached:>5} % {answers:>11} {cost:>11}")
}

/// What the month comes to at the pace since `first`. The day that is not over counts as far as it has come; less than one
/// day tells nothing about a month.
fn format_projection(
    all: &UsageSum,
    first: NaiveDate,
    today: NaiveDate,
    day_fraction: f64,
) -> String {
    let days = ((today - first).num_days() as f64 + day_fraction).max(1.0);
    let next = today
        .with_day(1)
        .and_then(|first| first.checked_add_months(chrono::Months::new(1)));
    let month = next
        .and_then(|next| next.pred_opt())
        .map_or(30.0, |last| f64::from(last.day()));
    let tokens = (all.prompt + all.completion) as f64 * month / days;
    let cost = if all.cost > 0.0 {
        format!(", {} in money", format_cost(all.cost * month / days))
    } else {
        String::new()
    };
    format!(
        "A month at this pace: about {} tokens{cost}.",
        format_thousands(tokens as u64)
    )
}

/// Nothing where no price was set.
fn format_cost(cost: f64) -> String {
    if cost == 0.0 {
        "-".to_owned()
    } else {
        formats::format_money(cost)
    }
}
