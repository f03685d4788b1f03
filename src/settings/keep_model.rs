//! Writes a model that was chosen in the page to the settings file, so that it answers after a restart, too. Everything
//! else in the file stays as a person wrote it, comments and order included; the key goes to a file of its own.

use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use super::secret_file::{KEY_FILE, replace_file, write_secret};
use kith_core::secret::Secret;
use kith_core::setting::{SettingRule, SettingShape, SettingType};
use kith_language::{LocalizedMessage, setup};
use kith_model::ModelSettings;

/// The settings of a model that were meant for the server before, and must not be sent to another.
fn list_settings_of_server() -> impl Iterator<Item = &'static str> {
    let fields = match ModelSettings::SHAPE {
        SettingShape::Table(table) => table.fields,
        _ => &[],
    };
    fields
        .iter()
        .filter(|field| field.has(SettingRule::OfServer))
        .map(|field| field.name)
}

fn list_key_places() -> impl Iterator<Item = &'static str> {
    list_settings_of_server().filter(|name| name.starts_with("api_key"))
}

#[derive(Clone, Debug)]
pub struct SavedModel {
    pub base_url: String,
    pub name: String,
    /// Typed just now; empty where none is needed, or where the one that is configured stays.
    pub key: Secret,
    /// Whether it is on the server that is configured: then all that was set for that stays.
    pub is_same_server: bool,
}

/// Writes it, and answers with the file. After an error the settings are as they were.
pub fn keep_model(file: &Path, model: &SavedModel) -> Result<PathBuf, LocalizedMessage> {
    let unreadable = |why: String| setup::settings_unreadable(file.display().to_string(), why);
    let unwritable = |why: String| setup::settings_unwritable(file.display().to_string(), why);
    // A link stays one.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let before = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let mut document: DocumentMut = before
        .parse()
        .map_err(|error: toml_edit::TomlError| unreadable(error.message().to_owned()))?;
    let table = document
        .entry("model")
        .or_insert_with(|| Item::Table(Table::new()))
        .as_table_like_mut()
        .ok_or_else(|| unreadable("model".to_owned()))?;
    set_model(table, model);
    if !model.key.is_empty() {
        let folder = file.parent().unwrap_or(Path::new(""));
        let name = find_key_file(folder, table);
        write_secret(&folder.join(&name), &model.key)
            .map_err(|error| unwritable(error.to_string()))?;
        list_key_places().for_each(|key| drop(table.remove(key)));
        set_in_place(table, "api_key_file", &name);
    }
    replace_file(&file, &document.to_string()).map_err(|error| unwritable(error.to_string()))?;
    Ok(file)
}

fn set_model(table: &mut dyn TableLike, model: &SavedModel) {
    if !model.is_same_server {
        list_settings_of_server().for_each(|key| drop(table.remove(key)));
    }
    // What a typed address speaks is found out, as it was when it was tried.
    set_in_place(table, "provider", "auto");
    set_in_place(table, "base_url", &model.base_url);
    set_in_place(table, "name", &model.name);
}

/// Sets a text, keeping the comment behind the value that stands there.
fn set_in_place(table: &mut dyn TableLike, key: &str, text: &str) {
    let mut fresh = value(text);
    if let (Some(old), Some(new)) = (
        table.get(key).and_then(Item::as_value),
        fresh.as_value_mut(),
    ) {
        *new.decor_mut() = old.decor().clone();
    }
    table.insert(key, fresh);
}

/// The file for the key: the one that holds the model's key already, else one that nothing else may need.
fn find_key_file(folder: &Path, table: &dyn TableLike) -> String {
    let named = table.get("api_key_file").and_then(Item::as_str);
    let mut names =
        std::iter::once(KEY_FILE.to_owned()).chain((2..).map(|at| format!("model-{at}.key")));
    names
        .find(|name| named == Some(name) || !folder.join(name).exists())
        .unwrap_or_else(|| KEY_FILE.to_owned())
}

#[cfg(test)]
#[path = "tests/unit/keep_model.rs"]
mod tests;
