//! Checks what a value must be besides its type: its range, and the few rules that are not ranges.

use super::Settings;
use super::layers::SettingOrigins;
use super::problem::SettingProblem;
use super::ranges::{RANGES, describe_value};
use super::text_checks;
use kith_core::talkativeness::{self, Talkativeness};

type TextGetter = fn(&Settings) -> &str;

/// The texts that are shown, sent or compared in one line.
const LINES: &[(&str, TextGetter)] = &[
    ("model.base_url", |s| &s.model.base_url),
    ("model.ollama_host", |s| &s.model.ollama_host),
    ("model.name", |s| &s.model.name),
    ("model.api_key_env", |s| &s.model.api_key_env),
    ("model.keep_alive", |s| &s.model.keep_alive),
    ("reactions.asleep", |s| &s.reactions.asleep),
    ("reactions.failure", |s| &s.reactions.failure),
    ("reactions.paused", |s| &s.reactions.paused),
    ("reactions.quiet", |s| &s.reactions.quiet),
];

/// Everything that is wrong with the values of `settings`.
pub fn check(settings: &Settings, origins: &SettingOrigins) -> Vec<SettingProblem> {
    let mut problems: Vec<SettingProblem> = RANGES
        .iter()
        .filter_map(|range| {
            let value = (range.read)(settings)?;
            let problem = || {
                origins.make_problem(
                    range.path,
                    describe_value(range.path, value),
                    format!("write {}", range.wanted),
                )
            };
            (!value.is_within(range.from, range.to)).then(problem)
        })
        .collect();
    problems.extend(check_talkativeness(
        "talkativeness",
        Some(settings.talkativeness),
        &|path, message, cure| origins.make_problem(path, message, cure),
    ));
    problems.extend(LINES.iter().filter_map(|(path, of)| {
        let (wrong, cure) = text_checks::check_one_line(of(settings))?;
        Some(origins.make_problem(path, format!("`{path}` {wrong}"), cure))
    }));
    let pages = [
        ("room.listen", Some(settings.room.listen)),
        ("console.listen", settings.console.listen),
    ];
    for (path, listen) in pages {
        let Some(listen) = listen.filter(|listen| !listen.ip().is_loopback()) else {
            continue;
        };
        let message = format!("`{path}` is {listen}, which other machines can reach");
        let cure = "what the page says is not encrypted, so write a loopback address like \"127.0.0.1:5484\", and reach it \
                    from elsewhere through an SSH tunnel";
        problems.push(origins.make_problem(path, message, cure));
    }
    if let Some(listen) = settings
        .metrics
        .listen
        .filter(|listen| !listen.ip().is_loopback())
    {
        let message = format!("`metrics.listen` is {listen}, which other machines can reach");
        let cure = "anybody who reaches it can read it, so write a loopback address like \"127.0.0.1:9464\", and have a \
                    collector on this machine fetch it";
        problems.push(origins.make_problem("metrics.listen", message, cure));
    }
    let url = &settings.model.base_url;
    if !url.is_empty()
        && !reqwest::Url::parse(url)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    {
        let message = "`model.base_url` is not an http address".to_string();
        problems.push(origins.make_problem(
            "model.base_url",
            message,
            "write it like \"https://api.openai.com/v1\"",
        ));
    }
    problems
}

/// What is wrong with a talkativeness, made a problem by `problem` of its path, the message and the cure.
pub fn check_talkativeness(
    path: &str,
    value: Option<Talkativeness>,
    problem: &dyn Fn(&str, String, String) -> SettingProblem,
) -> Option<SettingProblem> {
    let value = value.filter(|value| !value.is_valid())?;
    Some(problem(
        path,
        format!("`{path}` is {value}"),
        format!("write {}", talkativeness::WANTED),
    ))
}
