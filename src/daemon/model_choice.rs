//! Which model answers now, what the page is told of it, and changing it while running.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::listener::ListenerKind;
use super::loop_message::LoopMessage;
use super::model_event::{ModelChoiceEvent, ModelTestResult};
use super::reply::{RequestReply, reply};
use super::state::Daemon;
use kith_core::context::TokenEstimator;
use kith_core::event::BudgetState;
use kith_language::daemon;
use kith_model::{
    ModelSelection, ModelSettings, Provider, Secret, list_models, resolve_model, test_model,
};
use kith_observe::CardSeverity;
use kith_room::{EndpointRequest, LiveEvent, ModelChoice, ModelState, RequestRefusal, RoomAnswer};
use kith_system::clock;

/// The line that says at the start which model answers; the stand-in answers in the room only.
pub(super) fn format_model_line(selection: &ModelSelection, place: &ListenerKind) -> String {
    match place {
        ListenerKind::Discord { .. } if selection.model.is_demo() => "Model: none.".into(),
        _ => selection.line.clone(),
    }
}

impl Daemon {
    /// The model and the budget as the page shows them.
    pub(super) fn model_state(&self) -> ModelState {
        let now = clock::now();
        let selection = self.model_calls.selection();
        let model = &selection.model;
        let trouble = match self.model_calls.budget_state() {
            BudgetState::Hard => Some("The daily budget is spent.".to_owned()),
            BudgetState::Open | BudgetState::Soft => selection.problem.clone(),
        };
        let is_known = self.model_calls.is_model_known();
        ModelState {
            name: if is_known {
                model.name()
            } else {
                "looking for a model…"
            }
            .to_owned(),
            url: model.host().to_owned(),
            stand_in: is_known && model.is_demo(),
            tokens_today: self.model_calls.spending_today(now).tokens,
            daily_cap: Some(self.model_calls.caps().0),
            trouble,
        }
    }

    pub(super) fn publish_model_state(&self) {
        let state = self.model_state();
        self.send_live_event(LiveEvent::Model(state));
    }

