//! `[web]`: where tools may go, and who is asked when the model searches. Plain data.

use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::HostPattern;
use super::error::WebError;
use super::private_address::is_allowed_private;

kith_core::setting_table! {
    /// Where tools may go on the web.
    #[derive(Eq)]
    pub struct WebSettings {
        /// The hosts in private networks that web_fetch may read and the search below may be at: names or addresses, with a
        /// port where only that one is meant, e.g. `["wiki.lan", "127.0.0.1:8888"]`. None, because whoever speaks to it could
        /// read there.
        pub allow_private: Vec<HostPattern>,
        pub search: Option<SearchSettings>,
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    pub kind: SearchKind,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub key: String,
}

kith_core::declare_settings! {
    ["Who is asked by `web_search`; nobody by default."]
    SearchSettings {
        ["SearXNG (one of your own, with the format json allowed) or Brave."]
        [Example("\"searxng\"")] kind: SearchKind,
        ["Its address, without the path; empty for Brave's own."]
        [Example("\"https://search.example.org\"")] url: String,
        ["The name of its key in `[secrets]`; empty for none. SearXNG gets it as the header Authorization; Brave needs one."]
        [Example("\"search_key\"")] key: String,
    }
}

kith_core::setting_values!(HostPattern, SearchKind);

/// The searches whose answers are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// A SearXNG of one's own, with its JSON format switched on.
    Searxng,
    /// Brave Search, and whatever speaks like it.
    Brave,
}

const BRAVE: &str = "https://api.search.brave.com";

impl WebSettings {
    /// What is wrong with the address of the search, and how to mend it.
    pub fn find_search_problem(&self) -> Option<(String, String)> {
        let base = self.search.as_ref()?.base_url();
        let url = Url::parse(base)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(url) = url else {
            return Some((
                "is no http address".to_owned(),
                "write it like \"https://search.example.org\"".to_owned(),
            ));
        };
        let host = url.host_str().unwrap_or_default();
        let port = url
            .port()
            .map(|port| format!(":{port}"))
            .unwrap_or_default();
        let cure = format!("add \"{host}{port}\" to `web.allow_private`");
        match is_allowed_private(&url, &self.allow_private) {
            Err(trouble @ WebError::Refused(_)) => {
                Some((format!("cannot be asked: {trouble}"), cure))
            }
            Err(trouble) => Some((
                format!("cannot be asked: {trouble}"),
                "mend the address".to_owned(),
            )),
            Ok(false) if host == "localhost" => Some(("is this machine".to_owned(), cure)),
            Ok(_) => None,
        }
    }
}

impl SearchSettings {
    /// Its address, without the path; empty where it has none.
    pub fn base_url(&self) -> &str {
        match self.kind {
            SearchKind::Brave if self.url.is_empty() => BRAVE,
            _ => self.url.trim().trim_end_matches('/'),
        }
    }
}
