//! One try of a question: posts it, reads the answer piece by piece, and keeps the limits of
//! `time_limits.rs`. It never reads an answer
//! without end.

use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, timeout, timeout_at};

use super::answer::StreamedAnswer;
use super::answer_piece::AnswerPiece;
use super::client::{ModelClient, tell};
use super::endpoint::ModelEndpoint;
use super::fault::{BrokenAnswer, ModelFault, TimeLimit};
use super::ollama;
use super::request::{ModelEvent, ModelRequest};
use super::request_body::WireProtocol;
use super::stream_lines::LineBuffer;
use kith_core::context::{CalibrationOutcome, TokenEstimator};
use kith_core::report::TokenUsage;

/// How long the usage figures are waited for after the model has said that it is done.
const USAGE_WAIT: Duration = Duration::from_secs(2);
/// How long Ollama is given to say with how much context it loaded the model.
const LOADED_WAIT: Duration = Duration::from_secs(1);

impl ModelClient {
    /// Asks once, with the body made of the request. `answer` takes in what comes, however it ends.
    pub(super) async fn attempt(
        &self,
        (request, body): (&ModelRequest, &Value),
        events: &Sender<ModelEvent>,
        deadline: Instant,
        answer: &mut StreamedAnswer,
    ) -> Result<TokenUsage, ModelFault> {
        let limits = &self.at.limits;
        let first_token = Instant::now() + limits.first_token;
        let path = self.wire.path(&self.at.name);
        let response = timeout_at(first_token.min(deadline), self.at.post(&path, body)).await;
        let late = if first_token < deadline {
            TimeLimit::FirstToken
        } else {
            TimeLimit::Total
        };
        let response = response.map_err(|_| ModelFault::from_timeout(&self.at, late, limits))??;
        let mut lines = LineBuffer::default();
        let end = self
            .read_answer(response, events, first_token, deadline, answer, &mut lines)
            .await;
        if lines.replaced {
            let note = format!(
                "{} sent bytes that are no UTF-8; they were replaced.",
                self.at.host
            );
            tell(events, ModelEvent::Note(note)).await;
        }
        end?;
        let usage = answer
            .final_usage()
            .map_err(|how| ModelFault::from_broken_answer(&self.at, how))?;
        if !usage.estimated && is_prompt_cut(request.prompt_tokens, usage.prompt) {
            tell(
                events,
                ModelEvent::Note(self.describe_cut_prompt(request.prompt_tokens, usage.prompt)),
            )
            .await;
        }
        self.check_loaded_context(events).await;
        Ok(usage)
    }

    /// Reads the answer until it ends, by the server's word, by the end of the stream, or by a limit.
    async fn read_answer(
        &self,
        mut response: Response,
        events: &Sender<ModelEvent>,
        first_token: Instant,
        deadline: Instant,
        answer: &mut StreamedAnswer,
        lines: &mut LineBuffer,
    ) -> Result<(), ModelFault> {
        let limits = &self.at.limits;
        let broken = |how| ModelFault::from_broken_answer(&self.at, how);
        let mut decoder = self.wire.build_decoder();
        let mut nothing_came = true;
        let mut alive_until = (first_token, TimeLimit::FirstToken);
        loop {
            let (until, limit) = if alive_until.0 < deadline {
                alive_until
            } else {
                (deadline, TimeLimit::Total)
            };
            let chunk = match timeout_at(until, response.chunk()).await {
                // What is missing after the model said that it is done are at most figures.
                Err(_) | Ok(Err(_)) if answer.is_finished() => return Ok(()),
                Err(_) => return Err(ModelFault::from_timeout(&self.at, limit, limits)),
                Ok(Err(_)) => return Err(broken(BrokenAnswer::Cut)),
                Ok(Ok(chunk)) => chunk,
            };
            let mut pieces = Vec::new();
            let at_end = chunk.is_none();
            if let Some(bytes) = chunk {
                nothing_came &= bytes.is_empty();
                lines
                    .feed(&bytes)
                    .map_err(|too_long| broken(BrokenAnswer::Endless(too_long.bytes)))?;
            }
            while let Some(line) = if at_end {
                lines.next_line().or_else(|| lines.take_rest())
            } else {
                lines.next_line()
            } {
                pieces.extend(decoder.decode_line(&line).map_err(broken)?);
            }
            if at_end {
                pieces.extend(decoder.finish().map_err(broken)?);
            }
            for piece in pieces {
                let done = piece == AnswerPiece::Done;
                let was_finished = answer.is_finished();
                if let Some(event) = answer.add_piece(piece).map_err(broken)? {
                    alive_until = (Instant::now() + limits.idle, TimeLimit::Idle);
                    tell(events, event).await;
                }
                if done {
                    return Ok(());
                }
                if answer.is_finished() && !was_finished {
                    alive_until = (
                        Instant::now() + USAGE_WAIT.min(limits.idle),
                        TimeLimit::Idle,
                    );
                }
            }
            if at_end {
                return if answer.is_finished() || nothing_came {
                    Ok(())
                } else {
                    Err(broken(BrokenAnswer::Cut))
                };
            }
        }
    }

    fn describe_cut_prompt(&self, estimate: u32, counted: u32) -> String {
        let ModelEndpoint { name, host, .. } = &self.at;
        format!(
            "{name} at {host} counted {counted} prompt tokens where about {estimate} were sent: the server cut the \
             prompt. Load the model with more context, or lower model.context_tokens to what it holds."
        )
    }

    /// Asks Ollama once, after the first answer, with how much context it loaded the model, and believes it.
    async fn check_loaded_context(&self, events: &Sender<ModelEvent>) {
        if !matches!(self.wire, WireProtocol::Ollama { .. })
            || self.context_checked.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let Ok(Ok(value)) = timeout(LOADED_WAIT, self.at.get("/api/ps")).await else {
            return;
        };
        let Some(loaded) = ollama::find_loaded_context(&value, &self.at.name) else {
            return;
        };
        let wanted = self.context();
        if loaded < wanted {
            self.context.store(loaded, Ordering::Relaxed);
            let ModelEndpoint { name, host, .. } = &self.at;
            let note = format!(
                "Ollama at {host} loaded {name} with a context of {loaded} tokens instead of {wanted}: the prompt is \
                 kept below that."
            );
            tell(events, ModelEvent::Note(note)).await;
            tell(events, ModelEvent::ContextShrank(loaded)).await;
        }
    }
}

/// Whether a server that counted `counted` prompt tokens has cut a prompt of about `estimate` tokens.
pub fn is_prompt_cut(estimate: u32, counted: u32) -> bool {
    TokenEstimator::default().learn(estimate, counted) == CalibrationOutcome::ServerCut
}
