//! What is told of the models that answer.

use super::reply::RequestReply;
use kith_core::report::ModelFailure;
use kith_model::ModelSelection;

pub(super) enum ModelChoiceEvent {
    /// The model that was still looked for when the page opened.
    Found(ModelSelection),
    /// Another model was chosen, by the settings or by somebody who waits for the answer.
    Chosen(ModelSelection, Option<ModelUseReply>),
    Tested(ModelTestResult),
}

/// Who waits for a model to be used, and the settings file it was written to.
pub(super) struct ModelUseReply {
    pub kept: Option<String>,
    pub reply_sender: RequestReply,
}

pub(super) struct ModelTestResult {
    pub result: Result<kith_model::ModelTest, ModelFailure>,
    pub reply_sender: RequestReply,
}
