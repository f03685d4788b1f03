//! The HTTP connection to a model server. Loopback is never sent through a proxy, redirects are not followed, and the key
//! leaves this file only in the header of a request.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Proxy, Response};
use serde_json::Value;

use super::endpoint::ModelEndpoint;
use super::fault::{ModelFault, classify_non_json};
use super::retry::parse_retry_after;
use super::settings::Provider;
use kith_language::model_faults;
use kith_system::tls;

/// How much of an error's body is read, in bytes.
const ERROR_BYTES: usize = 64 << 10;
const ERROR_WAIT: Duration = Duration::from_secs(5);
/// How much of a list of models or the like is read, in bytes.
const DOCUMENT_BYTES: usize = 8 << 20;

const ANTHROPIC_VERSION: &str = "2023-06-01";

impl ModelEndpoint {
    /// The HTTP client, made when it is first needed.
    fn client(&self) -> Result<Client, ModelFault> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let mut builder = Client::builder()
            .user_agent(concat!("kith/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.limits.connect)
            .redirect(reqwest::redirect::Policy::none());
        // Without this the environment would be asked, which only the settings may read.
        builder = builder.no_proxy();
        if self.is_proxied() {
            builder = builder.proxy(
                Proxy::all(self.proxy.expose())
                    .map_err(|error| self.build_transport_fault(&error))?,
            );
        }
        let client = tls::share_certificates(builder, &self.base)
            .build()
            .map_err(|error| self.build_transport_fault(&error))?;
        Ok(self.client.get_or_init(|| client).clone())
    }

    /// Posts `body` and answers when the response's head is there and is a success.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Response, ModelFault> {
        self.send(
            self.client()?
                .post(format!("{}{path}", self.base))
                .json(body),
        )
        .await
    }

    pub async fn get(&self, path: &str) -> Result<Value, ModelFault> {
        self.get_from_base(&self.base, path).await
    }

    /// Reads a JSON document below another base address of the same server.
    pub async fn get_from_base(&self, base: &str, path: &str) -> Result<Value, ModelFault> {
        let response = self
            .send(self.client()?.get(format!("{base}{path}")))
            .await?;
        self.read_document(response).await
    }

    pub async fn post_json(&self, path: &str, body: &Value) -> Result<Value, ModelFault> {
        let response = self.post(path, body).await?;
        self.read_document(response).await
    }

    async fn read_document(&self, response: Response) -> Result<Value, ModelFault> {
        let text = read_body(response, DOCUMENT_BYTES)
            .await
            .map_err(|error| self.build_transport_fault(&error))?;
        serde_json::from_str(&text)
            .map_err(|_| ModelFault::from_broken_answer(self, classify_non_json(&text)))
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Response, ModelFault> {
        let request = request.headers(self.header_map()?);
        let response = request
            .send()
            .await
            .map_err(|error| self.build_transport_fault(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        if status.is_redirection() {
            let location = response.headers().get(reqwest::header::LOCATION);
            let location = location
                .and_then(|value| value.to_str().ok())
                .unwrap_or("no address given");
            return Err(ModelFault::from_redirect(self, status.as_u16(), location));
        }
        let after = parse_retry_after(response.headers());
        let body = tokio::time::timeout(ERROR_WAIT, read_body(response, ERROR_BYTES)).await;
        let body = body.ok().and_then(Result::ok).unwrap_or_default();
        Err(ModelFault::from_status(self, status.as_u16(), &body, after))
    }

    pub fn build_transport_fault(&self, error: &reqwest::Error) -> ModelFault {
        ModelFault::from_transport_error(self, error, &self.limits)
    }

    fn header_map(&self) -> Result<HeaderMap, ModelFault> {
        let mut map = HeaderMap::new();
        let wrong = |what: &str| {
            ModelFault::new_permanent(model_faults::header_impossible(&self.host, what))
        };
        if !self.key.is_empty() {
            let (name, before) = match self.provider {
                Provider::Anthropic => (HeaderName::from_static("x-api-key"), ""),
                Provider::Gemini => (HeaderName::from_static("x-goog-api-key"), ""),
                _ => (AUTHORIZATION, "Bearer "),
            };
            let value = HeaderValue::from_str(&format!("{before}{}", self.key.expose()));
            let mut value = value.map_err(|_| wrong("model.api_key"))?;
            value.set_sensitive(true);
            map.insert(name, value);
        }
        if self.provider == Provider::Anthropic {
            map.insert(
                "anthropic-version",
                HeaderValue::from_static(ANTHROPIC_VERSION),
            );
        }
        for (name, secret) in &self.headers {
            let field = || wrong(&format!("model.headers.{name}"));
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| field())?;
            let mut value = HeaderValue::from_str(secret.expose()).map_err(|_| field())?;
            value.set_sensitive(true);
            map.insert(header, value);
        }
        Ok(map)
    }
}

async fn read_body(mut response: Response, limit: usize) -> Result<String, reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        bytes.extend_from_slice(&chunk[..chunk.len().min(limit - bytes.len())]);
        if bytes.len() >= limit {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
