//! The log on standard error: one line for what happens, in words, or one JSON object a line for machines.

use tracing::Level;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::debug_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::daemon::{FaultLog, name_places};
use crate::settings::{LogLevel, LogSettings};

/// Starts the log. Other crates are heard only when something is wrong with them.
pub fn start(settings: &LogSettings, coloured: bool) {
    let level = match settings.level {
        LogLevel::Error => Level::ERROR,
        LogLevel::Warn => Level::WARN,
        LogLevel::Info => Level::INFO,
        LogLevel::Debug => Level::DEBUG,
        LogLevel::Trace => Level::TRACE,
    };
    // serenity writes what it cannot read into its warnings, whole messages among it; the gateway says what matters.
    // notify warns of each watched file that is removed; reading the settings again says what matters.
    let targets = Targets::new()
        .with_default(level.min(Level::WARN))
        .with_target("kith", level)
        .with_target("notify", LevelFilter::ERROR)
        .with_target("serenity", LevelFilter::OFF);
    let fields_for_people = debug_fn(|writer, field, value| {
        let value = name_places(&format!("{value:?}"));
        match field.name() {
            "message" => write!(writer, "{value}"),
            // Where a line of the crate `log` comes from.
            name if name.starts_with("log.") => Ok(()),
            name => write!(writer, "{name}={value}"),
        }
    });
    let layer = fmt::layer()
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(coloured);
    let layer = if settings.json {
        layer.json().boxed()
    } else {
        layer.fmt_fields(fields_for_people.delimited(" ")).boxed()
    };
    // Fails only where a log was started before, which then goes on.
    let _ = tracing_subscriber::registry()
        .with(layer.with_filter(targets.clone()))
        .with(FaultLog.with_filter(targets))
        .try_init();
}
