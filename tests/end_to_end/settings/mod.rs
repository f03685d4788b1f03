//! Settings and personas through their public face: what each layer does, and the exact words a person reads when
//! something is wrong.

mod database;
mod discord;
mod example;
mod file_watching;
mod layers;
mod lore;
mod models;
mod moderation;
mod persona_reference;
mod personas;
mod places;
mod problems;
mod profiles;
mod reference;
mod secrets;
mod skills;
mod tool_files;
mod web;

use std::path::Path;

use kith::settings::{ChannelFacts, LoadOptions, SettingProblem, Settings, load};
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId};
use kith_core::manual_override::ManualOverrides;
use kith_core::policy::ChannelPolicy;
use tempfile::TempDir;

fn options(folder: &Path, toml: &str, environment: &[(&str, &str)]) -> LoadOptions {
    let config = folder.join("kith.toml");
    std::fs::write(&config, toml).unwrap();
    let environment = environment
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()));
    LoadOptions {
        config: Some(config),
        environment: environment.collect(),
        flags: Vec::new(),
    }
}

/// Writes a file of the folder.
pub fn put(folder: &TempDir, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
    std::fs::write(folder.path().join(name), text).unwrap();
}

fn load_text(toml: &str, environment: &[(&str, &str)]) -> Result<Settings, Vec<SettingProblem>> {
    let folder = tempfile::tempdir().unwrap();
    load(&options(folder.path(), toml, environment))
}

/// Checks what a person reads: one problem a line, without the folder.
#[track_caller]
fn complains(toml: &str, environment: &[(&str, &str)], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let problems = match load(&options(folder.path(), toml, environment)) {
        Ok(settings) => settings.warnings,
        Err(problems) => problems,
    };
    assert_eq!(shown(&problems, folder.path()), expected);
}

fn shown(problems: &[SettingProblem], folder: &Path) -> String {
    let lines: Vec<String> = problems.iter().map(SettingProblem::to_string).collect();
    lines
        .join("\n")
        .replace(&format!("{}/", folder.display()), "")
}

/// The settings of a channel where nothing was chosen by hand.
fn policy(settings: &Settings, id: u64, guild: u64) -> ChannelPolicy {
    settings.resolve_channel_settings(
        &channel(id, guild),
        &ManualOverrides::default(),
        &ChannelFacts::default(),
    )
}

fn channel(id: u64, guild: u64) -> Channel {
    Channel {
        id: ChannelId(id),
        guild: Some(GuildId(guild)),
        name: "general".into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    }
}
