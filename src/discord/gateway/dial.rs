//! Opens a web socket to the gateway: directly, or through an HTTP CONNECT or SOCKS5 proxy, with TLS where the address
//! says `wss`. Never falls back to a direct connection, and never goes to another host than the one it was given.

use std::error::Error;
use std::fmt;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use reqwest::Url;
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::USER_AGENT;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Uri};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use tokio_util::either::Either;
use tower_service::Service;

use super::super::rest;
use super::frames::LONGEST_MESSAGE;
use kith_core::secret::Secret;
use kith_system::tls;

/// The part of the address Discord wants: API version 10, JSON, the whole link compressed as one zlib stream.
const QUERY: &str = "v=10&encoding=json&compress=zlib-stream";
/// The port of a SOCKS proxy that names none.
const SOCKS_PORT: u16 = 1080;

pub type GatewaySocket = WebSocketStream<Either<TcpStream, TlsStream<TcpStream>>>;

pub struct GatewayDialer {
    base: Url,
    proxy: Option<Intercept>,
}

/// What stands in the way of a link: a text for people, without credentials.
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    #[error("\"{0}\" is no gateway address, which starts with wss:// or ws://")]
    Address(String),
    #[error("the proxy must be written like http://host:port or socks5://host:port")]
    Proxy,
    #[error("{0}")]
    Connect(String),
    #[error("{0}")]
    Upgrade(String),
}

impl GatewayDialer {
    pub fn new(url: &str, proxy: &Secret) -> Result<Self, DialError> {
        let base = parse_address(url).ok_or_else(|| DialError::Address(url.to_owned()))?;
        let proxy = if proxy.is_empty() {
            None
        } else {
            Some(parse_proxy(proxy, &base)?)
        };
        Ok(Self { base, proxy })
    }

    /// The address a session asked to be resumed at, if it belongs to the gateway this dialer was made for: the same
    /// host, or a sibling below the same domain, as gateway-us-east1-b.discord.gg is of gateway.discord.gg.
    pub fn check_resume_url(&self, url: &str) -> Option<Url> {
        let offered = parse_address(url)?;
        let (ours, theirs) = (self.base.host_str()?, offered.host_str()?);
        let is_address = ours.contains(':') || ours.chars().all(|c| c.is_ascii_digit() || c == '.');
        let domain = ours
            .split_once('.')
            .map(|(_, domain)| domain)
            .filter(|domain| domain.contains('.') && !is_address);
        let is_sibling = domain.is_some_and(|domain| {
            theirs
                .split_once('.')
                .is_some_and(|(_, below)| below == domain)
        });
        let is_same_scheme = offered.scheme() == self.base.scheme();
        let same_host =
            theirs == ours && offered.port_or_known_default() == self.base.port_or_known_default();
        (is_same_scheme && (same_host || is_sibling)).then_some(offered)
    }

    /// Opens a link: to `resume_url` (which must be one of the gateway's own hosts), or to the gateway itself.
    pub async fn dial(&self, resume_url: Option<&Url>) -> Result<GatewaySocket, DialError> {
        let mut url = resume_url.unwrap_or(&self.base).clone();
        url.set_query(Some(QUERY));
        let stream = self.connect(&url).await?;
        stream
            .set_nodelay(true)
            .map_err(|why| DialError::Connect(why.to_string()))?;
        let config = WebSocketConfig {
            max_message_size: Some(LONGEST_MESSAGE),
            max_frame_size: Some(LONGEST_MESSAGE),
            ..WebSocketConfig::default()
        };
        let upgrade = |why| DialError::Upgrade(format_error_chain(&why));
        let mut request = url.as_str().into_client_request().map_err(upgrade)?;
        request
            .headers_mut()
            .insert(USER_AGENT, HeaderValue::from_static(rest::USER_AGENT));
        let stream = if url.scheme() == "wss" {
            Either::Right(encrypt(stream, &url).await?)
        } else {
            Either::Left(stream)
        };
        let upgraded = client_async_with_config(request, stream, Some(config)).await;
        upgraded.map(|(upstream, _)| upstream).map_err(upgrade)
    }

