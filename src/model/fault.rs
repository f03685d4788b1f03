//! What can go wrong with a model server, and what follows from it. The sentences for people stand in
//! `server_faults.rs`.

use serde_json::Value;

use super::refusal_wording::RefusalTopic;
use super::retry::RetryKind;
use super::server_error_text::{ServerError, extract_page_text, parse_error_object};
use kith_core::report::ModelFailure;
use kith_language::LocalizedMessage;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelFault {
    pub message: LocalizedMessage,
    pub retry: RetryKind,
    /// Whether the model may have begun.
    pub call_cost: FailedCallCost,
    /// Whether the server is not well, so that the next question would likely fail as well.
    pub server_unhealthy: bool,
    /// What the server said, where it may have refused something in the question.
    pub refusal: Option<Box<InputRefusal>>,
}

/// A server's refusal of a question, for whoever looks for what in it was not taken.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InputRefusal {
    /// What its words are about; none where they fit no kind.
    pub kind: Option<RefusalTopic>,
    /// The HTTP status, or the code in place of an answer where that is one; else 0.
    pub status: u16,
    pub error: ServerError,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailedCallCost {
    /// The request never left, or was refused before the model began: no tokens.
    NotBegun,
    /// No answer began, and what became of the request is not known. Counted once a call, however often it is tried.
    Unknown,
    /// The request reached the server; where it did not count, its tokens are estimated.
    MayHaveBegun,
}

impl From<ModelFault> for ModelFailure {
    /// Of a try that cost nothing; whoever made a call fills `spent` in.
    fn from(fault: ModelFault) -> Self {
        Self::from_message(fault.message)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TimeLimit {
    FirstToken,
    Idle,
    Total,
}

/// How an answer went wrong although the server took the request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BrokenAnswer {
    /// A web page.
    Html(String),
    /// Something else that is not what the protocol says.
    NotJson(String),
    /// An error object where an answer should be.
    Error(ServerError),
    /// The stream ended before the answer did.
    Cut,
    /// It did not end: the bytes after which it was cut.
    Endless(usize),
    /// It ended and was empty, with the reason the server gave.
    Empty { finish: String },
    /// It ended, was empty, and all its tokens went into thinking.
    OnlyThoughts,
    /// The provider's filter ended it, with the word it has for that.
    Filtered { finish: String },
    /// The model declined, in its own words.
    Declined(String),
    /// Vectors were asked for, and what came are none: why.
    NoVectors(LocalizedMessage),
}

impl ModelFault {
    /// The same request would fail again, and no model has worked on it.
    pub fn new_permanent(message: LocalizedMessage) -> Self {
        Self {
            message,
            retry: RetryKind::Never,
            call_cost: FailedCallCost::NotBegun,
            server_unhealthy: false,
            refusal: None,
        }
    }

    /// The same, but the model may have begun.
    pub fn new_after_start(message: LocalizedMessage) -> Self {
        Self {
            call_cost: FailedCallCost::MayHaveBegun,
            ..Self::new_permanent(message)
        }
    }

    /// The same, and the server is not well.
    pub fn mark_server_unhealthy(self) -> Self {
        Self {
            server_unhealthy: true,
            ..self
        }
    }
}

/// Fails where a document that should be an answer is an error.
pub(super) fn check_for_error(value: &Value) -> Result<(), BrokenAnswer> {
    let has_error = value.get("error").is_some_and(|error| !error.is_null());
    match parse_error_object(value).filter(|_| has_error) {
        Some(error) => Err(BrokenAnswer::Error(error)),
        None => Ok(()),
    }
}

/// Why a text that should be JSON is none.
pub(super) fn classify_non_json(text: &str) -> BrokenAnswer {
    if text.trim_start().starts_with('<') {
        BrokenAnswer::Html(extract_page_text(text))
    } else {
        BrokenAnswer::NotJson(extract_page_text(text))
    }
}
