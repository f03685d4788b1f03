//! What is wrong with `[web]`, and with lists of tools that want a search where none is configured.

use super::Settings;
use super::layers::ProblemList;
use kith_core::setting::{SettingData, SettingRule};
use kith_tools::{SearchKind, WEB_SEARCH};

pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    let Some(search) = &settings.web.search else {
        return check_unconfigured(settings, problems);
    };
    // On its line or on that of its table.
    let find_place = |problems: &ProblemList<'_>, path: &'static str| {
        let is_set = problems.origins.0.contains_key(path);
        if is_set { path } else { "web.search" }
    };
    if let Some((wrong, cure)) = settings.web.find_search_problem() {
        let place = find_place(problems, "web.search.url");
        problems.error(place, format!("`web.search.url` {wrong}"), cure);
    }
    let (key, place) = (&search.key, find_place(problems, "web.search.key"));
    if key.is_empty() && search.kind == SearchKind::Brave {
        let cure = "name it under [secrets] and write key = \"NAME\"";
        problems.error(
            place,
            "`web.search.key` is missing, and Brave wants one",
            cure,
        );
    } else if !key.is_empty() && !settings.secrets.contains_key(key) {
        // It is not repeated: it may be the key itself.
        let message = "`web.search.key` names a secret that [secrets] does not have";
        let cure = "write NAME = { file = … } under [secrets] and that name here; the key itself has no place here";
        problems.error(place, message, cure);
    }
}

/// The lists that name the search although there is none.
fn check_unconfigured(settings: &Settings, problems: &mut ProblemList<'_>) {
    for value in settings.values() {
        if value.field.has(SettingRule::ToolNames)
            && matches!(value.data, SettingData::Text(WEB_SEARCH))
        {
            let list = value.list_path();
            let message = format!("`{list}` names \"{WEB_SEARCH}\", and there is nobody to ask");
            let cure = "write a table [web.search]; until then it is left out";
            problems.warn(&value.path, message, cure);
        }
    }
}
