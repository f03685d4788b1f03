//! What a model is asked and what it answers with: messages in, a stream of events out. Plain data.

use std::sync::Arc;

use super::image::{AttachedImage, ModelImage};
use super::message::PromptMessage;
use kith_core::call::ToolSpec;
use kith_core::context::TokenEstimator;
use kith_core::policy::OutputProtocol;
use kith_core::protocol::{AnswerSchema, AnswerShape, ToolDelta, build_shaped_answer_schema};
use kith_core::redactor::Redactor;
use kith_core::report::{ModelFailure, TokenUsage};

/// Words of so many characters are nothing but a quotation wherever they stand again.
const QUOTED_CHARACTERS: usize = 10;

/// One call of a model: the system message, and below it one of the user's or the chat laid out as messages. Either is
/// rendered anew from the same sections for each call; what a model wrote is never handed back as it came (Law 5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelRequest {
    pub system: String,
    /// What stands below it: the user's side first and last, and no two of one side in a row.
    pub messages: Vec<PromptMessage>,
    /// How many bytes at the beginning of their texts the next question will most likely begin with as well, for providers that
    /// want to be told what to cache.
    pub stable_bytes: usize,
    /// The size of all in estimated tokens, without the pictures; 0 where nobody estimated. Held against what the server
    /// counted, to notice a prompt that was cut without a word.
    pub prompt_tokens: u32,
    /// The lines of the chat in it that can be left out, oldest first.
    pub lines: Vec<ChatLine>,
    /// Pictures that belong to lines of the history, in its order; only for a model that can see.
    pub images: Vec<AttachedImage>,
    /// Whether the question means nothing without them. Else a server that does not take them is asked again without.
    pub requires_images: bool,
    /// The longest answer in tokens, where it is to be shorter than the settings say.
    pub max_tokens: Option<u32>,
    /// Whether another model can be asked the same: then this one is not waited for as patiently.
    pub has_fallback: bool,
    pub form: AnswerForm,
}

/// A line of the chat in a prompt, for a provider whose filter does not let it pass.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChatLine {
    pub message: u64,
    /// Number and name.
    pub head: String,
    pub words: String,
    /// What stands in the place of the words where they are left out: the line keeps its number.
    pub notice: String,
}

impl ChatLine {
    /// A text without this line's words; long ones are also left out where they are quoted.
    fn leave_out_of(&self, text: &str) -> String {
        if self.words.chars().count() >= QUOTED_CHARACTERS {
            return text.replace(&self.words, &self.notice);
        }
        let (whole, bare) = (
            format!("{}{}", self.head, self.words),
            format!("{}{}", self.head, self.notice),
        );
        let lines = text.split('\n');
        let lines = lines.map(|line| if line == whole { &bare } else { line });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// How an answer is to come back.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AnswerForm {
    /// As text, of which the prompt says everything.
    #[default]
    Text,
    /// As JSON of this schema, where the server can hold the model to one.
    Json(AnswerSchema),
    Calls(Arc<[ToolSpec]>),
}

impl AnswerForm {
    /// The form of a protocol with the tools on offer.
    pub fn from_protocol(protocol: OutputProtocol, tools: &[ToolSpec]) -> Self {
        Self::with_shape(protocol, tools, &AnswerShape::default())
    }

    /// The same for an answer of which more is known.
    pub fn with_shape(protocol: OutputProtocol, tools: &[ToolSpec], shape: &AnswerShape) -> Self {
        match protocol {
            OutputProtocol::Xml => Self::Text,
            OutputProtocol::Json => Self::Json(build_shaped_answer_schema(tools, shape)),
            OutputProtocol::Native => Self::Calls(tools.into()),
        }
    }

    /// What it adds to a prompt, in estimated tokens: providers show the model the tools they are handed, but not the
    /// schema that they hold it to.
    pub fn estimate_tokens(&self, estimator: &TokenEstimator) -> u32 {
        let Self::Calls(tools) = self else { return 0 };
        let estimate_tool = |tool: &ToolSpec| {
            let parts = [
                &tool.name,
                &tool.description,
                &tool.schema.to_json_schema().to_string(),
            ];
            parts
                .map(|part| estimator.estimate_tokens(part))
                .iter()
                .sum::<u32>()
        };
        tools.iter().map(estimate_tool).sum()
    }
}

impl ModelRequest {
    pub fn redact_secrets(mut self, redactor: &Redactor) -> Self {
        self.system = redactor.redact(&self.system).into_owned();
        self.rewrite_messages(|text| redactor.redact(text).into_owned());
        for line in &mut self.lines {
            line.words = redactor.redact(&line.words).into_owned();
        }
        for message in &mut self.messages {
            for value in message
                .calls
                .iter_mut()
                .flat_map(|past| past.call.params.values_mut())
            {
                *value = redactor.redact_data(std::mem::take(value));
            }
        }
        self
    }

