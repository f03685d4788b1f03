//! What `kith export` and `kith forget` share: who is meant, where, and the database while no kith is running.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, value_parser};
use indicatif::ProgressBar;

use super::ConfigArgs;
use super::failure::CommandFailure;
use crate::settings;
use kith_core::chat::{AuthorKind, ChannelId, GuildId, UserId};
use kith_language::{Language, LocalizedMessage, cli};
use kith_store::{DatabasePlace, Store, StoreError, StoreReply};

/// What takes longer shows that it goes on.
const PATIENCE: Duration = Duration::from_secs(1);

/// Who is meant, and where.
#[derive(Args, Debug)]
pub struct PersonArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(long, value_name = "ID or NAME")]
    person: String,
    #[arg(long, value_name = "ID", value_parser = value_parser!(u64).range(1..=i64::MAX as u64))]
    guild: Option<u64>,
}

/// Who is meant, and the opened database, which may be in parts.
pub struct PersonQuery {
    pub user: UserId,
    /// The parts that are asked, at least one.
    pub parts: Vec<PersonPart>,
}

/// A part of the database, and where in it is meant.
pub struct PersonPart {
    pub store: Store,
    /// Everywhere if none.
    pub channels: Option<Vec<ChannelId>>,
}

impl PersonArgs {
    /// Opens the database of the settings. `chat_command` is what can be typed in Discord while kith is running.
    pub fn open(&self, chat_command: &str) -> Result<PersonQuery, CommandFailure> {
        let mut parts = Vec::new();
        for store in open_all(&self.config, chat_command)? {
            let channels = self
                .guild
                .map(|guild| find_guild_channels(&store, GuildId(guild)))
                .transpose()?;
            if channels
                .as_ref()
                .is_none_or(|channels| !channels.is_empty())
            {
                parts.push(PersonPart { store, channels });
            }
        }
        match self.guild {
            Some(guild) if parts.is_empty() => Err(cli::unknown_guild(guild.to_string()).into()),
            _ => {
                let user = find_person(&self.person, &parts)?;
                Ok(PersonQuery { user, parts })
            }
        }
    }
}

/// Who has this id, or this name as the only one.
fn find_person(named: &str, parts: &[PersonPart]) -> Result<UserId, LocalizedMessage> {
    if let Some(id) = named.parse::<i64>().ok().filter(|id| *id > 0) {
        return Ok(UserId(id.unsigned_abs()));
    }
    let mut people = list_people(parts.iter().map(|part| &part.store))?;
    people.retain(|_, name| name.to_lowercase() == named.to_lowercase());
    let mut found = people.keys();
    match (found.next(), found.next()) {
        (Some(user), None) => Ok(*user),
        (None, _) => Err(cli::nobody_is_called(named)),
        _ => Err(cli::several_are_called(format_people(&people), named)),
    }
}

/// Everybody of whom something is kept, with the name last seen.
pub fn list_people<'s>(
    stores: impl IntoIterator<Item = &'s Store>,
) -> Result<BTreeMap<UserId, Arc<str>>, LocalizedMessage> {
    let mut all = BTreeMap::new();
    for store in stores {
        let people = store.people().wait();
        let mut people = people.map_err(|error| error.to_message())?;
        people.retain(|person| person.kind != AuthorKind::Companion);
        all.extend(people.into_iter().map(|person| (person.id, person.name)));
    }
    Ok(all)
}

/// Each with the id on a line.
pub fn format_people(people: &BTreeMap<UserId, Arc<str>>) -> String {
    let lines = people.iter().map(|(id, name)| format!("{id}  {name}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Opens all parts of the database of the settings. `chat_command` is what can be typed in Discord while kith runs.
pub fn open_all(config: &ConfigArgs, chat_command: &str) -> Result<Vec<Store>, CommandFailure> {
    let places = settings::load(&config.options())?.partition_places();
    let open = |place: DatabasePlace| {
        refuse_missing(&place)?;
        open_place(&place, chat_command)
    };
    places.into_iter().map(open).collect()
}

/// Opens the database of the settings. `chat_command` is what can be typed in Discord while kith is running.
pub fn open_database(config: &ConfigArgs, chat_command: &str) -> Result<Store, CommandFailure> {
    open_place(&find_database(config)?, chat_command)
}

fn open_place(place: &DatabasePlace, chat_command: &str) -> Result<Store, CommandFailure> {
    place.open().map_err(|error| match error {
        StoreError::InUse { holder, .. } => cli::kith_is_running(chat_command, holder).into(),
        other => other.to_message().into(),
    })
}

fn refuse_missing(place: &DatabasePlace) -> Result<(), CommandFailure> {
    match place.is_missing() {
        true => Err(cli::no_database(place.to_string()).into()),
        false => Ok(()),
    }
}

/// Where the database of the settings is. A file is there.
pub fn find_database(config: &ConfigArgs) -> Result<DatabasePlace, CommandFailure> {
    let settings = settings::load(&config.options())?;
    let place = settings.database_place();
    refuse_missing(&place)?;
    Ok(place)
}

/// The file of the database of the settings, which is there; an error where the database is on a server.
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
    Ok(channels.collect())
}

/// Waits for an answer, and shows that it goes on when that takes long.
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
