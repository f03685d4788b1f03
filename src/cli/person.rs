//! What `kith export` and `kith forget` share: who is meant, where, and the database while no kith is running.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use indicatif::ProgressBar;

use super::ConfigArgs;
use super::failure::CommandFailure;
use crate::settings;
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_language::{Language, LocalizedMessage, cli};
use kith_store::{DatabasePlace, Store, StoreError, StoreReply};

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
    /// What is wrong with the settings, or with the database.
    pub fn open(&self, chat_command: &str) -> Result<PersonQuery, CommandFailure> {
        let store = open_database(&self.config, chat_command)?;
        let channels = self
            .guild
            .map(|guild| find_guild_channels(&store, GuildId(guild)))
            .transpose()?;
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
/// What is wrong with the settings, or with the database.
pub fn open_database(config: &ConfigArgs, chat_command: &str) -> Result<Store, CommandFailure> {
    find_database(config)?.open().map_err(|error| match error {
        StoreError::InUse { holder, .. } => cli::kith_is_running(chat_command, holder).into(),
        other => other.to_message().into(),
    })
}

/// Where the database of the settings is. A file is there.
///
/// # Errors
/// What is wrong with the settings, or that there is none.
pub fn find_database(config: &ConfigArgs) -> Result<DatabasePlace, CommandFailure> {
    let settings = settings::load(&config.options())?;
    let place = settings.database_place();
    if place.is_missing() {
        return Err(cli::no_database(place.to_string()).into());
    }
    Ok(place)
}

/// The file of the database of the settings, which is there.
///
/// # Errors
/// What is wrong with the settings, that there is none, or that it is on a server.
pub fn find_database_file(config: &ConfigArgs) -> Result<PathBuf, CommandFailure> {
    let place = find_database(config)?;
    let file = place.file().map_err(|error| error.to_message())?;
    Ok(file.to_path_buf())
}

fn find_guild_channels(store: &Store, guild: GuildId) -> Result<Vec<ChannelId>, LocalizedMessage> {
    let known = store
        .channels()
        .wait()
        .map_err(|error| error.to_message())?;
    let channels = known
        .iter()
        .filter(|channel| channel.guild == Some(guild))
        .map(|channel| channel.id);
    let channels: Vec<ChannelId> = channels.collect();
    if channels.is_empty() {
        return Err(cli::unknown_guild(guild.to_string()));
    }
    Ok(channels)
}

/// Waits for an answer, and shows that it goes on when that takes long.
///
/// # Errors
/// What went wrong, in a sentence.
pub fn wait_with_progress<T>(
    mut pending: StoreReply<T>,
    doing: &LocalizedMessage,
    language: Language,
) -> Result<T, LocalizedMessage> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let runtime = runtime.map_err(|error| cli::no_threads(error.to_string()))?;
    let answer = runtime.block_on(async {
        if let Ok(answer) = tokio::time::timeout(PATIENCE, &mut pending).await {
            return answer;
        }
        // Draws on standard error, and only on a terminal.
        let progress = ProgressBar::new_spinner().with_message(doing.in_language(language));
        progress.enable_steady_tick(PATIENCE / 10);
        let answer = pending.await;
        progress.finish_and_clear();
        answer
    });
    answer.map_err(|error| error.to_message())
}
