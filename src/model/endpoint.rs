//! Where a model is asked: address, key, headers, and the HTTP connection. Loopback is never sent through a proxy,
//! redirects are not followed, and the key leaves this file only in the header of a request.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Proxy, Response, Url};
use serde_json::Value;
use tokio::net::TcpStream;

use super::anthropic;
use super::fault::{BrokenAnswer, ModelFault};
use super::retry::parse_retry_after;
use super::said::{extract_page_text, shorten};
use super::settings::{ModelSettings, Provider, TimeLimits};
use kith_core::secret::Secret;
use kith_system::tls;

/// How much of an error's body is read, in bytes.
const ERROR_BYTES: usize = 64 << 10;
/// How long an error's body is waited for.
const ERROR_WAIT: Duration = Duration::from_secs(5);
/// How long a local server is given to take a connection when it is looked for.
const LOCAL_CONNECT_WAIT: Duration = Duration::from_millis(500);
/// How much of a list of models or the like is read, in bytes.
const DOCUMENT_BYTES: usize = 8 << 20;

/// A model server, and the model on it.
#[derive(Clone)]
pub(super) struct ModelEndpoint {
    /// Who it is: neither [`Provider::Auto`] nor [`Provider::None`].
    pub provider: Provider,
    /// The address paths are appended to; no slash at its end.
    pub base: String,
    /// Host and port, for people.
    pub host: String,
    /// The model's name; empty where only the server matters.
    pub name: String,
    /// The key; may be empty.
    pub key: Secret,
    /// The environment variable people are told to put the key in.
    pub key_variable: String,
    /// The time limits of a call.
    pub limits: TimeLimits,
    /// Whether the server is on this machine.
    pub is_local: bool,
    /// The proxy it is asked through; empty for none.
    proxy: Secret,
    socket: (String, u16),
    headers: Vec<(String, Secret)>,
    client: OnceLock<Client>,
}

impl ModelEndpoint {
    /// The server at `base`, asked with the key, headers and time limits of the settings.
    pub fn new(
        settings: &ModelSettings,
        provider: Provider,
        base: &str,
    ) -> Result<Self, ModelFault> {
        let base = base.trim().trim_end_matches('/');
        let url = Url::parse(base)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let Some(url) = url else {
            let shown = shorten(&settings.api_key.redact(base));
            return Err(ModelFault::new_permanent(format!(
                "model.base_url is \"{shown}\", which is no web address: write it like https://api.openai.com/v1."
            )));
        };
        // Behind these the path of a request would be something else than a path: any address of any server could be
        // asked for.
        if url.query().is_some() || url.fragment().is_some() {
            let shown = shorten(&settings.api_key.redact(base));
            return Err(ModelFault::new_permanent(format!(
                "model.base_url is \"{shown}\": leave out everything from the ? or # on, for the path is added to it."
            )));
        }
        let (host, is_local) = (format_hostname(&url), is_loopback(&url));
        let headers = settings
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        Ok(Self {
            provider,
            base: base.to_owned(),
            host,
            name: settings.name.clone(),
            key: settings.api_key.clone(),
            key_variable: settings.key_variable().to_owned(),
            limits: settings.resolve_time_limits(provider, is_local),
            proxy: settings.proxy.clone(),
            headers,
            is_local,
            socket: (
                extract_hostname(&url).to_owned(),
                url.port_or_known_default().unwrap_or(80),
            ),
            client: OnceLock::new(),
        })
    }

    /// Whether anything listens on a local server's port. Costs next to nothing, where a first request costs the
    /// loading of all CA certificates.
    pub async fn is_listening(&self) -> bool {
        let connect = TcpStream::connect((self.socket.0.as_str(), self.socket.1));
        matches!(
            tokio::time::timeout(self.limits.connect.min(LOCAL_CONNECT_WAIT), connect).await,
            Ok(Ok(_))
        )
    }

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

    /// Whether it is asked through a proxy.
    pub fn is_proxied(&self) -> bool {
        !self.is_local && !self.proxy.is_empty()
    }

    /// What a server said, without secrets, short and on one line.
    pub fn quote(&self, text: &str) -> String {
        let secrets = [&self.key, &self.proxy]
            .into_iter()
            .chain(self.headers.iter().map(|(_, value)| value));
        shorten(&secrets.fold(text.to_owned(), |text, secret| secret.redact(&text)))
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

    /// Reads a JSON document.
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

    /// Posts `body` and reads a JSON document.
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

    /// The fault behind an error of the HTTP client.
    pub fn build_transport_fault(&self, error: &reqwest::Error) -> ModelFault {
        ModelFault::from_transport_error(self, error, &self.limits)
    }

    fn header_map(&self) -> Result<HeaderMap, ModelFault> {
        let mut map = HeaderMap::new();
        let wrong = |what: &str| {
            ModelFault::new_permanent(format!(
                "{what} cannot be sent to {} in an HTTP header: it holds a line break or another character that is \
                 not allowed there; copy it again.",
                self.host
            ))
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
                HeaderValue::from_static(anthropic::VERSION),
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

/// Why a text that should be JSON is none.
pub(super) fn classify_non_json(text: &str) -> BrokenAnswer {
    if text.trim_start().starts_with('<') {
        BrokenAnswer::Html(extract_page_text(text))
    } else {
        BrokenAnswer::NotJson(extract_page_text(text))
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

fn format_hostname(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// The host without the brackets of an IPv6 address.
fn extract_hostname(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_matches(['[', ']'])
}

fn is_loopback(url: &Url) -> bool {
    let host = extract_hostname(url);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