    /// Rewrites what is settled of each message, and what is not.
    fn rewrite_messages(&mut self, rewrite: impl Fn(&str) -> String) {
        let mut left = std::mem::take(&mut self.stable_bytes);
        for message in &mut self.messages {
            let (settled, rest) = message
                .text
                .split_at(message.text.floor_char_boundary(left));
            left -= left.min(message.text.len());
            let (settled, rest) = (rewrite(settled), rewrite(rest));
            self.stable_bytes += settled.len();
            message.text = settled + &rest;
        }
    }

    pub(super) fn leave_out_lines(&mut self, left_out: &[ChatLine]) {
        self.rewrite_messages(|text| {
            let without = |text: String, line: &ChatLine| line.leave_out_of(&text);
            left_out.iter().fold(text.to_owned(), without)
        });
        self.lines.retain(|line| !left_out.contains(line));
    }

    /// Puts the system message at the front of the first message, for a model that has no system role.
    pub(super) fn merge_system(&mut self) {
        let system = std::mem::take(&mut self.system);
        if let Some(first) = self.messages.first_mut().filter(|_| !system.is_empty()) {
            let front = format!("{system}\n\n");
            self.stable_bytes += front.len();
            first.text.insert_str(0, &front);
        }
    }

    /// The last message, which all that changes stands in, and how many bytes of it are settled.
    pub(super) fn last_message(&self) -> (&str, usize) {
        let Some((last, before)) = self.messages.split_last() else {
            return ("", 0);
        };
        let before: usize = before.iter().map(|message| message.text.len()).sum();
        (
            &last.text,
            self.stable_bytes
                .saturating_sub(before)
                .min(last.text.len()),
        )
    }

    pub(super) fn estimate_tokens(&self, estimator: &TokenEstimator) -> u32 {
        let messages = self.messages.iter().map(|message| &message.text);
        std::iter::once(&self.system)
            .chain(messages)
            .map(|text| estimator.estimate_tokens(text))
            .sum()
    }

    pub fn image_tokens(&self) -> u32 {
        self.images.iter().map(|one| one.image.tokens()).sum()
    }
}

/// A piece of a model's answer. `End` comes exactly once and last.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    Delta(String),
    /// A piece of a call that the provider hands over beside the text, in the order they stream in.
    ToolDelta(ToolDelta),
    /// A piece of the model's thinking. Never shown to people in the chat.
    Reasoning(String),
    /// Something the turn's report should say: a try that failed, a prompt that was cut, bytes that were no UTF-8.
    Note(String),
    /// The question is asked again after a failure, which a [`ModelEvent::Note`] tells.
    Retry,
    /// From now on the model holds only so much, prompt and answer, in tokens: Ollama loaded it with less than it was
    /// asked for. Said once, before `End`; a [`ModelEvent::Note`] tells people. Whoever keeps prompts below
    /// [`super::Model::context_tokens`] must work their budgets out again.
    ContextShrank(u32),
    End(Result<TokenUsage, ModelFailure>),
}

pub(super) enum MessagePart<'a> {
    Text(&'a str),
    Image(&'a ModelImage),
}

/// The last message in parts. The pictures stand between the history and what changes in every call: what is cached of
/// the history stays so, and within a turn the pictures with it.
pub(super) fn split_last_message(request: &ModelRequest) -> Vec<MessagePart<'_>> {
    let (text, settled) = request.last_message();
    let (settled, rest) = text.split_at(text.floor_char_boundary(settled));
    let attached = request.images.iter().flat_map(|one| {
        [
            MessagePart::Text(&one.label),
            MessagePart::Image(&one.image),
        ]
    });
    let parts = std::iter::once(MessagePart::Text(settled))
        .chain(attached)
        .chain([MessagePart::Text(rest)]);
    parts
        .filter(|part| !matches!(part, MessagePart::Text(text) if text.is_empty()))
        .collect()
}

#[cfg(test)]
#[path = "tests/unit/request.rs"]
mod tests;
