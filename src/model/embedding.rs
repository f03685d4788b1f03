//! Texts become vectors: an embedding model is asked by OpenAI's `/embeddings` or Ollama's `/api/embed`. Each call is paid
//! like every other, and none is tried again here: a question does without, and what is made in the background comes back
//! later.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::answer_piece::parse_token_count;
use super::breaker::BreakerState;
use super::budget::CallUsage;
use super::call::ModelCaller;
use super::client::{ModelClient, TrialGuard};
use super::fault::{BrokenAnswer, FailedCallCost, ModelFault, TimeLimit, check_for_error};
use super::ledger::CallOutcome;
use super::request_body::WireProtocol;
use super::retry::RetryKind;
use super::wire::merge_patch;
use super::{Kind, Model, ModelRequest, ollama};
use kith_core::recall::TextVector;
use kith_core::report::{ModelFailure, TokenUsage};
use kith_language::model_faults;

impl ModelCaller {
    /// Has a model make a vector of each text, within `limit`. Dropped before its end the call counts as all that was promised
    /// to it.
    ///
    /// # Errors
    /// The budget does not allow it, or the model did not answer with a vector for each, all of one size.
    pub async fn embed(
        &self,
        model: &Model,
        texts: &[&str],
        limit: Duration,
    ) -> Result<Vec<TextVector>, ModelFailure> {
        let Kind::Client(client) = &model.0 else {
            return Err(ModelFailure::from_message(
                model_faults::stand_in_without_vectors(),
            ));
        };
        let tokens = texts
            .iter()
            .map(|text| self.estimator.estimate_tokens(text));
        let request = ModelRequest {
            prompt_tokens: tokens.sum::<u32>().max(1),
            max_tokens: Some(0),
            ..ModelRequest::default()
        };
        let mut reservation = self
            .ledger
            .reserve(model, &request, self.attribution, self.turn)?;
        match client.embed(texts, limit).await {
            Ok(answer) => {
                let usage = CallUsage::Usage(TokenUsage {
                    prompt: answer.tokens.unwrap_or(request.prompt_tokens),
                    estimated: answer.tokens.is_none(),
                    ..TokenUsage::default()
                });
                reservation.settle(usage, CallOutcome::Answered);
                Ok(answer.vectors)
            }
            Err(fault) => {
                let usage = match fault.call_cost {
                    FailedCallCost::NotBegun => CallUsage::Nothing,
                    FailedCallCost::Unknown | FailedCallCost::MayHaveBegun => CallUsage::Unknown,
                };
                reservation.settle(usage, CallOutcome::Failed);
                Err(fault.into())
            }
        }
    }
}

#[derive(Debug, PartialEq)]
struct EmbeddingAnswer {
    vectors: Vec<TextVector>,
    tokens: Option<u32>,
}

impl ModelClient {
    async fn embed(&self, texts: &[&str], limit: Duration) -> Result<EmbeddingAnswer, ModelFault> {
        let readiness = self.breaker().readiness(Instant::now());
        if let BreakerState::Resting(wait) | BreakerState::AskedToWait(wait) = readiness {
            return Err(ModelFault::from_resting_server(&self.at, wait));
        }
        let is_trial = self.breaker().begin_request();
        let _given_up = is_trial.then(|| TrialGuard(self));
        let answer = timeout(limit, self.post_texts(texts)).await;
        let mut limits = self.at.limits;
        limits.total = limit;
        let answer = answer.unwrap_or_else(|_| {
            Err(ModelFault::from_timeout(
                &self.at,
                TimeLimit::Total,
                &limits,
            ))
        });
        match &answer {
            Err(fault) if fault.server_unhealthy => {
                let asked = match fault.retry {
                    RetryKind::After(wait) => Some(wait),
                    _ => None,
                };
                self.breaker().record_failure(Instant::now(), asked);
            }
            _ => self.breaker().record_answer(),
        }
        answer
    }

    async fn post_texts(&self, texts: &[&str]) -> Result<EmbeddingAnswer, ModelFault> {
        let (path, mut body) = match self.wire {
            WireProtocol::Ollama { .. } => {
                let mut body = json!({ "model": self.at.name, "input": texts, "truncate": true });
                ollama::set_keep_alive(&mut body, &self.settings);
                ("/api/embed", body)
            }
            WireProtocol::OpenAi => {
                let body =
                    json!({ "model": self.at.name, "input": texts, "encoding_format": "float" });
                ("/embeddings", body)
            }
            WireProtocol::Anthropic | WireProtocol::Gemini => {
                return Err(ModelFault::from_unknown_embeddings(&self.at));
            }
        };
        merge_patch(&mut body, &self.settings.extra_body);
        let value = self.at.post_json(path, &body).await?;
        parse_embeddings(&value, texts.len())
            .map_err(|how| ModelFault::from_broken_answer(&self.at, how))
    }
}

/// Reads the answer of either protocol to so many texts.
fn parse_embeddings(value: &Value, count: usize) -> Result<EmbeddingAnswer, BrokenAnswer> {
    check_for_error(value)?;
    let mut all: Vec<Option<TextVector>> = vec![None; count];
    let lists: Vec<(usize, &Value)> = match (value.get("data"), value.get("embeddings")) {
        (Some(Value::Array(data)), _) => data
            .iter()
            .enumerate()
            .filter_map(|(place, one)| {
                // Nothing says that they come in order.
                let index = parse_token_count(one.get("index"));
                let index = index.map_or(place, |index| index as usize);
                Some((index, one.get("embedding")?))
            })
            .collect(),
        (_, Some(Value::Array(lists))) => lists.iter().enumerate().collect(),
        _ => return Err(BrokenAnswer::NoVectors(model_faults::no_vector_list())),
    };
    for (index, list) in lists {
        let place = all
            .get_mut(index)
            .ok_or_else(|| BrokenAnswer::NoVectors(model_faults::vectors_too_many()))?;
        let numbers = list.as_array().into_iter().flatten();
        let numbers: Option<Vec<f32>> = numbers
            .map(|number| number.as_f64().map(|number| number as f32))
            .collect();
        let vector = numbers.and_then(|numbers| TextVector::from_numbers(&numbers));
        *place =
            Some(vector.ok_or_else(|| BrokenAnswer::NoVectors(model_faults::vector_no_numbers()))?);
    }
    let vectors: Vec<TextVector> = all
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(|| BrokenAnswer::NoVectors(model_faults::vectors_too_few()))?;
    let is_alike = |pair: &[TextVector]| pair[0].dimensions() == pair[1].dimensions();
    if !vectors.windows(2).all(is_alike) {
        return Err(BrokenAnswer::NoVectors(model_faults::vectors_uneven()));
    }
    let tokens = [
        value.pointer("/usage/prompt_tokens"),
        value.get("prompt_eval_count"),
    ];
    Ok(EmbeddingAnswer {
        vectors,
        tokens: tokens.into_iter().find_map(parse_token_count),
    })
}
