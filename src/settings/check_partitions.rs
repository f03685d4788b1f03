//! What must be right where a database is divided: all processes reach it, each part has as many shards, and a port for
//! its console.

use super::Settings;
use super::layers::ProblemList;
use kith_discord::ShardCount;

/// What is wrong with them. The address of the database is known by now.
pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    let partitions = settings.store.partitions;
    if partitions <= 1 {
        return;
    }
    // An address that is none is told already.
    if settings.store.url.is_empty() {
        let message = format!("`store.partitions` is {partitions}, but the database is a file");
        let cure = "set `store.url` to a PostgreSQL server that all processes reach, or leave `store.partitions` out";
        return problems.error("store.partitions", message, cure);
    }
    match settings.discord.shards {
        ShardCount::Exactly(shards) if !shards.is_multiple_of(partitions) => {
            let message = format!(
                "`discord.shards` is {shards}, which is no multiple of the {partitions} partitions"
            );
            let cure = "write \"auto\", or a multiple of `store.partitions`";
            problems.error("discord.shards", message, cure);
        }
        _ => check_ports(settings, problems),
    }
}

/// Each partition's console has a port of its own, one after the other.
fn check_ports(settings: &Settings, problems: &mut ProblemList<'_>) {
    let partitions = settings.store.partitions;
    let Some(console) = settings
        .console
        .listen
        .filter(|console| console.0.port() != 0)
    else {
        return;
    };
    let first = console.0.port();
    let Some(last) = first.checked_add(partitions - 1) else {
        let message = format!(
            "`console.listen` begins at port {first}, and {partitions} partitions need one each, from there on"
        );
        let cure = format!("write a port of at most {}", u16::MAX - (partitions - 1));
        return problems.error("console.listen", message, cure);
    };
    let metrics = settings.metrics.listen.map(|metrics| metrics.0);
    if let Some(metrics) = metrics.filter(|metrics| metrics.ip() == console.0.ip())
        && (first..=last).contains(&metrics.port())
    {
        let message = format!(
            "`metrics.listen` has port {}, but the consoles of {partitions} partitions take {first} to {last}",
            metrics.port()
        );
        problems.error(
            "metrics.listen",
            message,
            "write a port that is none of these",
        );
    }
}
