//! What is wrong with `[web]`, and with lists of tools that want a search where none is configured.

use super::Settings;
use super::layers::SettingOrigins;
use super::problem::SettingProblem;
use super::tables::SettingsOverride;
use kith_tools::{SearchKind, WEB_SEARCH};

/// Everything that is wrong with them.
pub fn check(settings: &Settings, origins: &SettingOrigins) -> Vec<SettingProblem> {
    let Some(search) = &settings.web.search else {
        return check_unconfigured(settings, origins);
    };
    let mut problems = Vec::new();
    if let Some((wrong, cure)) = settings.web.find_search_problem() {
        problems.push(make_search_problem(
            origins,
            "url",
            format!("`web.search.url` {wrong}"),
            cure,
        ));
    }
    let key = &search.key;
    if key.is_empty() && search.kind == SearchKind::Brave {
        let cure = "name it under [secrets] and write key = \"NAME\"";
        problems.push(make_search_problem(
            origins,
            "key",
            "`web.search.key` is missing, and Brave wants one".to_owned(),
            cure,
        ));
    } else if !key.is_empty() && !settings.secrets.contains_key(key) {
        // It is not repeated: it may be the key itself.
        let message = "`web.search.key` names a secret that [secrets] does not have".to_owned();
        let cure = "write NAME = { file = … } under [secrets] and that name here; the key itself has no place here";
        problems.push(make_search_problem(origins, "key", message, cure));
    }
    problems
}

/// A problem with a setting of the search, on its line or on that of its table.
fn make_search_problem(
    origins: &SettingOrigins,
    name: &str,
    message: String,
    cure: impl Into<String>,
) -> SettingProblem {
    let path = format!("web.search.{name}");
    let path = if origins.0.contains_key(&path) {
        &path
    } else {
        "web.search"
    };
    origins.make_problem(path, message, cure)
}

/// The lists that name the search although there is none.
fn check_unconfigured(settings: &Settings, origins: &SettingOrigins) -> Vec<SettingProblem> {
    let find_tools = |table: &'static str| {
        move |(id, differs): (&String, &SettingsOverride)| {
            Some((format!("{table}.{id}.tools"), differs.tools.clone()?))
        }
    };
    let lists = std::iter::once(("tools".to_owned(), settings.tools.clone()))
        .chain(settings.guild.iter().filter_map(find_tools("guild")))
        .chain(settings.channel.iter().filter_map(find_tools("channel")));
    let named = lists.filter_map(|(path, list)| {
        let index = list.iter().position(|name| name == WEB_SEARCH)?;
        let message = format!("`{path}` names \"{WEB_SEARCH}\", and there is nobody to ask");
        let cure = "write a table [web.search]; until then it is left out";
        Some(
            origins
                .make_problem(&format!("{path}.{index}"), message, cure)
                .into_warning(),
        )
    });
    named.collect()
}
