//! The settings for an address a person typed in the page. What was configured for one server never goes along to
//! another: neither the key nor a header nor a body that may hold one.

use std::collections::BTreeMap;

use reqwest::Url;
use serde_json::Map;

use super::selection::build_base_url;
use super::settings::{ModelSettings, Provider};
use kith_core::secret::Secret;

impl ModelSettings {
    /// These settings for the model `name` at `url` with `key`, all as a person typed them; any may be empty.
    ///
    /// Where `url` has the origin (scheme, host, port) of the configured server, headers, extra body and, unless another
    /// is typed, the key are kept. Anywhere else nothing of them goes along, nor the places a key is read from.
    pub fn with_address(&self, url: &str, name: &str, key: &Secret) -> ModelSettings {
        let typed = ModelSettings {
            provider: Provider::Auto,
            base_url: url.trim().to_owned(),
            name: name.trim().to_owned(),
            api_key: key.clone(),
            api_key_file: None,
            api_key_env: String::new(),
            headers: BTreeMap::new(),
            extra_body: Map::new(),
            price: None,
            vision: None,
            ..self.clone()
        };
        // An address left empty may come to mean another server once a key is there.
        if typed.base_url.is_empty() || !self.is_same_server(&typed) {
            return typed;
        }
        let kept = ModelSettings {
            headers: self.headers.clone(),
            extra_body: self.extra_body.clone(),
            api_key_env: self.api_key_env.clone(),
            ..typed
        };
        if key.is_empty() {
            ModelSettings {
                api_key: self.api_key.clone(),
                api_key_file: self.api_key_file.clone(),
                ..kept
            }
        } else {
            kept
        }
    }

    pub fn is_same_server(&self, other: &Self) -> bool {
        self.origin().is_some() && self.origin() == other.origin()
    }

    /// The origin of the server these settings mean; none where they mean none.
    fn origin(&self) -> Option<String> {
        let address = build_base_url(self, self.resolve_provider());
        let origin = Url::parse(address.trim()).ok()?.origin();
        origin.is_tuple().then(|| origin.ascii_serialization())
    }
}
