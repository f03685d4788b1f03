//! What `kith export` and `kith forget` share: who is meant, where, and the database while no kith is running.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use indicatif::ProgressBar;

use super::ConfigArgs;
use crate::settings;
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_store::{Store, StoreError, StoreReply};

/// What takes longer shows that it goes on.
const PATIENCE: Duration = Duration::from_secs(1);

/// Who is meant, and where.
#[derive(Args, Debug)]
pub struct PersonArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(long, value_name = "ID", value_parser = value_parser!(u64).range(1..=i64::MAX as u64))]
    person: u64,
    #[arg(long, value_name = "ID", value_parser = value_parser!(u64).range(1..=i64::MAX as u64))]
    guild: Option<u64>,
}

/// An opened database, and what is asked of it.
pub struct PersonQuery {
    /// The database.
    pub store: Store,
    /// Who is meant.
    pub user: UserId,
    /// Where; everywhere if none.
    pub channels: Option<Vec<ChannelId>>,
}

impl PersonArgs {
    /// Opens the database of the settings. `instead` is what can be typed in Discord while kith is running.
    ///
    /// # Errors
    /// One sentence a problem.
    pub fn open(&self, chat_command: &str) -> Result<PersonQuery, Vec<String>> {
        let store = open_database(&self.config, chat_command)?;
        let channels = self
            .guild
            .map(|guild| find_guild_channels(&store, GuildId(guild)))
            .transpose();
        let channels = channels.map_err(|problem| vec![format!("error: {problem}")])?;
        Ok(PersonQuery {
            store,
            user: UserId(self.person),
            channels,
        })
    }
}

/// Opens the database of the settings. `chat_command` is what can be typed in Discord while kith is running.
///
/// # Errors
/// One sentence a problem.
pub fn open_database(config: &ConfigArgs, chat_command: &str) -> Result<Store, Vec<String>> {
    let path = find_database(config)?;
    Store::open(&path).map_err(|error| match error {
        StoreError::InUse { holder, .. } => vec![format!(
            "error: {holder} is running here and still has the person in mind; let them type `{chat_command}` in \
             Discord, or stop it and try again"
        )],
        other => vec![format!("error: {other}")],
    })
}

/// The database of the settings, which is there.
///
/// # Errors
/// One sentence a problem.
pub fn find_database(config: &ConfigArgs) -> Result<PathBuf, Vec<String>> {
    let settings = settings::load(&config.options())
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let path = settings.data_dir.join("kith.db");
    if !path.exists() {
        let path = path.display();
        return Err(vec![format!(
            "error: there is no database {path}; check data_dir, or name the right --config"
        )]);
    }
    Ok(path)
}

fn find_guild_channels(store: &Store, guild: GuildId) -> Result<Vec<ChannelId>, String> {
    let known = store.channels().wait().map_err(|error| error.to_string())?;
    let channels = known
        .iter()
        .filter(|channel| channel.guild == Some(guild))
        .map(|channel| channel.id);
    let channels: Vec<ChannelId> = channels.collect();
    if channels.is_empty() {
        return Err(format!(
            "nothing is known of guild {guild}; check the id, or leave --guild out"
        ));
    }
    Ok(channels)
}

/// Waits for an answer, and shows that it goes on when that takes long.
///
/// # Errors
/// What went wrong, in a sentence.
pub fn wait_with_progress<T>(mut pending: StoreReply<T>, doing: &'static str) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let runtime = runtime
        .map_err(|error| format!("the system gives no threads: {error}; stop other programs"))?;
    let answer = runtime.block_on(async {
        if let Ok(answer) = tokio::time::timeout(PATIENCE, &mut pending).await {
            return answer;
        }
        // Draws on standard error, and only on a terminal.
        let progress = ProgressBar::new_spinner().with_message(doing);
        progress.enable_steady_tick(PATIENCE / 10);
        let answer = pending.await;
        progress.finish_and_clear();
        answer
    });
    answer.map_err(|error| error.to_string())
}
