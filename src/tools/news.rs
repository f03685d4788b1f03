//! What a running tool tells people before its result is there, and what the host keeps from everybody for it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::core::secret::Secret;

/// Something a running tool tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// How far it is, in a line.
    Progress(String),
    /// That it may not run, and why.
    Denied(String),
    /// Data for whoever watches, under a name of the tool's own.
    Published {
        /// The name.
        channel: String,
        /// The data.
        data: Value,
    },
}

/// Where a running tool tells it.
#[derive(Clone, Default)]
pub struct News(Option<Arc<dyn Fn(Item) + Send + Sync>>);

impl News {
    /// To this listener, which must not wait.
    pub fn to(listener: impl Fn(Item) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    /// Tells whoever listens.
    pub fn tell(&self, item: Item) {
        if let Some(listener) = &self.0 {
            listener(item);
        }
    }
}

impl fmt::Debug for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "News(heard)" } else { "News(unheard)" })
    }
}

/// `[secrets]`: what tools need and nobody may see, by name.
pub type Secrets = BTreeMap<String, Secret>;

/// A text without any of the secrets. The longest goes first: another may be its beginning.
pub fn redacted(secrets: &Secrets, text: &str) -> String {
    let mut secrets: Vec<&Secret> = secrets.values().collect();
    secrets.sort_by_key(|secret| Reverse(secret.expose().len()));
    secrets.into_iter().fold(text.to_owned(), |text, secret| secret.redact(&text))
}
