//! `kith check`: secrets and chats that other users of the machine could read.

use std::collections::HashSet;
use std::path::Path;

use crate::settings::{
    SecretSource, SettingOrigin, SettingOrigins, SettingProblem, Settings, find_password,
};
use kith_core::secret::is_secret_name;

/// A warning for each file with a secret, and for the folder of the database, that others may open.
pub fn check(settings: &Settings) -> Vec<SettingProblem> {
    let origins = &settings.origins;
    let keys = settings
        .models
        .iter()
        .map(|(name, model)| (format!("models.{name}.api_key_file"), &model.api_key_file));
    let tokens = [
        (
            "model.api_key_file".to_owned(),
            &settings.model.api_key_file,
        ),
        (
            "discord.token_file".to_owned(),
            &settings.discord.token_file,
        ),
        ("store.url_file".to_owned(), &settings.store.url_file),
    ];
    let files = tokens
        .into_iter()
        .chain(keys)
        .filter_map(|(path, file)| Some((path, file.as_deref()?)));
    let secrets = settings.secrets.iter().filter_map(|(name, at)| match at {
        SecretSource::File(file) => Some((format!("secrets.{name}"), file.as_path())),
        SecretSource::Env(_) => None,
    });
    let data = ("data_dir".to_owned(), settings.data_dir.as_path());
    let passwords = find_written_passwords(settings);
    let written = origins
        .0
        .iter()
        .filter(|(path, _)| is_secret(path) || passwords.contains(*path))
        .filter_map(|(path, origin)| match origin {
            SettingOrigin::File(file, _) => Some((path.clone(), file.as_path())),
            SettingOrigin::Outside(_) => None,
        });
    let mut all: Vec<_> = files.chain(secrets).chain([data]).chain(written).collect();
    let mut seen = HashSet::new();
    all.retain(|(_, file)| seen.insert(*file));
    all.iter()
        .filter_map(|(path, file)| warn_if_exposed(path, file, origins))
        .collect()
}

/// Whether the value of a setting is itself a secret: a key, or a header that holds one.
fn is_secret(path: &str) -> bool {
    let (table, name) = path.rsplit_once('.').unwrap_or_default();
    name == "api_key" || table.ends_with(".headers") && is_secret_name(name)
}

/// The settings that are addresses with a password in them: of the database, and of proxies.
fn find_written_passwords(settings: &Settings) -> HashSet<String> {
    let further = settings.models.iter();
    let further = further.map(|(name, model)| (format!("models.{name}.proxy"), &model.proxy));
    [
        ("store.url".to_owned(), &settings.store.url),
        ("discord.proxy".to_owned(), &settings.discord.proxy),
        ("model.proxy".to_owned(), &settings.model.proxy),
    ]
    .into_iter()
    .chain(further)
    .filter(|(_, address)| find_password(address.expose()).is_some())
    .map(|(path, _)| path)
    .collect()
}

fn warn_if_exposed(path: &str, file: &Path, origins: &SettingOrigins) -> Option<SettingProblem> {
    let (mode, wanted) = find_exposed_mode(file)?;
    let shown = file.display();
    let message = format!("other users of this machine may open {shown} (its mode is {mode:03o})");
    Some(
        origins
            .make_problem(path, message, format!("chmod {wanted:03o} {shown}"))
            .into_warning(),
    )
}

/// The mode of a file or folder that is not its owner's alone, and the one it should have.
#[cfg(unix)]
fn find_exposed_mode(file: &Path) -> Option<(u32, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let about = std::fs::metadata(file).ok()?;
    let mode = about.permissions().mode() & 0o777;
    let wanted = if about.is_dir() { 0o700 } else { 0o600 };
    (mode & 0o077 != 0).then_some((mode, wanted))
}

/// Elsewhere rights are not a number, and a user's folders are the user's.
#[cfg(not(unix))]
fn find_exposed_mode(_: &Path) -> Option<(u32, u32)> {
    None
}
