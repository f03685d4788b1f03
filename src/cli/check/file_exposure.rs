//! `kith check`: secrets and chats that other users of the machine could read.

use std::collections::HashSet;
use std::path::Path;

use crate::settings::{
    SettingOrigin, SettingOrigins, SettingProblem, Settings, find_hidden_parts, find_password,
};
use kith_core::setting::{SettingData, SettingRule};

/// A warning for each file with a secret, and for the folder of the database, that others may open.
pub fn check(settings: &Settings) -> Vec<SettingProblem> {
    let origins = &settings.origins;
    let (mut named, mut written) = (Vec::new(), Vec::new());
    let values = settings.values();
    for value in &values {
        match value.data {
            SettingData::Path(file) if value.field.has(SettingRule::SecretFile) => {
                named.push((value.path.as_str(), file));
            }
            SettingData::Secret(secret) => {
                // A name alone opens no database.
                let is_secret = match value.field.has(SettingRule::Address) {
                    true => find_password(secret.expose()).is_some(),
                    false => !find_hidden_parts(value, secret).is_empty(),
                };
                if let Some(SettingOrigin::File(file, _)) = origins.0.get(&value.path)
                    && is_secret
                {
                    written.push((value.path.as_str(), file.as_path()));
                }
            }
            _ => {}
        }
    }
    named.push(("data_dir", &settings.data_dir));
    let mut seen = HashSet::new();
    let all = named.into_iter().chain(written);
    all.filter(|(_, file)| seen.insert(*file))
        .filter_map(|(path, file)| warn_if_exposed(path, file, origins))
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
