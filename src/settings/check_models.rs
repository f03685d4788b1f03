//! What is wrong with the further models and with who does what.

use std::collections::BTreeSet;

use super::Settings;
use super::layers::ProblemList;
use kith_core::setting::SettingRule;
use kith_model::{ModelRole, Provider};

/// Everything that is wrong with `[models.NAME]` and `[roles]`.
pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    for value in settings.values() {
        let key = &value.path;
        if value.field.has(SettingRule::OfPrompt)
            && key.starts_with("models.")
            && problems.origins.0.contains_key(key)
        {
            let message = format!("`{key}` would need a prompt of its own");
            let cure = "remove it: what [model] says holds for all";
            problems.error(key, message, cure);
        }
    }
    for (role, names) in settings.roles.entries() {
        check_role(settings, role, names, problems);
        check_unused(settings, role, names, problems);
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
                problems.warn(&path, message, cure);
            }
        }
    }
    if settings.budget.has_cost_limit() {
        check_named_models(settings, problems);
    }
    for name in settings
        .models
        .keys()
        .filter(|name| !used.contains(name.as_str()))
    {
        let path = format!("models.{name}");
        let message = format!("no role asks [{path}]");
        problems.warn(
            &path,
            message,
            format!("name it in roles: chat = [\"{name}\"]"),
        );
    }
}

fn check_role(
    settings: &Settings,
    role: ModelRole,
    names: &[String],
    problems: &mut ProblemList<'_>,
) {
    let mut seen = BTreeSet::new();
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
        problems.error(&place, wrong.0, wrong.1);
    }
}

/// Models of a role that would be passed over without a word.
fn check_unused(
    settings: &Settings,
    role: ModelRole,
    names: &[String],
    problems: &mut ProblemList<'_>,
) {
    let list = format!("roles.{}", role.name());
    let prompt = settings.compute_context_budget(None).prompt_tokens;
    for (index, name) in names.iter().enumerate() {
        let Some(model) = settings.models.get(name) else {
            continue;
        };
        let (all, place) = (model.wanted_context(), format!("{list}.{index}"));
        let room = all.saturating_sub(model.max_tokens.min(all / 2));
        let known = model.context_tokens.is_some() || model.resolve_provider() == Provider::Ollama;
        if model.provider == Provider::None {
            let message = format!(
                "`{list}` names \"{name}\", and `models.{name}.provider` is \"none\": it is never asked"
            );
            problems.warn(&place, message, "name a model that there is, or remove it");
        } else if role == ModelRole::Chat && known && room < prompt {
            let message = format!(
                "`{list}` names \"{name}\", which holds {all} tokens, and a longer prompt than {room} passes it over; \
                 prompts have up to {prompt}"
            );
            let cure = format!(
                "set models.{name}.context_tokens to what it holds, or context.prompt_tokens to {room}"
            );
            problems.warn(&place, message, cure);
        }
    }
}

/// Models that guilds and channels name and of which nobody has said what they cost.
fn check_named_models(settings: &Settings, problems: &mut ProblemList<'_>) {
    let is_known = |name: &str| {
        let mut models = settings.models.iter();
        name == settings.model.name || models.any(|(key, model)| key == name || model.name == name)
    };
    for (path, layer) in settings.overrides() {
        let named = layer.model.as_deref();
        if let Some(name) = named.filter(|name| !name.is_empty() && !is_known(name)) {
            let path = format!("{path}.model");
            let message = format!(
                "money is limited, and \"{name}\" of `{path}` counts at the price of [model]"
            );
            let cure = format!("write a table [models.NAME] with name = \"{name}\" and its price");
            problems.warn(&path, message, cure);
        }
    }
}
