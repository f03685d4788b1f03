//! Which model answers now, what the page is told of it, and changing it while running.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::listener::ListenerKind;
use super::loop_message::LoopMessage;
use super::model_event::{ModelChoiceEvent, ModelTestResult, ModelUseReply};
use super::reply::{RequestReply, reply};
use super::state::Daemon;
use crate::settings::{SavedModel, keep_model};
use kith_core::chat::TurnId;
use kith_core::context::TokenEstimator;
use kith_core::event::BudgetState;
use kith_core::report::ModelFailure;
use kith_language::{Language, LocalizedMessage, daemon, model_faults};
use kith_model::{
    CallLedger, ModelSelection, ModelSettings, Provider, Secret, list_models, resolve_model,
    test_model,
};
use kith_observe::CardSeverity;
use kith_room::{
    EndpointRequest, LiveEvent, ModelChoice, ModelState, ModelUse, RequestRefusal, RoomAnswer,
};
use kith_system::clock;

/// The line that says at the start which model answers; the stand-in answers in the room only.
pub(super) fn describe_selection(
    selection: &ModelSelection,
    place: &ListenerKind,
) -> LocalizedMessage {
    match place {
        ListenerKind::Discord { .. } if selection.model.is_demo() => model_faults::model_none(),
        _ => selection.line.clone(),
    }
}

