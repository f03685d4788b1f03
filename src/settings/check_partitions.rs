//! What must be right where a database is divided: all processes reach it, and each part has as many shards.

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
        _ => None,
    }
}
