//! What nobody may see, whoever writes it: taken out of what models are asked, of reports, and of what tools give.
//! A secret stays known until the end, for an old one may still be quoted.

use super::Daemon;
use kith_core::report::TurnReport;
use kith_core::secret::Secret;
use kith_model::{ModelRequest, joined};

impl Daemon {
    /// The settings were read: their secrets are known from now on.
    pub(super) fn know_secrets(&mut self) {
        self.redactor = self.redactor.with(&self.settings.secrets());
        if let Some(away) = &self.away {
            away.discord.log().hide(self.redactor.clone());
        }
    }

    /// Another secret is known from now on.
    pub(super) fn know_secret(&mut self, secret: &Secret) {
        if !secret.is_placeholder() {
            self.redactor = self.redactor.with([secret]);
        }
    }

    /// What is kept of a question. A line that holds a secret goes whole: should its message be deleted, half of it
    /// would not be found again.
    pub(super) fn kept_of(&self, request: &ModelRequest) -> (String, String) {
        let kept = |text: &str| self.redactor.redact_lines(text).into_owned();
        (kept(&request.system), kept(&joined(&request.messages)))
    }

    /// A report as it is kept and shown.
    pub(super) fn without_secrets(&self, report: TurnReport) -> TurnReport {
        self.redactor.redact_data(report)
    }
}
