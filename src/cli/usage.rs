//! `kith usage`: what the models took, and what the month will come to.

use std::collections::BTreeMap;
use std::process::ExitCode;

use chrono::{Datelike, Days, NaiveDate};
use clap::Args;
use console::Alignment;
use kith_language::{Language, LocalizedMessage, cli};

use super::failure::CommandFailure;
use super::{ConfigArgs, print_line};
use crate::settings;
use kith_core::chat::{Channel, DAY};
use kith_observe::embed::formats::{self, format_thousands};
use kith_store::{UsageRow, read_usage};
use kith_system::clock;

const NAME_WIDTH: usize = 28;
const COLUMN_WIDTHS: [usize; 5] = [9, 13, 7, 11, 11];

/// Arguments of `kith usage`.
#[derive(Args, Debug)]
pub struct UsageArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=3_660))]
    days: Option<u64>,
}

pub fn run(args: &UsageArgs, language: Language) -> ExitCode {
    match build_table(args, language) {
        Ok(lines) => {
            lines.iter().for_each(print_line);
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

fn build_table(args: &UsageArgs, language: Language) -> Result<Vec<String>, CommandFailure> {
    let settings = settings::load(&args.config.options())?;
    let place = settings.database_place();
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
    if place.is_missing() {
        let missing = cli::no_database_yet(place.to_string());
        let lines = [describe_nothing(first, today), missing];
        return Ok(lines.map(|line| line.in_language(language)).into());
    }
    let (mut rows, mut channels) = (Vec::new(), Vec::new());
    for place in settings.partition_places() {
        let of_place = read_usage(&place, first, today).map_err(|error| error.to_message())?;
        rows.extend(of_place.0);
        channels.extend(of_place.1);
    }
    if rows.is_empty() {
        return Ok(vec![describe_nothing(first, today).in_language(language)]);
    }
    let mut lines = format_tables(&rows, &channels, language);
    let mut all = UsageSum::default();
    rows.iter().for_each(|row| all.add(row));
    lines.push(format_line(&cli::usage_all().in_language(language), &all));
    // Before the first day something was spent it was perhaps not there.
    let began = rows
        .iter()
        .map(|row| row.day)
        .min()
        .map_or(first, |day| day.max(first));
    lines.push(describe_pace(&all, began, today, day_fraction).in_language(language));
    Ok(lines)
}

fn describe_nothing(first: NaiveDate, today: NaiveDate) -> LocalizedMessage {
    cli::nothing_spent(first.to_string(), today.to_string())
}

/// What rows are summed by.
type Key<'a> = &'a dyn Fn(&UsageRow) -> String;

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

/// What was spent by day, by model, by channel and by function.
fn format_tables(rows: &[UsageRow], channels: &[Channel], language: Language) -> Vec<String> {
    let mut lines = Vec::new();
    let columns = [
        cli::usage_calls(),
        cli::usage_prompt(),
        cli::usage_cached(),
        cli::usage_answers(),
        cli::usage_cost(),
    ];
    let columns = columns.map(|column| column.in_language(language));
    let head = format_columns(&columns);
    let no_channel = cli::no_channel().in_language(language);
    let name_of = |row: &UsageRow| match channels.iter().find(|channel| channel.id == row.channel) {
        Some(channel) => format!("#{}", channel.name),
        None if row.channel.0 == 0 => no_channel.clone(),
        None => row.channel.to_string(),
    };
    let groups: [(LocalizedMessage, Key<'_>); 4] = [
        (cli::usage_by_day(), &|row| row.day.to_string()),
        (cli::usage_by_model(), &|row| row.model.clone()),
        (cli::usage_by_channel(), &name_of),
        (cli::usage_by_function(), &|row| row.function.clone()),
    ];
    for (what, key) in groups {
        let mut sums: BTreeMap<String, UsageSum> = BTreeMap::new();
        rows.iter()
            .for_each(|row| sums.entry(key(row)).or_default().add(row));
        let what = pad_name(&what.in_language(language));
        lines.push(format!("{what}{head}"));
        lines.extend(sums.iter().map(|(name, sum)| format_line(name, sum)));
        lines.push(String::new());
    }
    lines
}

/// The name of a row, cut or filled up to the width of its column. Some letters are as wide as two others.
fn pad_name(name: &str) -> String {
    let cut = console::truncate_str(name, NAME_WIDTH - 1, "");
    console::pad_str(&cut, NAME_WIDTH, Alignment::Left, None).into_owned()
}

/// The other columns, flush right.
fn format_columns(texts: &[String; 5]) -> String {
    let texts = texts.iter().zip(COLUMN_WIDTHS);
    let columns = texts.map(|(text, width)| console::pad_str(text, width, Alignment::Right, None));
    columns.collect::<Vec<_>>().join(" ")
}

fn format_line(name: &str, sum: &UsageSum) -> String {
    let cached = (sum.cached.saturating_mul(100) + sum.prompt / 2)
        .checked_div(sum.prompt)
        .unwrap_or(0);
    let columns = format_columns(&[
        format_thousands(sum.calls),
        format_thousands(sum.prompt),
        format!("{cached} %"),
        format_thousands(sum.completion),
        format_cost(sum.cost),
    ]);
    format!("{}{columns}", pad_name(name))
}

/// The month at the pace since `first`. Today counts as far as it has come; less than a day gives no estimate.
fn describe_pace(
    all: &UsageSum,
    first: NaiveDate,
    today: NaiveDate,
    day_fraction: f64,
) -> LocalizedMessage {
    let days = ((today - first).num_days() as f64 + day_fraction).max(1.0);
    let next = today
        .with_day(1)
        .and_then(|first| first.checked_add_months(chrono::Months::new(1)));
    let month = next
        .and_then(|next| next.pred_opt())
        .map_or(30.0, |last| f64::from(last.day()));
    let tokens = (all.prompt + all.completion) as f64 * month / days;
    let tokens = format_thousands(tokens as u64);
    if all.cost > 0.0 {
        cli::month_with_cost(format_cost(all.cost * month / days), tokens)
    } else {
        cli::month_at_this_pace(tokens)
    }
}

/// Nothing where no price was set.
fn format_cost(cost: f64) -> String {
    if cost == 0.0 {
        "-".to_owned()
    } else {
        formats::format_money(cost)
    }
}