    async fn connect(&self, url: &Url) -> Result<TcpStream, DialError> {
        let target = build_target_uri(url).ok_or_else(|| DialError::Address(url.to_string()))?;
        let mut direct = HttpConnector::new();
        direct.enforce_http(false);
        let Some(proxy) = &self.proxy else {
            return to_tcp_stream(direct.call(target).await);
        };
        let (proxy_uri, name_and_password) = (proxy.uri().clone(), proxy.raw_auth());
        if proxy_uri.scheme_str() == Some("http") {
            let tunnel = Tunnel::new(proxy_uri, direct);
            let mut tunnel = match proxy.basic_auth() {
                Some(credentials) => tunnel.with_auth(credentials.clone()),
                None => tunnel,
            };
            return to_tcp_stream(tunnel.call(target).await);
        }
        let socks = SocksV5::new(proxy_uri, direct);
        let mut socks = match name_and_password {
            Some((name, password)) => socks.with_auth(name.to_owned(), password.to_owned()),
            None => socks,
        };
        to_tcp_stream(socks.call(target).await)
    }
}

impl fmt::Debug for GatewayDialer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialer")
            .field("base", &self.base.as_str())
            .field("proxied", &self.proxy.is_some())
            .finish()
    }
}

/// A web socket's address without query.
fn parse_address(url: &str) -> Option<Url> {
    let mut url = Url::parse(url).ok()?;
    let usable =
        matches!(url.scheme(), "ws" | "wss") && url.has_host() && url.username().is_empty();
    url.set_query(None);
    usable.then_some(url)
}

/// Where the TCP connection goes, as the connectors want it: with its port, as an address of the web.
fn build_target_uri(url: &Url) -> Option<Uri> {
    let scheme = if url.scheme() == "wss" {
        "https"
    } else {
        "http"
    };
    format!(
        "{scheme}://{}:{}/",
        url.host_str()?,
        url.port_or_known_default()?
    )
    .parse()
    .ok()
}

/// A proxy's address with its credentials, as the connectors want it.
fn parse_proxy(proxy: &Secret, base: &Url) -> Result<Intercept, DialError> {
    let mut url = Url::parse(proxy.expose()).map_err(|_| DialError::Proxy)?;
    let is_socks = matches!(url.scheme(), "socks5" | "socks5h");
    if !(is_socks || url.scheme() == "http") || !url.has_host() {
        return Err(DialError::Proxy);
    }
    if is_socks && url.port().is_none() {
        url.set_port(Some(SOCKS_PORT))
            .map_err(|()| DialError::Proxy)?;
    }
    let target = build_target_uri(base).ok_or(DialError::Proxy)?;
    Matcher::builder()
        .all(url.as_str())
        .build()
        .intercept(&target)
        .ok_or(DialError::Proxy)
}

/// TLS with the host of `url`, whose certificate must be for it.
async fn encrypt(stream: TcpStream, url: &Url) -> Result<TlsStream<TcpStream>, DialError> {
    let host = url.host_str().unwrap_or_default();
    let host = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_owned();
    let name = ServerName::try_from(host).map_err(|_| DialError::Address(url.to_string()))?;
    let encrypted = tls::http1_connector().connect(name, stream).await;
    encrypted.map_err(|why| DialError::Upgrade(format_error_chain(&why)))
}

fn to_tcp_stream<E: Error>(stream: Result<TokioIo<TcpStream>, E>) -> Result<TcpStream, DialError> {
    stream
        .map(TokioIo::into_inner)
        .map_err(|why| DialError::Connect(format_error_chain(&why)))
}

/// An error with what lies below it: the outer ones of the network say little.
fn format_error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut below = error.source();
    while let Some(error) = below {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        below = error.source();
    }
    text
}

#[cfg(test)]
#[path = "../tests/unit/dial.rs"]
mod tests;
