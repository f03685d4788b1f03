//! Turns what a strict reader says about a value into words for the person who wrote it, with the nearest known
//! name. Never repeats a secret.

use std::borrow::Cow;

use super::Settings;
use kith_core::secret::is_secret_name;
use kith_core::setting::{SettingShape, SettingType};

/// What tools send and what is never shown, besides that whose names say so.
const SECRET_NAMES: [&str; 2] = ["headers", "query"];
/// How alike (0 … 1) a known name must be to be suggested.
const LIKE_ENOUGH: f64 = 0.5;
/// The most known names that are listed where none is alike.
const NAMES_LISTED: usize = 12;

const WHOLE_NUMBERS: &str = "a whole number from -9223372036854775808 to 9223372036854775807";

/// Says what is wrong with the setting at `path` and how to mend it, from a serde error message.
pub fn explain(path: &[String], error: &str) -> (String, String) {
    let error = error.trim_end();
    let name = path.join(".");
    explain_misplaced_secret(path, error)
        .or_else(|| explain_unknown_field(path, error))
        .or_else(|| explain_unknown_variant(path, error))
        .or_else(|| explain_missing_field(path, error))
        .or_else(|| explain_wrong_type(path, error))
        .or_else(|| explain_wrong_form(&name, error))
        .unwrap_or_else(|| {
            let message = if name.is_empty() {
                format!("the file cannot be used: {error}")
            } else {
                format!("`{name}` cannot be used: {error}")
            };
            (message, "compare it with the example file".into())
        })
}

fn explain_misplaced_secret(path: &[String], error: &str) -> Option<(String, String)> {
    let table = path.first()?.as_str();
    if error.starts_with("unknown field `token`") && table == "discord" {
        let cure = "put it into the environment as DISCORD_TOKEN, or alone into a file that `discord.token_file` names; \
                    reset it if anybody may have seen it";
        return Some((
            "a token has no place in the settings, which are easily shown and shared".into(),
            cure.into(),
        ));
    }
    if path.len() > 1 && table == "secrets" {
        let cure = "write { file = \"…\" } or { env = \"…\" }; the secret itself has no place here";
        return Some((
            format!("`{table}.{}` does not say where the secret is", path[1]),
            cure.into(),
        ));
    }
    None
}

fn explain_unknown_field(path: &[String], error: &str) -> Option<(String, String)> {
    if !error.starts_with("unknown field ") {
        return None;
    }
    let (given, known) = split_given_and_known(error);
    // A table may hold a setting of its own name.
    let place = path.iter().rposition(|part| part == given);
    let place = &path[..place.unwrap_or(path.len())];
    Some(explain_unknown(
        &[place, &[given.to_string()]].concat(),
        &known,
    ))
}

fn explain_unknown_variant(path: &[String], error: &str) -> Option<(String, String)> {
    if !error.starts_with("unknown variant ") {
        return None;
    }
    let name = path.join(".");
    let (given, known) = split_given_and_known(error);
    let message = if is_secret_path(path) {
        format!("`{name}` is of the wrong kind")
    } else {
        format!("`{name}` cannot be \"{given}\"")
    };
    Some((message, format!("write {}", join_alternatives(&known))))
}

fn explain_missing_field(path: &[String], error: &str) -> Option<(String, String)> {
    let field = find_missing_field(path, error)?;
    let last = field.rsplit('.').next().unwrap_or_default();
    Some((
        format!("`{field}` is missing"),
        format!("add a line `{last} = …`"),
    ))
}

fn explain_wrong_type(path: &[String], error: &str) -> Option<(String, String)> {
    let (given, wanted) = error
        .strip_prefix("invalid type: ")
        .or_else(|| error.strip_prefix("invalid value: "))?
        .rsplit_once(", expected ")?;
    let name = path.join(".");
    let limits = find_limits(&name, given, wanted);
    let cure = match limits
        .unwrap_or_else(|| describe_wanted(wanted).into())
        .as_ref()
    {
        "a table" => format!("write it as a table, under [{name}]"),
        wanted => format!("write {wanted}"),
    };
    let message = if is_secret_path(path) {
        format!("`{name}` is of the wrong kind")
    } else {
        format!("`{name}` is {}", describe_given(given))
    };
    Some((message, cure))
}

