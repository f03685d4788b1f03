//! Whose certificate is trusted: those of the machine, or of the file that `SSL_CERT_FILE` names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use super::kith_process::{KithProcess, settings};
use super::*;

/// TLS before the plain server at `plain`, with a certificate of its own; answers with its port.
async fn serve_encrypted(plain: String, certificate: &CertifiedKey<rcgen::KeyPair>) -> u16 {
    let key = PrivatePkcs8KeyDer::from(certificate.signing_key.serialize_der());
    let chain = vec![certificate.cert.der().clone()];
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from(key))
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, plain) = (acceptor.clone(), plain.clone());
            tokio::spawn(async move {
                let Ok(mut encrypted) = acceptor.accept(stream).await else {
                    return;
                };
                let mut server = TcpStream::connect(plain).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut encrypted, &mut server).await;
            });
        }
    });
    port
}

fn write_certificate(folder: &Path, certificate: &CertifiedKey<rcgen::KeyPair>) -> PathBuf {
    let path = folder.join("certificate.pem");
    std::fs::write(&path, certificate.cert.pem()).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_of_the_file_that_is_named_is_trusted_and_no_other() {
    let url = model(|_| "<turn><send_message>well met</send_message></turn>".into()).await;
    let plain = url.trim_start_matches("http://").trim_end_matches("/v1");
    let folder = tempfile::tempdir().unwrap();
    let make = || generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    let (known, unknown) = (make(), make());
    let trusted = write_certificate(folder.path(), &known);
    let environment = [("SSL_CERT_FILE", trusted.to_str().unwrap())];
    for (certificate, is_trusted) in [(&known, true), (&unknown, false)] {
        let port = serve_encrypted(plain.to_owned(), certificate).await;
        let url = format!("https://localhost:{port}/v1");
        let kith = KithProcess::open_with(&settings(&url, ""), &environment).await;
        kith.says("@Juno hello").await;
        if is_trusted {
            kith.until_answers(1).await;
        } else {
            kith.until_logged("certificate").await;
            assert!(!kith.history().await.iter().any(own));
        }
    }
}
