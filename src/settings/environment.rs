//! The environment: read here and nowhere else, and the settings that its variables name, which stand above the files.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use chrono_tz::Tz;

use super::Settings;
use super::layers::SingleValue;
use super::problem::SettingProblem;
use super::secret_environment::add_hidden_variables;
use super::setting_errors;
use kith_core::setting::{SettingField, SettingRule, SettingShape, SettingType};
use kith_core::text_encoding::strip_wrapping;

const PREFIX: &str = "KITH__";

const NAMED_LIKE: &str = "write KITH__TABLE__NAME, for example KITH__MODEL__NAME";

/// Variables with one underscore that set nothing and are not meant to: they tell Kith's own tests what to run on.
const FOR_TESTS: [&str; 6] = [
    "KITH_AXE",
    "KITH_DISCORD_PROXY",
    "KITH_KILLS",
    "KITH_MCP_SERVER",
    "KITH_SHARED",
    "KITH_STORM",
];

/// The process's environment, without what is not UTF-8 text. It is read once: a part of it may come from standard input.
pub fn read_environment() -> BTreeMap<String, String> {
    static READ: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    READ.get_or_init(read_variables).clone()
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that reads the environment"
)]
fn read_variables() -> BTreeMap<String, String> {
    let own = std::env::vars_os();
    let mut all: BTreeMap<String, String> = own
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    add_hidden_variables(&mut all);
    // Of a setting's, quotes may be a part: it is written as in the file.
    let plain = all.iter_mut().filter(|(name, _)| !name.starts_with(PREFIX));
    plain.for_each(|(_, value)| *value = strip_wrapping(value).to_owned());
    all
}

/// The zone of the machine's clock: what `TZ` says, else what the system is set to; none where neither is known.
pub fn find_machine_zone(
    environment: &BTreeMap<String, String>,
    problems: &mut Vec<SettingProblem>,
) -> Option<Tz> {
    let named = environment.get("TZ").map(|named| named.trim());
    let Some(named) = named.filter(|named| !named.is_empty()) else {
        return iana_time_zone::get_timezone().ok()?.parse().ok();
    };
    let zone = parse_zone(named);
    if zone.is_none() {
        let message =
            format!("TZ is {named:?}, which names no time zone: the clock is that of UTC");
        let cure = "write a name such as TZ=Asia/Shanghai";
        problems.push(SettingProblem::error(message, cure).into_warning());
    }
    zone
}

/// A zone as `TZ` names one: by its name, by the path of its file, or by hours as POSIX has them. There `CST-8` is ahead
/// of UTC, as `Etc/GMT-8` is.
fn parse_zone(text: &str) -> Option<Tz> {
    let name = text.trim_start_matches(':');
    let name = name.rsplit_once("zoneinfo/").map_or(name, |(_, name)| name);
    let is_short_name = |c: char| c.is_ascii_alphabetic();
    let hours = match name.split_once('>') {
        Some((_, hours)) => hours,
        None => name.trim_start_matches(is_short_name),
    };
    let sign = if hours.starts_with(['+', '-']) {
        ""
    } else {
        "+"
    };
    let by_hours = || format!("Etc/GMT{sign}{hours}").parse().ok();
    name.parse().ok().or_else(by_hours)
}

/// The settings that the environment names, weakest first.
pub fn collect_environment_values(
    environment: &BTreeMap<String, String>,
    problems: &mut Vec<SettingProblem>,
) -> Vec<SingleValue> {
    let mut singles = Vec::new();
    for (name, path) in list_known_variables() {
        if let Some(text) = environment.get(name).filter(|text| !text.trim().is_empty()) {
            singles.push(SingleValue {
                source: name.into(),
                path,
                text: text.clone(),
            });
        }
    }
    for (name, text) in environment {
        let Some(rest) = name.strip_prefix(PREFIX) else {
            problems.extend(warn_unknown_variable(name));
            continue;
        };
        let path = rest.to_ascii_lowercase().replace("__", ".");
        if rest.contains('.') || path.split('.').any(str::is_empty) {
            problems.push(SettingProblem::error(
                format!("{name}: this names no setting"),
                NAMED_LIKE,
            ));
            continue;
        }
        singles.push(SingleValue {
            source: name.clone(),
            path,
            text: text.clone(),
        });
    }
    singles
}

/// The settings that are one value and no more, with their paths: those that a variable can set.
fn list_single_settings() -> Vec<(String, &'static SettingField)> {
    let mut singles = Vec::new();
    Settings::SHAPE.list("", &mut |path, field| {
        let is_list = matches!(field.shape, SettingShape::List(_) | SettingShape::Named(_));
        if !is_list && !path.contains(".NAME.") && !field.has(SettingRule::Outside) {
            singles.push((path, field));
        }
    });
    singles
}

/// Variables that other programs know as well, and the short ones of our own, with the settings they stand for; weaker
/// than `KITH__…`. The key's variable is named by `model.api_key_env`.
fn list_known_variables() -> impl Iterator<Item = (&'static str, String)> {
    let singles = list_single_settings().into_iter();
    singles.filter_map(|(path, field)| Some((field.variable()?, path)))
}

/// A warning where `name` looks like a variable of ours and is none, with the one that is most like it.
fn warn_unknown_variable(name: &str) -> Option<SettingProblem> {
    let rest = name
        .strip_prefix("KITH_")?
        .to_ascii_lowercase()
        .replace("__", "_");
    if FOR_TESTS.contains(&name) || list_known_variables().any(|(known, _)| known == name) {
        return None;
    }
    let singles = list_single_settings().into_iter();
    let paths: Vec<String> = singles.map(|(path, _)| path).collect();
    let spelled: Vec<String> = paths.iter().map(|path| path.replace('.', "_")).collect();
    let is_last = |path: &str| path.rsplit('.').next() == Some(&rest);
    let nearest = setting_errors::find_nearest(&rest, &spelled);
    let meant = paths.iter().find(|path| is_last(path)).or_else(|| {
        let mut both = paths.iter().zip(&spelled);
        both.find(|(_, spelled)| Some(spelled.as_str()) == nearest)
            .map(|(path, _)| path)
    });
    let cure = match meant {
        Some(path) => format!(
            "did you mean `{PREFIX}{}`?",
            path.replace('.', "__").to_ascii_uppercase()
        ),
        None => NAMED_LIKE.into(),
    };
    Some(SettingProblem::error(format!("{name} sets nothing"), cure).into_warning())
}
