//! The one way to the web for whatever a model can cause: http and https only, public addresses only, checked where the
//! connection is made and at every redirect; a few redirects, a bounded head, a bounded body, a bounded time. No proxy,
//! so that nothing stands between what is checked and what is read.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION,
    USER_AGENT,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode, Url};
use tokio::time::timeout;

use super::charset;
use super::error::WebError;
use super::packing::Packing;
use super::private_address::is_allowed_private;
use super::resolver::{GuardedResolver, NameLookup, SystemResolver};
use super::{HostPattern, SearchSettings, WebSettings};
use kith_system::tls;

const MOST_REDIRECTS: usize = 5;
/// The most header lines of one answer; hyper bounds their size.
const MOST_HEADERS: usize = 100;
const LONGEST_CONNECT: Duration = Duration::from_secs(10);
/// What can be read here.
const WANTED: HeaderValue = HeaderValue::from_static(
    "text/html, application/json, text/*;q=0.9, application/xml;q=0.8, */*;q=0.1",
);

pub struct WebClient {
    settings: WebSettings,
    private_hosts: Arc<[HostPattern]>,
    names: Arc<dyn NameLookup>,
    /// Hands on public addresses only.
    strict: OnceLock<Client>,
    /// Hands on every address, for places the host named.
    open: OnceLock<Client>,
}

#[derive(Clone)]
pub(crate) struct WebRequest {
    pub method: Method,
    pub url: Url,
    /// What is sent along. With anything here or in the body, redirects to another server are not followed.
    pub headers: HeaderMap,
    pub body: String,
    /// The places in private networks that this may go to.
    pub private_hosts: Arc<[HostPattern]>,
    /// How much of the body is read, in bytes.
    pub most_bytes: usize,
    pub time_out: Duration,
}

#[derive(Debug)]
pub(crate) struct WebResponse {
    pub url: Url,
    pub status: StatusCode,
    pub kind: TextKind,
    /// The text; of an error that is no text, none.
    pub text: String,
    pub is_whole: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Html,
    Json,
    Plain,
}

impl Default for WebClient {
    fn default() -> Self {
        Self::new(WebSettings::default())
    }
}

impl WebClient {
    /// A way as the settings say. Nothing is connected to yet.
    pub fn new(settings: WebSettings) -> Self {
        Self::with_names(settings, Arc::new(SystemResolver))
    }

    /// One that looks names up there.
    pub fn with_names(settings: WebSettings, names: Arc<dyn NameLookup>) -> Self {
        let private_hosts = settings.allow_private.clone().into();
        Self {
            settings,
            private_hosts,
            names,
            strict: OnceLock::new(),
            open: OnceLock::new(),
        }
    }

    pub(super) fn private_hosts(&self) -> Arc<[HostPattern]> {
        self.private_hosts.clone()
    }

    pub(super) fn search_settings(&self) -> Option<&SearchSettings> {
        self.settings.search.as_ref()
    }

    /// Asks, follows redirects, and reads the text.
    ///
    /// # Errors
    /// Why there is none. An answer with an error's status is an answer.
    pub(crate) async fn fetch(&self, ask: WebRequest) -> Result<WebResponse, WebError> {
        let longest = ask.time_out;
        timeout(longest, self.follow_redirects(ask))
            .await
            .unwrap_or(Err(WebError::Slow(longest)))
    }

    async fn follow_redirects(&self, mut web_request: WebRequest) -> Result<WebResponse, WebError> {
        for _ in 0..=MOST_REDIRECTS {
            let client = self.select_client(&web_request)?;
            let request = client
                .request(web_request.method.clone(), web_request.url.clone())
                .headers(web_request.headers.clone());
            let request = if web_request.body.is_empty() {
                request
            } else {
                request.body(web_request.body.clone())
            };
            let response = request
                .send()
                .await
                .map_err(|error| WebError::from_request_error(&error, &web_request.url))?;
            match build_redirect(&response, &web_request)? {
                Some(next) => web_request = next,
                None => return read_response(response, &web_request).await,
            }
        }
        Err(WebError::Redirects(MOST_REDIRECTS))
    }

