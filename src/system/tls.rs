//! What TLS trusts: the machine's own certificates (`SSL_CERT_FILE` and `SSL_CERT_DIR` name others), read once a process.
//! Every client would otherwise read them for itself and keep a copy for as long as it lives: a megabyte each, and some
//! milliseconds.

use std::sync::{Arc, OnceLock};

use reqwest::{Client, ClientBuilder};
use rustls_platform_verifier::ConfigVerifierExt;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// For web sockets, which cannot be opened over HTTP/2, and whoever speaks HTTP/1.1 only.
const HTTP1: &[&[u8]] = &[b"http/1.1"];
const HTTP2: &[&[u8]] = &[b"h2", b"http/1.1"];

static MACHINE: OnceLock<ClientConfig> = OnceLock::new();

/// A client that trusts whom all others trust, and offers HTTP/2. One that goes to an `http://` address and nowhere else
/// trusts nobody, and reads nothing.
pub fn share_certificates(builder: ClientBuilder, address: &str) -> ClientBuilder {
    let is_plain = address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"));
    builder.tls_backend_preconfigured(if is_plain {
        trust_nobody()
    } else {
        trust_machine(HTTP2)
    })
}

/// The same for a client that speaks HTTP/1.1 only.
pub fn share_certificates_http1(builder: ClientBuilder) -> ClientBuilder {
    builder
        .http1_only()
        .tls_backend_preconfigured(trust_machine(HTTP1))
}

/// A client for this machine only: plain HTTP, past every proxy.
pub fn loopback_client() -> ClientBuilder {
    share_certificates(Client::builder(), "http:").no_proxy()
}

/// For a link that begins with HTTP/1.1.
pub fn http1_connector() -> TlsConnector {
    TlsConnector::from(Arc::new(trust_machine(HTTP1)))
}

/// For a link that speaks no HTTP.
pub fn plain_connector() -> TlsConnector {
    TlsConnector::from(Arc::new(trust_machine(&[])))
}

fn trust_machine(protocols: &[&[u8]]) -> ClientConfig {
    let mut config = MACHINE.get_or_init(read_certificates).clone();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    config
}

/// Where the machine has no certificates that can be read, every `https` address is refused, and the log has said why.
fn read_certificates() -> ClientConfig {
    ClientConfig::with_platform_verifier().unwrap_or_else(|error| {
        tracing::error!(%error, "the machine's certificates cannot be read, so no https address can be reached: \
            install ca-certificates, or name a file of certificates in SSL_CERT_FILE");
        trust_nobody()
    })
}

fn trust_nobody() -> ClientConfig {
    ClientConfig::builder()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_http_client_takes_what_is_trusted() {
        // reqwest tells a configuration of another version of rustls from its own only when the client is built.
        let address = ["HTTPS://example.org", "http://example.org"];
        for address in address {
            let client = share_certificates(Client::builder(), address);
            assert!(client.build().is_ok(), "{address}");
        }
        assert!(share_certificates_http1(Client::builder()).build().is_ok());
        assert!(MACHINE.get().is_some());
    }
}
