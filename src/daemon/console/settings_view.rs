//! The settings as they stand, each with where it comes from. No secret is among them: they are read into types that
//! show none, and whatever else holds one is taken out.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::daemon::state::Daemon;
use crate::settings::{SettingOrigin, Settings, is_secret_path};
use kith_room::{ConsoleAnswer, SettingOriginView, SettingView, SettingsView};

const HIDDEN: &str = "<redacted>";

impl Daemon {
    pub(super) fn show_settings(&self) -> ConsoleAnswer {
        let (settings, defaults) = (flatten(&self.settings), flatten(&Settings::default()));
        let settings = settings.into_iter().map(|(path, value)| SettingView {
            origin: self.find_setting_origin(&path, defaults.get(&path) == Some(&value)),
            value: self.hide_secrets(&path, value),
            path,
        });
        let warnings = self.settings.warnings.iter().map(ToString::to_string);
        ConsoleAnswer::Settings(SettingsView {
            file: self.settings_file.clone(),
            settings: settings.collect(),
            warnings: warnings.collect(),
        })
    }

    fn find_setting_origin(&self, path: &str, is_default: bool) -> SettingOriginView {
        match self.settings.origins.0.get(path) {
            Some(SettingOrigin::File(file, line)) => SettingOriginView::File {
                file: file.clone(),
                line: *line,
            },
            Some(SettingOrigin::Outside(name)) => SettingOriginView::Outside { name: name.clone() },
            None if is_default => SettingOriginView::Default {},
            None => SettingOriginView::Found {},
        }
    }

    fn hide_secrets(&self, path: &str, value: Value) -> Value {
        let parts: Vec<String> = path.split('.').map(String::from).collect();
        match value {
            Value::String(text) if text.is_empty() => Value::String(text),
            Value::Null => Value::Null,
            _ if is_secret_path(&parts) => HIDDEN.into(),
            value => self.redactor.redact_data(value),
        }
    }
}

/// Every setting by its dotted path; an empty table is a setting, too.
fn flatten(settings: &Settings) -> BTreeMap<String, Value> {
    let mut flat = BTreeMap::new();
    // What was read can be written.
    collect(
        "",
        serde_json::to_value(settings).unwrap_or_default(),
        &mut flat,
    );
    flat
}

/// A fraction as it was written: most settings keep fewer digits than a number of JSON shows.
fn shorten_fraction(value: Value) -> Value {
    let kept = value.as_f64().filter(|_| value.is_f64());
    match kept.map(|fraction| (fraction, fraction as f32)) {
        Some((fraction, short)) if f64::from(short) == fraction => {
            short.to_string().parse::<f64>().map_or(value, Value::from)
        }
        _ => value,
    }
}

fn collect(path: &str, value: Value, flat: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(table) if !table.is_empty() => {
            for (name, value) in table {
                let path = match path {
                    "" => name,
                    path => format!("{path}.{name}"),
                };
                collect(&path, value, flat);
            }
        }
        value => drop(flat.insert(path.to_owned(), shorten_fraction(value))),
    }
}
