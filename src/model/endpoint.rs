//! Where a model is asked: address, key, headers and time limits. `http.rs` has the connection.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::{Client, Url};
use tokio::net::TcpStream;

use super::fault::ModelFault;
use super::server_error_text::shorten;
use super::settings::{ModelSettings, Provider};
use super::time_limits::TimeLimits;
use kith_core::secret::Secret;
use kith_language::model_faults;

/// How long a local server is given to take a connection when it is looked for.
const LOCAL_CONNECT_WAIT: Duration = Duration::from_millis(500);
#[derive(Clone)]
pub(super) struct ModelEndpoint {
    /// Who it is: neither [`Provider::Auto`] nor [`Provider::None`].
    pub provider: Provider,
    /// The address paths are appended to; no slash at its end.
    pub base: String,
    pub host: String,
    /// The model's name; empty where only the server matters.
    pub name: String,
    /// The key; may be empty.
    pub key: Secret,
    /// The environment variable people are told to put the key in.
    pub key_variable: String,
    pub limits: TimeLimits,
    pub is_local: bool,
    /// The proxy it is asked through; empty for none.
    pub proxy: Secret,
    socket: (String, u16),
    pub headers: Vec<(String, Secret)>,
    pub client: OnceLock<Client>,
}

impl ModelEndpoint {
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
            return Err(ModelFault::new_permanent(model_faults::no_web_address(
                shown,
            )));
        };
        // Behind these the path of a request would be something else than a path: any address of any server could be
        // asked for.
        if url.query().is_some() || url.fragment().is_some() {
            let shown = shorten(&settings.api_key.redact(base));
            return Err(ModelFault::new_permanent(model_faults::address_with_query(
                shown,
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
