//! What a running tool tells people before its result is there, and what the host keeps from everybody for it.

use kith_language::custom_tools;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_core::secret::Secret;

#[derive(Clone, Debug, PartialEq)]
pub enum ToolNewsItem {
    Progress(String),
    Denied(String),
    Note(String),
    /// What its program wrote to standard error, the beginning of it.
    Complaint(String),
    /// A picture file, for a model that can see.
    Picture(Arc<[u8]>),
    /// Data for whoever watches, under a name of the tool's own.
    Published {
        /// The name.
        channel: String,
        data: Value,
    },
}

#[derive(Clone, Default)]
pub struct ToolNewsSender(Option<Arc<dyn Fn(ToolNewsItem) + Send + Sync>>);

impl ToolNewsSender {
    /// To this listener, which must not wait.
    pub fn from_listener(listener: impl Fn(ToolNewsItem) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    pub fn send(&self, item: ToolNewsItem) {
        if let Some(listener) = &self.0 {
            listener(item);
        }
    }
}

impl ToolNewsSender {
    /// The same listener, who never hears what a redactor knows.
    pub(super) fn with_redactor(self, redactor: &Redactor) -> Self {
        let redactor = redactor.clone();
        Self::from_listener(move |item| {
            self.send(match item {
                ToolNewsItem::Progress(text) => {
                    ToolNewsItem::Progress(redactor.redact(&text).into_owned())
                }
                ToolNewsItem::Note(text) => ToolNewsItem::Note(redactor.redact(&text).into_owned()),
                ToolNewsItem::Complaint(text) => {
                    ToolNewsItem::Complaint(redactor.redact(&text).into_owned())
                }
                ToolNewsItem::Denied(why) => {
                    ToolNewsItem::Denied(redactor.redact(&why).into_owned())
                }
                ToolNewsItem::Picture(file) => ToolNewsItem::Picture(file),
                ToolNewsItem::Published { channel, data } => ToolNewsItem::Published {
                    channel: redactor.redact(&channel).into_owned(),
                    data: redactor.redact_json(data),
                },
            });
        })
    }
}

/// A result without what a redactor knows. One that asks for a decision with a secret among what it asks about asks for
/// something else without it, and is refused.
pub(super) fn redact_result(
    result: ToolResult,
    redactor: &Redactor,
    language: Language,
) -> ToolResult {
    let details = result
        .details
        .clone()
        .map(|details| redactor.redact_json(details));
    let params = |details: &Option<Value>| {
        details
            .as_ref()
            .and_then(|details| details.get("params").cloned())
    };
    if result.is_pending && params(&details) != params(&result.details) {
        return ToolResult::error(custom_tools::secret_in_approval().in_language(language));
    }
    ToolResult {
        guide: result.guide.redact(redactor),
        content: redactor.redact(&result.content).into_owned(),
        details,
        ..result
    }
}

impl fmt::Debug for ToolNewsSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "News(heard)"
        } else {
            "News(unheard)"
        })
    }
}

/// `[secrets]`: what tools need and nobody may see, by name.
pub type ToolSecrets = BTreeMap<String, Secret>;
