//! How a fault is told: without the words of libraries to people, and without those of servers in a log.

use super::*;

#[tokio::test]
async fn https_to_a_server_that_speaks_plain_http_says_which_address_to_write() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 1_024]).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let mut settings = settings(&FakeModel::start().await);
    settings.base_url = format!("https://{address}/v1");
    settings.context_tokens = Some(4_000);
    let said = ask(&resolve_model(&settings).await.model)
        .await
        .end
        .unwrap_err();
    assert_eq!(
        said,
        format!(
            "The model server {address} cannot be reached (it speaks no TLS there): write http:// in place of https://, \
             or correct model.base_url."
        )
    );
}

#[test]
fn a_log_is_told_what_is_wrong_without_the_servers_own_words() {
    let failure = kith_core::report::ModelFailure::new(
        "h:1 refused the key (401: \"no \"hi, it is Anna\" for you\"): check model.api_key.",
    );
    assert_eq!(
        failure.message_for_log(),
        "h:1 refused the key (401: \"…\"): check model.api_key."
    );
}
