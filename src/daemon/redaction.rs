//! What nobody may see, whoever writes it: taken out of what models are asked, of reports, and of what tools give.
//! A secret stays known until the end, for an old one may still be quoted.

use super::state::Daemon;
use kith_core::report::TurnReport;
use kith_core::secret::Secret;
use kith_model::{ModelRequest, join_messages};

impl Daemon {
    pub(super) fn register_secrets(&mut self) {
        self.redactor = self.redactor.with_secrets(&self.settings.secrets());
        self.set_question_embedder();
        if let Some(log) = self.platform.log_channels() {
            log.set_redactor(self.redactor.clone());
        }
    }

    pub(super) fn register_secret(&mut self, secret: &Secret) {
        if !secret.is_placeholder() {
            self.redactor = self.redactor.with_secrets([secret]);
            self.set_question_embedder();
        }
    }

    /// A question as it is kept. A line with a secret goes whole: half of it would not be found for deletion.
    pub(super) fn redact_request(
        &self,
        request: &ModelRequest,
        strip: impl FnOnce(String) -> String,
    ) -> (String, String) {
        let kept = |text: &str| self.redactor.redact_lines(text).into_owned();
        (
            kept(&request.system),
            kept(&strip(join_messages(&request.messages))),
        )
    }

    pub(super) fn redact_report(&self, report: TurnReport) -> TurnReport {
        self.redactor.redact_data(report)
    }
}
