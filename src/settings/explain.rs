//! Turns what a strict reader says about a value into words for the person who wrote it, with the nearest known
//! name. Never repeats a secret.

use super::check;
use kith_core::secret::is_secret_name;

/// Settings whose values are never shown, besides those whose names say so.
const SECRET_NAMES: [&str; 3] = ["headers", "proxy", "query"];
/// How alike (0 … 1) a known name must be to be suggested.
const LIKE_ENOUGH: f64 = 0.5;
/// The most known names that are listed where none is alike.
const NAMES_LISTED: usize = 12;

/// All whole numbers of TOML.
const WHOLE_NUMBERS: &str = "a whole number from -9223372036854775808 to 9223372036854775807";

/// Says what is wrong with the setting at `path` and how to mend it, from a serde error message.
pub fn explain(path: &[String], error: &str) -> (String, String) {
    let name = path.join(".");
    let error = error.trim_end();
    if error.starts_with("unknown field `token`")
        && path.first().is_some_and(|table| table == "discord")
    {
        let cure = "put it into the environment as DISCORD_TOKEN, or alone into a file that `discord.token_file` names; \
                    reset it if anybody may have seen it";
        return (
            "a token has no place in the settings, which are easily shown and shared".into(),
            cure.into(),
        );
    }
    if path.len() > 1 && path.first().is_some_and(|table| table == "secrets") {
        let name = path
            .iter()
            .take(2)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(".");
        let cure = "write { file = \"…\" } or { env = \"…\" }; the secret itself has no place here";
        return (
            format!("`{name}` does not say where the secret is"),
            cure.into(),
        );
    }
    if error.starts_with("unknown field ") {
        let known = extract_quoted(error);
        let (given, known) = known
            .split_first()
            .map_or(("", [].as_slice()), |(given, known)| (*given, known));
        let place = path
            .iter()
            .position(|part| part == given)
            .unwrap_or(path.len());
        return explain_unknown(&[&path[..place], &[given.to_string()]].concat(), known);
    }
    let is_secret = |part: &String| SECRET_NAMES.contains(&part.as_str()) || is_secret_name(part);
    let is_secret = path.iter().any(is_secret);
    if error.starts_with("unknown variant ") {
        let known = extract_quoted(error);
        let (given, known) = known
            .split_first()
            .map_or(("", [].as_slice()), |(given, known)| (*given, known));
        if is_secret {
            return (
                format!("`{name}` is of the wrong kind"),
                format!("write {}", join_alternatives(known)),
            );
        }
        return (
            format!("`{name}` cannot be \"{given}\""),
            format!("write {}", join_alternatives(known)),
        );
    }
    if let Some(field) = find_missing_field(path, error) {
        let last = field.rsplit('.').next().unwrap_or_default();
        return (
            format!("`{field}` is missing"),
            format!("add a line `{last} = …`"),
        );
    }
    let given_and_wanted = error
        .strip_prefix("invalid type: ")
        .or_else(|| error.strip_prefix("invalid value: "))
        .and_then(|rest| rest.rsplit_once(", expected "));
    if let Some((given, wanted)) = given_and_wanted {
        let cure = match find_limits(&name, given, wanted)
            .unwrap_or_else(|| self::describe_wanted(wanted))
        {
            "a table" => format!("write it as a table, under [{name}]"),
            wanted => format!("write {wanted}"),
        };
        if is_secret {
            return (format!("`{name}` is of the wrong kind"), cure);
        }
        return (format!("`{name}` is {}", self::describe_given(given)), cure);
    }
    if error == "integer number overflowed" {
        let cure = check::wanted(&name).unwrap_or(WHOLE_NUMBERS);
        return (
            format!("`{name}` is too large a number"),
            format!("write {cure}"),
        );
    }
    if error == "wanted string or table" {
        return (
            format!("`{name}` is not text"),
            "write one of its words in quotes; see kith.example.toml".into(),
        );
    }
    if error.starts_with("hours: ") {
        let cure = "write them like \"23:00-08:00\" or \"23:00-08:00 Europe/Berlin\"";
        return (format!("`{name}` cannot be used as {error}"), cure.into());
    }
    if error.contains("socket address") {
        return (
            format!("`{name}` is not an address"),
            "write an address like \"127.0.0.1:5484\"".into(),
        );
    }
    if error.contains("timezone") {
        return (
            format!("`{name}` is no time zone"),
            "write an IANA name like \"Europe/Berlin\"".into(),
        );
    }
    if name.is_empty() {
        return (
            format!("the file cannot be used: {error}"),
            "compare it with the example file".into(),
        );
    }
    (
        format!("`{name}` cannot be used: {error}"),
        "compare it with the example file".into(),
    )
}

/// What is wrong where a whole number stands that TOML has not.
pub fn explain_too_large(path: &[String], given: &str) -> (String, String) {
    explain(
        path,
        &format!("invalid value: integer `{given}`, expected i64"),
    )
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
        None if known.len() > NAMES_LISTED => "see kith.example.toml for all there are".to_string(),
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
fn find_limits(name: &str, given: &str, wanted: &str) -> Option<&'static str> {
    let of_type = match wanted {
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 9223372036854775807",
        "i64" | "any valid JSON value" => WHOLE_NUMBERS,
        "f32" => "a number",
        _ => return None,
    };
    given
        .starts_with("integer ")
        .then(|| check::wanted(name).unwrap_or(of_type))
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
