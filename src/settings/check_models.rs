//! What is wrong with the further models and with who does what.

use std::collections::BTreeSet;

use super::Settings;
use super::check;
use super::layers::Origins;
use super::problem::Problem;

/// Settings of `[model]` that one prompt has for all models that may get it.
const OF_THE_PROMPT: [&str; 2] = ["protocol", "profile"];

/// Everything that is wrong with `[models.NAME]` and `[roles]`.
pub fn check(settings: &Settings, origins: &Origins) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, model) in &settings.models {
        let path = format!("models.{name}");
        // What holds for the one model holds for the others.
        let alone = Settings { model: model.clone(), ..Settings::default() };
        let own = origins.0.iter().filter_map(|(of, origin)| {
            Some((format!("model.{}", of.strip_prefix(&path)?.strip_prefix('.')?), origin.clone()))
        });
        let mut wrong = check::check(&alone, &Origins(own.collect()));
        wrong.iter_mut().for_each(|problem| {
            problem.message = problem.message.replace("`model.", &format!("`{path}."));
        });
        problems.append(&mut wrong);
        for key in OF_THE_PROMPT.map(|key| format!("{path}.{key}")) {
            if origins.0.contains_key(&key) {
                let message = format!("`{key}` would need a prompt of its own");
                problems.push(origins.problem(&key, message, "remove it: what [model] says holds for all"));
            }
        }
    }
    let mut used = BTreeSet::new();
    for (index, name) in settings.roles.chat.iter().enumerate() {
        let place = format!("roles.chat.{index}");
        if !settings.models.contains_key(name) {
            let message = format!("`roles.chat` names \"{name}\", and there is no [models.{name}]");
            problems.push(origins.problem(
                &place,
                message,
                format!("write a table [models.{name}], or correct the name"),
            ));
        } else if !used.insert(name) {
            let message = format!("`roles.chat` names \"{name}\" twice");
            problems.push(origins.problem(&place, message, "name each model once"));
        }
    }
    if settings.budget.counts_money() {
        let spares =
            settings.roles.chat.iter().filter_map(|name| Some((format!("models.{name}"), settings.models.get(name)?)));
        for (path, model) in std::iter::once(("model".to_owned(), &settings.model)).chain(spares) {
            if model.price.is_none() {
                let message =
                    format!("money is limited, and `{path}.price` is not set, so that [{path}] counts as free");
                let cure = "write price = { prompt = …, completion = … } for a million tokens; zeros where it is free";
                problems.push(origins.problem(&path, message, cure).warning());
            }
        }
    }
    for name in settings.models.keys().filter(|name| !used.contains(name)) {
        let path = format!("models.{name}");
        let message = format!("no role asks [{path}]");
        problems.push(origins.problem(&path, message, format!("name it in roles: chat = [\"{name}\"]")).warning());
    }
    problems
}
