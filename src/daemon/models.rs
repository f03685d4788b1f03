//! Which model answers now, what the page is told of it, and changing it while running.

use tokio::sync::mpsc;

use super::requests::{Reply, reply};
use super::{Daemon, Inner};
use crate::clock;
use crate::core::event::BudgetState;
use crate::model::{Chosen, ModelSettings, Provider, Secret, list_models, resolve, test_model};
use crate::platform::room::{Answer, Endpoint, Live, ModelChoice, ModelState, Refused};

impl Daemon {
    /// The model and the budget as the page shows them.
    pub(super) fn model_state(&mut self) -> ModelState {
        let now = clock::now();
        let model = &self.chosen.model;
        let trouble = match self.budget_state {
            BudgetState::Hard => Some("The daily token budget is spent.".to_owned()),
            BudgetState::Open | BudgetState::Soft => self.chosen.problem.clone(),
        };
        ModelState {
            name: model.name().to_owned(),
            url: model.host().to_owned(),
            stand_in: model.is_stand_in(),
            tokens_today: self.budget.spent(now),
            daily_cap: Some(self.budget.cap()),
            trouble,
        }
    }

    pub(super) fn tell_model(&mut self) {
        let state = self.model_state();
        self.tell(Live::Model(state));
    }

    /// From now on another model answers; running turns keep theirs.
    pub(super) fn use_model(&mut self, chosen: Chosen, to: Option<Reply>) {
        tracing::info!("{}", chosen.line);
        self.chosen = chosen;
        self.resettle();
        self.tell_model();
        if let Some(to) = to {
            reply(to, Ok(Answer::Done {}));
        }
    }
}

/// The settings a person's choice in the page stands for; everything but address, key and name stays as it is set.
fn chosen_settings(settings: &ModelSettings, choice: &ModelChoice) -> ModelSettings {
    ModelSettings {
        provider: Provider::Auto,
        base_url: choice.url.clone(),
        name: choice.model.clone(),
        api_key: Secret::new(&choice.key.0),
        api_key_file: None,
        ..settings.clone()
    }
}

/// The names of the models at an address.
pub(super) async fn names(endpoint: Endpoint) -> Result<Answer, Refused> {
    let offer = list_models(&endpoint.url, &Secret::new(&endpoint.key.0)).await;
    offer.map(|offer| Answer::Models { models: offer.models }).map_err(|failure| Refused::failed(failure.message))
}

/// One short question to a model.
pub(super) async fn test(settings: ModelSettings, choice: ModelChoice) -> Result<Answer, Refused> {
    let tested = test_model(&chosen_settings(&settings, &choice)).await;
    tested
        .map(|tested| Answer::Tested {
            milliseconds: i64::try_from(tested.total.as_millis()).unwrap_or(i64::MAX),
            said: tested.text,
        })
        .map_err(|failure| Refused::failed(failure.message))
}

/// Chooses a model; the loop takes it over and answers.
pub(super) async fn choose(settings: ModelSettings, choice: ModelChoice, inner: mpsc::Sender<Inner>, to: Reply) {
    let chosen = resolve(&chosen_settings(&settings, &choice)).await;
    if let Some(problem) = chosen.problem {
        return reply(to, Err(Refused::failed(problem)));
    }
    // Dropped when the daemon stops, and so is the way back: the page is told that it is stopping.
    let _ = inner.send(Inner::Chosen(Box::new(chosen), Some(to))).await;
}
