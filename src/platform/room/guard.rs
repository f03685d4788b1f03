//! Who may talk to the room: only pages that the room itself served. It has no password, so a foreign site must
//! neither post to it (its origin is checked) nor read it under a name of its own (the host is checked). Puts the
//! security headers on every answer.

use axum::extract::Request;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Response};
use serde_json::json;

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
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Lets a request through, or says why not.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    let mut response = match objection(request.method(), request.uri().path(), request.headers()) {
        Some((status, message)) => (status, Json(json!({ "error": message }))).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn objection(method: &Method, path: &str, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST).filter(|host| is_loopback(host)) else {
        return Some((
            StatusCode::MISDIRECTED_REQUEST,
            "the room answers only under a name of this machine; open it at http://127.0.0.1",
        ));
    };
    if !path.starts_with("/api") {
        return None;
    }
    let foreign_origin = text(header::ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host));
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let foreign_site = site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if foreign_origin || foreign_site {
        return Some((StatusCode::FORBIDDEN, "another site may not talk to the room; use the room's own page"));
    }
    // A plain form of a foreign site cannot send this type without asking first, and it is not let in when it asks.
    let is_json = text(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json"));
    (*method == Method::POST && !is_json)
        .then_some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send JSON, with the header `content-type: application/json`"))
}

fn is_loopback(host: &str) -> bool {
    host.parse::<Authority>()
        .is_ok_and(|host| matches!(host.host(), "localhost" | "127.0.0.1" | "[::1]") && !host.as_str().contains('@'))
}
