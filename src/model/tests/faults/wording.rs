//! How a fault is told: without the words of libraries to people, and without those of servers in a log.

use super::*;
use kith_core::persona::Language;

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

#[tokio::test]
async fn what_went_wrong_is_told_in_the_language_of_who_reads_it_and_logged_in_english() {
    let server = FakeModel::start().await;
    let refusal = json!({"error": {"message": "no such key"}});
    server.on("POST /v1/chat/completions", Reply::json(401, refusal));
    let ledger = CallLedger::in_memory(BudgetSettings::default());
    let failure = kith_model::test_model(&settings(&server), &ledger)
        .await
        .unwrap_err();
    assert!(failure.message.contains(" refused the key (401: "));
    assert_eq!(failure.describe(Language::EN), failure.message);
    let told = failure.clone().into_language(Language::ZH).message;
    assert!(
        told.contains(" 不接受这个密钥（401: \"no such key\"）：请检查 model.api_key"),
        "{told}"
    );
    assert!(!failure.message_for_log().contains("no such key"));
}
