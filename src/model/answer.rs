//! One answer as it grows: what came of it, whether it is within its limits, and what it took in the end.

use super::answer_piece::{AnswerPiece, CountedTokens, FinishReason};
use super::budget::compute_credible_limits;
use super::fault::BrokenAnswer;
use super::request::{ModelEvent, ModelRequest};
use super::settings::ModelSettings;
use kith_core::context::TokenEstimator;
use kith_core::report::TokenUsage;

/// How many bytes of text a token has at most; a model that writes more does not keep to its limit.
const BYTES_PER_TOKEN: usize = 16;
/// The least text that is let through whatever the limit, in bytes.
const LEAST_TEXT_BYTES: usize = 4 << 10;
/// The most thinking that is read, in bytes: servers may leave it out of their limit.
const REASONING_BYTES: usize = 1 << 20;

#[derive(Debug, Default)]
pub(super) struct StreamedAnswer {
    prompt_tokens: u32,
    max_tokens: u32,
    text_limit: usize,
    text: String,
    /// Names and arguments of the calls handed over beside the text.
    call_text: String,
    reasoning: String,
    refusal: String,
    finish: Option<FinishReason>,
    counted_tokens: Option<CountedTokens>,
}

impl StreamedAnswer {
    pub fn new(settings: &ModelSettings, request: &ModelRequest) -> Self {
        let text_limit = LEAST_TEXT_BYTES
            .saturating_add(BYTES_PER_TOKEN.saturating_mul(settings.max_tokens as usize));
        Self {
            prompt_tokens: request.prompt_tokens.saturating_add(request.image_tokens()),
            max_tokens: settings.max_tokens,
            text_limit,
            ..Self::default()
        }
    }

    /// Whether any text or call has come: after that the question must not be asked again.
    pub fn has_text(&self) -> bool {
        !self.text.trim().is_empty() || !self.call_text.is_empty()
    }

    /// Whether anything has come by which one sees that the model began.
    pub fn has_begun(&self) -> bool {
        !self.text.is_empty()
            || !self.call_text.is_empty()
            || !self.reasoning.is_empty()
            || !self.refusal.is_empty()
            || self.finish.is_some()
            || self.counted_tokens.is_some()
    }

    /// Whether the model has said that it is done.
    pub fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Takes a piece in; answers with what is to be handed on.
    pub fn add_piece(&mut self, piece: AnswerPiece) -> Result<Option<ModelEvent>, BrokenAnswer> {
        match piece {
            AnswerPiece::Text(text) => {
                self.text.push_str(&text);
                self.check_text_limit()?;
                return Ok(Some(ModelEvent::Delta(text)));
            }
            AnswerPiece::Call(delta) => {
                self.call_text
                    .push_str(delta.name.as_deref().unwrap_or_default());
                self.call_text.push_str(&delta.arguments);
                self.check_text_limit()?;
                return Ok(Some(ModelEvent::ToolDelta(delta)));
            }
            AnswerPiece::Reasoning(text) => {
                self.reasoning.push_str(&text);
                if self.reasoning.len() > REASONING_BYTES {
                    return Err(BrokenAnswer::Endless(REASONING_BYTES));
                }
                return Ok(Some(ModelEvent::Reasoning(text)));
            }
            AnswerPiece::Refusal(text) if self.refusal.len() < LEAST_TEXT_BYTES => {
                self.refusal.push_str(&text)
            }
            AnswerPiece::Counted(counted) => self.counted_tokens = Some(counted),
            AnswerPiece::Finish(finish) => self.finish = Some(finish),
            AnswerPiece::Refusal(_) | AnswerPiece::Done => {}
        }
        Ok(None)
    }

    fn check_text_limit(&self) -> Result<(), BrokenAnswer> {
        let too_long = self.text.len() + self.call_text.len() > self.text_limit;
        if too_long {
            Err(BrokenAnswer::Endless(self.text_limit))
        } else {
            Ok(())
        }
    }

    pub fn final_usage(&self) -> Result<TokenUsage, BrokenAnswer> {
        match &self.finish {
            Some(FinishReason::Filtered(reason)) => Err(BrokenAnswer::Filtered {
                finish: reason.clone(),
            }),
            _ if !self.text.trim().is_empty() || !self.call_text.is_empty() => Ok(self.usage()),
            _ if !self.refusal.is_empty() => Err(BrokenAnswer::Declined(self.refusal.clone())),
            Some(FinishReason::Length) => Err(BrokenAnswer::OnlyThoughts),
            Some(FinishReason::Stop(reason) | FinishReason::Cut(reason)) => {
                Err(BrokenAnswer::Empty {
                    finish: reason.clone(),
                })
            }
            None => Err(BrokenAnswer::Empty {
                finish: "none".into(),
            }),
        }
    }

    /// What the server said it took, where that cannot be: it is bounded then.
    pub fn overstated_usage(&self) -> Option<(u32, u32)> {
        let said = self
            .counted_tokens
            .map(|counted| (counted.prompt, counted.completion))?;
        let most = self.credible_limits();
        (said.0 > most.0 || said.1 > most.1).then_some(said)
    }

    fn credible_limits(&self) -> (u32, u32) {
        let written = [&self.text, &self.call_text, &self.reasoning, &self.refusal]
            .map(String::len)
            .iter()
            .sum();
        compute_credible_limits(self.prompt_tokens, self.max_tokens, written)
    }

    /// What was taken so far, whatever becomes of the answer: what the server counted, as far as that can be, else the prompt's estimate and
    /// the length of what came. The figures of an answer that is not finished may be those of its beginning.
    pub fn usage(&self) -> TokenUsage {
        let counted = self.counted_tokens.unwrap_or_default();
        let prompt = if counted.prompt > 0 {
            counted.prompt
        } else {
            self.prompt_tokens
        };
        let completion = if self.is_finished() && counted.completion > 0 {
            counted.completion
        } else {
            let parts = [&self.text, &self.call_text, &self.reasoning, &self.refusal];
            counted
                .completion
                .max(parts.map(|text| estimate_tokens(text)).iter().sum())
        };
        let most = self.credible_limits();
        let (prompt, completion) = (prompt.min(most.0), completion.min(most.1));
        TokenUsage {
            prompt,
            cached: counted.cached.min(prompt),
            cache_written: counted.written.min(prompt),
            completion,
            estimated: (prompt, completion) != (counted.prompt, counted.completion),
            truncated: matches!(
                self.finish,
                Some(FinishReason::Length | FinishReason::Cut(_))
            ),
        }
    }
}

/// Tokens for servers that count nothing.
fn estimate_tokens(text: &str) -> u32 {
    TokenEstimator::default().estimate_tokens(text)
}