impl Daemon {
    pub(super) fn model_state(&self) -> ModelState {
        let now = clock::now();
        let language = self.settings.language.unwrap_or_default();
        let selection = self.model_calls.selection();
        let model = &selection.model;
        let trouble = match self.model_calls.budget_state() {
            BudgetState::Hard => Some(model_faults::budget_spent().in_language(language)),
            BudgetState::Open | BudgetState::Soft => {
                let fault = self.model_calls.fault().map(str::to_owned);
                fault.or_else(|| {
                    let problem = selection.problem.as_ref();
                    problem.map(|problem| problem.in_language(language))
                })
            }
        };
        let is_known = self.model_calls.is_model_known();
        ModelState {
            name: match is_known {
                true => model.name().to_owned(),
                false => model_faults::looking_for_model().in_language(language),
            },
            url: model.address().to_owned(),
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

    /// A turn's model answered, or why it did not: the page's card of the model tells.
    pub(super) fn record_model_outcome(&mut self, turn: TurnId, failure: Option<&ModelFailure>) {
        let Some(running) = self.turns.get(&turn) else {
            return;
        };
        let failure = failure.map(|failure| ModelFailure {
            message: self.redactor.redact(&failure.message).into_owned(),
            ..failure.clone()
        });
        let (model, selection) = (running.model(), self.model_calls.selection());
        let mut used = std::iter::once(&selection.model)
            .chain(&selection.fallbacks)
            .chain(selection.further.values().map(|(further, _)| further));
        // A turn keeps the models it began with, and those may have been replaced meanwhile.
        if !used.any(|used| used.host() == model.host()) {
            return;
        }
        let name = model.name().to_owned();
        if self.model_calls.record_outcome(&name, failure.as_ref()) {
            self.publish_model_state();
        }
    }

    /// Takes the model over that is still looked for; until then model calls are held back.
    pub(super) fn wait_for_model(&self, looking: JoinHandle<ModelSelection>) {
        let (settings, loop_sender) = (self.settings.model.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            let selection = match looking.await {
                Ok(selection) => selection,
                Err(_) => {
                    // The turns that wait must not wait for ever.
                    ModelSelection {
                        problem: Some(model_faults::search_failed()),
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
    pub(super) fn use_model(&mut self, mut selection: ModelSelection, to: Option<ModelUseReply>) {
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
        if let Some(ModelUseReply { kept, reply_sender }) = to {
            reply(reply_sender, Ok(RoomAnswer::ModelUsed { kept }));
        }
    }

    /// On Discord the stand-in says nothing: the host should know.
    pub(super) fn warn_if_speechless(&self) {
        if self.may_model_speak() {
            return;
        }
        let language = self.settings.language.unwrap_or_default();
        let text = daemon::no_model_answers().in_language(language);
        if self.tells_of_model() {
            self.notify_operator(CardSeverity::Warning, text);
        } else {
            tracing::warn!("{text}");
        }
    }

    /// Whether this partition tells the host that no model answers. Settings that name none are everybody's, and the first
    /// one tells it for all; what stands between them and a model may be in the way of this process alone.
    fn tells_of_model(&self) -> bool {
        let partition = self.platform.partition();
        match (&self.model_calls.selection().problem, &self.leases) {
            (Some(_), Some(leases)) => {
                let view = leases.borrow();
                let mut numbers = view.held.iter().map(|lease| lease.partition.number());
                numbers.all(|number| number >= partition.number())
            }
            _ => partition.is_first(),
        }
    }

    pub(super) fn test_model(&self, choice: ModelChoice, to: RequestReply) {
        let settings = build_chosen_settings(&self.settings.model, &choice);
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

    pub(super) fn choose_model(&mut self, wanted: ModelUse, to: RequestReply) {
        let ModelUse {
            url,
            key,
            model,
            keep,
        } = wanted;
        self.register_secret(&Secret::new(&key.0));
        let choice = ModelChoice { url, key, model };
        let settings = build_chosen_settings(&self.settings.model, &choice);
        let kept = SavedModel {
            base_url: settings.base_url.clone(),
            name: settings.name.clone(),
            key: Secret::new(&choice.key.0),
            is_same_server: self.settings.model.is_same_server(&settings),
        };
        let language = self.settings.language.unwrap_or_default();
        let keep = keep.then(|| (self.settings_file.clone(), kept));
        let keep = move || match keep {
            Some((file, kept)) => keep_model(&file, &kept)
                .map(|file| Some(file.display().to_string()))
                .map_err(|why| RequestRefusal::unavailable(why.in_language(language))),
            None => Ok(None),
        };
        tokio::spawn(choose_model(
            settings,
            self.model_calls.ledger().clone(),
            keep,
            self.loop_sender.clone(),
            to,
            language,
        ));
    }

    pub(super) fn handle_model_test(&mut self, tested: ModelTestResult) {
        let ModelTestResult {
            result,
            reply_sender: to,
        } = tested;
        // What it took is told before.
        self.handle_ledger_changes();
        let language = self.settings.language.unwrap_or_default();
        let answer = result.map(|tested| RoomAnswer::Tested {
            milliseconds: i64::try_from(tested.total.as_millis()).unwrap_or(i64::MAX),
            said: tested.text,
        });
        reply(
            to,
            answer.map_err(|failure| RequestRefusal::unavailable(failure.describe(language))),
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
    let line = model_faults::model_looked_for(place);
    ModelSelection {
        line,
        problem: None,
        ..nobody
    }
}

/// The settings a person's choice in the page stands for.
fn build_chosen_settings(settings: &ModelSettings, choice: &ModelChoice) -> ModelSettings {
    ModelSettings {
        // A typed model's price is not known.
        price: settings.price.filter(|_| choice.model == settings.name),
        ..settings.with_address(&choice.url, &choice.model, &Secret::new(&choice.key.0))
    }
}

pub(super) async fn list_model_names(
    settings: ModelSettings,
    endpoint: EndpointRequest,
    language: Language,
) -> Result<RoomAnswer, RequestRefusal> {
    let offer =
        list_models(&settings.with_address(&endpoint.url, "", &Secret::new(&endpoint.key.0))).await;
    offer
        .map(|offer| RoomAnswer::Models {
            models: offer.models,
        })
        .map_err(|failure| RequestRefusal::unavailable(failure.describe(language)))
}

/// Tests a model, has it kept, and hands it to the loop, which answers. Where a step fails, all stays as it was.
async fn choose_model(
    settings: ModelSettings,
    ledger: CallLedger,
    keep: impl FnOnce() -> Result<Option<String>, RequestRefusal>,
    loop_sender: mpsc::Sender<LoopMessage>,
    to: RequestReply,
    language: Language,
) {
    let selection = resolve_model(&settings).await;
    let tested = match selection.problem.clone() {
        Some(problem) => Err(problem.in_language(language)),
        None => match test_model(&settings, &ledger).await {
            Ok(_) => Ok(()),
            Err(failure) => Err(failure.describe(language)),
        },
    };
    let kept = match tested.map_err(RequestRefusal::unavailable) {
        Ok(()) => keep(),
        Err(refused) => Err(refused),
    };
    let kept = match kept {
        Ok(kept) => kept,
        Err(refused) => return reply(to, Err(refused)),
    };
    let waiting = ModelUseReply {
        kept,
        reply_sender: to,
    };
    // Dropped when the daemon stops, and so is the way back: the page is told that it is stopping.
    let _ = loop_sender
        .send(LoopMessage::Model(Box::new(ModelChoiceEvent::Chosen(
            selection,
            Some(waiting),
        ))))
        .await;
}
