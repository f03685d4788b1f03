//! One request on the wire: the HTTP client, its proxy and time limits, headers, bodies. Redirects are not followed, and
//! the token leaves this file only in the header of a request to the base of the API.

use std::fmt::Write;
use std::net::IpAddr;

use reqwest::header::{AUTHORIZATION, DATE, HeaderMap, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, Proxy, Response, Url};
use tokio::time::{Instant, timeout_at};

use super::error::RestError;
use super::request::RestRequest;
use super::response::{RestResponse, shorten};
use super::settings::{RequestPacing, RestSettings};
use kith_system::{clock, tls};

/// What Discord asks bots to call themselves: `DiscordBot (url, version)`.
pub const USER_AGENT: &str = concat!(
    "DiscordBot (https://crates.io/crates/kith, ",
    env!("CARGO_PKG_VERSION"),
    ")"
);
/// The most of an answer that is read, in bytes: 100 messages with everything Discord allows in them are less.
const LONGEST_ANSWER: usize = 16 << 20;
/// The longest reason in an audit log, in characters.
const LONGEST_REASON: usize = 512;

pub(super) struct RestTransport {
    base: Url,
    client: Client,
    authorization: HeaderValue,
}

impl RestTransport {
    /// Nothing is asked yet. The error is a sentence about the setting that is wrong.
    pub fn new(settings: &RestSettings) -> Result<Self, String> {
        let RestSettings {
            base,
            token,
            proxy,
            pace,
            ..
        } = settings;
        let url = Url::parse(base)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let Some(url) = url else {
            let shown = shorten(&token.redact(base));
            return Err(format!(
                "discord.api_base is \"{shown}\", which is no web address: write it like https://discord.com/api/v10."
            ));
        };
        let authorization = HeaderValue::from_str(&format!("Bot {}", token.expose()));
        let Some(mut authorization) = authorization.ok().filter(|_| !token.is_empty()) else {
            let wrong = if token.is_empty() {
                "is empty"
            } else {
                "holds a character that no token has"
            };
            return Err(format!(
                "The Discord token {wrong}: copy the bot's token from the developer portal into DISCORD_TOKEN or the \
                 file named by discord.token_file."
            ));
        };
        authorization.set_sensitive(true);
        let client = build_client(&url, url.as_str(), proxy.as_deref(), pace)?;
        Ok(Self {
            base: url,
            client,
            authorization,
        })
    }

    /// Asks once, until `deadline` at the latest.
    pub async fn send_request(
        &self,
        call: &RestRequest,
        pace: &RequestPacing,
        deadline: Instant,
    ) -> Result<RestResponse, RestError> {
        let started = Instant::now();
        let deadline = deadline.min(started + pace.request);
        match timeout_at(deadline, self.execute_request(call)).await {
            Ok(result) => result,
            Err(_) => Err(RestError::TimedOut {
                after: deadline - started,
            }),
        }
    }

    async fn execute_request(&self, call: &RestRequest) -> Result<RestResponse, RestError> {
        let mut url = call.route.to_url(&self.base);
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&call.query);
        }
        let request = self
            .client
            .request(call.method.clone(), url)
            .headers(self.build_headers(call));
        let request = match (&call.json, call.uploads.is_empty()) {
            (Some(json), true) => request.json(json),
            (_, false) => request.multipart(build_form(call)),
            (None, true) => request,
        };
        let response = request.send().await.map_err(classify_transport_error)?;
        let (status, headers) = (response.status(), response.headers().clone());
        if status.is_success() {
            record_server_time(&headers);
        }
        let body = read_body(response).await?;
        Ok(RestResponse {
            status,
            headers,
            body,
        })
    }

    fn build_headers(&self, call: &RestRequest) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if !call.route.is_signed_by_path() {
            headers.insert(AUTHORIZATION, self.authorization.clone());
        }
        let reason = call.reason.as_deref().map(percent_encode);
        if let Some(reason) = reason.and_then(|reason| HeaderValue::from_str(&reason).ok()) {
            headers.insert("x-audit-log-reason", reason);
        }
        headers
    }
}

