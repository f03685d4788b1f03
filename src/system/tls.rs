//! What TLS trusts, read once a process. Every client would otherwise read the machine's certificates for itself and
//! keep a copy for as long as it lives: a megabyte each, and some milliseconds.

use std::sync::OnceLock;

use native_tls::{TlsConnector, TlsConnectorBuilder};
use reqwest::ClientBuilder;

/// For whom HTTP/2 is welcome, and for whom it is not: web sockets cannot be opened over it.
static HTTP2: OnceLock<Option<TlsConnector>> = OnceLock::new();
static HTTP1: OnceLock<Option<TlsConnector>> = OnceLock::new();

/// A client that trusts whom all others trust, and offers HTTP/2. One that goes to an `http://` address and nowhere else
/// trusts nobody, and reads nothing. Where the machine's TLS gives no connector, the client is built as it would be without
/// this, and says what is wrong.
pub fn share_certificates(builder: ClientBuilder, address: &str) -> ClientBuilder {
    let is_plain = address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"));
    let shared = match is_plain {
        false => HTTP2
            .get_or_init(|| connector(TlsConnector::builder().request_alpns(&["h2", "http/1.1"])))
            .clone(),
        true => connector(TlsConnector::builder().disable_built_in_roots(true)),
    };
    match shared {
        Some(connector) => builder.tls_backend_preconfigured(connector),
        None => builder,
    }
}

/// The same for a client that speaks HTTP/1.1 only.
pub fn share_certificates_http1(builder: ClientBuilder) -> ClientBuilder {
    match http1_connector() {
        Some(connector) => builder.http1_only().tls_backend_preconfigured(connector),
        None => builder.http1_only(),
    }
}

/// For a link that begins with HTTP/1.1; none where the machine's TLS gives no connector.
pub fn http1_connector() -> Option<TlsConnector> {
    HTTP1
        .get_or_init(|| connector(TlsConnector::builder().request_alpns(&["http/1.1"])))
        .clone()
}

fn connector(builder: &TlsConnectorBuilder) -> Option<TlsConnector> {
    builder
        .build()
        .inspect_err(|error| tracing::error!(%error, "the machine's TLS cannot be used"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_http_client_takes_the_shared_connector() {
        // reqwest tells one of another version of the crate from its own only when the client is built.
        assert!(
            share_certificates(reqwest::Client::builder(), "HTTPS://example.org")
                .build()
                .is_ok()
        );
        assert!(
            share_certificates(reqwest::Client::builder(), "http://example.org")
                .build()
                .is_ok()
        );
        assert!(
            share_certificates_http1(reqwest::Client::builder())
                .build()
                .is_ok()
        );
        assert!(
            HTTP2.get().is_some_and(Option::is_some) && HTTP1.get().is_some_and(Option::is_some)
        );
    }
}
