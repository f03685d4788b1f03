//! How much and how long is read, and of what.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

/// A server that says this and then nothing more; what was asked of it so that it would.
async fn serve_reply(reply: &'static str) -> WebRequest {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(reply.as_bytes()).await;
                std::future::pending::<()>().await;
            });
        }
    });
    WebRequest {
        method: Method::GET,
        url: Url::parse(&format!("http://{host}/")).unwrap(),
        headers: HeaderMap::new(),
        body: String::new(),
        private_hosts: [host.parse().unwrap()].into(),
        most_bytes: 8,
        time_out: Duration::from_secs(20),
    }
}

#[tokio::test]
async fn who_is_slow_is_given_up_wherever_they_stop() {
    for reply in [
        "",
        "HTTP/1.1 200 OK\r\nContent-Type: text",
        "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf",
    ] {
        let ask = WebRequest {
            time_out: Duration::from_millis(200),
            ..serve_reply(reply).await
        };
        let error = WebClient::default()
            .fetch(ask)
            .await
            .map(|answer| answer.text)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "it took longer than 0.2 s and was given up",
            "{reply}"
        );
    }
}

#[tokio::test]
async fn no_more_is_read_than_was_asked_for() {
    let endless = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nbegins and goes on";
    let answer = WebClient::default()
        .fetch(serve_reply(endless).await)
        .await
        .unwrap();
    assert_eq!((answer.text.as_str(), answer.is_whole), ("begins a", false));
    let just = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n8 bytes.";
    let answer = WebClient::default()
        .fetch(serve_reply(just).await)
        .await
        .unwrap();
    assert_eq!((answer.text.as_str(), answer.is_whole), ("8 bytes.", true));
}

#[test]
fn only_text_is_read() {
    for (content_type, kind) in [
        ("text/html", TextKind::Html),
        ("TEXT/HTML; charset=x", TextKind::Html),
        ("application/json", TextKind::Json),
        ("application/ld+json;x", TextKind::Json),
        ("text/json", TextKind::Json),
        ("application/rss+xml", TextKind::Plain),
        ("text/csv", TextKind::Plain),
        ("", TextKind::Plain),
    ] {
        assert_eq!(parse_text_kind(content_type), Ok(kind), "{content_type}");
    }
    for other in [
        "image/svg+xml",
        "video/mp4",
        "application/pdf",
        "application/zip",
        "nonsense",
        "multipart/mixed",
    ] {
        assert_eq!(parse_text_kind(other), Err(other.to_owned()));
    }
}
