//! What is wrong with the further models and with who does what.

use std::collections::BTreeSet;

use super::Settings;
use super::layers::SettingOrigins;
use super::problem::SettingProblem;
use super::tables::SettingsOverride;
use kith_core::setting::SettingRule;
use kith_model::{ModelRole, Provider};

/// Everything that is wrong with `[models.NAME]` and `[roles]`.
pub fn check(settings: &Settings, origins: &SettingOrigins) -> Vec<SettingProblem> {
    let mut problems = Vec::new();
    for value in settings.values() {
        let key = &value.path;
        if value.field.has(SettingRule::OfPrompt)
            && key.starts_with("models.")
            && origins.0.contains_key(key)
        {
            let message = format!("`{key}` would need a prompt of its own");
            let cure = "remove it: what [model] says holds for all";
            problems.push(origins.make_problem(key, message, cure));
        }
    }
    for (role, names) in settings.roles.entries() {
        problems.append(&mut check_role(settings, origins, role, names));
        problems.append(&mut check_unused(settings, origins, role, names));
    }
    let used = settings.used_models();
    if settings.budget.has_cost_limit() {
        let further_models = used
            .iter()
            .filter_map(|name| Some((format!("models.{name}"), settings.models.get(*name)?)));
        for (path, model) in
            std::iter::once(("model".to_owned(), &settings.model)).chain(further_models)
        {
            if model.price.is_none() {
                let message = format!(
                    "money is limited, and `{path}.price` is not set, so that [{path}] counts as free"
                );
                let cure = "write price = { prompt = …, completion = … } for a million tokens; zeros where it is free";
                problems.push(origins.make_problem(&path, message, cure).into_warning());
            }
        }
    }
    if settings.budget.has_cost_limit() {
        problems.append(&mut check_named_models(settings, origins));
    }
    for name in settings
        .models
        .keys()
        .filter(|name| !used.contains(name.as_str()))
    {
        let path = format!("models.{name}");
        let message = format!("no role asks [{path}]");
        problems.push(
            origins
                .make_problem(
                    &path,
                    message,
                    format!("name it in roles: chat = [\"{name}\"]"),
                )
                .into_warning(),
        );
    }
    problems
}

/// What is wrong with the list of a role.
fn check_role(
    settings: &Settings,
    origins: &SettingOrigins,
    role: ModelRole,
    names: &[String],
) -> Vec<SettingProblem> {
    let (mut problems, mut seen) = (Vec::new(), BTreeSet::new());
    let list = format!("roles.{}", role.name());
    for (index, name) in names.iter().enumerate() {
        let place = format!("{list}.{index}");
        let known = settings.models.get(name);
        let wrong = if known.is_none() {
            let cure = format!("write a table [models.{name}], or correct the name");
            (
                format!("`{list}` names \"{name}\", and there is no [models.{name}]"),
                cure,
            )
        } else if !seen.insert(name) {
            (
                format!("`{list}` names \"{name}\" twice"),
                "name each model once".to_owned(),
            )
        } else if role == ModelRole::Vision
            && known.is_some_and(|model| model.vision == Some(false))
        {
            let message = format!("`{list}` names \"{name}\", and `models.{name}.vision` is false");
            (message, "name a model that can see".to_owned())
        } else if role == ModelRole::Embedding && index > 0 {
            let message = format!(
                "`{list}` names more than one model, and vectors of two have nothing to do with each other"
            );
            (message, "name one model".to_owned())
        } else if let Some(provider) = known
            .map(|model| model.resolve_provider())
            .filter(|provider| role == ModelRole::Embedding && !provider.can_embed())
        {
            let message = format!(
                "`{list}` names \"{name}\", and {} makes no vectors in a way that is known here",
                provider.title()
            );
            let cure = "name a model of OpenAI's kind or of Ollama".to_owned();
            (message, cure)
        } else {
            continue;
        };
        problems.push(origins.make_problem(&place, wrong.0, wrong.1));
    }
    problems
}

/// Models of a role that would be passed over without a word.
fn check_unused(
    settings: &Settings,
    origins: &SettingOrigins,
    role: ModelRole,
    names: &[String],
) -> Vec<SettingProblem> {
    let list = format!("roles.{}", role.name());
    let prompt = settings.compute_context_budget(None).prompt_tokens;
    let wrong = names.iter().enumerate().filter_map(|(index, name)| {
        let model = settings.models.get(name)?;
        let (all, place) = (model.wanted_context(), format!("{list}.{index}"));
        if model.provider == Provider::None {
            let message =
                format!("`{list}` names \"{name}\", and `models.{name}.provider` is \"none\": it is never asked");
            return Some(
                origins.make_problem(&place, message, "name a model that there is, or remove it").into_warning(),
            );
        }
        let room = all.saturating_sub(model.max_tokens.min(all / 2));
        let known = model.context_tokens.is_some() || model.resolve_provider() == Provider::Ollama;
        if role == ModelRole::Chat && known && room < prompt {
            let message = format!(
                "`{list}` names \"{name}\", which holds {all} tokens, and a longer prompt than {room} passes it over; \
                 prompts have up to {prompt}"
            );
            let cure = format!("set models.{name}.context_tokens to what it holds, or context.prompt_tokens to {room}");
            return Some(origins.make_problem(&place, message, cure).into_warning());
        }
        None
    });
    wrong.collect()
}

/// Models that guilds and channels name and of which nobody has said what they cost.
fn check_named_models(settings: &Settings, origins: &SettingOrigins) -> Vec<SettingProblem> {
    let find_model = |table: &'static str| {
        move |(id, layer): (&String, &SettingsOverride)| {
            Some((format!("{table}.{id}.model"), layer.model.clone()?))
        }
    };
    let named = settings
        .guild
        .iter()
        .filter_map(find_model("guild"))
        .chain(settings.channel.iter().filter_map(find_model("channel")));
    let is_known = |name: &str| {
        name == settings.model.name
            || settings
                .models
                .iter()
                .any(|(key, model)| key == name || model.name == name)
    };
    let unknown = named.filter(|(_, name)| !name.is_empty() && !is_known(name));
    unknown
        .map(|(path, name)| {
            let message = format!(
                "money is limited, and \"{name}\" of `{path}` counts at the price of [model]"
            );
            let cure = format!("write a table [models.NAME] with name = \"{name}\" and its price");
            origins.make_problem(&path, message, cure).into_warning()
        })
        .collect()
}