/// Explains what a setting's own reader refuses: a number, a word, hours, an address or a time zone.
fn explain_wrong_form(name: &str, error: &str) -> Option<(String, String)> {
    let (message, cure) = if error == "integer number overflowed" {
        let numbers = find_declared_limits(name).unwrap_or_else(|| WHOLE_NUMBERS.into());
        let message = format!("`{name}` is too large a number");
        return Some((message, format!("write {numbers}")));
    } else if error == "wanted string or table" {
        (
            format!("`{name}` is not text"),
            "write one of its words in quotes; see SETTINGS.md",
        )
    } else if let Some(reason) = error.strip_prefix("key: ") {
        (
            format!("`{name}` cannot be searched for: {reason}"),
            "write a word, a phrase, or /an expression/ with none but the flags i, m and s",
        )
    } else if error.starts_with("hours: ") {
        (
            format!("`{name}` cannot be used as {error}"),
            "write them like \"23:00-08:00\" or \"23:00-08:00 Europe/Berlin\"",
        )
    } else if error.contains("socket address") {
        (
            format!("`{name}` is not an address"),
            "write an address like \"127.0.0.1:5484\"",
        )
    } else if error.contains("timezone") {
        (
            format!("`{name}` is no time zone"),
            "write an IANA name like \"Europe/Berlin\"",
        )
    } else {
        return None;
    };
    Some((message, cure.into()))
}

/// Whether the value at `path` must not be repeated.
pub fn is_secret_path(path: &[String]) -> bool {
    let is_declared = Settings::SHAPE.find(&path.join(".")).is_some_and(|field| {
        matches!(
            field.shape,
            SettingShape::Secret | SettingShape::Named(SettingShape::Secret)
        )
    });
    let is_named = |part: &String| SECRET_NAMES.contains(&part.as_str()) || is_secret_name(part);
    is_declared || path.iter().any(is_named)
}

/// The name that was given and those that would be known, from a serde message that lists them.
fn split_given_and_known(error: &str) -> (&str, Vec<&str>) {
    let mut names = extract_quoted(error).into_iter();
    (names.next().unwrap_or_default(), names.collect())
}

/// The dotted path of the setting that an error misses in the table at `path`, if that is what it says.
pub fn find_missing_field(path: &[String], error: &str) -> Option<String> {
    let field = error
        .trim_end()
        .strip_prefix("missing field ")?
        .trim_matches('`');
    Some([path, &[field.to_string()]].concat().join("."))
}

/// Says that there is no setting at `path`, and which of the names that `known` there it may be.
pub fn explain_unknown<S: AsRef<str>>(path: &[String], known: &[S]) -> (String, String) {
    let given = path.last().map_or("", String::as_str);
    let cure = match find_nearest(given, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "remove it".to_string(),
        None if known.len() > NAMES_LISTED => "see SETTINGS.md for all there are".to_string(),
        None => format!(
            "known here: {}",
            known
                .iter()
                .map(AsRef::as_ref)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    (format!("there is no setting `{}`", path.join(".")), cure)
}

/// The known name that is most like the given one, if one is like it at all.
pub fn find_nearest<'a, S: AsRef<str>>(given: &str, known: &'a [S]) -> Option<&'a str> {
    known
        .iter()
        .map(|name| {
            (
                strsim::normalized_damerau_levenshtein(given, name.as_ref()),
                name.as_ref(),
            )
        })
        .filter(|(like, _)| *like >= LIKE_ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The names a serde message puts in backquotes, in order: the given one first, then the known ones.
pub fn extract_quoted(error: &str) -> Vec<&str> {
    error.split('`').skip(1).step_by(2).collect()
}

fn join_alternatives(names: &[&str]) -> String {
    match names {
        [] => "something else".into(),
        [one] => format!("\"{one}\""),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|name| format!("\"{name}\"")).collect();
            format!("{} or \"{last}\"", first.join(", "))
        }
    }
}

fn describe_given(given: &str) -> String {
    match given {
        "sequence" => "a list".into(),
        "map" => "a table".into(),
        _ => match given.strip_prefix("string ") {
            Some(text) => text.into(),
            None => extract_quoted(given)
                .first()
                .map_or(given, |value| *value)
                .into(),
        },
    }
}

/// Between which numbers a whole number had to lie, where one was given and one is wanted.
fn find_limits(name: &str, given: &str, wanted: &str) -> Option<Cow<'static, str>> {
    let of_type = match wanted {
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 9223372036854775807",
        "i64" | "any valid JSON value" => WHOLE_NUMBERS,
        "f32" => "a number",
        _ => return None,
    };
    given
        .starts_with("integer ")
        .then(|| find_declared_limits(name).map_or(of_type.into(), Cow::from))
}

/// What the setting at `name` declares to be written, where that is a range.
fn find_declared_limits(name: &str) -> Option<String> {
    Settings::SHAPE.find(name)?.wanted()
}

fn describe_wanted(wanted: &str) -> &str {
    match wanted {
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "a boolean" => "true or false",
        "a string" => "text in quotes",
        "path string" => "a path in quotes",
        "a sequence" => "a list, in [ ]",
        "a map" => "a table",
        "an id: a whole number, or one in quotes" => "an id, a number like \"1234567890\"",
        "socket address" => "an address like \"127.0.0.1:5484\"",
        _ if wanted.starts_with("struct ") => "a table",
        other => other,
    }
}