    fn select_client(&self, web_request: &WebRequest) -> Result<&Client, WebError> {
        let allow_private = is_allowed_private(&web_request.url, &web_request.private_hosts)?;
        let slot = match allow_private {
            true => &self.open,
            false => &self.strict,
        };
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let always = [
            (
                USER_AGENT,
                HeaderValue::from_static(concat!("kith/", env!("CARGO_PKG_VERSION"))),
            ),
            (ACCEPT, WANTED),
            (ACCEPT_ENCODING, HeaderValue::from_static("identity")),
        ];
        let client = tls::share_certificates_http1(Client::builder())
            .default_headers(always.into_iter().collect())
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            .http1_max_headers(MOST_HEADERS)
            .connect_timeout(LONGEST_CONNECT)
            .dns_resolver(Arc::new(GuardedResolver {
                names: self.names.clone(),
                allow_private,
            }))
            .build()
            .map_err(|error| WebError::Broken {
                host: "the HTTP client".to_owned(),
                why: error.to_string(),
            })?;
        Ok(slot.get_or_init(|| client))
    }
}

/// What is asked next, where the answer leads on.
fn build_redirect(
    response: &Response,
    web_request: &WebRequest,
) -> Result<Option<WebRequest>, WebError> {
    let status = response.status();
    let keeps_method = matches!(
        status,
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
    );
    if !keeps_method
        && !matches!(
            status,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER
        )
    {
        return Ok(None);
    }
    let Some(location) = response.headers().get(LOCATION) else {
        return Ok(None);
    };
    let location = String::from_utf8_lossy(location.as_bytes());
    let url = web_request
        .url
        .join(&location)
        .map_err(|error| WebError::NoUrl(error.to_string()))?;
    let sends_along = !web_request.headers.is_empty() || !web_request.body.is_empty();
    if sends_along && !is_same_server(&web_request.url, &url) {
        return Err(WebError::CrossServerRedirect(
            url.host_str().unwrap_or_default().to_owned(),
        ));
    }
    let mut next = WebRequest {
        url,
        ..web_request.clone()
    };
    if !keeps_method && web_request.method != Method::HEAD {
        next.method = Method::GET;
        next.body.clear();
    }
    Ok(Some(next))
}

/// Whether what was sent to one address may be sent to another: the same server, or the same by TLS.
fn is_same_server(from: &Url, to: &Url) -> bool {
    let is_upgrade = from.scheme() == "http"
        && to.scheme() == "https"
        && from.port().is_none()
        && to.port().is_none();
    from.origin() == to.origin() || is_upgrade && from.host_str() == to.host_str()
}

async fn read_response(
    mut response: Response,
    web_request: &WebRequest,
) -> Result<WebResponse, WebError> {
    let status = response.status();
    let header = |name| {
        response
            .headers()
            .get(name)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let content_type = header(CONTENT_TYPE).unwrap_or_default();
    let encoding = header(CONTENT_ENCODING).unwrap_or_default();
    let kind = match parse_text_kind(&content_type) {
        Ok(kind) => kind,
        // What went wrong is told by the status.
        Err(_) if !status.is_success() => {
            return Ok(WebResponse {
                url: web_request.url.clone(),
                status,
                kind: TextKind::Plain,
                text: String::new(),
                is_whole: true,
            });
        }
        Err(other) => return Err(WebError::NotText(other)),
    };
    let packing = Packing::parse(&encoding).ok_or(WebError::Compressed(encoding))?;
    let (mut bytes, mut is_whole) = (Vec::new(), true);
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| WebError::from_request_error(&error, &web_request.url))?
    {
        let room = web_request.most_bytes - bytes.len();
        bytes.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() > room {
            is_whole = false;
            break;
        }
    }
    let (bytes, is_all) = packing.unpack(bytes, web_request.most_bytes);
    let text = charset::decode(&bytes, &content_type, kind == TextKind::Html);
    Ok(WebResponse {
        url: web_request.url.clone(),
        status,
        kind,
        text,
        is_whole: is_whole && is_all,
    })
}

/// What a `Content-Type` promises.
///
/// # Errors
/// The type, where it is none of a text.
fn parse_text_kind(content_type: &str) -> Result<TextKind, String> {
    let essence = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match essence.split_once('/') {
        Some(("text", "html")) | Some(("application", "xhtml+xml")) => Ok(TextKind::Html),
        Some((_, "json")) => Ok(TextKind::Json),
        Some((_, other)) if other.ends_with("+json") => Ok(TextKind::Json),
        Some(("text", _)) => Ok(TextKind::Plain),
        Some((
            "application",
            "xml" | "javascript" | "x-javascript" | "yaml" | "toml" | "x-ndjson",
        )) => Ok(TextKind::Plain),
        Some(("application", other)) if other.ends_with("+xml") => Ok(TextKind::Plain),
        // Small servers leave it out.
        None if essence.is_empty() => Ok(TextKind::Plain),
        _ => Err(essence
            .chars()
            .filter(|c| !c.is_control())
            .take(60)
            .collect()),
    }
}

#[cfg(test)]
#[path = "../tests/inside/client.rs"]
mod tests;