    /// Takes the model over that is still looked for; until then model calls are held back.
    pub(super) fn wait_for_model(&self, looking: JoinHandle<ModelSelection>) {
        let (settings, loop_sender) = (self.settings.model.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            let selection = match looking.await {
                Ok(selection) => selection,
                Err(_) => {
                    // The turns that wait must not wait for ever.
                    let problem = Some(
                        "The search for a model failed inside; choose one in the page.".to_owned(),
                    );
                    ModelSelection {
                        problem,
                        ..build_placeholder_selection(&settings).await
                    }
                }
            };
            let _ = loop_sender
                .send(LoopMessage::Model(Box::new(ModelChoiceEvent::Found(
                    selection,
                ))))
                .await;
        });
    }

    pub(super) fn handle_model_event(&mut self, event: ModelChoiceEvent) {
        match event {
            ModelChoiceEvent::Found(found) if !self.model_calls.is_model_known() => {
                self.use_model(found, None)
            }
            // Somebody chose one meanwhile.
            ModelChoiceEvent::Found(_) => {}
            ModelChoiceEvent::Chosen(chosen, to) => self.use_model(chosen, to),
            ModelChoiceEvent::Tested(tested) => self.handle_model_test(tested),
        }
    }

    /// From now on another model answers; running turns keep theirs.
    pub(super) fn use_model(&mut self, mut selection: ModelSelection, to: Option<RequestReply>) {
        if to.is_some() {
            // Who chose one in the page chose it for the chat.
            let ModelSelection {
                vision_models,
                summary_models: summarizer,
                judge_models: judges,
                embedding_model: embedder,
                further,
                ..
            } = self.model_calls.selection();
            (selection.vision_models, selection.summary_models) =
                (vision_models.clone(), summarizer.clone());
            (selection.judge_models, selection.further) = (judges.clone(), further.clone());
            selection.embedding_model = embedder.clone();
        }
        if self.platform.abilities().demo_model || !selection.model.is_demo() {
            tracing::info!("{}", selection.line);
        }
        if let Some(problem) = &selection.problem {
            tracing::warn!("{problem}");
        }
        // What was learnt of one model's tokens is wrong for the next.
        self.core.estimator = TokenEstimator::default();
        let held_calls = self.model_calls.replace_selection(selection);
        self.warn_if_speechless();
        self.apply_embedding_model();
        self.reapply_policies();
        self.publish_model_state();
        for (turn, channel, ask) in held_calls {
            self.gather_prompt_inputs(turn, channel, ask);
        }
        if let Some(to) = to {
            reply(to, Ok(RoomAnswer::Done {}));
        }
    }

    /// On Discord the stand-in says nothing: the host should know.
    pub(super) fn warn_if_speechless(&self) {
        if self.may_model_speak() {
            return;
        }
        let language = self.settings.language.unwrap_or_default();
        let text = daemon::no_model_answers().in_language(language);
        self.notify_operator(CardSeverity::Warning, text);
    }

    /// Asks a model one short question.
    pub(super) fn test_model(&self, choice: ModelChoice, to: RequestReply) {
        let known = &self.settings.model;
        let settings = ModelSettings {
            // A typed model's price is not known.
            price: known.price.filter(|_| choice.model == known.name),
            ..build_chosen_settings(known, &choice)
        };
        let (ledger, loop_sender) = (self.model_calls.ledger().clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            let result = test_model(&settings, &ledger).await;
            let _ = loop_sender
                .send(LoopMessage::Model(Box::new(ModelChoiceEvent::Tested(
                    ModelTestResult {
                        result,
                        reply_sender: to,
                    },
                ))))
                .await;
        });
    }

    /// Somebody chose a model in the page.
    pub(super) fn choose_model(&mut self, choice: ModelChoice, to: RequestReply) {
        self.register_secret(&Secret::new(&choice.key.0));
        tokio::spawn(choose_model(
            self.settings.model.clone(),
            choice,
            self.loop_sender.clone(),
            to,
        ));
    }

    /// Answers who waits for a test.
    pub(super) fn handle_model_test(&mut self, tested: ModelTestResult) {
        let ModelTestResult {
            result,
            reply_sender: to,
        } = tested;
        // What it took is told before.
        self.handle_ledger_changes();
        let answer = result.map(|tested| RoomAnswer::Tested {
            milliseconds: i64::try_from(tested.total.as_millis()).unwrap_or(i64::MAX),
            said: tested.text,
        });
        reply(
            to,
            answer.map_err(|failure| RequestRefusal::unavailable(failure.message)),
        );
    }
}

/// What stands in while it is not known which model answers: it is never asked.
pub(super) async fn build_placeholder_selection(settings: &ModelSettings) -> ModelSelection {
    let nobody = resolve_model(&ModelSettings {
        provider: Provider::None,
        ..settings.clone()
    })
    .await;
    let place = if settings.base_url.is_empty() {
        &settings.ollama_host
    } else {
        &settings.base_url
    };
    let line = format!("Model: looking for one at {place}; the log tells which answers.");
    ModelSelection {
        line,
        problem: None,
        ..nobody
    }
}

/// The settings a person's choice in the page stands for.
fn build_chosen_settings(settings: &ModelSettings, choice: &ModelChoice) -> ModelSettings {
    settings.with_address(&choice.url, &choice.model, &Secret::new(&choice.key.0))
}

/// The names of the models at an address.
pub(super) async fn list_model_names(
    settings: ModelSettings,
    endpoint: EndpointRequest,
) -> Result<RoomAnswer, RequestRefusal> {
    let offer =
        list_models(&settings.with_address(&endpoint.url, "", &Secret::new(&endpoint.key.0))).await;
    offer
        .map(|offer| RoomAnswer::Models {
            models: offer.models,
        })
        .map_err(|failure| RequestRefusal::unavailable(failure.message))
}

/// Chooses a model; the loop takes it over and answers.
async fn choose_model(
    settings: ModelSettings,
    choice: ModelChoice,
    loop_sender: mpsc::Sender<LoopMessage>,
    to: RequestReply,
) {
    let selection = resolve_model(&build_chosen_settings(&settings, &choice)).await;
    if let Some(problem) = selection.problem {
        return reply(to, Err(RequestRefusal::unavailable(problem)));
    }
    // Dropped when the daemon stops, and so is the way back: the page is told that it is stopping.
    let _ = loop_sender
        .send(LoopMessage::Model(Box::new(ModelChoiceEvent::Chosen(
            selection,
            Some(to),
        ))))
        .await;
}
