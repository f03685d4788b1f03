//! Who may talk to the room: whoever has its token, from a page that the room itself served. Another user of this
//! machine has no token; a foreign site must neither post to it (its origin is checked) nor read it under a name of
//! its own (the host is checked). Puts the security headers on every answer.
//!
//! The token comes once in the address that Kith prints (`/?token=…`). The page that answers carries it on in a cookie,
//! which scripts cannot read and no other site's request takes along, and takes it out of the address bar. Programs
//! send it as `Authorization: Bearer …`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State as Shared};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Response};
use serde_json::json;

use super::page;
use super::server::RoomVisitor;
use super::token::RoomToken;

const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];
/// How long a browser keeps the cookie, in seconds: the 400 days that browsers allow at most (RFC 6265bis, 5.5).
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;

pub(super) async fn guard_request(
    Shared(token): Shared<Arc<RoomToken>>,
    request: Request,
    next: Next,
) -> Response {
    let (mut response, cookie) = match authorize_request(&token, &request) {
        Ok(cookie) => {
            request.extensions().get().map(RoomVisitor::mark_admitted);
            (next.run(request).await, cookie)
        }
        Err(refusal) => (refusal.into_response(), None),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    if let Some(mut cookie) = cookie {
        cookie.set_sensitive(true);
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Why a request is not let in: a status, and what is told instead; for nothing, the page that says how to come in.
struct Refusal(StatusCode, Option<&'static str>);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(status, message) = self;
        let mut response = match message {
            Some(message) => (status, Json(json!({ "error": message }))).into_response(),
            None => (status, page::render_closed_page()).into_response(),
        };
        if status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Refuses requests under a name that a foreign site may have lead here. Probes send no name, proxies of containers a
/// number or a name without a dot; a browser that was led here always sends the site's.
pub async fn guard_host(request: Request, next: Next) -> Response {
    let is_foreign = |host: &HeaderValue| {
        let host = host
            .to_str()
            .ok()
            .and_then(|host| host.parse::<Authority>().ok());
        host.is_none_or(|host| {
            let name = host.host().trim_matches(['[', ']']);
            name.contains('.') && name.parse::<IpAddr>().is_err()
        })
    };
    match request.headers().get(header::HOST).is_some_and(is_foreign) {
        true => FOREIGN_HOST.into_response(),
        false => next.run(request).await,
    }
}

const FOREIGN_HOST: Refusal = Refusal(
    StatusCode::MISDIRECTED_REQUEST,
    Some("kith answers only under a name of this machine; open it at http://127.0.0.1"),
);

/// The host that is asked, and its port, where it is this machine.
fn find_host(headers: &HeaderMap) -> Option<(&str, u16)> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    Some((host, parse_loopback_port(host)?))
}

/// Answers with the cookie to set, where the token came in the address.
fn authorize_request(token: &RoomToken, request: &Request) -> Result<Option<HeaderValue>, Refusal> {
    let (path, headers) = (request.uri().path(), request.headers());
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let (host, port) = find_host(headers).ok_or(FOREIGN_HOST)?;
    let is_api = path.starts_with("/api");
    let cookie_name = format!("kith-room-{port}");
    let in_address = path == "/"
        && find_values(request.uri().query().unwrap_or_default(), '&', "token")
            .any(|it| token.matches(it));
    if !in_address && !has_token(token, headers, &cookie_name) {
        return Err(Refusal(StatusCode::UNAUTHORIZED, is_api.then_some(CLOSED)));
    }
    if is_api {
        let foreign_origin =
            text(header::ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host));
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if foreign_origin || site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            let message = "another site may not talk to the room; use the room's own page";
            return Err(Refusal(StatusCode::FORBIDDEN, Some(message)));
        }
        // A plain form of a foreign site cannot send this type without asking first, and it is not let in when it asks.
        let is_json = text(header::CONTENT_TYPE).is_some_and(|kind| {
            kind.split(';')
                .next()
                .is_some_and(|kind| kind.trim() == "application/json")
        });
        if *request.method() == Method::POST && !is_json {
            let message = "send JSON, with the header `content-type: application/json`";
            return Err(Refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, Some(message)));
        }
    }
    // Browsers send a cookie to every port of a host, so its name says whose it is.
    let value = token.secret().expose();
    let cookie = format!(
        "{cookie_name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_SECONDS}"
    );
    Ok(in_address
        .then(|| HeaderValue::try_from(cookie).ok())
        .flatten())
}

/// What who has no token is told by the API.
const CLOSED: &str = "the room is closed to whoever lacks its token; open the address that kith printed when it \
                      started, or send the header `authorization: Bearer TOKEN` with what stands in room.token in \
                      kith's data folder";

fn has_token(token: &RoomToken, headers: &HeaderMap, cookie_name: &str) -> bool {
    let texts = |name: HeaderName| {
        headers
            .get_all(name)
            .into_iter()
            .filter_map(|value| value.to_str().ok())
    };
    let has_scheme = |text: &&str| {
        text.get(..7)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer "))
    };
    let mut sent = texts(header::AUTHORIZATION)
        .filter(has_scheme)
        .filter_map(|text| text.get(7..));
    // Another server of this machine may have set one of the same name: any of them may be it.
    sent.any(|it| token.matches(it.trim()))
        || texts(header::COOKIE)
            .any(|all| find_values(all, ';', cookie_name).any(|it| token.matches(it)))
}

/// The values of a name in a list of `name=value`.
fn find_values<'a>(list: &'a str, separator: char, name: &'a str) -> impl Iterator<Item = &'a str> {
    list.split(separator)
        .filter_map(move |pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

fn parse_loopback_port(host: &str) -> Option<u16> {
    let host = host.parse::<Authority>().ok()?;
    let is_here =
        matches!(host.host(), "localhost" | "127.0.0.1" | "[::1]") && !host.as_str().contains('@');
    is_here.then(|| host.port_u16().unwrap_or(80))
}