fn build_client(
    base: &Url,
    destination: &str,
    proxy: Option<&str>,
    pace: &RequestPacing,
) -> Result<Client, String> {
    let mut builder = Client::builder()
        .user_agent(USER_AGENT)
        .redirect(Policy::none())
        .connect_timeout(pace.connect);
    match proxy {
        Some(proxy) => builder = builder.proxy(parse_proxy(proxy)?),
        None if is_loopback(base) => builder = builder.no_proxy(),
        None => {}
    }
    tls::share_certificates(builder, destination)
        .build()
        .map_err(|error| {
            format!(
                "The HTTP client for Discord cannot be made ({}): look at the machine's TLS.",
                find_root_cause(error)
            )
        })
}

/// A client for files that need no token, by the same way as the API.
pub fn build_file_client(settings: &RestSettings) -> Result<Client, String> {
    let base =
        Url::parse(&settings.base).map_err(|_| "discord.api_base is no web address".to_owned())?;
    // The files of Discord itself are not where a proxy for its API is.
    build_client(
        &base,
        "https://cdn.discordapp.com",
        settings.proxy.as_deref(),
        &settings.pace,
    )
}

fn record_server_time(headers: &HeaderMap) {
    let date = headers.get(DATE).and_then(|date| date.to_str().ok());
    if let Some(Ok(date)) = date.map(chrono::DateTime::parse_from_rfc2822) {
        clock::record_server_time(date.timestamp_millis());
    }
}

fn build_form(call: &RestRequest) -> Form {
    let body = call.json.as_ref().map(|json| Part::text(json.to_string()));
    let body = body.map(|part| {
        part.mime_str("application/json")
            .unwrap_or_else(|_| Part::text("{}"))
    });
    let form = body
        .into_iter()
        .fold(Form::new(), |form, part| form.part("payload_json", part));
    call.uploads
        .iter()
        .enumerate()
        .fold(form, |form, (index, file)| {
            form.part(
                format!("files[{index}]"),
                Part::bytes(file.bytes.clone()).file_name(file.name.clone()),
            )
        })
}

async fn read_body(mut response: Response) -> Result<Vec<u8>, RestError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(classify_transport_error)? {
        if body.len() + chunk.len() > LONGEST_ANSWER {
            return Err(RestError::Unreadable(format!(
                "more than {LONGEST_ANSWER} bytes"
            )));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// What a failure of the transport is: it never left, or nobody knows.
fn classify_transport_error(error: reqwest::Error) -> RestError {
    if error.is_connect() || error.is_builder() {
        RestError::Unreachable(find_root_cause(error))
    } else {
        RestError::ConnectionBroken(find_root_cause(error))
    }
}

/// What lies at the bottom of an error: the words around it hold addresses.
fn find_root_cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    // The system's number for the error helps nobody.
    shorten(
        cause
            .to_string()
            .split(" (os error")
            .next()
            .unwrap_or_default(),
    )
}

/// The proxy of a setting. Of `socks5` the proxy resolves names too: where one is needed, names may lie.
fn parse_proxy(setting: &str) -> Result<Proxy, String> {
    let wrong = || {
        // Without what may be a password before the `@`.
        let shown = setting.rsplit('@').next().unwrap_or_default();
        format!(
            "discord.proxy is \"{}\", which is no proxy: write it like http://127.0.0.1:8080 or socks5://127.0.0.1:1080.",
            shorten(shown)
        )
    };
    let setting = match setting.split_once("://") {
        Some(("socks5", rest)) => format!("socks5h://{rest}"),
        Some(("http" | "https" | "socks5h", _)) => setting.to_owned(),
        _ => return Err(wrong()),
    };
    Proxy::all(setting).map_err(|_| wrong())
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// UTF-8, percent-encoded but for letters and digits, at most as long as an audit log takes it.
fn percent_encode(text: &str) -> String {
    let short: String = text.chars().take(LONGEST_REASON).collect();
    short.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() {
            encoded.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}
