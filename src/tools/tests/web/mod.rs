//! What a model can do on the web, against a real HTTP server on loopback: what it reads, and that nothing it says or
//! meets leads it to where it may not go.

mod guard;
mod http;
mod pages;
mod search;
mod weather;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kith_core::call::ToolResult;
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_core::secret::Secret;
use kith_tools::{NameLookup, ToolContext, ToolRegistry, WebClient, WebSettings};
use serde_json::{Value, json};

use crate::fake_model::FakeModel;
use crate::registry::{call, context};

/// Names and the addresses they have, and what was looked up.
#[derive(Default)]
pub struct FakeNames {
    addresses: HashMap<String, Vec<IpAddr>>,
    pub asked: Mutex<Vec<String>>,
}

impl FakeNames {
    pub fn new(names: &[(&str, &[&str])]) -> Arc<Self> {
        let addresses = names.iter().map(|(name, addresses)| {
            (
                name.to_string(),
                addresses
                    .iter()
                    .map(|address| address.parse().unwrap())
                    .collect(),
            )
        });
        Arc::new(Self {
            addresses: addresses.collect(),
            asked: Mutex::default(),
        })
    }
}

impl NameLookup for FakeNames {
    fn look_up(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        self.asked.lock().unwrap().push(name.to_owned());
        let found = self
            .addresses
            .get(name)
            .cloned()
            .ok_or_else(|| io::Error::other("no such host is known"));
        std::future::ready(found).boxed()
    }
}

/// A context whose web allows these places and knows these names.
pub fn on_the_web(allowed: &[&str], names: Arc<FakeNames>) -> ToolContext {
    let allow_private = allowed.iter().map(|place| place.parse().unwrap()).collect();
    let settings = WebSettings {
        allow_private,
        search: None,
    };
    ToolContext {
        web: Arc::new(WebClient::with_names(settings, names)),
        ..context(Language::EN)
    }
}

/// A context that may go to this server.
pub fn allowed(site: &FakeModel) -> ToolContext {
    on_the_web(&[site.host()], FakeNames::new(&[]))
}

pub fn with_secret(name: &str, value: &str, context: ToolContext) -> ToolContext {
    let secret = Secret::new(value);
    let redactor = Redactor::new([&secret]);
    ToolContext {
        secrets: Arc::new(BTreeMap::from([(name.to_owned(), secret)])),
        redactor,
        ..context
    }
}

pub async fn fetch(url: &str, context: &ToolContext) -> ToolResult {
    run("web_fetch", json!({ "url": url }), context).await
}

pub async fn run(name: &str, params: Value, context: &ToolContext) -> ToolResult {
    ToolRegistry::load_builtin()
        .run(call(name, params), context.clone())
        .await
}

#[track_caller]
pub fn refused(result: &ToolResult, why: &str) {
    assert!(result.is_error, "{}", result.content);
    assert_eq!(result.content, why);
}
