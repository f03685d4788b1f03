//! What must be right where a database is divided: all processes reach it, each part has as many shards, and a port for
//! its console.

use super::Settings;
use super::layers::SettingOrigins;
use super::problem::SettingProblem;
use kith_discord::ShardCount;

/// What is wrong with them. The address of the database is known by now.
pub fn check(settings: &Settings, origins: &SettingOrigins) -> Option<SettingProblem> {
    let partitions = settings.store.partitions;
    if partitions <= 1 {
        return None;
    }
    // An address that is none is told already.
    if settings.store.url.is_empty() {
        let message = format!("`store.partitions` is {partitions}, but the database is a file");
        let cure = "set `store.url` to a PostgreSQL server that all processes reach, or leave `store.partitions` out";
        return Some(origins.make_problem("store.partitions", message, cure));
    }
    match settings.discord.shards {
        ShardCount::Exactly(shards) if !shards.is_multiple_of(partitions) => {
            let message = format!(
                "`discord.shards` is {shards}, which is no multiple of the {partitions} partitions"
            );
            let cure = "write \"auto\", or a multiple of `store.partitions`";
            Some(origins.make_problem("discord.shards", message, cure))
        }
        _ => check_ports(settings, origins),
    }
}

/// Each partition's console has a port of its own, one after the other.
fn check_ports(settings: &Settings, origins: &SettingOrigins) -> Option<SettingProblem> {
    let partitions = settings.store.partitions;
    let console = settings.console.listen?.0;
    let first = console.port();
    if first == 0 {
        return None;
    }
    let Some(last) = first.checked_add(partitions - 1) else {
        let message = format!(
            "`console.listen` begins at port {first}, and {partitions} partitions need one each, from there on"
        );
        let cure = format!("write a port of at most {}", u16::MAX - (partitions - 1));
        return Some(origins.make_problem("console.listen", message, cure));
    };
    let metrics = settings.metrics.listen?.0;
    if metrics.ip() != console.ip() {
        return None;
    }
    let metrics = metrics.port();
    (first..=last).contains(&metrics).then(|| {
        let message = format!(
            "`metrics.listen` has port {metrics}, but the consoles of {partitions} partitions take {first} to {last}"
        );
        let cure = "write a port that is none of these";
        origins.make_problem("metrics.listen", message, cure)
    })
}
