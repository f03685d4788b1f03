//! Who is asked for what: the model of the chat, those that stand in for it, those that look at pictures, and those that
//! single channels have. Each further model is resolved once, so that it has one breaker whatever it is asked for.

use std::collections::BTreeMap;

use super::Model;
use super::selection::{ModelSelection, resolve_model};
use super::settings::{ModelRoles, ModelSettings};
use kith_core::policy::OutputProtocol;
use kith_language::model_faults;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSet {
    pub first: ModelSettings,
    /// The further ones, by the host's names.
    pub further: BTreeMap<String, ModelSettings>,
    pub roles: ModelRoles,
}

/// Chooses all models. One that cannot be asked is left out, and `problem` says why; where that is the first of the chat,
/// the next takes its place.
pub async fn resolve_all(model_set: &ModelSet) -> ModelSelection {
    let mut selection = resolve_model(&model_set.first).await;
    for (name, settings) in &model_set.further {
        let next = resolve_model(settings).await;
        selection.problem = selection.problem.or(next.problem);
        if !next.model.is_demo() {
            selection
                .further
                .insert(name.clone(), (next.model, next.line));
        }
    }
    for (model, line) in model_set
        .roles
        .chat
        .iter()
        .filter_map(|name| selection.further.get(name))
    {
        if selection.model.is_demo() {
            (selection.model, selection.line) = (model.clone(), line.clone());
        } else {
            selection.line = model_faults::model_then(model.host(), &selection.line, model.name());
            selection.fallbacks.push(model.clone());
        }
    }
    let find_models = |names: &[String]| -> Vec<Model> {
        names
            .iter()
            .filter_map(|name| Some(selection.further.get(name)?.0.clone()))
            .collect()
    };
    let roles = &model_set.roles;
    (
        selection.vision_models,
        selection.summary_models,
        selection.judge_models,
    ) = (
        find_models(&roles.vision),
        find_models(&roles.summary),
        find_models(&roles.judge),
    );
    selection.embedding_model = find_models(&roles.embedding).into_iter().next();
    if model_set.first.protocol == OutputProtocol::Native {
        let chat_models = std::iter::once(&selection.model).chain(&selection.fallbacks);
        let cannot = chat_models
            .filter(|model| !model.can_call_tools())
            .map(Model::describe_missing_tool_calls)
            .next();
        selection.problem = selection.problem.or(cannot);
    }
    selection
}

impl ModelSelection {
    /// The model a channel names: a further one, by the host's name for it or by its server's where that is the server of
    /// the chat; else another of that server, at the price of the chat's.
    pub fn named(&self, name: &str) -> Model {
        let is_named_model =
            |model: &&Model| model.name() == name && model.host() == self.model.host();
        let find_by_server = || {
            self.further
                .values()
                .map(|(model, _)| model)
                .find(is_named_model)
        };
        let known = self
            .further
            .get(name)
            .map(|(model, _)| model)
            .or_else(find_by_server);
        known.cloned().unwrap_or_else(|| self.model.named(name))
    }

    /// Who sums up what was said in a channel that names this model, in this order: the models of the role, else those
    /// that answer there. The stand-in cannot.
    pub fn for_summaries(&self, name: Option<&str>) -> Vec<Model> {
        let mut models = self.summary_models.clone();
        if models.is_empty() {
            models.push(name.map_or_else(|| self.model.clone(), |name| self.named(name)));
            models.extend(self.fallbacks.iter().cloned());
        }
        models.retain(|model| !model.is_demo());
        models
    }

    /// The hosts that may see what is said, or shown, in a channel that names this model: each once.
    pub fn hostnames(&self, name: Option<&str>) -> String {
        let first = name.map_or_else(|| self.model.clone(), |name| self.named(name));
        let mut hostnames: Vec<&str> = Vec::new();
        let others = self
            .fallbacks
            .iter()
            .chain(&self.vision_models)
            .chain(&self.summary_models)
            .chain(&self.judge_models)
            .chain(&self.embedding_model);
        for model in std::iter::once(&first).chain(others) {
            if !hostnames.contains(&model.host()) {
                hostnames.push(model.host());
            }
        }
        hostnames.join(", ")
    }
}
